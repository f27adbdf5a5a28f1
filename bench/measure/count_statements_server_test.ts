import { assertEquals } from "@std/assert";
import { readCountersAtRest } from "../database/counters.ts";
import { connectTo } from "../database/connection.ts";
import { openServer } from "../testing/server.ts";
import { countStatements } from "./count_statements.ts";

const select = "SELECT age FROM users WHERE email = ?";

Deno.test("countStatements() has what a connection did that ended before the load did, and how many there were", async () => {
  await using database = await openServer();
  await using connection = await database.connect();
  const use = async (executions: number) => {
    await using client = await connectTo(database.accounts.subject);
    for (let done = 0; done < executions; done++) {
      await client.execute(select, ["ada.adams@example.com"]);
    }
    await readCountersAtRest(connection, database, "subject");
    await count.look();
  };
  const count = await countStatements(connection, database, "subject");
  await use(40);
  await use(30);
  await readCountersAtRest(connection, database, "subject");
  const { executes, prepared, opened, mostUnread, meanRunning } = await count
    .finish(0, performance.now());
  assertEquals(prepared, [{ text: select, executions: 70, rowsSent: 70 }]);
  assertEquals([executes, opened, mostUnread, meanRunning], [70, 2, 40, undefined]);
});
