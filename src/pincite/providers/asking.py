"""When a provider is asked for citations, how, and when it must not be: one table, looked up before a request is sent.

The rules are those of providers: what turns their citations on, of which sources they give them, and into what else
than text a model writes its markup when they are on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final, cast

from pincite.core.errors import CitationRequestError, InputError
from pincite.core.given import items_of, maybe, of_kind
from pincite.core.text import one_line
from pincite.providers.read import APIS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pincite.providers.requests import RequestDocument

Json = Mapping[str, Any]


class SourceKind(StrEnum):
    """Where the sources of an answer come from. Documents are those that are sent, also by tools of yours."""

    WEB_SEARCH = "web_search"
    WEB_FETCH = "web_fetch"
    DOCUMENT = "document"
    SEARCH_RESULT = "search_result"
    FILE_SEARCH = "file_search"
    X_SEARCH = "x_search"
    COLLECTION = "collection"


class OutputKind(StrEnum):
    """What a model is to answer in: text, the call of an output tool, a provider's schema, or JSON it is told of."""

    TEXT = "text"
    STRUCTURED = "structured"
    NATIVE = "native"
    PROMPTED = "prompted"


class Switch(StrEnum):
    """What turns citations on: nothing, the tool that searches, asking for them; `never` has none."""

    ALWAYS = "always"
    TOOL = "tool"
    ASKED = "asked"
    NEVER = "never"


class AnchorKind(StrEnum):
    """What of the answer a citation points to: the whole part, the text it supports, a marker, or nothing."""

    PART = "part"
    CONTENT = "content"
    MARKER = "marker"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class AskingRule:
    """What holds for one kind of source at one provider.

    `models` names the models that it is about, None for all others; `apis` the APIs, () for all. `tool` is declared
    in the request, `body` merged into it, `block` merged into each document or search result. `leaks` says that the
    model writes its markup into whatever is no text, so citations are asked for with text alone and not with a forced
    tool; `text_only` that it answers in text instead of calling a tool; `refuses_native` that the provider refuses
    this kind together with a schema of its own.
    """

    provider: str
    kind: SourceKind
    switch: Switch
    how: str
    anchor: AnchorKind = AnchorKind.NONE
    models: str | None = None
    apis: tuple[str, ...] = ()
    tool: Json | None = None
    body: Json = field(default_factory=dict[str, Any])
    block: Json = field(default_factory=dict[str, Any])
    leaks: bool = False
    text_only: bool = False
    refuses_native: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class Asking:
    """What to send so that an answer is cited, as far as it can be.

    `is_asked` says whether anything in the request asks for citations. `kinds` are the sources of which they may come.
    `body` is merged into the request (its tools too), `block` into each document and search result. `may_leak` says
    that markup may stand in fields and arguments of tools all the same: see `strip_markup`. `in_json` says that
    citations have positions in JSON text: see `citations_by_field`. `reasons` are plain sentences on what was left out.
    """

    provider: str
    is_asked: bool
    kinds: tuple[SourceKind, ...]
    body: Json
    block: Json
    may_leak: bool = False
    in_json: bool = False
    reasons: tuple[str, ...] = ()


_ENABLED: Final[Json] = {"citations": {"enabled": True}}
_NUMBERS: Final = "Send numbered sources (`numbered_sources`); `SentSources.bind` reads their `[n]`."
_PART: Final = "Anchors cover whole text parts."
_INLINE: Final[Json] = {"include": ["inline_citations"]}
_MARKDOWN: Final = "The model then writes markers such as `[[1]](https://...)` into its answer."
_TOOL: Final = "Turn on the tool."
_K, _S, _A = SourceKind, Switch, AnchorKind
_ANTHROPIC: Final = "models of Anthropic"
_SONAR: Final = "Perplexity Sonar"

