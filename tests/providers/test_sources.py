"""Citations lead back to what was sent, and are checked in it. Responses that are not recorded are synthetic."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from recorded import load

from pincite.core.citation import (
    BoundPassage,
    Citation,
    ContentCitationAnchor,
    DocumentCitationSource,
    MarkerCitationAnchor,
    SourceSpan,
    SpanUnit,
    TextPart,
    WebCitationSource,
)
from pincite.core.errors import CitationRequestError, InputError
from pincite.core.verdicts import QuoteVerdict
from pincite.providers.read import read_response
from pincite.providers.response import ProviderResponse
from pincite.providers.sources import Binding, SentKind, SentSources

if TYPE_CHECKING:
    from pathlib import Path

    from pincite.core.citation import CitationSource

RETURNS = "Items may be returned within 30 days. Refunds are paid by bank transfer."
OPENING = "The shop opens at nine o'clock on weekdays and at ten on Saturdays."


def anthropic(*citations: dict[str, Any], text: str = "Yes.") -> dict[str, Any]:
    """Return a synthetic response with one cited block."""
    return {"content": [{"type": "text", "text": text, "citations": list(citations)}]}


def chars(cited: str, start: int, end: int, index: int = 0, **more: Any) -> dict[str, Any]:
    """Return a location by characters."""
    return {
        "type": "char_location",
        "cited_text": cited,
        "document_index": index,
        "start_char_index": start,
        "end_char_index": end,
        **more,
    }


def cited(*sources: CitationSource) -> ProviderResponse:
    """Return a response whose one part is cited with `sources`."""
    part = TextPart("Yes.", (Citation(sources, ContentCitationAnchor(0, 4)),))
    return ProviderResponse("anthropic", "messages", (part,))


def first(response: ProviderResponse) -> CitationSource:
    """Return the first source of the first citation."""
    return response.citations[0].sources[0]


def only(sources: SentSources, response: ProviderResponse) -> Binding:
    """Return what became of the only source of a response."""
    (binding,) = sources.bindings(response)
    return binding


# --- Which source ---


def test_document_index_is_the_place_among_documents() -> None:
    """Search results and files that were registered between documents do not count."""
    sources = SentSources()
    sources.add_document(OPENING)
    sources.add_search_result("kb://other", text="Something else altogether.")
    sources.add_file("file-1")
    sent = sources.add_document(RETURNS, id="returns", title="Returns")
    response = read_response("anthropic", anthropic(chars("Items may be returned within 30 days.", 0, 37, 1)))
    bound = sources.bind(response)
    assert first(bound) == DocumentCitationSource(
        "returns",
        "Returns",
        ("Items may be returned within 30 days.",),
        SourceSpan(0, 37),
        BoundPassage("returns", document_id="returns"),
        first(response).details,
    )
    assert bound.citations[0].quote is QuoteVerdict.VERBATIM
    assert bound.text == response.text
    assert only(sources, response) == Binding(0, 0, 0, sent, "", QuoteVerdict.VERBATIM, 0, 37, in_range=True)


def test_two_untitled_documents_are_told_apart() -> None:
    """The notes' A: without titles only `document_index` tells two documents apart."""
    sources = SentSources()
    sources.add_document(RETURNS)
    sources.add_document(RETURNS)
    bound = sources.bind(read_response("anthropic", anthropic(chars(RETURNS[:37], 0, 37, 1))))
    source = first(bound)
    assert isinstance(source, DocumentCitationSource)
    assert source.document_id == "doc:1"


def test_equal_texts_stay_ambiguous() -> None:
    """Where nothing but the words says which of two is meant, neither is."""
    sources = SentSources()
    sources.add_document(RETURNS, title="A")
    sources.add_document(RETURNS, title="B")
    response = cited(DocumentCitationSource(None, None, (RETURNS[:37],)))
    assert sources.bind(response).citations[0].quote is QuoteVerdict.UNCHECKED
    assert first(sources.bind(response)) == first(response)
    assert only(sources, response).reason == "It may mean 2 sources alike."


