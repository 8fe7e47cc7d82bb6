"""Citations that a model's provider gives, on their way to pydantic-ai and back, and into the answer of a run.

pydantic-ai's `Citation` holds sources and an anchor. What we know beyond that (spans, passages, details, verdicts, the
hash of the text) goes along in the part's `provider_details`, under `RECORD`: its own lists take nothing foreign, and a
history that holds something foreign fails to load as a whole.
"""

from __future__ import annotations

import logging
import re
from dataclasses import KW_ONLY, dataclass, replace
from typing import TYPE_CHECKING, Any, Final, cast, overload

import pydantic_ai as ai
from pydantic_ai import messages as ai_messages
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.messages import ModelResponse, NativeToolCallPart, ToolCallPart
from pydantic_ai.settings import ModelSettings

from pincite.checking.answers import uncited_sentences
from pincite.core.answer import Answer, Evidence, Finding
from pincite.core.citation import (
    Citation,
    ContentCitationAnchor,
    DocumentCitationSource,
    MarkerCitationAnchor,
    TextPart,
    WebCitationSource,
)
from pincite.core.errors import InputError
from pincite.core.given import refuse
from pincite.core.locators import Locator
from pincite.providers.editing import edit_text, join_texts, stale_citations, stamped
from pincite.providers.read import read_response
from pincite.providers.response import RAW, ProviderResponse, hash_of, listed, mapping
from pincite.providers.saving import UNREAD, part_as_dict, part_from_dict

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pydantic_ai import RunContext
    from pydantic_ai.models import ModelRequestContext
    from pydantic_ai.result import StreamedRunResult
    from pydantic_ai.run import AgentRunResult

    from pincite.agents.capability import Citing
    from pincite.core.citation import CitationAnchor, CitationSource

RECORD: Final = "pincite"
"""Under which name pydantic-ai's `TextPart.provider_details` holds what its citations cannot say."""
ORIGIN: Final = "pydantic_ai"
"""Under which name our `TextPart.provider_details` holds the id and the provider that a part of pydantic-ai had."""
PROVIDER_NAMES: Final[Mapping[str, str]] = {
    "anthropic": "anthropic",
    "bedrock": "bedrock",
    "google": "google",
    "groq": "groq",
    "openai": "openai",
    "openrouter": "openrouter",
    "perplexity": "perplexity",
    "xai": "xai",
    "cohere": "cohere",
    "mistral": "mistral",
    "openai_compatible": "openai",
}
"""What pydantic-ai calls each of our providers."""
# A letter behind an underscore: linear, two characters.
_UNDERSCORED: Final = re.compile("_([a-z])")
_LOG: Final = logging.getLogger("pincite.agents")


# --- To pydantic-ai ---


@overload
def to_pydantic_ai(value: Citation) -> ai.Citation: ...
@overload
def to_pydantic_ai(
    value: TextPart, *, provider_name: str | None = None, id: str | None = None
) -> ai.TextPart: ...
def to_pydantic_ai(
    value: Citation | TextPart,
    *,
    provider_name: str | None = None,
    id: str | None = None,  # noqa: A002 - pydantic-ai's name for it
) -> ai.Citation | ai.TextPart:
    """Return a citation or a text part as pydantic-ai has them.

    A part loses nothing: what pydantic-ai cannot hold is in its `provider_details`, and `from_pydantic_ai` puts it
    back, also after a history went through JSON. A citation by itself has no such place. `provider_name` is
    pydantic-ai's name of the provider that wrote the text (`PROVIDER_NAMES`); a part that came from there has kept its
    own.

    Raises:
        InputError: `value` is neither, or a citation with no source that pydantic-ai can hold.
    """
    if isinstance(value, Citation):
        made = _citation(value)
        if made is None:
            msg = "pydantic-ai holds a citation only with a source that has an address, an id, a title or an excerpt."
            raise InputError(msg, field="value")
        return made
    if not isinstance(value, TextPart):  # pyright: ignore[reportUnnecessaryIsInstance] - callers without types
        refuse(value, "value", "a Citation or a TextPart")
    details = dict(value.provider_details or {})
    origin = mapping(details.pop(ORIGIN, None))
    unread = details.pop(UNREAD, None)
    citations = [made for citation in value.citations if (made := _citation(citation)) is not None]
    if value.citations or unread or value.provider_details == {}:
        said = part_as_dict(replace(value, provider_details={UNREAD: unread} if unread else None))
        details[RECORD] = {
            "version": 1,
            "text_hash": hash_of(value.content),
            "citations": said.get("citations", []),
            "provider_name": provider_name,
            "id": id,
            "details": value.provider_details is not None,
        }
    return ai.TextPart(
        value.content,
        id=origin.get("id") if id is None else id,
        provider_name=origin.get("provider_name") if provider_name is None else provider_name,
        provider_details=details or None,
        citations=citations or None,
    )


