"""The table users."""

from pydantic import BaseModel

from database import Connection, Database

FIND = "SELECT email, first, last, city, county, age FROM users WHERE email = %s"


class User(BaseModel):
    email: str
    first: str | None
    last: str | None
    city: str | None
    county: str | None
    age: int | None


class UserStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def find(self, email: str) -> User | None:
        async def read(connection: Connection) -> User | None:
            cursor = await connection.execute(FIND, (email,))
            rows = await cursor.fetchall()
            return User(**rows[0]) if rows else None

        return await self._database.run(read)
