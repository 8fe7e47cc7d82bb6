"""Saved chats: UI messages with their citations, written from what is kept, and read from what a client sends.

What a client sends is data of its own. Its citations are read to be shown again, never to be believed: a ref in them
opens nothing, and a marker resolves only among what the server itself has presented.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, cast

from pydantic import TypeAdapter, ValidationError
from pydantic_ai.ui.vercel_ai import VercelAIAdapter
from pydantic_ai.ui.vercel_ai.request_types import DataUIPart, FileUIPart, TextUIPart, UIMessage

from pincite.agents import CheckedAnswer
from pincite.core.errors import InputError
from pincite.core.given import items_of
from pincite.core.limits import DEFAULT, Limits
from pincite.core.surrogates import whole, whole_json
from pincite.core.urls import safe_link
from pincite.protocols.answers import answer_json
from pincite.protocols.citations_event import CITATIONS, HIGHLIGHT
from pincite.protocols.cited_run import Streamed
from pincite.protocols.vercel._taking import Remark, Remarks, taken, told_of
from pincite.protocols.vercel.parts import CITATIONS_TYPE, INSIDE, Place, with_sources

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pydantic_ai.messages import ModelMessage
    from pydantic_ai.ui.vercel_ai.request_types import UIMessagePart

    from pincite.library import Library
    from pincite.library.conversations import Message

_MESSAGES: TypeAdapter[list[UIMessage]] = TypeAdapter(list[UIMessage])
_WHAT: Final = "a list of UI messages"
_DEEP, _PART = "what is nested so deeply", "a part of a message"


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
    """A chat as a client sent it: the messages for a model, and what each text of it is said to cite, in order.

    `diagnostics` say what was left out, and why.
    """

    messages: list[ModelMessage]
    citations: tuple[MessageCitations, ...]
    diagnostics: tuple[Remark, ...] = ()


def load_messages(
    messages: Iterable[UIMessage | Mapping[str, Any]], *, limits: Limits = DEFAULT
) -> LoadedMessages:
    """Read UI messages, as objects or as their JSON.

    The messages for a model have each text as its model wrote it, with its own markers, and no drafts. Of citations
    what cannot be read is left out by itself: entries of other types, places that are not in their text or do not
    agree in both units, values of another version. An address stays where it is a safe link; a user's file that is
    behind another one is left out. What is left out is told by a remark.

    Raises:
        InputError: they are no UI messages.
    """
    given = [_json_of(one, place) for place, one in enumerate(items_of(messages, "messages", _WHAT))]
    try:
        read = _MESSAGES.validate_python(whole_json(given))
    except ValidationError as error:
        where = ".".join(
            str(part) for part in error.errors(include_url=False, include_input=False)[0]["loc"][:4]
        )
        raise _no_messages(where or "what was given") from error
    except RecursionError as error:
        raise _no_messages(_DEEP) from error
    remarks = Remarks(limits)
    read = [_without_unsafe_files(one, place, remarks) for place, one in enumerate(read)]
    found = [
        one for place, message in enumerate(read) for one in _citations_of(message, place, remarks, limits)
    ]
    return LoadedMessages(for_model(read), tuple(found), tuple(remarks.kept))


def for_model(messages: Sequence[UIMessage]) -> list[ModelMessage]:
    """Return messages for a model: each text as it was written, and no drafts.

    Raises:
        InputError: a part of them says what no part may say.
    """
    written = [_as_written(one) if one.role == "assistant" else one for one in messages]
    try:
        return VercelAIAdapter.load_messages(written)
    except Exception as error:
        # Parts that a client made up, of which pydantic-ai says so in many ways.
        raise _no_messages(_PART) from error


def _json_of(message: object, place: int) -> dict[str, Any]:
    if isinstance(message, UIMessage):
        try:
            return message.model_dump(mode="json", by_alias=True)
        except ValueError as error:
            raise _no_messages(str(place)) from error
    if not isinstance(message, Mapping):
        raise _no_messages(str(place))
    return dict(cast("Mapping[str, Any]", message))


def _no_messages(where: str) -> InputError:
    return InputError(f"These are no UI messages: {where} cannot be read.", field="messages")


def _without_unsafe_files(message: UIMessage, place: int, remarks: Remarks) -> UIMessage:
    """Return a message whose files are in it, or behind an address that is safe as a link."""
    kept: list[UIMessagePart] = []
    for number, part in enumerate(message.parts):
        if isinstance(part, FileUIPart) and not INSIDE.match(part.url) and safe_link(part.url) is None:
            said = "The address of a file is no safe link, and the file left out."
            remarks.add("no_link", said, f"/{place}/parts/{number}/url")
        else:
            kept.append(part)
    return message if len(kept) == len(message.parts) else message.model_copy(update={"parts": kept})


def _as_written(message: UIMessage) -> UIMessage:
    told = {
        index: data for index, (_, data) in _told(message, Remarks(DEFAULT), "").items() if index is not None
    }
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
        text = next((one for one in (data.get("raw"), data.get("text")) if isinstance(one, str)), part.text)
        if text == part.text:
            parts.append(part)
        elif text:
            # What a provider said of another text than this one does not hold for it.
            change: dict[str, Any] = {"text": whole(text)}
            if isinstance(data.get("text"), str):
                change["provider_metadata"] = None
            parts.append(part.model_copy(update=change))
    return message.model_copy(update={"parts": parts})


def _told(message: UIMessage, remarks: Remarks, path: str) -> dict[int | None, tuple[str, dict[str, Any]]]:
    """Return the data of each text of a message that tells what it cites, by the index of that text, and its path.

    Of several about one text the last one holds, as it does where a client takes a stream in.
    """
    texts = sum(isinstance(part, TextUIPart) for part in message.parts)
    found: dict[int | None, tuple[str, dict[str, Any]]] = {}
    for number, part in enumerate(message.parts):
        if not isinstance(part, DataUIPart) or part.type != CITATIONS_TYPE:
            continue
        where = f"{path}/parts/{number}/data"
        told = told_of(part.data, texts, remarks, where)
        if told is None:
            continue
        index, data = told
        if index in found:
            remarks.add("twice", "A later data part is about the same text.", found.pop(index)[0])
        found[index] = where, data
    return found


def _citations_of(message: UIMessage, place: int, remarks: Remarks, limits: Limits) -> list[MessageCitations]:
    if message.role != "assistant":
        return []
    texts = [part.text for part in message.parts if isinstance(part, TextUIPart)]
    found: list[MessageCitations] = []
    for index, (path, data) in _told(message, remarks, f"/{place}").items():
        text = data.get("text")
        if not isinstance(text, str):
            text = None if index is None else texts[index]
        if text:
            value = taken(data, message.id, text, remarks, path, limits)
            found.append(MessageCitations(message.id, index, text, value))
    return found


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
        named = _string(body.get("message_id")) or message_id
        return _user(named, text) if said.role == "user" and isinstance(text, str) and text else None
    answer = body.get("answer")
    if not isinstance(answer, dict):
        return None
    kept = cast("dict[str, Any]", answer)
    if kept.get("shown"):
        return _answer(kept["shown"], kept.get("text"), library, limits)
    # Kept before a stream told anything: there is the finished text, with its list of sources.
    text = _string(kept.get("answer"))
    return UIMessage(id=message_id, role="assistant", parts=[_done(text)]) if text else None


def _string(given: object) -> str | None:
    return given if isinstance(given, str) else None


def _user(message_id: str, text: str) -> UIMessage:
    return UIMessage(id=message_id, role="user", parts=[TextUIPart(text=whole(text))])


def _done(text: str) -> TextUIPart:
    return TextUIPart(text=whole(text), state="done")


def _answer(told: Mapping[str, Any], raw: str | None, library: Library | None, limits: Limits) -> UIMessage:
    """Return the message of an answer: its text, its sources, what it cites, and the words that are lit."""
    told, raw = whole_json(dict(told)), None if raw is None else whole(raw)
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