def test_the_only_text_that_has_the_words_is_meant() -> None:
    """A citation with nothing but words belongs to the one source that has them."""
    sources = SentSources()
    sources.add_document(OPENING)
    sources.add_document(RETURNS)
    binding = only(
        sources, cited(DocumentCitationSource(None, None, ("Refunds are paid by bank transfer.",)))
    )
    assert binding.sent is not None
    assert binding.sent.number == 1
    assert (binding.start, binding.end, binding.in_range) == (38, 72, None)


def test_words_too_short_to_prove_anything_choose_no_source() -> None:
    """`30 days` stands in one text alone, and names it no more for that."""
    sources = SentSources()
    sources.add_document(RETURNS)
    assert only(sources, cited(DocumentCitationSource(None, None, ("30 days",)))).sent is None


def test_a_title_that_two_have_is_narrowed_by_the_words() -> None:
    """Clues choose among what the clue before them left."""
    sources = SentSources()
    sources.add_document(OPENING, title="Shop")
    sources.add_document(RETURNS, title="Shop")
    sources.add_document(RETURNS, title="Elsewhere")
    binding = only(sources, cited(DocumentCitationSource(None, "Shop", (RETURNS[:37],))))
    assert binding.sent is not None
    assert binding.sent.number == 1


def test_a_place_whose_title_is_another_names_nothing() -> None:
    """A history that was cut moves the places; the title shows it."""
    sources = SentSources()
    sources.add_document(RETURNS, title="Returns")
    response = read_response(
        "anthropic", anthropic(chars(RETURNS[:37], 0, 37, document_title="Opening hours"))
    )
    binding = only(sources, response)
    assert binding.sent is None
    assert binding.verdict is QuoteVerdict.UNCHECKED
    assert binding.reason == "Its place and its title, address or file name different sources."


def test_a_place_beyond_all_documents_names_nothing() -> None:
    """Also where a text has the words: a place is exact."""
    sources = SentSources()
    sources.add_document(RETURNS)
    assert only(sources, read_response("anthropic", anthropic(chars(RETURNS[:37], 0, 37, 5)))).sent is None


def test_a_file_id_is_exact() -> None:
    """A file of the same name that was not registered is not the one that was."""
    sources = SentSources()
    sent = sources.add_file("file-1", title="handbook.pdf")
    assert only(sources, cited(DocumentCitationSource("file-1", "handbook.pdf"))).sent is sent
    assert only(sources, cited(DocumentCitationSource("file-2", "handbook.pdf"))).sent is None


def test_a_files_id_is_kept_beside_ours() -> None:
    """Nothing that the provider said is lost when the id becomes the one it has here."""
    sources = SentSources()
    sources.add_file("file-1", id="handbook")
    source = first(sources.bind(cited(DocumentCitationSource("file-1"))))
    assert isinstance(source, DocumentCitationSource)
    assert (source.document_id, source.details) == ("handbook", {"document_id": "file-1"})


@pytest.mark.parametrize(
    "url",
    [
        "https://a.example/x",
        "https://a.example/x/",
        "https://A.example/x?utm_source=openai",
        "https://a.example/x#top",
    ],
)
def test_an_address_is_known_in_other_spellings(url: str) -> None:
    """What only says from where a page was opened makes no other page."""
    sources = SentSources()
    sent = sources.add_search_result("https://a.example/x", text=RETURNS)
    assert only(sources, cited(WebCitationSource(url))).sent is sent


def test_an_address_as_it_is_comes_first() -> None:
    """Two places of one page were sent; the one that is written is meant, and a third names neither."""
    sources = SentSources()
    sources.add_search_result("https://a.example/x#one", text=RETURNS)
    sent = sources.add_search_result("https://a.example/x#two", text=OPENING)
    assert only(sources, cited(WebCitationSource("https://a.example/x#two"))).sent is sent
    assert only(sources, cited(WebCitationSource("https://a.example/x#three"))).sent is None


