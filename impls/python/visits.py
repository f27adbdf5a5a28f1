"""The table visits."""

from pydantic import BaseModel

from database import Connection, Database

ADD = "INSERT INTO visits (user, page, text) VALUES (%s, %s, %s)"


class NewVisit(BaseModel):
    user: str
    page: str
    text: str


class Visit(BaseModel):
    id: int
    user: str
    page: str
    text: str


class VisitStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, visit: NewVisit) -> Visit:
        async def write(connection: Connection) -> Visit:
            cursor = await connection.execute(ADD, (visit.user, visit.page, visit.text))
            return Visit(id=cursor.lastrowid, **visit.model_dump())

        return await self._database.run(write)
