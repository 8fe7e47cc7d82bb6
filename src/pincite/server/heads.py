"""HEAD: what GET would answer, without its body."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

# Takes the addresses of what never goes on by itself: the page, its files, previews and the bytes of documents. A
# stream of events is none: nobody would read what it says. Linear: no run is inside another.
_STILL: Final = re.compile(
    r"/|/console(?:/.*)?|/assets/[^/]+|/widget\.js|/healthz|/readyz|/openapi\.json|/embed/v1/config"
    r"|/api/manage/citations/[^/]+/preview(?:/image)?|/api/manage/documents/[^/]+(?:/file|/versions)?",
    re.DOTALL,
)


class Heads:
    """Answers HEAD at the addresses of files, pages and previews as GET is answered: the same status and headers."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on; one for the head alone is worked out whole, and the head is sent."""
        if scope["type"] != "http" or scope["method"] != "HEAD" or not is_still(scope["path"]):
            await self._app(scope, receive, send)
            return
        ended = False

        async def head(message: Message) -> None:
            nonlocal ended
            if message["type"] != "http.response.body":
                await send(message)
            elif not ended and not message.get("more_body", False):
                ended = True
                await send({"type": "http.response.body", "body": b""})

        await self._app({**scope, "method": "GET"}, receive, head)


def is_still(path: str) -> bool:
    """Say whether HEAD is answered at an address as GET is."""
    return _STILL.fullmatch(path) is not None