def test_names_that_are_no_addresses_are_what_they_are() -> None:
    """`kb#1` and `kb#2` are two."""
    sources = SentSources()
    sources.add_search_result("kb#1", text=RETURNS)
    assert sources.resolve("kb#2") is None


def test_another_query_is_another_page() -> None:
    """`?id=2` is no way of writing `?id=1`."""
    sources = SentSources()
    sources.add_search_result("https://a.example/x?id=1", text=RETURNS)
    assert (
        only(sources, cited(WebCitationSource("https://a.example/x?id=2", None, (RETURNS[:37],)))).sent
        is None
    )


def test_a_fetched_page_is_no_document_that_was_sent() -> None:
    """Anthropic counts it with the documents; its address says that it is none of them."""
    sources = SentSources()
    sources.add_document(RETURNS)
    page = WebCitationSource("https://a.example", None, (RETURNS[:37],), details={"document_index": 0})
    assert only(sources, cited(page)).sent is None


def test_synthetic_search_result_location() -> None:
    """`search_result_location`, of which there is no recording: its blocks are known."""
    sources = SentSources()
    sources.add_search_result(
        "https://a.example", blocks=["First of all.", RETURNS, "Last of all."], title="A"
    )
    response = read_response(
        "anthropic",
        anthropic(
            {
                "type": "search_result_location",
                "source": "https://a.example",
                "title": "A",
                "cited_text": RETURNS,
                "search_result_index": 0,
                "start_block_index": 1,
                "end_block_index": 2,
            }
        ),
    )
    source = first(sources.bind(response))
    # The first block has 13 code points, and two stand between blocks.
    assert source.span == SourceSpan(15, 15 + len(RETURNS))
    assert sources.bind(response).citations[0].quote is QuoteVerdict.VERBATIM


def test_a_search_result_may_have_any_name() -> None:
    """A `source` that is no address is a document with that id."""
    sources = SentSources()
    sent = sources.add_search_result("kb/42", text=RETURNS)
    assert (
        only(sources, cited(DocumentCitationSource("kb/42", details={"search_result_index": 0}))).sent is sent
    )


def test_bedrock_names() -> None:
    """A source's title is the name of its document."""
    sources = SentSources()
    sent = sources.add_document(RETURNS, title="Rückgabe", name="Document 1")
    assert only(sources, cited(DocumentCitationSource(None, "Document 1"))).sent is sent


def test_a_passage_of_ones_own_is_put_on() -> None:
    """A document that came from a library keeps the passage it is."""
    passage = BoundPassage("key", chunk_id="c", document_id="d")
    sources = SentSources()
    sources.add_document(RETURNS, passage=passage)
    assert first(sources.bind(cited(DocumentCitationSource("doc:0")))).passage == passage


def test_retrieved_sources_are_named_too() -> None:
    """What was found and not cited gets its id and title."""
    sources = SentSources()
    sources.add_file("file-1", id="handbook", title="Handbook")
    response = ProviderResponse("openai", "responses", retrieved=(DocumentCitationSource("file-1"),))
    source = sources.bind(response).retrieved[0]
    assert isinstance(source, DocumentCitationSource)
    assert (source.document_id, source.title) == ("handbook", "Handbook")


# --- Whether it says so ---


@pytest.mark.parametrize(
    ("excerpt", "verdict"),
    [
        ("Items may be returned within 30 days.", QuoteVerdict.VERBATIM),
        ("Items  may be\nreturned within 30 days.", QuoteVerdict.TYPOGRAPHIC),
        ("Items may be returned within 60 days.", QuoteVerdict.ALTERED),
        ("Nobody has ever written such a sentence here.", QuoteVerdict.ABSENT),
        ("The shop opens at nine o'clock on weekdays", QuoteVerdict.ELSEWHERE),
        ("30 days", QuoteVerdict.TOO_SHORT),
    ],
)
def test_excerpts_are_looked_for(excerpt: str, verdict: QuoteVerdict) -> None:
    """Made-up, changed and misattributed excerpts are told, as `excerpts=['never in the document']` once was not."""
    sources = SentSources()
    sources.add_document(RETURNS)
    sources.add_document(OPENING)
    response = cited(DocumentCitationSource(None, None, (excerpt,), details={"document_index": 0}))
    assert sources.bind(response).citations[0].quote is verdict


