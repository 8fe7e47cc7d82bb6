"""One page of the web: its name is looked up once, what it leads to is judged, and the connection goes there."""

from __future__ import annotations

import re
import socket
import threading
import time
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urljoin, urlsplit

from pincite.core.errors import (
    AddressError,
    FetchError,
    MissingExtraError,
    PinciteError,
    TimedOutError,
    TooLargeError,
)
from pincite.core.limits import DEFAULT
from pincite.core.text import one_line
from pincite.core.urls import safe_link
from pincite.reading.web.addresses import PORTS, refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pincite.core.limits import Limits
    from pincite.reading.web.addresses import Network

    Resolver = Callable[[str, int], Sequence[str]]

ALLOWING = "PINCITE_WEB_ALLOW"
"""The setting that names networks which are opened although they are not public."""

AGENT = "pincite (reads pages to cite them)"
"""How requests name themselves."""

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_PATIENCE = 15.0
"""Seconds to wait for a connection, and for any next piece of an answer."""
_DEFAULT_PORTS = {"http": 80, "https": 443}

# A charset in a content type, quoted or not: linear, two bounded runs.
_CHARSET = re.compile(r"""charset\s{0,9}=\s{0,9}["']?([\w.:\-]{1,40})""", re.IGNORECASE)
# A declaration of the encoding inside of a page: linear, one alternative a place.
_DECLARED = re.compile(rb"""<meta[^>]{0,200}charset|<\?xml[^>]{0,200}encoding""", re.IGNORECASE)
_DECLARED_WITHIN = 4096
"""Bytes from the beginning in which a page may declare its encoding."""

_NAMES = {
    "text/html": ".html",
    "application/xhtml+xml": ".html",
    "text/plain": ".txt",
    "text/markdown": ".md",
    "application/pdf": ".pdf",
    "application/json": ".json",
    "text/csv": ".csv",
    "application/epub+zip": ".epub",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": ".docx",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation": ".pptx",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": ".xlsx",
}
"""The ending of a file of a media type, for pages whose address has none."""


@dataclass(frozen=True, slots=True)
class WebPage:
    """A page as it was answered: the address asked for, where its redirects led, a file's name, and the bytes.

    Text whose encoding only the answer's header told is in UTF-8 with a byte order mark, so that the bytes say it
    themselves; all others are as they came.
    """

    address: str
    final: str
    name: str
    media_type: str
    data: bytes


