"""Saved chats: UI messages with their citations, written from what is kept, and read from what a client sends.

What a client sends is data of its own. Its citations are read to be shown again, never to be believed: a ref in them
opens nothing, and a marker resolves only among what the server itself has presented.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from pydantic import TypeAdapter, ValidationError
from pydantic_ai.ui.vercel_ai import VercelAIAdapter
from pydantic_ai.ui.vercel_ai.request_types import DataUIPart, TextUIPart, UIMessage

from pincite.agents import CheckedAnswer
from pincite.core.errors import InputError
from pincite.core.limits import DEFAULT, Limits
from pincite.core.text import one_line
from pincite.core.urls import safe_link
from pincite.protocols.answers import answer_json
from pincite.protocols.citations_event import CITATIONS, HIGHLIGHT, VERSION
from pincite.protocols.cited_run import Streamed
from pincite.protocols.vercel.parts import CITATIONS_TYPE, Place, with_sources

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pydantic_ai.messages import ModelMessage
    from pydantic_ai.ui.vercel_ai.request_types import UIMessagePart

    from pincite.library import Library
    from pincite.library.conversations import Message

_MESSAGES: TypeAdapter[list[UIMessage]] = TypeAdapter(list[UIMessage])


@dataclass(frozen=True, slots=True)
class MessageCitations:
    """What a text of a message cites, as the client had it: the `text_index`-th text part, its text, and the value.

    `value` is that of `pincite.citations`. Whoever sent it may have made it up.
    """

    message_id: str
    text_index: int | None
    text: str
    value: dict[str, Any]


@dataclass(frozen=True, slots=True)
class LoadedMessages:
    """A chat as a client sent it: the messages for a model, and what each text of it is said to cite, in order."""

    messages: list[ModelMessage]
    citations: tuple[MessageCitations, ...]


def load_messages(
    messages: Iterable[UIMessage | Mapping[str, Any]], *, limits: Limits = DEFAULT
) -> LoadedMessages:
    """Read UI messages, as objects or as their JSON.

    The messages for a model have each text as its model wrote it, with its own markers, and no drafts. Of citations
    what cannot be read is left out, and so is an address that is no safe link.

    Raises:
        InputError: they are no UI messages.
    """
    given = [
        one.model_dump(mode="json", by_alias=True) if isinstance(one, UIMessage) else dict(one)
        for one in messages
    ]
    try:
        read = _MESSAGES.validate_python(given)
    except ValidationError as error:
        where = ".".join(str(part) for part in error.errors()[0]["loc"][:4])
        msg = f"These are no UI messages: {where or 'what was given'} cannot be read."
        raise InputError(msg, field="messages") from error
    found = [one for message in read for one in _citations_of(message, limits)]
    return LoadedMessages(VercelAIAdapter.load_messages(as_written(read)), tuple(found))


def as_written(messages: Sequence[UIMessage]) -> list[UIMessage]:
    """Return messages in which each text is as its model wrote it, and drafts are gone."""
    return [_as_written(one) if one.role == "assistant" else one for one in messages]


def _as_written(message: UIMessage) -> UIMessage:
    told = {index: data for index, data in _told(message) if index is not None}
    if not told:
        return message
    parts: list[UIMessagePart] = []
    index = -1
    for part in message.parts:
        if not isinstance(part, TextUIPart):
            parts.append(part)
            continue
        index += 1
        data = told.get(index, {})
        text = data.get("raw", data.get("text", part.text))
        if not isinstance(text, str) or text == part.text:
            parts.append(part)
        elif text:
            # What a provider said of another text than this one does not hold for it.
            change: dict[str, Any] = {"text": text}
            if isinstance(data.get("text"), str):
                change["provider_metadata"] = None
            parts.append(part.model_copy(update=change))
    return message.model_copy(update={"parts": parts})


def _told(message: UIMessage) -> list[tuple[int | None, dict[str, Any]]]:
    """Return the data of each text of a message that tells what it cites, by the index of that text."""
    found: list[tuple[int | None, dict[str, Any]]] = []
    for part in message.parts:
        if isinstance(part, DataUIPart) and part.type == CITATIONS_TYPE and isinstance(part.data, dict):
            data = cast("dict[str, Any]", part.data)
            index = data.get("textIndex")
            if data.get("version") == VERSION and (index is None or _is_number(index)):
                found.append((index, data))
    return found


def _citations_of(message: UIMessage, limits: Limits) -> list[MessageCitations]:
    if message.role != "assistant":
        return []
    texts = [part.text for part in message.parts if isinstance(part, TextUIPart)]
    found: list[MessageCitations] = []
    for index, data in _told(message):
        text = data.get("text")
        if not isinstance(text, str):
            text = texts[index] if index is not None and index < len(texts) else None
        if text:
            found.append(MessageCitations(message.id, index, text, _checked(data, text, limits)))
    return found


def _checked(data: Mapping[str, Any], text: str, limits: Limits) -> dict[str, Any]:
    """Return a value with those of its entries that can be read: places lie in the text, and links are safe."""
    value = dict(data)
    for name in ("citations", "misses", "uncited"):
        value[name] = [one for one in _mappings(data.get(name)) if _lies_in(one, len(text))]
    value["sources"] = [
        {
            **one,
            "title": _label(one.get("title"), limits),
            "source_uri": safe_link(_text(one.get("source_uri"))),
        }
        for one in _mappings(data.get("sources"))
    ]
    return value


def _mappings(given: object) -> list[dict[str, Any]]:
    return (
        [one for one in cast("list[Any]", given) if isinstance(one, dict)] if isinstance(given, list) else []
    )


def _lies_in(one: Mapping[str, Any], length: int) -> bool:
    start, end = one.get("start"), one.get("end")
    if start is None and end is None:
        return True
    return _is_number(start) and _is_number(end) and 0 <= cast("int", start) <= cast("int", end) <= length


def _is_number(given: object) -> bool:
    return isinstance(given, int) and not isinstance(given, bool)


def _text(given: object) -> str | None:
    return given if isinstance(given, str) else None


def _label(given: object, limits: Limits) -> str | None:
    text = _text(given)
    return None if text is None else one_line(text, limits.title_code_points)


def dump_messages(
    said: Iterable[Message | Streamed | CheckedAnswer | str],
    *,
    library: Library | None = None,
    conversation_id: str | None = None,
    limits: Limits = DEFAULT,
) -> list[UIMessage]:
    """Write a chat as UI messages, so that one that is loaded anew shows its citations.

    `said` are the rows of a conversation, or what a run ended with (`Streamed`, `CheckedAnswer`) with the questions
    between as strings. `library` says of which type the files of its documents are; of a `CheckedAnswer` also what they
    are called today, and `conversation_id` is what opens its refs. A row without text is left out.
    """
    found: list[UIMessage] = []
    for number, one in enumerate(said):
        message = _dumped(one, f"message-{number}", library, conversation_id, limits)
        if message is not None:
            found.append(message)
    return found


def _dumped(
    said: Message | Streamed | CheckedAnswer | str,
    message_id: str,
    library: Library | None,
    conversation_id: str | None,
    limits: Limits,
) -> UIMessage | None:
    if isinstance(said, str):
        return _user(message_id, said)
    if isinstance(said, Streamed):
        return _answer(said.as_dict(), said.checked.answer.text, library, limits)
    if isinstance(said, CheckedAnswer):
        told = answer_json(said.answer, library, said.support)
        shown = Streamed.of(message_id, said, told, conversation_id=conversation_id, limits=limits)
        return _answer(shown.as_dict(), said.answer.text, library, limits)
    body = said.body
    if said.role != "assistant":
        text = body.get("text")
        named = _text(body.get("message_id")) or message_id
        return _user(named, text) if said.role == "user" and isinstance(text, str) and text else None
    answer = body.get("answer")
    if not isinstance(answer, dict):
        return None
    kept = cast("dict[str, Any]", answer)
    if kept.get("shown"):
        return _answer(kept["shown"], kept.get("text"), library, limits)
    # Kept before a stream told anything: there is the finished text, with its list of sources.
    text = _text(kept.get("answer"))
    return UIMessage(id=message_id, role="assistant", parts=[_done(text)]) if text else None


def _user(message_id: str, text: str) -> UIMessage:
    return UIMessage(id=message_id, role="user", parts=[TextUIPart(text=text)])


def _done(text: str) -> TextUIPart:
    return TextUIPart(text=text, state="done")


def _answer(told: Mapping[str, Any], raw: str | None, library: Library | None, limits: Limits) -> UIMessage:
    """Return the message of an answer: its text, its sources, what it cites, and the words that are lit."""
    text = told["text"]
    place = Place(None, 0)
    # The text stands in its own part; nothing was streamed that it takes the place of.
    kept = {name: one for name, one in told["citations"].items() if name not in {"text", "raw"}}
    value, sources = with_sources(
        kept, place, raw=raw if raw is not None and raw != text else None, library=library, limits=limits
    )
    parts: list[UIMessagePart] = [_done(text), *(one.ui_part for one in sources)]
    parts.append(place.ui_part(CITATIONS, value))
    if told.get("highlight") is not None:
        parts.append(place.ui_part(HIGHLIGHT, told["highlight"]))
    return UIMessage(id=told["message_id"], role="assistant", parts=parts)
