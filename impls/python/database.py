"""A pool of connections that keep their prepared statements."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, TypeVar

import mysql.connector.aio
from mysql.connector.aio.abstracts import MySQLConnectionAbstract, MySQLCursorAbstract

T = TypeVar("T")

# What is raised where a connection was lost: uvloop says RuntimeError.
LOST = (mysql.connector.Error, OSError, RuntimeError)


class Connection:
    """Keeps a cursor for each statement, because a statement lives as long as its cursor."""

    def __init__(self, connection: MySQLConnectionAbstract) -> None:
        self._connection = connection
        self._cursors: dict[str, MySQLCursorAbstract] = {}
        self._used = time.monotonic()

    async def execute(
        self, statement: str, parameters: tuple[str, ...]
    ) -> MySQLCursorAbstract:
        """Takes one object for a statement: a cursor prepares again what is another, even if it is equal."""
        cursor = self._cursors.get(statement)
        if cursor is None:
            cursor = await self._connection.cursor(prepared=True, dictionary=True)
            self._cursors[statement] = cursor
        await cursor.execute(statement, parameters)
        self._used = time.monotonic()
        return cursor

    async def lives(self) -> bool:
        """Asks the server only if the connection was idle for half a second."""
        if time.monotonic() - self._used < 0.5:
            return True
        with suppress(*LOST):
            return await self._connection.is_connected()
        return False

    async def close(self) -> None:
        await self._connection.shutdown()


class Database:
    """The driver's own pool keeps no cursors, and raises where no connection is free."""

    def __init__(self, *, size: int, **options: Any) -> None:
        self._options = options
        self._free = asyncio.Semaphore(size)
        self._idle: list[Connection] = []

    async def run(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        """Tries once only: a statement that failed may have been run."""
        # Without a limit, a request waits for ever for a database that does not answer.
        async with asyncio.timeout(5), self._free:
            while self._idle:
                connection = self._idle.pop()
                # The server may have ended it since its last use.
                try:
                    lives = await connection.lives()
                except BaseException:
                    await connection.close()
                    raise
                if lives:
                    return await self._run(connection, work)
                await connection.close()
            return await self._run(await self._connect(), work)

    async def close(self) -> None:
        for connection in self._idle:
            await connection.close()

    async def _run(
        self, connection: Connection, work: Callable[[Connection], Awaitable[T]]
    ) -> T:
        try:
            done = await work(connection)
        except BaseException:
            await connection.close()
            raise
        self._idle.append(connection)
        return done

    async def _connect(self) -> Connection:
        return Connection(
            await mysql.connector.aio.connect(
                **self._options,
                # Else the first read of a connection starts a transaction that sees no later change.
                autocommit=True,
                # Where the server has no TLS, the driver fails after it has connected.
                ssl_disabled=True,
            )
        )
