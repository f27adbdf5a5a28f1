/**
 * What the harness itself sends to a server whose accounts are not counted one by one. It is subtracted from the
 * counters of the whole server.
 */
import type { Connection } from "mysql2/promise";

/** What all connections of the harness to one server did together. */
export interface OwnStatements {
  questions: number;
  executes: number;
  prepares: number;
  openConnections: number;
  openedConnections: number;
}

/** Returns an account with nothing on it. */
export function noStatements(): OwnStatements {
  return { questions: 0, executes: 0, prepares: 0, openConnections: 0, openedConnections: 0 };
}

const accountOf = new WeakMap<Connection, OwnStatements>();

/** Counts from now on what a connection does, and returns it. It must be new. */
export function countOwn(connection: Connection, own: OwnStatements): Connection {
  accountOf.set(connection, own);
  own.openConnections++;
  own.openedConnections++;
  const prepared = new Set<string>();
  const { query, execute, end, destroy } = connection;
  let isOpen = true;
  const close = () => {
    if (isOpen) own.openConnections--;
    isOpen = false;
  };
  return Object.assign(connection, {
    query: (...args: Parameters<typeof query>) => {
      own.questions++;
      return query.apply(connection, args);
    },
    execute: (...args: Parameters<typeof execute>) => {
      const [statement]: unknown[] = args;
      // mysql2 keeps what it has prepared on a connection.
      const sql = JSON.stringify(statement);
      if (!prepared.has(sql)) own.prepares++;
      prepared.add(sql);
      own.questions++;
      own.executes++;
      return execute.apply(connection, args);
    },
    end: () => {
      close();
      // The server counts the goodbye, too.
      own.questions++;
      return end.call(connection);
    },
    destroy: () => {
      close();
      destroy.call(connection);
    },
  });
}

/** Returns what the harness did on the server of this connection, which {@linkcode countOwn} has seen. */
export function ownStatements(connection: Connection): Readonly<OwnStatements> {
  return accountOf.get(connection) ?? noStatements();
}