def test_the_worst_excerpt_of_all_sources_counts() -> None:
    """One source that is right does not cover for one that is not, and several are no better than one."""
    sources = SentSources()
    sources.add_document(RETURNS)
    right = DocumentCitationSource("doc:0", None, (RETURNS[:37],))
    wrong = DocumentCitationSource("doc:0", None, ("Nobody has ever written such a sentence here.",))
    assert sources.bind(cited(right, right)).citations[0].quote is QuoteVerdict.VERBATIM
    assert sources.bind(cited(right, wrong)).citations[0].quote is QuoteVerdict.ABSENT
    unknown = WebCitationSource("https://a.example", None, (RETURNS[:37],))
    assert sources.bind(cited(right, unknown)).citations[0].quote is QuoteVerdict.UNCHECKED


def test_without_excerpts_there_is_no_verdict() -> None:
    """Nothing was quoted, so nothing was checked."""
    sources = SentSources()
    sources.add_document(RETURNS)
    assert sources.bind(cited(DocumentCitationSource("doc:0"))).citations[0].quote is None


def test_without_a_text_nothing_is_verified() -> None:
    """Fail closed: what cannot be looked at is unchecked, and the provider's span stays."""
    sources = SentSources()
    sources.add_document(file_id="file-1")
    span = SourceSpan(1, 2, SpanUnit.PAGES)
    bound = sources.bind(cited(DocumentCitationSource("file-1", None, (RETURNS,), span)))
    assert bound.citations[0].quote is QuoteVerdict.UNCHECKED
    assert first(bound).span == span


def test_a_range_that_is_another_is_elsewhere() -> None:
    """`source[start:end] == cited_text` does not hold; the words stand elsewhere, which is where the span leads."""
    sources = SentSources()
    sources.add_document(RETURNS)
    response = read_response("anthropic", anthropic(chars("Refunds are paid by bank transfer.", 0, 34)))
    bound = sources.bind(response)
    assert bound.citations[0].quote is QuoteVerdict.ELSEWHERE
    assert (
        bound.citations[0].repaired
        == "an excerpt stands in another place of its source than the provider says"
    )
    assert first(bound).span == SourceSpan(38, 72)
    assert only(sources, response).in_range is False


def test_a_range_beyond_the_text_is_none() -> None:
    """What is not there has no span, and does not raise."""
    sources = SentSources()
    sources.add_document(RETURNS)
    response = read_response("anthropic", anthropic(chars("Never said by anybody at all.", 9_000, 9_029)))
    bound = sources.bind(response)
    assert bound.citations[0].quote is QuoteVerdict.ABSENT
    assert first(bound).span is None


@pytest.mark.parametrize(("start", "end"), [(2, 39), (3, 40), (5, 42)])
def test_astral_characters_before_a_range(start: int, end: int) -> None:
    """Whether a provider counts code points (2), UTF-16 (3) or bytes (5) behind an emoji: the words are there."""
    sources = SentSources()
    sources.add_document(f"\U0001f600 {RETURNS}")
    response = read_response("anthropic", anthropic(chars(RETURNS[:37], start, end)))
    assert first(sources.bind(response)).span == SourceSpan(2, 39)
    assert sources.bind(response).citations[0].quote is QuoteVerdict.VERBATIM


def test_a_repeated_text_is_found_in_its_range() -> None:
    """The second of two places is meant, and found."""
    sources = SentSources()
    sources.add_document(f"{RETURNS}\n{RETURNS}")
    at = len(RETURNS) + 1
    response = read_response("anthropic", anthropic(chars(RETURNS[:37], at, at + 37)))
    assert first(sources.bind(response)).span == SourceSpan(at, at + 37)


