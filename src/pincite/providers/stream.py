"""Reading a stream of any provider: its text as it comes, and at the end what the whole response would have given."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, Protocol, cast

from pincite.core.errors import InputError
from pincite.core.limits import DEFAULT, Limits
from pincite.providers._wire import Wire
from pincite.providers.read import APIS, named, object_of, read_response
from pincite.providers.response import Unmapped, mapping

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from pincite.providers.response import Json, ProviderResponse

_DONE: Final = "[DONE]"


_KEYS: Final[Mapping[str, frozenset[str]]] = {
    "chat": frozenset({"choices"}),
    "sonar": frozenset({"choices"}),
    "generate_content": frozenset({"candidates", "promptFeedback", "event_type", "type"}),
    "converse": frozenset(
        {
            "messageStart",
            "contentBlockStart",
            "contentBlockDelta",
            "contentBlockStop",
            "messageStop",
            "metadata",
        }
    ),
}
"""What the events of an API have one of, where they do not name their type."""
_TYPES: Final[Mapping[str, tuple[str, ...]]] = {
    "messages": ("message_", "content_block_"),
    "responses": ("response.",),
    "chat_v2": ("message-", "content-", "citation-", "tool-"),
}
"""How the types of an API's events begin."""


def _is_of(api: str, event: Json) -> bool:
    """Say whether an event looks like one of an API; where the look of its events is not known, each does."""
    if api in _KEYS:
        return not _KEYS[api].isdisjoint(event)
    return api not in _TYPES or str(event.get("type")).startswith(_TYPES[api])


class Assembler(Protocol):
    """Puts the events of one response together; the module that reads an API has one as `Stream`."""

    def feed(self, event: Json) -> str:
        """Take the next event; return the text that it adds to the answer."""
        ...

    def response(self) -> Json:
        """Return the response as it would have come whole, as far as it has come."""
        ...


class StreamReader:
    """Reads the events of one response, in any cutting: as JSON objects, or as the bytes of the wire.

    What `finish` returns is what `read_response` returns for the whole response, wherever in the stream its citations
    stood: before their text, behind it, or at the very end. One that broke off is read as far as it came; errors that
    the provider sent, and a stream of another API, stand in `unmapped`.

    Raises:
        InputError: there is no such provider, or it has no such API.
    """

    __slots__ = (
        "_assembler",
        "_errors",
        "_events",
        "_finished",
        "_known",
        "_wire",
        "api",
        "provider",
        "skipped",
    )

    def __init__(self, provider: str, *, api: str | None = None, limits: Limits = DEFAULT) -> None:
        self.provider, self.api = named(provider, api)
        module = import_module(f"pincite.providers.{APIS[self.provider][self.api]}")
        self._assembler: Assembler = cast("Callable[[], Assembler]", module.Stream)()
        self._wire = Wire(limits)
        self._finished: ProviderResponse | None = None
        self._events = self._known = 0
        self._errors: list[Any] = []
        self.skipped = 0
        """Events of the wire that were no JSON object."""

    def feed(self, event: object) -> str:
        """Take the next event, JSON or an SDK's object; return the text that it adds to the answer.

        Raises:
            InputError: `event` is no JSON object, or the stream is finished.
        """
        if self._finished is not None:
            msg = "The stream is finished; a further response has a reader of its own."
            raise InputError(msg, field="event")
        read = object_of(event, "event")
        self._events += 1
        self._known += _is_of(self.api, read)
        if read.get("type") == "error" or mapping(read.get("error")):
            self._errors.append(read.get("error") or read)
        return self._assembler.feed(read)

    def feed_bytes(self, chunk: bytes) -> str:
        """Take the next bytes of the wire: server-sent events, JSON lines, or an array; return the text that they add.

        Events that are no JSON are counted in `skipped`.

        Raises:
            InputError: `chunk` is no bytes, or the stream is finished.
            LimitError: one event is longer than `limits.provider_event_bytes`; the events before it were taken.
        """
        if not isinstance(chunk, bytes | bytearray | memoryview):  # pyright: ignore[reportUnnecessaryIsInstance] - callers without types
            msg = f"`chunk` is bytes, not {type(chunk).__name__}."
            raise InputError(msg, field="chunk")
        return "".join(map(self._event, self._wire.take(bytes(chunk))))

    def finish(self) -> ProviderResponse:
        """Return the response; what the last bytes had begun is read as far as it is whole."""
        if self._finished is None:
            for text in self._wire.end():
                self._event(text)
            found = read_response(self.provider, self._assembler.response(), api=self.api)
            self._finished = replace(found, unmapped=(*found.unmapped, *self._failures(found)))
        return self._finished

    def _failures(self, found: ProviderResponse) -> Iterator[Unmapped]:
        """Yield what of the stream was no part of an answer, for a caller who would take it for an empty one."""
        told = [one.raw for one in found.unmapped]
        for error in self._errors:
            if error not in told:
                yield Unmapped("error", error, "The provider sent an error.")
        if self._events and not self._known and not found.parts:
            yield Unmapped(
                "stream",
                self._events,
                f"Not one of its {self._events:,} events is of {self.provider} {self.api}.",
            )
        if self.skipped:
            yield Unmapped(
                "event", self.skipped, f"{self.skipped:,} events of the wire were no JSON objects."
            )

    def _event(self, text: str) -> str:
        if text.strip() == _DONE:
            return ""
        try:
            value: Any = json.loads(text)
        except (ValueError, RecursionError):
            value = None
        if not isinstance(value, dict):
            self.skipped += 1
            return ""
        return self.feed(cast("Json", value))