class Fetcher:
    """Fetches pages; may be used from any thread.

    `allow` are networks that may be opened although they are not public, `resolve` looks a name up (host and port to
    the texts of its addresses).
    """

    def __init__(
        self, *, limits: Limits = DEFAULT, allow: Sequence[Network] = (), resolve: Resolver | None = None
    ) -> None:
        try:
            import httpx
        except ImportError as error:
            what = "Fetching a page of the web"
            raise MissingExtraError(what, "web") from error
        self._limits = limits
        self._allow = tuple(allow)
        self._resolve = resolve or _look_up
        self._library: Any = httpx
        self._trust = httpx.create_ssl_context()

    def fetch(self, address: str, *, seconds: float | None = None) -> WebPage:
        """Return the page at `address`, http or https.

        Raises:
            AddressError: it, or one that it redirects to, is not opened.
            FetchError: it gives no page.
            TooLargeError: it has more bytes than `limits.web_bytes`.
            TimedOutError: it is not there within `limits.web_seconds`, or `seconds` where these are fewer.
        """
        most = self._limits.web_seconds if seconds is None else min(seconds, self._limits.web_seconds)
        results: list[WebPage | PinciteError] = []
        # No proxy and no netrc: a proxy would look names up itself, and a password is not ours to send. Nothing is
        # kept open, as two hosts at one address must not share a connection that only one of them has signed.
        client = self._library.Client(
            verify=self._trust,
            trust_env=False,
            follow_redirects=False,
            limits=self._library.Limits(max_keepalive_connections=0),
        )

        def work() -> None:
            try:
                results.append(self._follow(client, address, time.monotonic() + most))
            except PinciteError as error:
                results.append(error)
            except Exception as error:  # noqa: BLE001 - whatever a server does, the caller gets a typed answer
                results.append(FetchError(f"{_shown(address)} cannot be read ({type(error).__name__})."))

        # Neither looking a name up nor a server that drips its headers can be told how long it may take, so both are
        # left behind; closing the client ends the second.
        thread = threading.Thread(target=work, name="pincite-fetch", daemon=True)
        thread.start()
        thread.join(most)
        client.close()
        if not results:
            msg = f"{_shown(address)} takes longer than {most:.3g} seconds."
            raise TimedOutError(msg)
        result = results[0]
        if isinstance(result, PinciteError):
            raise result
        return result

    def _follow(self, client: Any, address: str, deadline: float) -> WebPage:  # noqa: ANN401 - httpx's
        here = address
        for _ in range(self._limits.web_redirects + 1):
            answer = self._ask(client, here, deadline)
            if isinstance(answer, WebPage):
                return replace(answer, address=address)
            try:
                here = urljoin(here, answer)
            except ValueError as error:
                msg = f"{_shown(address)} redirects to what is no address."
                raise AddressError(msg) from error
        msg = f"{_shown(address)} redirects more than {self._limits.web_redirects} times."
        raise FetchError(msg)

    def _ask(self, client: Any, address: str, deadline: float) -> WebPage | str:  # noqa: ANN401 - httpx's
        """Return the page at `address`, or where it redirects to."""
        link, host, port = _parts(address)
        literal = self._address_of(host, port)
        place = f"[{literal}]" if ":" in literal else literal
        split = urlsplit(link)
        target = f"{split.scheme}://{place}:{port}{split.path or '/'}"
        target += f"?{split.query}" if split.query else ""
        named = f"[{host}]" if ":" in host else host
        headers = {
            "Host": named if port == _DEFAULT_PORTS[split.scheme] else f"{named}:{port}",
            "User-Agent": AGENT,
            "Accept": "text/html,application/xhtml+xml,application/pdf,text/*;q=0.9,*/*;q=0.5",
            "Accept-Encoding": "gzip, deflate",
        }
        wait = min(_PATIENCE, max(0.001, deadline - time.monotonic()))
        broken = (self._library.HTTPError, self._library.InvalidURL, self._library.StreamError, RuntimeError)
        try:
            request = client.build_request(
                "GET", target, headers=headers, extensions={"sni_hostname": host}, timeout=wait
            )
            response = client.send(request, stream=True)
            try:
                if response.status_code in _REDIRECTS and response.headers.get("location"):
                    return str(response.headers["location"])
                if not 200 <= response.status_code < 300:  # noqa: PLR2004 - success (RFC 9110)
                    msg = f"{_shown(host)} answers {response.status_code}."
                    raise FetchError(msg)
                data = b"".join(self._body(response, deadline, host))
            finally:
                response.close()
        except self._library.TimeoutException as error:
            msg = f"{_shown(host)} does not answer in time."
            raise TimedOutError(msg) from error
        except (*broken, OSError, ValueError) as error:
            msg = f"{_shown(host)} cannot be reached, or broke off."
            raise FetchError(msg) from error
        return _page(link, response.headers.get("content-type", ""), data)

    def _body(self, response: Any, deadline: float, host: str) -> Iterator[bytes]:  # noqa: ANN401 - httpx's
        size = 0
        # Unpacked bytes are counted: a header, and packed bytes, say whatever they like.
        for piece in response.iter_bytes(1 << 16):
            size += len(piece)
            if size > self._limits.web_bytes:
                msg = f"The page has more than {self._limits.web_bytes:,} bytes, the most that is fetched."
                raise TooLargeError(msg)
            if time.monotonic() > deadline:
                msg = f"{_shown(host)} takes longer than {self._limits.web_seconds:g} seconds."
                raise TimedOutError(msg)
            yield piece

    def _address_of(self, host: str, port: int) -> str:
        """Return the one address that `host` is opened at.

        Raises:
            AddressError: one of those that it has is not public.
            FetchError: it has none.
        """
        found = self._resolve(host, port)
        if any(refusal(address, self._allow) is not None for address in found):
            # What it is, is not told: who asks must learn nothing of the inside.
            msg = f"{_shown(host)} is not opened: it is not on the public network; `{ALLOWING}` lists exceptions."
            raise AddressError(msg)
        if not found:
            msg = f"There is no host {_shown(host)}."
            raise FetchError(msg)
        return found[0]


def _parts(address: str) -> tuple[str, str, int]:
    """Return an address that may be opened in its safe form, its host and its port.

    Raises:
        AddressError: it may not.
    """
    link = safe_link(address)
    if link is None:
        msg = f"{_shown(address)} is not opened: give an address with http or https, and no password in it."
        raise AddressError(msg)
    split = urlsplit(link)
    host, port = split.hostname or "", split.port or _DEFAULT_PORTS[split.scheme]
    if port in PORTS:
        msg = f"{_shown(address)} is not opened: port {port} is no web server's."
        raise AddressError(msg)
    return link, host.rstrip("."), port


def _look_up(host: str, port: int) -> list[str]:
    """Return the addresses of a host, as texts, each once."""
    try:
        rows = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError, ValueError):
        return []
    return list(dict.fromkeys(str(row[4][0]) for row in rows))


def _page(address: str, content_type: str, data: bytes) -> WebPage:
    media_type = content_type.partition(";")[0].strip().lower()
    charset = _CHARSET.search(content_type)
    return WebPage(
        address, address, _name(address, media_type), media_type, _telling(data, media_type, charset)
    )


def _name(address: str, media_type: str) -> str:
    """Return what the page is called as a file: the last part of its path, or its host, and an ending."""
    split = urlsplit(address)
    path = PurePosixPath(unquote(split.path))
    name = one_line(path.name, 120) or (split.hostname or "page")
    ending = _NAMES.get(media_type)
    known = path.suffix.lower() in set(_NAMES.values()) or (ending is None and path.suffix)
    return name if known and path.name else name + (ending or "")


def _telling(data: bytes, media_type: str, charset: re.Match[str] | None) -> bytes:
    """Return the bytes of a text such that they tell their encoding: where only the header told it, in UTF-8."""
    if charset is None or not (media_type.startswith("text/") or media_type == "application/xhtml+xml"):
        return data
    if charset[1].lower() in ("utf-8", "utf8") or _DECLARED.search(data, 0, _DECLARED_WITHIN):
        return data
    if data.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        return data
    try:
        return b"\xef\xbb\xbf" + data.decode(charset[1]).encode()
    except (LookupError, UnicodeError, ValueError):
        return data


def _shown(text: str) -> str:
    return one_line(text, 120)