RULES: Final[tuple[AskingRule, ...]] = (
    AskingRule(
        "anthropic",
        _K.WEB_SEARCH,
        _S.ALWAYS,
        "Always, once the tool is on.",
        _A.PART,
        tool={"type": "web_search_20250305", "name": "web_search"},
        leaks=True,
        note="Newer versions of the tool need `allowed_callers: ['direct']`: what is read by code is not cited.",
    ),
    AskingRule(
        "anthropic",
        _K.WEB_FETCH,
        _S.ASKED,
        "Ask: `citations` on the tool.",
        _A.PART,
        tool={"type": "web_fetch_20250910", "name": "web_fetch", **_ENABLED},
        leaks=True,
        refuses_native=True,
        note="A fetched page is counted with the documents.",
    ),
    AskingRule(
        "anthropic",
        _K.DOCUMENT,
        _S.ASKED,
        "Ask: `citations` on every document, those that tools return too.",
        _A.PART,
        block=_ENABLED,
        leaks=True,
        refuses_native=True,
        note=_PART,
    ),
    AskingRule(
        "anthropic",
        _K.SEARCH_RESULT,
        _S.ASKED,
        "Ask: `citations` on every search result of yours.",
        _A.PART,
        block=_ENABLED,
        leaks=True,
        refuses_native=True,
        note=_PART,
    ),
    AskingRule(
        "bedrock",
        _K.DOCUMENT,
        _S.ASKED,
        "Ask: `citations` on every text and PDF document, those that tools return too.",
        _A.PART,
        models=_ANTHROPIC,
        block=_ENABLED,
        leaks=True,
        refuses_native=True,
        note="Text must be UTF-8. Documents in S3 are never cited. A source's title is the name of its document.",
    ),
    AskingRule(
        "bedrock",
        _K.SEARCH_RESULT,
        _S.ASKED,
        "Ask: `citations` on every search result of yours.",
        _A.PART,
        models=_ANTHROPIC,
        block=_ENABLED,
        leaks=True,
        refuses_native=True,
        note=_PART,
    ),
    AskingRule("bedrock", _K.DOCUMENT, _S.NEVER, "Other models have none.", note=_NUMBERS),
    AskingRule("bedrock", _K.SEARCH_RESULT, _S.NEVER, "Other models have none.", note=_NUMBERS),
    AskingRule(
        "google",
        _K.WEB_SEARCH,
        _S.TOOL,
        _TOOL,
        _A.CONTENT,
        tool={"google_search": {}},
        note="Addresses lead through a redirect of Google, titles are often a domain; suggestions must be shown.",
    ),
    AskingRule("google", _K.FILE_SEARCH, _S.TOOL, _TOOL, _A.CONTENT, tool={"file_search": {}}),
    AskingRule("google", _K.WEB_FETCH, _S.TOOL, _TOOL, _A.CONTENT, tool={"url_context": {}}),
    AskingRule("google", _K.DOCUMENT, _S.NEVER, "There is no way.", note=_NUMBERS),
    AskingRule(
        "vertex",
        _K.WEB_SEARCH,
        _S.TOOL,
        _TOOL,
        _A.CONTENT,
        tool={"google_search": {}},
        note="As on the Gemini API; file search and web fetch give none here.",
    ),
    AskingRule("vertex", _K.DOCUMENT, _S.NEVER, "There is no way.", note=_NUMBERS),
    AskingRule(
        "openai",
        _K.WEB_SEARCH,
        _S.TOOL,
        _TOOL,
        _A.MARKER,
        apis=("responses",),
        tool={"type": "web_search"},
        note="The anchor is the link that the model wrote; what it is about is a guess (`claim`).",
    ),
    AskingRule(
        "openai",
        _K.WEB_SEARCH,
        _S.TOOL,
        "Turn on `web_search_options`.",
        _A.MARKER,
        apis=("chat",),
        body={"web_search_options": {}},
    ),
    AskingRule(
        "openai",
        _K.FILE_SEARCH,
        _S.TOOL,
        _TOOL,
        apis=("responses",),
        tool={"type": "file_search"},
        note="A file's citation has a position and no range: it stays in the details, the anchor is none.",
    ),
    AskingRule("openai", _K.DOCUMENT, _S.NEVER, "There is no way.", note=_NUMBERS),
    AskingRule(
        "openrouter",
        _K.WEB_SEARCH,
        _S.ALWAYS,
        "Always: these models search without a tool, and are refused with one.",
        models=_SONAR,
    ),
    AskingRule(
        "openrouter",
        _K.WEB_SEARCH,
        _S.TOOL,
        _TOOL,
        tool={"type": "openrouter:web_search"},
        note="It does not say where in the answer a citation belongs.",
    ),
    AskingRule("openrouter", _K.DOCUMENT, _S.NEVER, "There is no way.", note=_NUMBERS),
    *(
        AskingRule(
            "xai",
            kind,
            _S.ASKED,
            "Ask: `inline_citations`, with the tool.",
            _A.MARKER,
            tool=tool,
            body=_INLINE,
            text_only=True,
            note=_MARKDOWN,
        )
        for kind, tool in (
            (_K.WEB_SEARCH, {"type": "web_search"}),
            (_K.X_SEARCH, {"type": "x_search"}),
            (_K.COLLECTION, {"type": "file_search"}),
        )
    ),
    AskingRule("xai", _K.DOCUMENT, _S.NEVER, "There is no way.", note=_NUMBERS),
    AskingRule(
        "cohere",
        _K.DOCUMENT,
        _S.ALWAYS,
        "Always, of the `documents` of the request.",
        _A.CONTENT,
        refuses_native=True,
        note="`citation_options` says how closely they are made.",
    ),
    AskingRule(
        "mistral", _K.WEB_SEARCH, _S.TOOL, _TOOL, apis=("conversations",), tool={"type": "web_search"}
    ),
    AskingRule(
        "mistral", _K.FILE_SEARCH, _S.TOOL, _TOOL, apis=("conversations",), tool={"type": "document_library"}
    ),
    AskingRule("mistral", _K.DOCUMENT, _S.NEVER, "There is no way.", note=_NUMBERS),
    AskingRule(
        "perplexity",
        _K.WEB_SEARCH,
        _S.ALWAYS,
        "Always: Sonar searches without a tool.",
        _A.MARKER,
        apis=("sonar",),
        note="Markers `[n]` count the list of sources from 1.",
    ),
    AskingRule(
        "perplexity", _K.WEB_SEARCH, _S.TOOL, _TOOL, _A.MARKER, apis=("agent",), tool={"type": "web_search"}
    ),
    AskingRule("perplexity", _K.DOCUMENT, _S.NEVER, "There is no way.", note=_NUMBERS),
    AskingRule(
        "groq",
        _K.DOCUMENT,
        _S.ASKED,
        "Ask: `citation_options`, with `documents`.",
        _A.CONTENT,
        body={"citation_options": "enabled"},
    ),
    AskingRule(
        "groq",
        _K.WEB_SEARCH,
        _S.ASKED,
        "Ask: `citation_options`, with a model or tool that searches.",
        _A.CONTENT,
        body={"citation_options": "enabled"},
    ),
    AskingRule(
        "openai_compatible",
        _K.WEB_SEARCH,
        _S.TOOL,
        "As the server does it.",
        _A.MARKER,
        note="What is missing in an annotation costs that citation alone.",
    ),
    AskingRule("openai_compatible", _K.DOCUMENT, _S.NEVER, "There is no way.", note=_NUMBERS),
)
"""Every rule; of those for one kind of source, the one that names the models comes first."""

