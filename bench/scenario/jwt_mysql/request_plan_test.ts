import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { BenchError } from "../../lib/error.ts";
import { createRandom } from "../../lib/random.ts";
import { chooseOftenAsked, kinds, lifeSeconds, planRequests } from "./request_plan.ts";

const nowSeconds = 1_800_000_000;

function plan(lines: number, users = 100_000, seed = 1) {
  const random = createRandom(seed);
  const oftenAsked = chooseOftenAsked(users, new Set([0, 1]), random);
  const unknownUsers = 500;
  return {
    oftenAsked,
    ...planRequests({ lines, users, unknownUsers, oftenAsked, nowSeconds, random }),
  };
}

Deno.test("planRequests() lets one line in a hundred be refused, in six ways alike", () => {
  const lines = 500_000;
  const { kind } = plan(lines);
  const counts = kinds.map((_, number) => kind.filter((it) => it === number).length);
  const [valid = 0, ...refused] = counts;
  assertAlmostEquals((lines - valid) / lines, 0.01, 0.001);
  for (const count of refused) assertAlmostEquals(count / lines, 0.01 / 6, 0.0005);
  // At random places, so that nobody can count to them.
  const places = [...kind.entries()].filter(([, it]) => it !== 0).map(([line]) => line);
  const gaps = new Set(places.slice(1).map((place, index) => place - places[index]!));
  assert(gaps.size > 200, `${gaps.size} different distances`);
});

Deno.test("planRequests() makes no token twice", () => {
  const { kind, user, exp } = plan(500_000);
  const unknown = kinds.indexOf("unknown user");
  const tokens = new Set<string>();
  for (const line of user.keys()) {
    tokens.add(`${kind[line] === unknown} ${user[line]} ${exp[line]}`);
  }
  assertEquals(tokens.size, 500_000);
});

Deno.test("planRequests() lets tokens be valid for long, except those that expire about now", () => {
  const { kind, exp } = plan(500_000);
  const expired = kinds.indexOf("expired");
  let expiring = 0;
  const nearEnds = { before: 0, after: 0 };
  for (const [line, at] of exp.entries()) {
    const seconds = at - nowSeconds;
    if (kind[line] === expired) {
      assert(seconds < -3_600 && seconds >= -7_200, `${seconds}`);
    } else if (Math.abs(seconds) <= 3_600) {
      assertEquals(kinds[kind[line]!], "valid");
      expiring++;
      if (seconds < 0) nearEnds.before++;
      else nearEnds.after++;
    } else {
      assert(seconds < lifeSeconds && seconds >= lifeSeconds - 3_600, `${seconds}`);
    }
  }
  assertAlmostEquals(expiring / 500_000, 0.002, 0.0005);
  assertAlmostEquals(nearEnds.before / expiring, 0.5, 0.1);
});

Deno.test("planRequests() asks for all users, and for sixteen of them often", () => {
  const { kind, user, oftenAsked } = plan(500_000);
  assertEquals(new Set(oftenAsked).size, 16);
  assert(!oftenAsked.includes(0) && !oftenAsked.includes(1));
  const asked = user.filter((_, line) => kind[line] === 0);
  const often = asked.filter((it) => oftenAsked.includes(it)).length;
  assertAlmostEquals(often / asked.length, 0.02, 0.002);
  // Of so many draws among 100,000, e^-4.85 of the users are drawn by none.
  assertAlmostEquals(new Set(asked).size / 100_000, 0.992, 0.003);
});

Deno.test("planRequests() is another one with another seed, and the same one with the same", () => {
  const [a, b, c] = [plan(1_000), plan(1_000), plan(1_000, 100_000, 2)];
  assertEquals(a, b);
  assert(a.oftenAsked.join() !== c.oftenAsked.join());
  assert(a.kind.join() !== c.kind.join());
});

Deno.test("planRequests() rejects so few users that a token would come twice", () => {
  assertThrows(
    () => plan(100_000, 20),
    BenchError,
    "Cannot make requests for 20 users: a token would come twice, expected more users or fewer requests",
  );
});
