"""What another service answers."""

import os
from urllib.parse import quote

from aiohttp import ClientError, ClientSession, ClientTimeout
from fastapi import HTTPException, Response


class Gateway:
    """To be created in a running event loop."""

    def __init__(self) -> None:
        self._session = ClientSession(
            base_url=os.environ["UPSTREAM_URL"], timeout=ClientTimeout(total=5)
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

    async def close(self) -> None:
        await self._session.close()