# Wrappers of pydantic-ai's output types, by name, since this must not import it.
_WRAPPERS: Final = {"NativeOutput": OutputKind.NATIVE, "PromptedOutput": OutputKind.PROMPTED}


BEDROCK_CITES: Final = (
    "Bedrock gives citations of text and PDF that are not in S3, on models of Anthropic alone."
)
"""What is said of a document that cannot be cited there."""


def is_anthropic(model: str) -> bool:
    """Say whether a model of Bedrock is one of Anthropic, by its id, its ARN or the id of an inference profile."""
    return "anthropic." in model.lower() or "claude" in model.lower()


def output_kind(output: object) -> OutputKind:
    """Return what kind of answer an output type asks for.

    `output` is one of `OutputKind` or its value, a type, one of pydantic-ai's wrappers (`NativeOutput(...)`), or a
    list of these. A list with anything but text in it is structured: `[str, Answer]` too.
    """
    if isinstance(output, str):
        try:
            return OutputKind(output)
        except ValueError as error:
            msg = f"`output` is one of {', '.join(OutputKind)}, or a type, not {one_line(output, 40)!r}."
            raise InputError(msg, field="output") from error
    if isinstance(output, list | tuple):
        kinds = {output_kind(one) for one in cast("list[object]", output)}
        return kinds.pop() if len(kinds) == 1 else OutputKind.STRUCTURED
    name = type(output).__name__
    if output is str or name == "TextOutput":
        return OutputKind.TEXT
    return _WRAPPERS.get(name, OutputKind.STRUCTURED)


