# Backbench: every command a person or a workflow runs. `just` alone lists them.

set positional-arguments

# Memory over speed: garbage of earlier stages is collected before the load.
deno := "bench/deno.sh run --quiet --frozen -A --v8-flags=--optimize-for-size,--max-semi-space-size=4"
harness := deno + " bench/main.ts"
cache := env("BACKBENCH_CACHE", env("XDG_CACHE_HOME", home_directory() / ".cache") / "backbench")

[private]
default:
    @"{{ just_executable() }}" --list --unsorted

# Fetches what renders pictures: Deno 2.9 does not find a package that it fetches while the program runs.
[private]
_pictures:
    @bench/deno.sh cache --quiet --frozen bench/site/pictures/resvg.ts

# Fetches what the servers of the red team import: nobody waits so long for one to start.
[private]
_red-team:
    @cd bench/testing/red_team && ../../deno.sh install --quiet --frozen

# Measure implementations: `just bench deno`, `just bench deno,bun quick`, `just bench --all`
[group('measure')]
[no-exit-message]
bench *args:
    @{{ harness }} bench "$@"

# Show which is faster: `just compare deno rust`, `just compare deno --base main quick`
[group('measure')]
[no-exit-message]
compare *args:
    @{{ harness }} compare "$@"

# Compare an implementation with itself, to measure the noise: `just noise deno --comparisons 20`
[group('measure')]
[no-exit-message]
noise *args:
    @{{ harness }} noise "$@"

# Check an implementation's answers against the contract: `just verify deno`
[group('measure')]
[no-exit-message]
verify *args:
    @{{ harness }} verify "$@"

# List the implementations
[group('measure')]
[no-exit-message]
list *args:
    @{{ harness }} list "$@"

# Start an implementation as a copy of another: `just new deno-hono --like deno`
[group('measure')]
[no-exit-message]
new *args:
    @{{ harness }} new "$@"

# Start the database with its 100,000 users, and leave it running until Ctrl-C
[group('measure')]
[no-exit-message]
db *args:
    @{{ harness }} db "$@"

# Recreate the scenarios' tables in the database that DATABASE_URL names
[group('measure')]
[no-exit-message]
seed *args:
    @{{ harness }} seed "$@"

# Check a local run or noise measurement, and copy it to site/data
[group('publish')]
[no-exit-message]
publish id:
    @{{ harness }} publish "$1"

# Serve the site, local runs included
[group('publish')]
[no-exit-message]
site *args: _pictures
    @{{ harness }} site "$@"

# Build the site into site/public, without local runs, warnings as errors
[group('publish')]
[no-exit-message]
site-build *args: _pictures
    @{{ harness }} site-build "$@"

# Show what a workflow measures, and the id of each scenario's run: `just matrix "deno rust"`
[group('workflows')]
matrix *args:
    @{{ harness }} matrix "$@"

# Show which implementations differ from a commit, as a matrix: `just touched main`
[group('workflows')]
touched base:
    @{{ harness }} touched "$1"

# Publish the artifacts of a workflow's runs in one commit on a branch of origin
[group('workflows')]
commit-run *args:
    @{{ harness }} commit-run "$@"

# Write published runs and their baseline for github-action-benchmark: ids as JSON, then a folder
[group('workflows')]
benchmark-data +args:
    @{{ harness }} benchmark-data "$@"

# List suspected regressions in published runs, to be measured again
[group('workflows')]
regressions *args:
    @{{ harness }} regressions "$@"

# Open, update or close issues about regressions in published runs
[group('workflows')]
alert *args:
    @{{ harness }} alert "$@"

# Render a pull request's artifacts as a comment: `just comment artifacts comment.md`
[group('workflows')]
comment +args:
    @{{ harness }} comment "$@"

# Write or update a comment on the pull request of the event
[group('workflows')]
comment-post file:
    @{{ harness }} comment-post "$1"

# Check .github for mistakes and weaknesses
[group('workflows')]
lint-workflows *args:
    @{{ harness }} lint-workflows "$@"

# Show every tool, toolchain and database provider, and what to install
[group('maintain')]
[no-exit-message]
doctor *args:
    @{{ harness }} doctor "$@"

# Fetch and build the tools that are missing
[group('maintain')]
[no-exit-message]
setup *args:
    @{{ harness }} setup "$@"

# Run the tests: `just test`, `just test unit` (or site, server, measure), `just test bench/measure/judge_test.ts`
[group('maintain')]
[no-exit-message]
test *args: _pictures _red-team
    @bench/deno.sh run --quiet --frozen -A bench/testing/run_tests.ts "$@"

# Check format, lint, types, the justfile, the workflows and the site
[group('maintain')]
check: _pictures
    bench/deno.sh fmt --check
    bench/deno.sh lint
    bench/deno.sh check --quiet bench site/tests tokens.gen.ts tokens.gen_server_test.ts
    {{ harness }} check-impls
    cd bench/testing/red_team && ../../deno.sh fmt --check && ../../deno.sh lint && ../../deno.sh check --quiet .
    cargo fmt --all --check --manifest-path bench/native/Cargo.toml
    CARGO_BUILD_BUILD_DIR="{{ cache }}/clippy" CLIPPY_CONF_DIR="{{ justfile_directory() }}/bench/native" cargo clippy --quiet --locked --workspace --manifest-path bench/native/Cargo.toml -- --deny warnings
    "{{ just_executable() }}" --fmt --check --unstable
    {{ harness }} lint-workflows
    {{ harness }} site-build

# Measure what the harness itself costs, into the table of bench/README.md
[group('maintain')]
[no-exit-message]
cost *args:
    @{{ deno }} bench/testing/cost/main.ts cost "$@"

# Measure whether being frozen between turns changes a ratio: `just slices-cost node`
[group('maintain')]
[no-exit-message]
slices-cost *args:
    @{{ deno }} bench/testing/cost/main.ts slices-cost "$@"

# Measure what a large site costs: `just site-cost --runs 1000`
[group('maintain')]
[no-exit-message]
site-cost *args: _pictures
    @{{ deno }} bench/testing/cost/main.ts site-cost "$@"

# Run the workflows here with act: `just rehearse ~/actions` (a folder of pinned actions, <owner>/<name>@<commit>)
[group('maintain')]
[no-exit-message]
rehearse *args:
    @{{ deno }} bench/testing/rehearsal/main.ts rehearse "$@"

# Run the formatter and linter of implementations: `just check-impls deno`
[group('maintain')]
[no-exit-message]
check-impls *args:
    @{{ harness }} check-impls "$@"

# Write the JSON Schema of results for the site
[group('maintain')]
schema *args:
    @{{ harness }} schema "$@"