def test_a_short_text_in_its_range_is_verbatim() -> None:
    """`Yes.` proves nothing anywhere; in the place that was named, as whole words, it does."""
    sources = SentSources()
    sources.add_document("Open? Yes. Always? No.")
    response = read_response("anthropic", anthropic(chars("Yes.", 6, 10)))
    assert sources.bind(response).citations[0].quote is QuoteVerdict.VERBATIM


def test_a_range_that_cuts_a_condition_off_is_truncated() -> None:
    """The range is right, and what limits the words stands right behind it."""
    text = "Members pay 35 cents for each page, unless they print at home."
    sources = SentSources()
    sources.add_document(text)
    response = read_response("anthropic", anthropic(chars(text[:34], 0, 34)))
    assert sources.bind(response).citations[0].quote is QuoteVerdict.TRUNCATED


PAGES = ("The grass is green in spring.", "The sky is blue at noon.", "The sea is grey in winter.")


@pytest.mark.parametrize(
    ("start", "end", "verdict"),
    [
        (2, 3, QuoteVerdict.VERBATIM),
        (1, 3, QuoteVerdict.VERBATIM),
        (1, 2, QuoteVerdict.ELSEWHERE),
        (3, 4, QuoteVerdict.ELSEWHERE),
        (7, 8, QuoteVerdict.ELSEWHERE),
    ],
)
def test_the_page_must_hold_the_excerpt(start: int, end: int, verdict: QuoteVerdict) -> None:
    """Pages count from 1, the end exclusive; the words on another page are elsewhere."""
    sources = SentSources()
    sources.add_document(pages=PAGES)
    span = SourceSpan(start, end, SpanUnit.PAGES)
    response = cited(DocumentCitationSource("doc:0", None, ("The sky is blue at noon.",), span))
    bound = sources.bind(response)
    assert bound.citations[0].quote is verdict
    # The first page has 29 code points, two stand between pages, the second page has 24.
    assert first(bound).span == SourceSpan(31, 55)
    passage = first(bound).passage
    assert passage is not None
    assert (passage.locator.page, passage.locator.page_end) == (2, 2)


def test_a_page_of_a_text_without_pages_cannot_be_told() -> None:
    """The words are checked, the page is not."""
    sources = SentSources()
    sources.add_document("\n\n".join(PAGES))
    span = SourceSpan(3, 4, SpanUnit.PAGES)
    binding = only(sources, cited(DocumentCitationSource("doc:0", None, (PAGES[1],), span)))
    assert (binding.verdict, binding.in_range) == (QuoteVerdict.VERBATIM, None)


def test_a_place_in_another_unit_cannot_be_told() -> None:
    """A page of a document whose blocks are known: the words are checked, the page is not."""
    sources = SentSources()
    sources.add_document(blocks=PAGES)
    span = SourceSpan(3, 4, SpanUnit.PAGES)
    binding = only(sources, cited(DocumentCitationSource("doc:0", None, (PAGES[1],), span)))
    assert (binding.verdict, binding.in_range) == (QuoteVerdict.VERBATIM, None)


def test_synthetic_bedrock_chunks() -> None:
    """`documentChunk` counts the blocks that a document was sent in, from 0."""
    sources = SentSources()
    sources.add_document(blocks=PAGES, name="Document 1")
    cited_chunk = {
        "title": "Document 1",
        "sourceContent": [{"text": PAGES[1]}],
        "location": {"documentChunk": {"documentIndex": 0, "start": 1, "end": 2}},
    }
    block = {"citationsContent": {"content": [{"text": "Blue."}], "citations": [cited_chunk]}}
    response = read_response("bedrock", {"output": {"message": {"role": "assistant", "content": [block]}}})
    binding = only(sources, response)
    assert (binding.verdict, binding.start, binding.in_range) == (QuoteVerdict.VERBATIM, 31, True)