def to_model_response(response: ProviderResponse, **fields: Any) -> ModelResponse:  # noqa: ANN401 - those of ModelResponse
    """Return a response as pydantic-ai's, with its text parts; `fields` are further ones of `ModelResponse`."""
    name = PROVIDER_NAMES.get(response.provider, response.provider)
    parts = [to_pydantic_ai(part, provider_name=name) for part in response.parts]
    given: dict[str, Any] = {"provider_name": name, **fields}
    return ModelResponse(parts=parts, **given)


def _citation(citation: Citation) -> ai.Citation | None:
    sources = [made for source in citation.sources if (made := _source(source)) is not None]
    return ai.Citation(sources, anchor=_anchor(citation.anchor)) if sources else None


def _source(source: CitationSource) -> ai.WebCitationSource | ai.DocumentCitationSource | None:
    excerpts = list(source.excerpts)
    if isinstance(source, WebCitationSource):
        return ai.WebCitationSource(source.url, title=source.title, excerpts=excerpts)
    if not (source.document_id or source.title or excerpts):
        return None  # it would refuse it
    return ai.DocumentCitationSource(document_id=source.document_id, title=source.title, excerpts=excerpts)


def _anchor(anchor: CitationAnchor | None) -> ai.ContentCitationAnchor | ai.MarkerCitationAnchor | None:
    if anchor is None or not 0 <= anchor.start < anchor.end:
        return None  # it would refuse an empty one
    kind = ai.MarkerCitationAnchor if isinstance(anchor, MarkerCitationAnchor) else ai.ContentCitationAnchor
    return kind(start=anchor.start, end=anchor.end)


# --- From pydantic-ai ---


@overload
def from_pydantic_ai(value: ai.Citation) -> Citation: ...
@overload
def from_pydantic_ai(value: ai.TextPart) -> TextPart: ...
def from_pydantic_ai(value: ai.Citation | ai.TextPart) -> Citation | TextPart:
    """Return a citation or a text part of pydantic-ai as ours.

    What `to_pydantic_ai` put away is back in its place. Citations that a provider's model class made get what their raw
    form says beyond them: the span of the source, ids, scores. Who changed a part in between gets the citations that it
    has now; those whose words were changed are `stale_citations`.

    Raises:
        InputError: `value` is neither.
    """
    if isinstance(value, ai.Citation):
        return _our_citation(value)
    if not isinstance(value, ai.TextPart):  # pyright: ignore[reportUnnecessaryIsInstance] - callers without types
        refuse(value, "value", "a Citation or a TextPart of pydantic-ai")
    details: dict[str, Any] | None = None if value.provider_details is None else dict(value.provider_details)
    record = mapping((details or {}).pop(RECORD, None))
    theirs = value.citations or []
    citations, unread = _recorded(record, value.content)
    if record:
        known = [(_citation(citation), citation) for citation in citations]
        # The same list of the same text: also what pydantic-ai could not hold is still of it.
        same = record.get("text_hash") == hash_of(value.content)
        if not same or [made for made, _ in known if made is not None] != theirs:
            citations, unread = _matched(theirs, known), None
    else:
        citations = _matched(theirs, [(_citation(one), one) for one in _read_again(value)])
    if unread:
        details = {**(details or {}), UNREAD: unread}
    origin = {"id": value.id, "provider_name": value.provider_name}
    if any(one is not None and one != record.get(name) for name, one in origin.items()):
        details = {**(details or {}), ORIGIN: origin}
    if not details and record:
        details = {} if record.get("details") and not unread else None
    return TextPart(value.content, tuple(citations), details)


