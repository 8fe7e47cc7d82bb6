"""Reading a whole response of any provider."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, cast

from pincite.core.errors import InputError
from pincite.core.given import of_kind
from pincite.core.text import one_line
from pincite.providers.response import ProviderResponse, ResponseDraft

if TYPE_CHECKING:
    from pincite.providers.response import Json

Reader = Callable[[ResponseDraft, "Json"], None]
"""Fills a draft from a response; what is odd costs itself and nothing else."""

APIS: Final[Mapping[str, Mapping[str, str]]] = {
    "anthropic": {"messages": "_anthropic"},
    "bedrock": {"converse": "_bedrock"},
    "google": {"generate_content": "_google", "interactions": "_interactions"},
    "openai": {"responses": "_responses", "chat": "_chat"},
    "openrouter": {"chat": "_chat", "responses": "_responses"},
    "groq": {"chat": "_groq", "responses": "_responses"},
    "perplexity": {"sonar": "_perplexity", "agent": "_perplexity_agent"},
    "xai": {"responses": "_xai", "grpc": "_xai_grpc", "chat": "_chat"},
    "cohere": {"chat_v2": "_cohere"},
    "mistral": {"chat": "_mistral", "conversations": "_mistral_conversations"},
    "openai_compatible": {"chat": "_chat", "responses": "_responses"},
}
"""The providers, the APIs of each (the first is taken where none is named), and the module that reads it."""


FORMS: Final[Mapping[str, frozenset[str]]] = {
    "messages": frozenset({"content"}),
    "converse": frozenset({"output"}),
    "generate_content": frozenset({"candidates", "promptFeedback", "outputs", "steps"}),
    "interactions": frozenset({"outputs", "output", "steps"}),
    "responses": frozenset({"output"}),
    "chat": frozenset({"choices"}),
    "sonar": frozenset({"choices"}),
    "agent": frozenset({"output"}),
    "grpc": frozenset({"outputs"}),
    "chat_v2": frozenset({"message"}),
    "conversations": frozenset({"outputs"}),
}
"""What a response of each API has at its top; one that has none of it is of another API, or a failure."""
_SHOWN: Final = 20


def named(provider: str, api: str | None) -> tuple[str, str]:
    """Return a provider and one of its APIs as they are named here.

    Raises:
        InputError: there is no such provider, or it has no such API.
    """
    known = APIS.get(of_kind(provider, str, "provider", "a string"))
    if known is None:
        msg = f"There is no provider {one_line(provider, 60)!r} here; there are {', '.join(APIS)}."
        raise InputError(msg, field="provider")
    if api is None:
        return provider, next(iter(known))
    if of_kind(api, str, "api", "a string") not in known:
        msg = f"{provider} has no API {one_line(api, 60)!r} here; it has {', '.join(known)}."
        raise InputError(msg, field="api")
    return provider, api


def read_response(provider: str, response: object, *, api: str | None = None) -> ProviderResponse:
    """Return the text of a response in parts with their citations.

    `response` is the JSON of the provider's own API: a mapping, its text, or an SDK's object that can be dumped to it
    (`model_dump`, `to_dict`). The text is never changed. A citation that lacks what it needs is kept in `unmapped`.

    Raises:
        InputError: there is no such provider or API, or `response` is no JSON object.
    """
    provider, api = named(provider, api)
    draft = ResponseDraft(provider, api)
    body = object_of(response)
    reader_of(provider, api)(draft, body)
    note_failure(draft, body)
    return draft.finished()


def note_failure(draft: ResponseDraft, body: Json) -> None:
    """Say why there is no text where the provider says that it failed, or where its response is of another form."""
    error = body.get("error") or (body if body.get("type") == "error" else None)
    if error:
        draft.leave("error", error, "The provider answered with an error.")
    elif body and not any(part.text for part in draft.parts) and not FORMS[draft.api] & set(body):
        draft.leave(
            "response", sorted(map(str, body))[:_SHOWN], f"It is no response of {draft.provider} {draft.api}."
        )


def reader_of(provider: str, api: str) -> Reader:
    """Return what reads a response of that API."""
    return cast("Reader", import_module(f"pincite.providers.{APIS[provider][api]}").read)


# How SDKs' objects are dumped to JSON, the first that works.
_DUMPS: Final[tuple[tuple[str, dict[str, Any]], ...]] = (
    ("model_dump", {"mode": "json", "by_alias": True}),
    ("model_dump", {}),
    ("to_dict", {}),
)


def object_of(value: object, field: str = "response") -> Json:
    """Return the JSON object that `value` is, holds as text, or can be dumped to.

    Raises:
        InputError: it is none.
    """
    if isinstance(value, str | bytes | bytearray):
        value = value.removeprefix("\ufeff") if isinstance(value, str) else value
        try:
            value = cast("object", json.loads(value))
        except (ValueError, RecursionError) as error:
            msg = f"`{field}` is text that is no JSON."
            raise InputError(msg, field=field) from error
    is_json, dumped = isinstance(value, Mapping), cast("Any", value)
    for name, options in () if is_json else _DUMPS:
        dump: Any = getattr(dumped, name, None)
        if not callable(dump):
            continue
        try:
            dumped = dump(**options)
        except TypeError:  # it takes no such options
            continue
        break
    if not isinstance(dumped, Mapping):
        msg = f"`{field}` is a JSON object or an SDK's object, not {type(dumped).__name__}."
        raise InputError(msg, field=field)
    return cast("Json", dumped)