def test_an_excerpt_over_two_blocks() -> None:
    """Anthropic joins the texts of blocks without a space; they are the same words."""
    sources = SentSources()
    sources.add_document(blocks=PAGES)
    span = SourceSpan(0, 2, SpanUnit.BLOCKS)
    bound = sources.bind(cited(DocumentCitationSource("doc:0", None, (PAGES[0] + PAGES[1],), span)))
    assert bound.citations[0].quote is QuoteVerdict.TYPOGRAPHIC
    assert first(bound).span == SourceSpan(0, 55)


# --- Recordings ---


def test_recorded_anthropic_document(shared: Path) -> None:
    """The one citation of the recording is bound and verified, when its document is the sentence it quotes."""
    assert shared.is_dir()
    sources = SentSources()
    sources.add_document("The return window is thirty days from purchase.", id="policy", title=None)
    response = read_response(
        "anthropic", load("anthropic-unary-test-anthropic-document-citations-0")["response"]
    )
    bound = sources.bind(response)
    assert [one.quote for one in bound.citations] == [QuoteVerdict.VERBATIM]
    assert first(bound).span == SourceSpan(0, 47)


def test_recorded_anthropic_pages(shared: Path) -> None:
    """Both citations of the recorded PDF are on its first page."""
    assert shared.is_dir()
    sources = SentSources()
    sources.add_document(pages=["The grass is green. The sky is blue."], id="pdf")
    response = read_response(
        "anthropic", load("anthropic-unary-generate-text-with-pdf-citations-1-0")["response"]
    )
    bound = sources.bind(response)
    assert [one.quote for one in bound.citations] == [QuoteVerdict.VERBATIM] * 2
    assert [one.sources[0].span for one in bound.citations] == [SourceSpan(0, 19), SourceSpan(20, 36)]


def test_recorded_bedrock_pages(shared: Path) -> None:
    """`Document 1` is the name of the document, and the page holds the excerpt."""
    assert shared.is_dir()
    sources = SentSources()
    sources.add_document(pages=["Dummy PDF file"], title="Dummy", name="Document 1")
    response = read_response("bedrock", load("bedrock-unary-test-bedrock-pdf-citations-0")["response"])
    bound = sources.bind(response)
    assert [one.quote for one in bound.citations] == [QuoteVerdict.VERBATIM]
    assert first(bound).title == "Dummy"


def test_recorded_cohere_documents(shared: Path) -> None:
    """`doc:0` is the first document, also where it was sent without an id and has another here."""
    assert shared.is_dir()
    sources = SentSources()
    text = "AI provides: 1. Automation of tasks 2. Better decision-making 3. Cost reduction"
    sources.add_document(text, id="benefits")
    response = read_response("cohere", load("cohere-unary-cohere-citations-0")["response"])
    bound = sources.bind(response)
    ids = [
        one.document_id
        for c in bound.citations
        for one in c.sources
        if isinstance(one, DocumentCitationSource)
    ]
    assert ids == ["benefits"] * 3


# --- Numbers ---


def numbered() -> SentSources:
    """Return three numbered sources."""
    sources = SentSources()
    sources.add_numbered(RETURNS, id="returns", title="Returns")
    sources.add_numbered(OPENING, url="https://shop.example")
    sources.add_numbered("A third text.", id="third")
    return sources


def plain(text: str) -> ProviderResponse:
    """Return a response without any citation."""
    return ProviderResponse("openai_compatible", "chat", (TextPart(text),))


@pytest.mark.parametrize(
    ("marker", "named"),
    [
        ("[1]", ["returns"]),
        ("[1, 3]", ["returns", "third"]),
        ("[2]", ["https://shop.example"]),
        ("[[1]](https://anything.example)", ["returns"]),
        ("[1-3]", ["returns", "https://shop.example", "third"]),
    ],
)
def test_numbers_of_a_plain_model(marker: str, named: list[str]) -> None:
    """Numbers in brackets are citations of numbered sources; the sources of one marker stay together."""
    text = f"Items can be returned {marker}."
    bound = numbered().bind(plain(text))
    (citation,) = bound.citations
    assert citation.anchor == MarkerCitationAnchor(22, 22 + len(marker))
    assert citation.written == marker
    assert citation.claim == ContentCitationAnchor(0, 21)
    assert [
        one.url if isinstance(one, WebCitationSource) else one.document_id for one in citation.sources
    ] == named
    assert bound.text == text