def _matched(
    theirs: Sequence[ai.Citation], known: Sequence[tuple[ai.Citation | None, Citation]]
) -> list[Citation]:
    """Return for each citation of pydantic-ai the one of ours that it is the same as, where there is one."""
    waiting = list(known)
    found: list[Citation] = []
    for one in theirs:
        at = next((at for at, (made, _) in enumerate(waiting) if made == one), None)
        found.append(_our_citation(one) if at is None else waiting.pop(at)[1])
    return found


def _recorded(record: Mapping[str, Any], content: str) -> tuple[list[Citation], Any]:
    if not record:
        return [], None
    part = part_from_dict({"content": content, "citations": record.get("citations") or []})
    return list(part.citations), (part.provider_details or {}).get(UNREAD)


def _our_citation(citation: ai.Citation) -> Citation:
    anchor = citation.anchor
    ours: CitationAnchor | None = None
    if anchor is not None:
        kind = MarkerCitationAnchor if isinstance(anchor, ai.MarkerCitationAnchor) else ContentCitationAnchor
        ours = kind(anchor.start, anchor.end)
    return Citation(tuple(map(_our_source, citation.sources)), ours)


def _our_source(source: ai.WebCitationSource | ai.DocumentCitationSource) -> CitationSource:
    if isinstance(source, ai.WebCitationSource):
        return WebCitationSource(source.url, source.title, tuple(source.excerpts))
    return DocumentCitationSource(source.document_id, source.title, tuple(source.excerpts))


def _read_again(part: ai.TextPart) -> tuple[Citation, ...]:
    """Return what our reader makes of the raw citations that a model class of pydantic-ai has kept on a part.

    Nothing where its provider's are not kept as they came.
    """
    raw = listed((part.provider_details or {}).get(RAW))
    if not (raw and part.citations):
        return ()
    text, provider = part.content, part.provider_name
    if provider == "anthropic":
        response: dict[str, Any] = {"content": [{"type": "text", "text": text, "citations": raw}]}
        read = read_response("anthropic", response)
    elif provider == "bedrock":
        block = {"citationsContent": {"content": [{"text": text}], "citations": raw}}
        read = read_response("bedrock", {"output": {"message": {"content": [block]}}})
    elif provider in {"openai", "azure", "openrouter"}:
        if any(mapping(one).get("url_citation") for one in raw):
            read = read_response(
                "openai", {"choices": [{"message": {"content": text, "annotations": raw}}]}, api="chat"
            )
        else:
            content = [{"type": "output_text", "text": text, "annotations": raw}]
            read = read_response("openai", {"output": [{"type": "message", "content": content}]})
    elif provider in {"google", "google-gla", "google-vertex", "google-cloud"}:
        read = read_response("google", _grounded(text, raw))
    else:
        return ()
    found = read.citations
    # Ours read a hash from the text as it is now; that it is the provider's is known to the run alone.
    return tuple(replace(citation, text_hash=None) for citation in found)


def _grounded(text: str, raw: Sequence[Any]) -> dict[str, Any]:
    """Return a response of Google with the supports of one part, each of which has brought its chunks along."""
    chunks: list[Any] = []
    supports: list[Any] = []
    for one in raw:
        support: dict[str, Any] = dict(mapping(_as_sent(one)))
        mine = listed(support.pop("groundingChunks", None))
        support["groundingChunkIndices"] = list(range(len(chunks), len(chunks) + len(mine)))
        supports.append(support)
        chunks += mine
    grounding = {"groundingChunks": chunks, "groundingSupports": supports}
    return {"candidates": [{"content": {"parts": [{"text": text}]}, "groundingMetadata": grounding}]}


def _as_sent(value: object) -> object:
    """Return JSON with the names that Google's API writes in place of those that its SDK has for them."""
    if isinstance(value, dict):
        fields = cast("dict[str, object]", value)
        return {
            _UNDERSCORED.sub(lambda one: one[1].upper(), name): _as_sent(one) for name, one in fields.items()
        }
    return list(map(_as_sent, cast("list[object]", value))) if isinstance(value, list) else value


# --- The text of a response, as pydantic-ai joins it ---


