/**
 * The accounts of the two sides: each has exactly the rights that the scenario asks for, so that no server can alter
 * its table or write to it, and the database counts the statements of each by itself.
 */
import { encodeHex } from "@std/encoding";
import { type DatabaseAddress, type Grant, type SideName, sideNames } from "./database.ts";

/** A password that no one can guess, and that MySQL's `validate_password` accepts. */
export function secret(): string {
  return `${encodeHex(crypto.getRandomValues(new Uint8Array(16)))}-Aa1`;
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
 * Returns the statements that create the accounts anew, each on one line.
 *
 * @param hasPartialRevokes With MySQL's `partial_revokes`, `_` and `%` in the schema's name are no wildcards.
 */
export function createStatements(
  accounts: Readonly<Record<SideName, DatabaseAddress>>,
  grants: readonly Grant[],
  { hasPartialRevokes = false } = {},
): string[] {
  return sideNames.flatMap((side) => {
    const { user, password, name } = accounts[side];
    const schema = hasPartialRevokes ? name : name.replace(/[_%\\]/g, "\\$&");
    return [
      `DROP USER IF EXISTS '${user}'@'%'`,
      `CREATE USER '${user}'@'%' IDENTIFIED BY '${password}'`,
      ...(grants.length === 0
        ? []
        : [`GRANT ${grants.join(", ")} ON \`${schema.replaceAll("`", "``")}\`.* TO '${user}'@'%'`]),
    ];
  });
}

/** Returns the statement that drops both accounts, whether or not they are there. */
export function dropStatement(accounts: Readonly<Record<SideName, DatabaseAddress>>): string {
  return `DROP USER IF EXISTS ${
    sideNames.map((side) => `'${accounts[side].user}'@'%'`).join(", ")
  }`;
}