def rules_for(provider: str, *, api: str | None = None, model: str | None = None) -> tuple[AskingRule, ...]:
    """Return the rules that hold for a provider, one of its APIs (the first, if none is named) and a model.

    Raises:
        InputError: there is no such provider or API, or the provider's rules depend on the model and none is named.
    """
    of_kind(provider, str, "provider", "a string")
    maybe(model, str, "model", "a string")
    known = APIS.get("google" if provider == "vertex" else provider)
    if known is None:
        msg = (
            f"There is no provider {one_line(provider, 60)!r} here; there are {', '.join((*APIS, 'vertex'))}."
        )
        raise InputError(msg, field="provider")
    if api is None:
        api = next(iter(known))
    elif api not in known:
        msg = f"{provider} has no API {one_line(str(api), 60)!r} here; it has {', '.join(known)}."
        raise InputError(msg, field="api")
    if provider == "bedrock" and model is None:
        msg = "On Bedrock the model decides about citations; name the model."
        raise InputError(msg, field="model")
    found: dict[SourceKind, AskingRule] = {}
    for rule in RULES:
        if rule.provider == provider and (not rule.apis or api in rule.apis) and _is_about(rule, model or ""):
            found.setdefault(rule.kind, rule)
    return tuple(found.values())


def _is_about(rule: AskingRule, model: str) -> bool:
    if rule.models is None:
        return True
    return is_anthropic(model) if rule.models == _ANTHROPIC else "sonar" in model.lower()


def ask_citations(
    provider: str,
    sources: Iterable[SourceKind | str],
    *,
    api: str | None = None,
    model: str | None = None,
    output: object = OutputKind.TEXT,
    forced_tool: bool = False,
    documents: Iterable[RequestDocument] = (),
    required: bool = False,
) -> Asking:
    """Return what to send so that an answer from `sources` is cited, before the request is sent.

    `output` is what is answered in (see `output_kind`), `forced_tool` whether the request makes the model call a tool.
    `documents` are looked through for what cannot be cited. Where citations cannot be had they are not asked for, and
    `reasons` says so; with `required` that is an error.

    Raises:
        CitationRequestError: the model would write its markup into the arguments of a forced tool, a document that is
            to be cited is no UTF-8, the provider refuses the request, or `required` citations cannot be had.
        InputError: there is no such provider, API or kind of source, or an argument is of another type.
    """
    rules = {rule.kind: rule for rule in rules_for(provider, api=api, model=model)}
    given = _to_be_cited(documents)
    wanted = [_source_kind(one) for one in items_of(sources, "sources", "a list of kinds of sources")]
    if given:
        wanted.append(SourceKind.DOCUMENT)
    request = _Request(provider, output_kind(output), forced_tool=forced_tool, required=required)
    for kind in dict.fromkeys(wanted):
        rule = rules.get(kind)
        if rule is None or rule.switch is Switch.NEVER:
            note = "" if rule is None else f" {rule.note}"
            request.leave_out(f"{provider} gives no citations of {_words(kind)} here.{note}")
        elif kind is not SourceKind.DOCUMENT or _can_be_cited(provider, given, request):
            request.take(rule)
    if SourceKind.DOCUMENT in request.kinds:
        for document in given:
            document.as_text()  # which is where a text that is no UTF-8 is refused
    return request.finished()


def _to_be_cited(documents: Iterable[RequestDocument]) -> list[RequestDocument]:
    from pincite.providers.requests import RequestDocument

    what = "a list of RequestDocument"
    given = [
        of_kind(one, RequestDocument, "documents", what) for one in items_of(documents, "documents", what)
    ]
    return [one for one in given if one.citations is not False]


def _can_be_cited(provider: str, documents: list[RequestDocument], request: _Request) -> bool:
    """Say whether a request has documents that can be cited, or none that are known; leave out those that cannot.

    Raises:
        CitationRequestError: one that cannot is to be cited.
    """
    from pincite.providers.requests import bedrock_can_cite

    if provider != "bedrock":
        return True
    uncited = [one for one in documents if not bedrock_can_cite(one)]
    if uncited:
        if any(one.citations for one in uncited):
            raise CitationRequestError(BEDROCK_CITES, field="documents")
        request.leave_out(BEDROCK_CITES)
    return not documents or len(uncited) < len(documents)


