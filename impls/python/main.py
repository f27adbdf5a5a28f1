"""Serves the application with one worker process per processor."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated

import uvicorn
from fastapi import (
    BackgroundTasks,
    Depends,
    FastAPI,
    HTTPException,
    Path,
    Response,
    status,
)
from fastapi.responses import PlainTextResponse
from pydantic import BaseModel

from auth import caller_email
from database import Database
from upstream import Upstream
from users import User, UserStore
from visits import NewVisit, Visit, VisitStore

# Those that this process may use; not every system tells which.
if hasattr(os, "sched_getaffinity"):
    PROCESSORS = len(os.sched_getaffinity(0))
else:
    PROCESSORS = os.cpu_count() or 1
# Of connections to the database, which the workers share.
POOL_MAX = int(os.environ["DB_POOL_MAX"])
WORKERS = min(PROCESSORS, POOL_MAX)
# Of calls of another service at a time, which the workers share, too.
MOST_CALLS = 1_000


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    database = Database(
        size=POOL_MAX // WORKERS,
        host=os.environ["DB_HOST"],
        port=int(os.environ["DB_PORT"]),
        user=os.environ["DB_USER"],
        password=os.environ["DB_PASSWORD"],
        database=os.environ["DB_NAME"],
    )
    app.state.users = UserStore(database)
    app.state.visits = VisitStore(database)
    app.state.upstream = Upstream(MOST_CALLS // WORKERS)
    yield
    await app.state.upstream.close()
    await database.close()


app = FastAPI(lifespan=lifespan)


class Delayed(BaseModel):
    delayed: int


@app.get("/")
async def show_user(email: Annotated[str, Depends(caller_email)]) -> User:
    user = await app.state.users.find(email)
    if user is None:
        raise HTTPException(404)
    return user


@app.post("/visits", status_code=status.HTTP_201_CREATED)
async def add_visit(visit: NewVisit, response: Response) -> Visit:
    added = await app.state.visits.add(visit)
    response.headers["Location"] = f"/visits/{added.id}"
    return added


@app.get("/gateway/{id}")
async def pass_on(id: str) -> Response:
    return await app.state.upstream.pass_on(id)


@app.post("/notify/{id}")
async def accept(id: str, tasks: BackgroundTasks) -> Response:
    # The answer to the client does not wait for this call.
    tasks.add_task(app.state.upstream.notify, id)
    return Response(status_code=status.HTTP_202_ACCEPTED)


@app.get("/delay/{ms}")
async def answer_late(ms: Annotated[int, Path(ge=0)]) -> Delayed:
    await asyncio.sleep(ms / 1000)
    return Delayed(delayed=ms)


@app.get("/hello", response_class=PlainTextResponse)
async def say_hello() -> str:
    return "Hello, World!"


if __name__ == "__main__":
    uvicorn.run(
        "main:app",
        host=os.environ["HOST"],
        port=int(os.environ["PORT"]),
        workers=WORKERS,
        access_log=False,
        # A worker that the system did not let run for a while is not dead. The supervisor waits that long for one that
        # ends while it is asked, so longer would delay the end of all.
        timeout_worker_healthcheck=8,
        # Half of the time in which the contract wants a process to end; without it, it would wait for every request.
        timeout_graceful_shutdown=5,
    )
