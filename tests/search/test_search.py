"""Searching: the row's shape, confidence, broadening, filters, and questions that mean harm."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pincite.core.errors import InputError, LimitError, ModelFileError
from pincite.core.hit import ROW_FIELDS
from pincite.core.ids import check_uuid
from pincite.core.limits import DEFAULT
from pincite.core.refs import RefIssuer
from pincite.core.verdicts import Confidence
from pincite.search import CoverageReranker, Search, SearchResult, embed_pending, open_search

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from pincite.library import Collection, Library

QUESTION = "Do expenses over 100 EUR require prior approval?"


class Scripted:
    """A reranker for texts that does what the test says."""

    name = "scripted-1"
    scale = (0.0, 10.0)
    default_threshold = 5.0

    def __init__(self, script: Callable[[Sequence[str]], Any]) -> None:
        self.script = script

    def score(self, question: str, passages: Sequence[str]) -> Sequence[float]:
        """Return what the script makes of the passages."""
        assert question
        return self.script(passages)


def _ask(search: Search, question: str, *collections: Collection, **options: Any) -> SearchResult:
    return search.search(question, collections=collections, refs=options.pop("refs", RefIssuer()), **options)


def test_a_row_has_the_fields_of_the_page(real_search: Search, handbook: Collection) -> None:
    """Eight fields in the page's order: `page` and `section` in metadata only, no page_end in a flat row."""
    embed_pending(real_search.library, real_search.embedder)
    result = _ask(real_search, QUESTION, handbook)
    row = result.hits[0].row()
    assert tuple(row) == ROW_FIELDS
    assert check_uuid(row["chunk_id"], "chunk_id").startswith(row["ref"])
    assert len(row["ref"]) == 8
    assert check_uuid(row["document_id"], "document_id")
    assert row["content"].startswith("Expenses over 100 EUR require prior approval")
    assert row["source_uri"] == "upload://handbook.pdf"
    assert row["collection"] == "handbook"
    assert row["metadata"] == {"page": 1, "section": "Expenses"}
    assert row["confidence"] == "supported"
    assert not result.broadened
    assert result.warnings == ()


def test_meaning_finds_what_shares_no_word(
    real_search: Search, handbook: Collection, garden: Collection
) -> None:
    """A question in other words finds its passage first, among those of two collections."""
    embed_pending(real_search.library, real_search.embedder)
    result = _ask(real_search, "How much holiday am I entitled to?", handbook, garden)
    assert result.hits[0].content.startswith("Every employee has thirty days of paid leave")


def test_a_hit_names_its_place(search: Search, handbook: Collection, garden: Collection) -> None:
    """Title, version, offsets and the real home come along with a hit."""
    (hit, *_) = _ask(search, "copper tape against slugs", garden, handbook).hits
    text = search.library.document_text(hit.document_id)
    assert text[hit.start : hit.end] == hit.content
    assert hit.source_uri == "https://garden.example/tips"
    assert (hit.title, hit.collection) == ("garden.txt", "garden")
    assert hit.evidence_id == search.library.passage(hit.chunk_id).evidence_id


def test_off_topic_rows_are_weak_and_stay(real_search: Search, handbook: Collection) -> None:
    """Nothing about Mongolia: the best rows come all the same, each weak, after a broader look."""
    embed_pending(real_search.library, real_search.embedder)
    result = _ask(real_search, "What is the capital of Mongolia?", handbook, limit=3)
    assert [hit.confidence for hit in result.hits] == [Confidence.WEAK] * 3
    assert result.broadened


def test_words_are_found_and_scored_before_the_vectors_are_made(
    real_search: Search, handbook: Collection
) -> None:
    """At once after adding, the passage is found by its words and its score is a real one."""
    result = _ask(real_search, QUESTION, handbook)
    assert result.hits[0].confidence is Confidence.SUPPORTED
    before = [(hit.chunk_id, hit.confidence) for hit in result.hits]
    embed_pending(real_search.library, real_search.embedder)
    after = _ask(real_search, QUESTION, handbook)
    assert (after.hits[0].chunk_id, after.hits[0].confidence) == before[0]


def test_only_a_batch_is_embedded_on_the_way(
    library: Library, index: Any, handbook: Collection, word_embedder: Any
) -> None:
    """What is behind the first batch of passages without a vector comes last and is not scored."""
    search = Search(
        library,
        index,
        word_embedder,
        CoverageReranker(word_embedder, index.terms),
        replace(DEFAULT, embed_batch=1),
    )
    hits = _ask(search, "leave expire due", handbook).hits
    assert [hit.confidence is None for hit in hits] == [False] + [True] * (len(hits) - 1)
    assert len(hits) > 1


