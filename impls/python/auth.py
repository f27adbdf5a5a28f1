"""Who makes a request, as its verified bearer token says."""

import os
from typing import Annotated

import jwt
from fastapi import Depends, HTTPException
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

SECRET = os.environ["JWT_SECRET"]


async def caller_email(
    bearer: Annotated[HTTPAuthorizationCredentials, Depends(HTTPBearer())],
) -> str:
    try:
        claims = jwt.decode(bearer.credentials, SECRET, algorithms=["HS256"])
    except jwt.InvalidTokenError:
        raise HTTPException(401) from None
    email = claims.get("email")
    if not isinstance(email, str):
        raise HTTPException(401)
    return email