@pytest.mark.parametrize("text", ["See [4].", "See [99].", "See [[0]].", "See [2-9]."])
def test_a_number_that_no_source_has(text: str) -> None:
    """It is kept, with the reason; the others of its marker are cited all the same."""
    bound = numbered().bind(plain(text))
    assert [one.raw for one in bound.unmapped] == [text[4:-1]]
    assert len(bound.citations) == (text == "See [2-9].")


def test_a_number_in_code_is_none() -> None:
    """`items[1]` in code is code."""
    bound = numbered().bind(plain("Write `items[1]` there."))
    assert (bound.citations, bound.unmapped) == ((), ())


def test_brackets_mean_nothing_without_numbered_sources() -> None:
    """A request with documents alone has no `[1]`."""
    sources = SentSources()
    sources.add_document(RETURNS)
    assert sources.bind(plain("See [1].")).citations == ()


def test_resolve() -> None:
    """A name, an address, a title, a number, a number in brackets."""
    sources = numbered()
    assert [
        one.source_id for ref in ("returns", "Returns", 1, "1", "[1]") if (one := sources.resolve(ref))
    ] == ["returns"] * 5
    second = sources.resolve("https://shop.example/")
    assert second is not None
    assert second.number == 1
    assert sources.resolve("[4]") is None
    assert sources.resolve("nothing") is None
    documents = SentSources()
    documents.add_document(OPENING)
    documents.add_search_result("kb", text=RETURNS)
    place = documents.resolve("[2]")
    assert place is not None
    assert place.kind is SentKind.SEARCH_RESULT


# --- Registering ---


def test_citations_on_all_or_none() -> None:
    """Documents among themselves, search results among themselves; what has none does not count."""
    sources = SentSources()
    sources.add_document(RETURNS)
    sources.add_search_result("kb", text=RETURNS, cited=False)
    sources.add_document(OPENING, cited=None)
    with pytest.raises(CitationRequestError, match="for all documents of a request or for none"):
        sources.add_document(OPENING, cited=False)
    assert len(sources) == 3


def test_ids_are_told_apart() -> None:
    """Two of one id could not be."""
    sources = SentSources()
    sources.add_document(RETURNS, id="a")
    with pytest.raises(InputError, match="cannot both have the id 'a'"):
        sources.add_file("f", id="a")


@pytest.mark.parametrize(
    "given", [{"text": 3}, {"pages": "one string"}, {"blocks": [1]}, {"text": "a", "pages": ["a"]}]
)
def test_other_types_are_refused(given: dict[str, Any]) -> None:
    """A plain sentence, never a TypeError."""
    with pytest.raises(InputError):
        SentSources().add_document(**given)


def test_what_is_no_response_is_refused() -> None:
    """So is JSON that was not read."""
    wrong: Any = {"content": []}
    with pytest.raises(InputError, match="what `read_response` returns"):
        SentSources().bind(wrong)


@given(before=st.text(max_size=30), excerpt=st.text(min_size=1, max_size=40), after=st.text(max_size=30))
def test_binding_never_changes_text_or_raises(before: str, excerpt: str, after: str) -> None:
    """Whatever the text: a found span selects the words, and a verified one only what is there."""
    text = before + excerpt + after
    sources = SentSources()
    sources.add_document(text)
    span = SourceSpan(len(before), len(before) + len(excerpt))
    response = cited(DocumentCitationSource("doc:0", None, (excerpt,), span))
    bound = sources.bind(response)
    assert bound.text == response.text
    binding = only(sources, response)
    if binding.verdict is QuoteVerdict.VERBATIM and binding.in_range:
        assert text[slice(binding.start, binding.end)] == excerpt