def test_without_a_reranker_nothing_is_scored(
    library: Library, index: Any, handbook: Any, word_embedder: Any
) -> None:
    """Confidence is null in every row, not `weak`, and nothing is broadened."""
    result = _ask(Search(library, index, word_embedder, None), QUESTION, handbook)
    assert {hit.row()["confidence"] for hit in result.hits} == {None}
    assert not result.broadened


def _raise(_: Sequence[str]) -> list[float]:
    raise RuntimeError


def _too_few(_: Sequence[str]) -> list[float]:
    return []


def _no_numbers(texts: Sequence[str]) -> list[float]:
    return [math.nan] * len(texts)


def _words(texts: Sequence[str]) -> list[str]:
    return ["x"] * len(texts)


def _likes_badges(texts: Sequence[str]) -> list[float]:
    return [10.0 if "badge" in text else 4.0 for text in texts]


def _deaf(_: object) -> None:
    """Stand in for an index that hears of nothing new."""


@pytest.mark.parametrize("script", [_raise, _too_few, _no_numbers, _words])
def test_a_reranker_that_fails_scores_nothing(
    library: Library, index: Any, handbook: Any, word_embedder: Any, script: Any
) -> None:
    """It raises, or gives too few, NaN or no numbers: rows come, confidence is null, a warning says so."""
    embed_pending(library, word_embedder)
    result = _ask(Search(library, index, word_embedder, Scripted(script)), QUESTION, handbook)
    assert result.hits[0].content.startswith("Expenses over 100 EUR")
    assert {hit.confidence for hit in result.hits} == {None}
    assert not result.broadened
    assert len(result.warnings) == 1
    assert "scripted-1" in result.warnings[0]


def test_a_reranker_for_texts_orders_the_rows(
    library: Library, index: Any, handbook: Any, word_embedder: Any
) -> None:
    """Its scores decide order and confidence, on its own scale and with its own bar."""
    embed_pending(library, word_embedder)
    scripted = Scripted(_likes_badges)
    result = _ask(Search(library, index, word_embedder, scripted), QUESTION, handbook)
    assert "badge" in result.hits[0].content
    assert [hit.confidence for hit in result.hits[:2]] == [Confidence.SUPPORTED, Confidence.WEAK]


def test_without_the_model_words_still_find(library: Library, index: Any, handbook: Any) -> None:
    """A model file that is not the pinned one costs the scores and says so, not the search."""

    class Broken:
        name = "words-64"
        dimensions = 64

        def embed(self, texts: Sequence[str]) -> list[list[float]]:
            assert texts
            msg = "The model file is not the one that was pinned."
            raise ModelFileError(msg)

    broken = Broken()
    result = _ask(Search(library, index, broken, CoverageReranker(broken, index.terms)), QUESTION, handbook)
    assert result.hits[0].content.startswith("Expenses over 100 EUR")
    assert result.hits[0].confidence is None
    assert "pinned" in result.warnings[0]


def test_each_collection_keeps_its_bar(search: Search, handbook: Collection, keep: Any) -> None:
    """The same text is supported in the one collection and weak in the other, whose bar is higher."""
    library = search.library
    strict = library.collection("strict")
    keep(library, strict, "upload://copy.txt", ["Expenses over 100 EUR require prior approval."])
    embed_pending(library, search.embedder)
    name = "cosine-coverage-1"
    strict = library.set_collection(strict.collection_id, score_threshold=1.0, reranker=name)
    loose = library.set_collection(handbook.collection_id, score_threshold=0.01, reranker=name)
    result = _ask(search, "expenses approval", strict, loose)
    found = {(hit.collection, hit.confidence) for hit in result.hits}
    assert ("strict", Confidence.WEAK) in found
    assert ("handbook", Confidence.SUPPORTED) in found
    assert {confidence for collection, confidence in found if collection == "strict"} == {Confidence.WEAK}
    assert result.warnings == ()


def test_a_bar_of_another_reranker_is_not_used(search: Search, handbook: Collection) -> None:
    """The reranker's default counts instead, and a warning names both."""
    embed_pending(search.library, search.embedder)
    other = search.library.set_collection(handbook.collection_id, score_threshold=1.0, reranker="hosted-2")
    result = _ask(search, QUESTION, other)
    assert result.hits[0].confidence is Confidence.SUPPORTED
    assert len(result.warnings) == 1
    assert "hosted-2" in result.warnings[0]
    assert "cosine-coverage-1" in result.warnings[0]


