"""The table users, read through a pool of prepared statements."""

import asyncio
from contextlib import suppress
from typing import Any

import mysql.connector.aio
from mysql.connector.aio.abstracts import MySQLConnectionAbstract, MySQLCursorAbstract
from pydantic import BaseModel

# One object for all: a cursor prepares again what is another object, even if it is equal.
FIND = "SELECT email, first, last, city, county, age FROM users WHERE email = %s"

Connected = tuple[MySQLConnectionAbstract, MySQLCursorAbstract]


class User(BaseModel):
    email: str
    first: str | None
    last: str | None
    city: str | None
    county: str | None
    age: int | None


class UserStore:
    """Keeps each connection with its cursor, because a statement lives as long as its cursor.

    The driver's own pool keeps no cursors, and raises where no connection is free.
    """

    def __init__(self, *, size: int, **options: Any) -> None:
        self._options = options
        self._free = asyncio.Semaphore(size)
        self._idle: list[Connected] = []

    async def find(self, email: str) -> User | None:
        # Without a limit, a request waits for ever for a database that does not answer.
        async with asyncio.timeout(5), self._free:
            while self._idle:
                # The server may have ended a connection since its last use.
                with suppress(mysql.connector.Error, OSError):
                    return await self._read(self._idle.pop(), email)
            return await self._read(await self._connect(), email)

    async def close(self) -> None:
        for connection, _ in self._idle:
            await connection.shutdown()

    async def _read(self, connected: Connected, email: str) -> User | None:
        connection, cursor = connected
        try:
            await cursor.execute(FIND, (email,))
            rows = await cursor.fetchall()
        except BaseException:
            await connection.shutdown()
            raise
        self._idle.append(connected)
        return User(**rows[0]) if rows else None

    async def _connect(self) -> Connected:
        connection = await mysql.connector.aio.connect(
            **self._options,
            # Else the first read of a connection starts a transaction that sees no later change.
            autocommit=True,
            # Where the server has no TLS, the driver fails after it has connected.
            ssl_disabled=True,
        )
        return connection, await connection.cursor(prepared=True, dictionary=True)
