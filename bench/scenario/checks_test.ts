import { assertEquals } from "@std/assert";
import { delay } from "@std/async";
import type { ExitStatus, Process } from "../lib/process.ts";
import {
  judgeAlive,
  judgeServerError,
  judgeStatus,
  type Reply,
  type RightStatus,
  untilEnded,
} from "./checks.ts";

/** Returns a server of which is known after some milliseconds how it ended. */
function endsAfter(ms: number, signal?: AbortSignal) {
  let exit: ExitStatus | undefined;
  const status = delay(ms, { signal }).then(() => exit = { code: 1, signal: null });
  status.catch(() => {});
  const process: Pick<Process, "status" | "exited"> = { status, exited: () => exit };
  return { url: "http://127.0.0.1:1", process: process as Process };
}

Deno.test("untilEnded() waits for the end of a server that is known after its sockets close", async () => {
  const target = endsAfter(20);
  assertEquals(judgeAlive(target, "upstream gone", "requests"), undefined);
  await untilEnded(target);
  assertEquals(
    judgeAlive(target, "upstream gone", "requests")?.came,
    "the process has ended with exit code 1",
  );
});

Deno.test("untilEnded() does not wait for a server that lives and has stopped listening", async () => {
  const abort = new AbortController();
  const target = endsAfter(60_000, abort.signal);
  await untilEnded(target);
  assertEquals(judgeAlive(target, "upstream gone", "requests"), undefined);
  abort.abort();
});

function replyOf(status: number, text: string): Reply {
  const body = new TextEncoder().encode(text);
  return { kind: "answer", status, headers: {}, body, reusedConnection: false };
}

Deno.test("judgeStatus() shows more of the body of a server's own error, which names the cause", () => {
  const text = "because ".repeat(100);
  const came = (status: number) => judgeStatus("user", "GET /", replyOf(status, text), 200)?.came;
  assertEquals(came(404), `status is 404, body: ${text.slice(0, 40)}…`);
  assertEquals(came(500), `status is 500, body: ${text.slice(0, 300)}…`);
});

Deno.test("judgeStatus() names the statuses that are right, and accepts each of them", () => {
  const found = (status: number, right: RightStatus) =>
    judgeStatus("refused", "GET /", replyOf(status, ""), right);
  assertEquals(found(401, 401), undefined);
  assertEquals(found(200, 401)?.expected, "401");
  assertEquals([400, 422].map((status) => found(status, [400, 422])), [undefined, undefined]);
  assertEquals(found(200, [400, 422])?.expected, "400 or 422");
  const kind = { text: "5xx", is: (status: number) => status >= 500 };
  assertEquals(found(503, kind), undefined);
  assertEquals(found(200, kind)?.expected, "5xx");
  const lost: Reply = { kind: "failure", reason: "connection lost" };
  assertEquals(judgeStatus("refused", "GET /", lost, [502, 504])?.expected, "status 502 or 504");
});

/** What errors of programs look like, and the part of it that tells where they are in its sources. */
const traces: Record<string, [body: string, shown: string]> = {
  "C#": [
    "System.InvalidOperationException: oops\n   at Program.<>c.<<Main>$>b__0_0() in /app/Program.cs:line 12\n",
    "   at Program.<>c.<<Main>$>b__0_0() in /app/Program.cs:line 12",
  ],
  "Elixir": [
    "** (RuntimeError) oops\n    (app 0.1.0) lib/app/router.ex:12: App.Router.call/2\n",
    ".ex:12: App.Router.call/2",
  ],
  "Elixir, a script": ["** (RuntimeError) oops\n    server.exs:3: (file)\n", ".exs:3: (file)"],
  "Erlang, as a term": [
    '{error,{badmatch,[]},[{handler,init,2,[{file,"src/handler.erl"},{line,12}]}]}',
    '.erl"},{line,12}]}]}',
  ],
  "Erlang, as text": [
    "** exception error: bad match\n     in function  handler:init/2 (src/handler.erl, line 12)",
    ".erl, line 12)",
  ],
  "F#": ["Unhandled exception: oops in /app/Program.fs:line 12", ".fs:line 12"],
  "Go": ["goroutine 1 [running]:\nmain.main()\n\t/app/main.go:12 +0x1d\n", ".go:12 +0x1d"],
  "Java": [
    "java.lang.IllegalStateException: oops\n\tat backbench.User.find(User.java:12)\n",
    "\tat backbench.User.find(User.java:12)",
  ],
  "JavaScript": [
    "Error: oops\n    at handle (file:///app/main.mjs:12:9)\n",
    "    at handle (file:///app/main.mjs:12:9)",
  ],
  "JavaScript, without a function": [
    "file:///app/main.mjs:12\n  throw new Error();",
    ".mjs:12",
  ],
  "JSX and TSX": ["oops (/app/page.jsx:12:9, /app/page.tsx:3)", ".jsx:12:9, /app/page.tsx:3)"],
  "Kotlin": ["oops: ApiVerticle.kt:12", ".kt:12"],
  "PHP": [
    "Uncaught Exception: oops\nStack trace:\n#0 /app/index.php(12): handle()\n#1 {main}\n",
    ".php(12): handle()",
  ],
  "PHP, as HTML": [
    "<b>Warning</b>: oops in <b>/app/index.php</b>\nUncaught Error in /app/index.php on line 12",
    ".php on line 12",
  ],
  "Python": [
    'Traceback (most recent call last):\n  File "/app/main.py", line 12, in handle\n',
    "Traceback (most recent call last):",
  ],
  "Python, its last lines": [
    '  File "/app/main.py", line 12, in handle\n',
    '.py", line 12, in handle',
  ],
  "Ruby": [
    "app.rb:12:in 'Object#handle': oops (RuntimeError)\n\tfrom app.rb:20:in '<main>'\n",
    ".rb:12:in 'Object#handle': oops (RuntimeError)",
  ],
  "Rust": [
    "thread 'main' panicked at src/main.rs:12:5:\noops\n",
    "panicked at src/main.rs:12:5:",
  ],
  "Scala": ["oops Main$.handle(Main.scala:12)", ".scala:12)"],
  "Swift": ["App/routes.swift:12: Fatal error: oops", ".swift:12: Fatal error: oops"],
};

for (const [language, [body, shown]] of Object.entries(traces)) {
  Deno.test(`judgeServerError() finds a stack trace: ${language}`, () => {
    const found = judgeServerError("database gone", "GET /", replyOf(500, body), 500);
    assertEquals(found?.came, `the body shows "${shown}"`);
  });
}

Deno.test("judgeServerError() takes no ordinary body for a stack trace", () => {
  const bodies = [
    "",
    "Internal Server Error",
    '{"timestamp":"2026-11-27T14:43:16.120+00:00","status":500,"error":"Internal Server Error","path":"/"}',
    '{"type":"about:blank","title":"Bad Gateway","status":502,"instance":"/gateway/123456"}',
    '{"detail":"connect ECONNREFUSED 127.0.0.1:3306"}',
    "<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n<hr>nginx/1.28.0\r\n</body>\r\n</html>\r\n",
    "Try again at 12:30, or look at https://example.com/status.php?id=12.",
    "Written in Node.js (12), Go 1.27 and C# 14: see main.go, line by line.",
  ];
  for (const body of bodies) {
    assertEquals(
      judgeServerError("database gone", "GET /", replyOf(500, body), 500),
      undefined,
      body,
    );
  }
});