def output_part(response: ModelResponse) -> TextPart:
    """Return the text that `result.output` is, with the citations of its parts at their places in it.

    Joined are the text parts behind the last call of a native tool, or those before it where none is behind and no tool
    is called.
    """
    behind: list[TextPart] = []
    before: list[TextPart] = []
    compacted: list[TextPart] = []
    calls = False
    for part in response.parts:
        if isinstance(part, NativeToolCallPart):
            before = behind if _has_text(behind) else before
            behind = []
        elif isinstance(part, ToolCallPart):
            calls = True
        elif part.part_kind == "compaction":
            compacted.append(TextPart(str(getattr(part, "content", None) or "")))
        elif (text := _text_of(part)) is not None:
            behind.append(text)
    if not _has_text(behind) and not calls:
        behind = before
    if not _has_text(behind) and _has_text(compacted):
        behind = compacted
    return join_texts(behind).part


def text_part(response: ModelResponse) -> TextPart:
    """Return the text that `response.text` is, with the citations of its parts at their places in it.

    Joined are all text parts, with two line ends where something else stands between two of them.
    """
    groups: list[list[TextPart]] = []
    adjacent = False
    for part in response.parts:
        text = _text_of(part)
        if text is not None:
            if not adjacent:
                groups.append([])
            groups[-1].append(text)
        adjacent = text is not None
    return join_texts((join_texts(group).part for group in groups), "\n\n").part


def _has_text(parts: Iterable[TextPart]) -> bool:
    return any(part.content for part in parts)


def _text_of(part: object) -> TextPart | None:
    if isinstance(part, ai.TextPart):
        return from_pydantic_ai(part)
    # What was spoken is read by its transcript; this kind of part is not in every version.
    spoken = getattr(ai_messages, "SpeechPart", None)
    if spoken is not None and isinstance(part, spoken) and (words := getattr(part, "content", None)):
        return TextPart(str(words))
    return None


# --- Into the answer of a run ---


def native_answer(part: TextPart, answer: Answer | None = None) -> Answer:
    """Return the answer that a text with its provider's citations is.

    `answer` is what our own markers in the same text were resolved to: the citations of both are in it, in text order,
    and sources are numbered anew, in order of first mention. A marker that the provider explains is no miss.

    Raises:
        InputError: `answer` is about another text.
    """
    if answer is not None and answer.text != part.content:
        msg = "The answer and the part have different texts."
        raise InputError(msg, field="answer")
    base = answer if answer is not None else Answer(part.content)
    ours = list(base.citations)
    taken = [(one.anchor.start, one.anchor.end) for one in ours if one.anchor is not None]
    # A marker of ours that the provider cites too is one citation, and what we resolved says more of it.
    native = [
        one
        for one in part.citations
        if not isinstance(one.anchor, MarkerCitationAnchor) or (one.anchor.start, one.anchor.end) not in taken
    ]
    citations = tuple(sorted((*ours, *native), key=_place))
    markers = [one.anchor for one in native if isinstance(one.anchor, MarkerCitationAnchor)]
    misses = tuple(
        miss
        for miss in base.misses
        if not any(one.start < miss.end and miss.start < one.end for one in markers)
    )
    return Answer.checked_later(
        lambda: _checks(part.content, citations),
        text=base.text,
        citations=citations,
        evidences=_evidences(citations, base.evidences),
        misses=misses,
        context=base.context,
        references=base.references,
    )


def _checks(text: str, citations: Sequence[Citation]) -> tuple[Finding, ...]:
    return uncited_sentences(
        text, [(one.anchor.start, one.anchor.end) for one in citations if one.anchor is not None]
    )


def _place(citation: Citation) -> int:
    return -1 if citation.anchor is None else citation.anchor.start


def _evidences(citations: Iterable[Citation], known: Iterable[Evidence]) -> tuple[Evidence, ...]:
    """Return one evidence a source, numbered in order of first mention.

    Sources that one citation groups may copy one another: how many there are says nothing, and nothing counts them.
    """
    before = {_key(one.source): one for one in known}
    found: dict[object, tuple[CitationSource, Locator, list[CitationAnchor]]] = {}
    for citation in citations:
        for source in citation.sources:
            key = _key(source)
            if key not in found:
                old = before.get(key)
                place = source.passage.locator if source.passage is not None else Locator()
                found[key] = (source, place, []) if old is None else (old.source, old.locator, [])
            anchors = found[key][2]
            if citation.anchor is not None and citation.anchor not in anchors[-1:]:
                anchors.append(citation.anchor)
    return tuple(
        Evidence(number, source, locator, tuple(anchors))
        for number, (source, locator, anchors) in enumerate(found.values(), start=1)
    )


