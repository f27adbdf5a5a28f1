"""Meets the contract, no more: one process, and a pool of connections with one prepared statement each."""

import asyncio
import contextlib
import json
import os

import jwt
import mysql.connector.aio
import uvicorn

SECRET = os.environ["JWT_SECRET"]
# One object: the driver prepares again where it is given another.
STATEMENT = "SELECT email, first, last, city, county, age FROM users WHERE email = %s"
KEYS = ["email", "first", "last", "city", "county", "age"]


class Users:
    def __init__(self) -> None:
        self.idle = []
        self.free = asyncio.Semaphore(int(os.environ["DB_POOL_MAX"]))

    async def connect(self):
        connection = await mysql.connector.aio.connect(
            host=os.environ["DB_HOST"],
            port=int(os.environ["DB_PORT"]),
            user=os.environ["DB_USER"],
            password=os.environ["DB_PASSWORD"],
            database=os.environ["DB_NAME"],
            autocommit=True,
            connection_timeout=5,
            # Where the server has no TLS, the driver fails after it has connected.
            ssl_disabled=True,
        )
        return connection, await connection.cursor(prepared=True)

    async def find(self, email: str) -> dict | None:
        async with self.free:
            connection, cursor = self.idle.pop() if self.idle else await self.connect()
            try:
                await cursor.execute(STATEMENT, (email,))
                rows = await cursor.fetchall()
            except BaseException:
                with contextlib.suppress(mysql.connector.Error, OSError):
                    await connection.shutdown()
                raise
            self.idle.append((connection, cursor))
        return dict(zip(KEYS, rows[0])) if rows else None


users = Users()


def email_of(headers: list[tuple[bytes, bytes]]) -> str | None:
    header = dict(headers).get(b"authorization", b"").decode("latin-1")
    scheme, _, token = header.partition(" ")
    if scheme.lower() != "bearer":
        return None
    try:
        claims = jwt.decode(token, SECRET, algorithms=["HS256"])
    except jwt.InvalidTokenError:
        return None
    email = claims.get("email")
    return email if isinstance(email, str) else None


async def answer(scope) -> tuple[int, bytes]:
    if scope["path"] != "/" or scope["method"] != "GET":
        return 404, b""
    email = email_of(scope["headers"])
    if email is None:
        return 401, b""
    try:
        async with asyncio.timeout(8):
            user = await users.find(email)
    except (mysql.connector.Error, OSError, TimeoutError):
        return 503, b""
    if user is None:
        return 404, b""
    return 200, json.dumps(user, ensure_ascii=False, separators=(",", ":")).encode()


async def app(scope, receive, send) -> None:
    status, body = await answer(scope)
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", b"%d" % len(body)),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


if __name__ == "__main__":
    uvicorn.run(
        app,
        host=os.environ["HOST"],
        port=int(os.environ["PORT"]),
        access_log=False,
        lifespan="off",
        timeout_graceful_shutdown=2,
    )
