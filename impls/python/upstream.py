"""Another service, which is called over connections that are kept."""

import logging
import os
from urllib.parse import quote

from aiohttp import ClientError, ClientSession, ClientTimeout, TCPConnector
from fastapi import HTTPException, Response

logger = logging.getLogger(__name__)


class Upstream:
    """To be created in a running event loop."""

    def __init__(self, most_calls: int) -> None:
        self._session = ClientSession(
            base_url=os.environ["UPSTREAM_URL"],
            # By default, all but 100 calls at a time wait.
            connector=TCPConnector(limit=most_calls),
            timeout=ClientTimeout(total=5),
        )

    async def pass_on(self, id: str) -> Response:
        try:
            async with self._session.get(f"/items/{quote(id, safe='')}") as answer:
                return Response(
                    await answer.read(),
                    status_code=answer.status,
                    media_type=answer.headers.get("Content-Type"),
                )
        except TimeoutError:
            raise HTTPException(504) from None
        except ClientError:
            raise HTTPException(502) from None

    async def notify(self, id: str) -> None:
        try:
            async with self._session.get(f"/check/{quote(id, safe='')}") as answer:
                await answer.read()
        except (TimeoutError, ClientError) as error:
            logger.warning("Cannot notify of %s: %r", id, error)

    async def close(self) -> None:
        await self._session.close()