def _key(source: CitationSource) -> object:
    """Return what makes two citations cite one source: as for our own, or what a document without an id is known by."""
    if source.passage is not None and source.passage.document_id:
        return source.passage.document_id
    if isinstance(source, WebCitationSource):
        return source.url
    if source.document_id:
        return source.document_id
    index = mapping(source.details).get("document_index")
    return (source.title, index, None if source.title or index is not None else source.excerpts)


def citation_counts(answer: Answer) -> dict[str, int]:
    """Return what may be logged of an answer: counts of its citations, sources and misses, and no text of any."""
    return {
        "pincite.citations": len(answer.citations),
        "pincite.citations.anchored": sum(one.anchor is not None for one in answer.citations),
        "pincite.citations.repaired": sum(one.repaired is not None for one in answer.citations),
        "pincite.sources": len(answer.evidences),
        "pincite.misses": len(answer.misses),
    }


@dataclass
class NativeCitations(AbstractCapability[Any]):
    """Takes in what a model's provider cites: `Agent(..., capabilities=[NativeCitations()])`, beside `Citing` or alone.

    With `asks` it asks those providers for citations that only cite when asked, as pydantic-ai's own `Citations()`
    does; that may be there as well. Each response is marked with hashes of the cited words, so that a saved history
    shows which of its citations an edit has outdated. The trace of a run gets counts of citations, and no text.
    """

    asks: bool = True
    _: KW_ONLY
    id: str | None = "native_citations"

    def get_model_settings(self) -> ModelSettings | None:
        """Return what asks for citations."""
        return ModelSettings(citations=True) if self.asks else None

    async def after_model_request(
        self,
        ctx: RunContext[Any],  # noqa: ARG002 - the base class's signature
        *,
        request_context: ModelRequestContext,  # noqa: ARG002 - the same
        response: ModelResponse,
    ) -> ModelResponse:
        """Mark the citations of a response with hashes of their words, which are the provider's here."""
        marked = [_marked(part) if isinstance(part, ai.TextPart) else part for part in response.parts]
        return replace(response, parts=marked) if marked != list(response.parts) else response

    async def after_run(self, ctx: RunContext[Any], *, result: AgentRunResult[Any]) -> AgentRunResult[Any]:
        """Tell the trace of the run, and the log, how many citations there are."""
        counts = citation_counts(native_answer(output_part(result.response)))
        with ctx.tracer.start_as_current_span("pincite citations", attributes=counts):
            _LOG.debug("citations of a run: %s", counts)
        return result

    def answer(
        self, result: AgentRunResult[Any] | StreamedRunResult[Any, Any], *, citing: Citing | None = None
    ) -> Answer:
        """Return the answer of a run with its provider's citations and, with `citing`, the markers that we resolved.

        Where the output is another text than the model's (mended, or changed by a validator), the citations of words
        that are still there are in it. Where it is no text, the answer is the model's text.

        Raises:
            InputError: `citing` has no answer for this run.
        """
        part = output_part(result.response)
        output = getattr(result, "output", None)
        resolved = citing.answer(result).answer if citing is not None else None
        text = resolved.text if resolved is not None else output
        if isinstance(text, str):
            part = edit_text(part, text).part
        return native_answer(part, resolved)


def _marked(part: ai.TextPart) -> ai.TextPart:
    if not part.citations or RECORD in (part.provider_details or {}):
        return part
    made = to_pydantic_ai(stamped(from_pydantic_ai(part)))
    return replace(
        part, provider_details={**(part.provider_details or {}), **cast("Any", made.provider_details)}
    )


def stale_in(history: Iterable[object]) -> int:
    """Return how many citations of a history of pydantic-ai are about words that were changed since."""
    return sum(
        len(stale_citations(from_pydantic_ai(part)))
        for message in history
        if isinstance(message, ModelResponse)
        for part in message.parts
        if isinstance(part, ai.TextPart)
    )
