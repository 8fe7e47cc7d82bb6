"""Chat completions: OpenAI's, OpenRouter's, xAI's, and every server that is compatible with them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from pincite.providers._annotations import Annotated, Found, web_source
from pincite.providers.response import listed, mapping, string, whole

if TYPE_CHECKING:
    from collections.abc import Callable

    from pincite.providers.response import Json, ResponseDraft

FOUND: Final = ("search_results", "citations")
"""Lists beside the choices: what was found, with titles or as addresses (xAI, Perplexity and gateways to them)."""
_EXTRA: Final = ("images", "videos", "related_questions")


def read(draft: ResponseDraft, response: Json) -> None:
    """Read a response: its first choice is the part."""
    read_message(draft, response, Found(), lambda _: None)


def read_message(
    draft: ResponseDraft, response: Json, found: Found, more: Callable[[Annotated], None]
) -> None:
    """Read the message of the first choice; `more` reads what else it cites, once its annotations are read."""
    found.add(web_source(one) for name in FOUND for one in listed(response.get(name)))
    for name in _EXTRA:
        if response.get(name):
            draft.details[name] = response[name]
    choices = listed(response.get("choices"))
    for choice in choices[1:]:
        draft.leave("choice", choice, "Another answer to the same question; the first one is read.")
    message = message_of(choices)
    if message.get("refusal"):
        draft.details["refusal"] = message["refusal"]
    # Azure's search over one's own data says here what it found.
    found.add(web_source(one) for one in listed(mapping(message.get("context")).get("citations")))
    text, annotations = text_of(message.get("content")), listed(message.get("annotations"))
    if text or annotations:
        part = Annotated(draft, draft.part(text), found)
        part.read(annotations)
        more(part)
        part.leave_markers()
    found.keep(draft)


def message_of(choices: list[Any]) -> Json:
    """Return the message of the first choice."""
    return mapping(mapping(choices[0] if choices else None).get("message"))


def text_of(content: object) -> str:
    """Return the text of a content, which is a string, or a list of texts and other things."""
    if isinstance(content, str):
        return content
    return "".join(
        string(one if isinstance(one, str) else mapping(one).get("text")) or "" for one in listed(content)
    )


class Stream:
    """Puts the chunks of a chat completion together."""

    __slots__ = ("_choices", "_fields")

    def __init__(self) -> None:
        self._fields: dict[str, Any] = {}
        self._choices: dict[int, _Message] = {}

    def feed(self, event: Json) -> str:
        """Take the next chunk; return the text that it adds to the first choice."""
        for name, value in event.items():
            if name != "choices" and (value or name not in self._fields):
                self._fields[name] = _longer(self._fields.get(name), value)
        new = ""
        for choice in map(mapping, listed(event.get("choices"))):
            index = whole(choice.get("index")) or 0
            message = self._choices.setdefault(index, self.message())
            added = message.take(mapping(choice.get("message")), mapping(choice.get("delta")))
            new += added if index == 0 else ""
        return new

    def response(self) -> Json:
        """Return the response as far as it has come."""
        choices = [{"index": index, "message": one.made()} for index, one in sorted(self._choices.items())]
        return {**self._fields, "choices": choices}

    def message(self) -> _Message:
        """Return an empty message."""
        return _Message()


def _longer(before: object, now: object) -> object:
    """Return the later value, but of two lists the longer: chunks repeat a list, or send it as it grows."""
    return before if len(listed(before)) > len(listed(now)) else now


class _Message:
    """A message on its way."""

    __slots__ = ("_annotations", "_fields", "_pieces", "_tools")

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._annotations: list[Any] = []
        self._tools: dict[int, dict[str, Any]] = {}
        self._fields: dict[str, Any] = {}

    def take(self, message: Json, delta: Json) -> str:
        """Take a part of the message, or the whole of it as far as it has come; return the text that is new."""
        new = self._text(delta.get("content"))
        if message:
            # Perplexity sends both: what is new, and all that there is.
            whole_text, before = text_of(message.get("content")), "".join(self._pieces)
            if whole_text.startswith(before):
                new += self._text(whole_text[len(before) :])
            if len(listed(message.get("annotations"))) > len(self._annotations):
                self._annotations = listed(message.get("annotations"))
        self._annotations.extend(listed(delta.get("annotations")))
        for fields in (message, delta):
            for at, tool in enumerate(listed(fields.get("executed_tools"))):
                index = whole(mapping(tool).get("index"))
                self._tools.setdefault(at if index is None else index, {}).update(mapping(tool))
            for name in ("context", "refusal", "role"):
                if fields.get(name):
                    self._fields[name] = fields[name]
        return new

    def _text(self, content: object) -> str:
        text = text_of(content)
        if text:
            self._pieces.append(text)
        return text

    def made(self) -> Json:
        """Return the message."""
        made: dict[str, Any] = {**self._fields, "content": "".join(self._pieces)}
        if self._annotations:
            made["annotations"] = self._annotations
        if self._tools:
            made["executed_tools"] = [tool for _, tool in sorted(self._tools.items())]
        return made