def test_the_bar_itself_is_supported(library: Library, index: Any, handbook: Any, word_embedder: Any) -> None:
    """A score that equals the bar meets it; the least under it does not."""
    embed_pending(library, word_embedder)
    for score, expected in ((5.0, Confidence.SUPPORTED), (math.nextafter(5.0, 0), Confidence.WEAK)):
        scripted = Scripted(lambda texts, score=score: [score] * len(texts))  # pyright: ignore[reportUnknownLambdaType, reportUnknownArgumentType]
        result = _ask(Search(library, index, word_embedder, scripted), QUESTION, handbook)
        assert {hit.confidence for hit in result.hits} == {expected}
        assert result.broadened is (expected is Confidence.WEAK)


def test_misspelt_words_are_found_by_the_broader_look(search: Search, handbook: Collection) -> None:
    """Each word has one letter wrong and no vector helps: the second look finds the passage."""
    result = _ask(search, "encriptad laptobs", handbook)
    assert result.broadened
    assert result.hits[0].content.startswith("Laptops are encrypted")


def test_refs_are_unique_over_a_conversation(search: Search, handbook: Collection) -> None:
    """A prefix that another passage holds already is extended; a passage keeps its ref from search to search."""
    refs = RefIssuer()
    hit = _ask(search, QUESTION, handbook).hits[0]
    taken = hit.chunk_id[:8]
    stranger = taken + hit.chunk_id[8:-1] + ("0" if hit.chunk_id[-1] != "0" else "1")
    assert refs.issue(stranger) == taken
    first = _ask(search, QUESTION, handbook, refs=refs).hits
    again = _ask(search, "leave and laptops", handbook, refs=refs).hits
    for found in (*first, *again):
        assert found.chunk_id.startswith(found.ref)
        assert refs.chunk_of(found.ref) == found.chunk_id
    (same,) = [found for found in first if found.chunk_id == hit.chunk_id]
    assert len(same.ref) > 8
    assert not same.ref.endswith("-")
    assert refs.chunk_of(taken) == stranger