def _source_kind(value: object) -> SourceKind:
    try:
        return SourceKind(of_kind(value, str, "sources", "a list of kinds of sources"))
    except ValueError as error:
        msg = f"There is no kind of source {one_line(str(value), 40)!r}; there are {', '.join(SourceKind)}."
        raise InputError(msg, field="sources") from error


def _words(kind: SourceKind) -> str:
    return kind.replace("_", " ")


class _Request:
    """A request on its way."""

    __slots__ = (
        "_block",
        "_body",
        "_forced",
        "_output",
        "_provider",
        "_reasons",
        "_required",
        "asked",
        "kinds",
        "leaks",
    )

    def __init__(self, provider: str, output: OutputKind, *, forced_tool: bool, required: bool) -> None:
        self._provider = provider
        self._output = output
        self._forced = forced_tool
        self._required = required
        self._body: dict[str, Any] = {}
        self._block: dict[str, Any] = {}
        self._reasons: list[str] = []
        self.kinds: list[SourceKind] = []
        self.asked = False
        self.leaks = False

    def leave_out(self, reason: str) -> None:
        """Say why citations are not asked for.

        Raises:
            CitationRequestError: they are required.
        """
        if self._required:
            raise CitationRequestError(reason, field="sources")
        self._reasons.append(reason)

    def take(self, rule: AskingRule) -> None:
        """Take a kind of source in, with its citations where they can be had.

        Raises:
            CitationRequestError: the provider or the model cannot do both what is asked and this, or they are required.
        """
        words = _words(rule.kind)
        asked, native = rule.switch is Switch.ASKED, self._output is OutputKind.NATIVE
        if asked and self._output is not OutputKind.TEXT and (rule.leaks or rule.text_only):
            why = (
                "writes its markup into fields"
                if rule.leaks
                else "answers in text or puts markers into the JSON"
            )
            more = (
                f" {self._provider} refuses them with a schema of its own."
                if native and rule.refuses_native
                else ""
            )
            self._add(rule, cited=False)
            self.leave_out(f"Citations of {words} come with text alone: otherwise the model {why}.{more}")
        elif asked and self._forced and rule.leaks:
            msg = (
                f"With citations of {words} a model writes its markup into the arguments of a tool that it must call. "
                "Do not ask for citations in this request, or let the model choose whether to call the tool."
            )
            raise CitationRequestError(msg, field="forced_tool")
        elif native and rule.refuses_native:
            msg = f"{self._provider} refuses {words}s together with a schema for the answer."
            raise CitationRequestError(msg, field="output")
        elif self._output is OutputKind.STRUCTURED:
            self._add(rule, cited=False)
            self.leave_out(f"The arguments of an output tool carry no citations of {words}; use text output.")
        else:
            self._add(rule, cited=True)

    def _add(self, rule: AskingRule, *, cited: bool) -> None:
        """Add what a kind of source needs in the request, and what asks for its citations if they are to come."""
        asked = rule.switch is Switch.ASKED
        if rule.tool is not None:
            tool = {name: value for name, value in rule.tool.items() if cited or name != "citations"}
            self._body.setdefault("tools", []).append(tool)
        if cited or not asked:
            for name, value in rule.body.items():
                self._body[name] = list(cast("list[object]", value)) if isinstance(value, list) else value
            # Also where the model chooses to call a tool; and what is always cited gets the markup anyhow.
            self.leaks |= rule.leaks
        if cited:
            self._block.update(rule.block)
            self.kinds.append(rule.kind)
            self.asked |= asked

    def finished(self) -> Asking:
        """Return what to send."""
        if not self.kinds and not self._reasons:
            self.leave_out(
                "There is no source of which citations could be had; name a tool or send documents."
            )
        return Asking(
            self._provider,
            self.asked,
            tuple(self.kinds),
            self._body,
            self._block,
            may_leak=self.leaks,
            in_json=bool(self.kinds) and self._output in (OutputKind.NATIVE, OutputKind.PROMPTED),
            reasons=tuple(self._reasons),
        )
