/**
 * The accounts of the two sides: each has exactly the rights that the scenarios ask for, so that no server can alter
 * a table or write to one that is only read, and the database counts the statements of each by itself.
 */
import { type DatabaseAddress, type Grant, type SideName, sideNames } from "./database.ts";
import { randomHex } from "../lib/random.ts";

/** A password that no one can guess, and that MySQL's `validate_password` accepts. */
export function secret(): string {
  return `${randomHex(16)}-Aa1`;
}

/** Returns an address for each side, with a name and password that are its own. */
export function newAccounts(
  place: Pick<DatabaseAddress, "host" | "port" | "name">,
  nameOf: (side: SideName) => string,
): Record<SideName, DatabaseAddress> {
  const [subject, reference] = sideNames.map((side) => ({
    ...place,
    user: nameOf(side),
    password: secret(),
  }));
  return { subject: subject!, reference: reference! };
}

/**
 * Returns the statements that create the accounts anew, each on one line. The tables of the grants must be there.
 */
export function createStatements(
  accounts: Readonly<Record<SideName, DatabaseAddress>>,
  grants: readonly Grant[],
): string[] {
  return sideNames.flatMap((side) => {
    const { user, password, name } = accounts[side];
    const quote = (identifier: string) => `\`${identifier.replaceAll("`", "``")}\``;
    return [
      `DROP USER IF EXISTS '${user}'@'%'`,
      `CREATE USER '${user}'@'%' IDENTIFIED BY '${password}'`,
      // In the name of a schema of its own, "_" and "%" are wildcards; beside that of a table, they are not.
      ...grants.map(({ table, rights }) =>
        `GRANT ${rights.join(", ")} ON ${quote(name)}.${quote(table)} TO '${user}'@'%'`
      ),
    ];
  });
}

/** Returns the statement that drops both accounts, whether or not they are there. */
export function dropStatement(accounts: Readonly<Record<SideName, DatabaseAddress>>): string {
  return `DROP USER IF EXISTS ${
    sideNames.map((side) => `'${accounts[side].user}'@'%'`).join(", ")
  }`;
}