def test_a_deleted_document_gives_no_row(
    search: Search, handbook: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the call on that deletes it, also while the index has not heard of it."""
    embed_pending(search.library, search.embedder)
    assert _ask(search, QUESTION, handbook).hits
    monkeypatch.setattr(type(search.index), "sync", _deaf)
    (document,) = search.library.documents()
    search.library.delete(document.document_id)
    assert _ask(search, QUESTION, handbook).hits == ()


def test_superseded_passages_do_not_take_the_rows_of_others(
    search: Search, library: Library, keep: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sixty better matches ceased to stand unheard of: the row asked for still comes."""
    collection = library.collection("c")
    gone = keep(library, collection, "upload://gone.txt", [f"slug slug {number}" for number in range(60)])
    keep(library, collection, "upload://here.txt", ["a slug among many other words that make it worse"])
    embed_pending(library, search.embedder)
    search.index.sync()
    library.delete(gone.document_id)
    monkeypatch.setattr(type(search.index), "sync", _deaf)
    (hit,) = _ask(search, "slug", collection, limit=3).hits
    assert hit.content.startswith("a slug among")


def test_documents_restrict_the_search(search: Search, library: Library, keep: Any) -> None:
    """Only rows of the documents named; an empty choice and names that are no ids give none."""
    collection = library.collection("c")
    keep(library, collection, "upload://many.txt", [f"slug slug {number}" for number in range(120)])
    one = keep(library, collection, "upload://one.txt", ["one slug among other words"])
    embed_pending(library, search.embedder)
    (hit,) = _ask(search, "slug", collection, documents=[one.document_id]).hits
    assert hit.document_id == one.document_id
    for nothing in ([], ["\ud800", "x" * 100_000]):
        assert _ask(search, "slug", collection, documents=nothing).hits == ()


def test_only_the_collections_asked_are_searched(
    search: Search, handbook: Collection, garden: Collection
) -> None:
    """Rows of others never come, not even when nothing else does."""
    embed_pending(search.library, search.embedder)
    assert {hit.collection for hit in _ask(search, "leave", garden).hits} == {"garden"}
    assert {hit.collection for hit in _ask(search, "leave", handbook, garden).hits} == {"garden", "handbook"}
    assert _ask(search, "leave").hits == ()


def test_a_hierarchical_row_is_its_section(search: Search, handbook: Collection) -> None:
    """Both passages of a section give one row: the section's text and pages, the id of the one that matched."""
    embed_pending(search.library, search.embedder)
    library = search.library
    whole = library.set_collection(handbook.collection_id, chunking="hierarchical")
    hits = _ask(search, "sick leave and paid leave", whole, limit=6).hits
    hit = hits[0]
    assert hit.content.startswith("Every employee")
    assert hit.content.endswith("due on the third day.")
    assert hit.metadata == {"page": 3, "page_end": 4, "section": "Leave"}
    assert list(hit.metadata) == ["page", "page_end", "section"]
    assert library.passage(hit.chunk_id).text in hit.content
    assert library.document_text(hit.document_id)[hit.start : hit.end] == hit.content
    assert [found.metadata["section"] for found in hits].count("Leave") == 1
    assert len(hits) == len({found.metadata["section"] for found in hits})


def test_a_long_section_is_cut_around_the_passage(
    library: Library, index: Any, word_embedder: Any, keep: Any
) -> None:
    """With room for 60 code points the row holds its passage; a passage outside of it is a row of its own."""
    collection = library.collection("c", chunking="hierarchical")
    parts = [f"slug {name} in the bed" for name in ("one", "two", "three", "four", "five", "six")]
    keep(library, collection, "upload://a.txt", parts, headings=[(0, "Slugs")], pages=True)
    limits = replace(DEFAULT, section_code_points=60)
    search = Search(library, index, word_embedder, CoverageReranker(word_embedder, index.terms), limits)
    hits = _ask(search, "slug three", collection).hits
    assert "three" in hits[0].content
    assert all(len(hit.content) <= 60 for hit in hits)
    assert len(hits) > 1
    for hit in hits:
        assert library.passage(hit.chunk_id).text in hit.content
        assert (
            hit.metadata["page"]
            <= (library.passage(hit.chunk_id).locator.page or 0)
            <= hit.metadata["page_end"]
        )


def test_limits_of_a_search(search: Search, handbook: Collection) -> None:
    """An empty question is an input error; a long one, no rows and too many rows are over a limit."""
    for empty in ("", "  \n\t"):
        with pytest.raises(InputError) as caught:
            _ask(search, empty, handbook)
        assert caught.value.field == "question"
    for options in ({"limit": 0}, {"limit": 51}):
        with pytest.raises(LimitError):
            _ask(search, "leave", handbook, **options)
    with pytest.raises(LimitError):
        _ask(search, "x" * 4_001, handbook)
    assert len(_ask(search, "leave", handbook, limit=1).hits) == 1


HOSTILE = (
    '"' * 4_000,
    "\x00",
    "leave\x00leave",
    "\ud800\udfff leave",
    "?!.,;:-()[]{}<>",
    "🙂🙃👩‍👩‍👧‍👧",
    "leave AND (NOT OR",
    "chunk:* OR collection:/.*/ leave^99 ~2",
    "meta:progress progress",
    "a" * 4_000,
    "量" * 4_000,
    "\u202eevael\u202c",
    "'; DROP TABLE passages; --",
    " ".join(f"w{number}" for number in range(700)),
)


@pytest.mark.parametrize("question", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_questions_are_questions(search: Search, handbook: Collection, question: str) -> None:
    """No character is syntax: rows or none, no error, and what is asked for next is found as ever."""
    embed_pending(search.library, search.embedder)
    for hit in _ask(search, question, handbook).hits:
        assert hit.collection == "handbook"
    assert _ask(search, QUESTION, handbook).hits[0].content.startswith("Expenses over 100")


@pytest.mark.parametrize("question", ['"' * 1_000_000, "\x00" * 1_000_000, "\ud800" * 1_000_000])
def test_a_megabyte_is_refused(search: Search, handbook: Collection, question: str) -> None:
    """Before anything looks at it."""
    with pytest.raises(LimitError):
        _ask(search, question, handbook)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(question=st.text(max_size=200).filter(lambda text: text.strip()))
def test_any_question_gives_rows_in_order(search: Search, handbook: Collection, question: str) -> None:
    """Each passage once, no more than asked for, supported before weak, the row's JSON whole."""
    if not question.replace("\x00", "").strip():
        return
    hits = _ask(search, question, handbook, limit=4).hits
    ids = [hit.chunk_id for hit in hits]
    assert len(ids) == len(set(ids)) <= 4
    ranks = [(Confidence.SUPPORTED, Confidence.WEAK, None).index(hit.confidence) for hit in hits]
    assert ranks == sorted(ranks)


def test_the_default_parts_fit(library: Library, handbook: Collection, home: Path) -> None:
    """`open_search` gives a search that works and keeps its index under the library's folder."""
    assert handbook
    search = open_search(library, home)
    assert _ask(search, QUESTION, handbook).hits[0].confidence is Confidence.SUPPORTED
    assert (home / "index" / "local" / "words" / "meta.json").exists()
