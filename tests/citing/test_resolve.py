"""Resolution of long and hostile answers: what they cost, and what they lose by it."""

from __future__ import annotations

from typing import Any

import pytest

from pincite.citing import (
    CitationContextContribution,
    CitationRun,
    CitationStore,
    ConversationState,
    parse_citations,
)
from pincite.core.citation import WebCitationSource
from pincite.core.errors import InputError
from pincite.core.verdicts import MissReason
from pincite.showing import numbered


def _run(passages: int) -> CitationRun:
    run = CitationRun()
    for number in range(passages):
        run.present({"id": f"note-{number}", "content": f"Note number {number} says so."})
    return run


def test_suggestions_have_a_budget() -> None:
    """Twenty thousand made-up keys against a thousand issued ones end soon; all are misses, the first are helped."""
    run = _run(1_000)
    slip = run.store.keys()[0]
    slip = slip[:-1] + ("0" if slip[-1] != "0" else "1")
    text = f"[{slip}] " + " ".join(f"[{number:08x}]" for number in range(20_000))
    misses = run.resolve(text).misses
    assert len(misses) == 20_001
    assert {miss.reason for miss in misses} == {MissReason.NEVER_ISSUED}
    assert misses[0].suggestion == run.store.keys()[0]
    assert misses[-1].suggestion is None


def test_a_passage_cited_often_adds_to_the_context_once() -> None:
    """What a cited object adds to the next turn is gathered once an object, however often it is cited."""
    run = CitationRun()
    item = {"ticket": 7}
    run.store.register_hit(
        "0a1b2c3d", {"content": "x"}, None, None, CitationContextContribution(("d",), (item,))
    )
    answer = run.resolve("So. [0a1b2c3d] " * 20_000)
    assert len(answer.citations) == 20_000
    assert answer.context.document_ids == ("d",)
    assert answer.context.custom_items == (item,)


@pytest.mark.parametrize("text", [None, b"So. [0a1b2c3d]", 5, ["So."]])
def test_an_answer_is_a_string(text: Any) -> None:
    """Anything else is a typed error, wherever it comes in."""
    with pytest.raises(InputError, match="string"):
        CitationRun().resolve(text)
    with pytest.raises(InputError, match="string"):
        parse_citations(text)


@pytest.mark.parametrize("wire_format", ["ref", "inline_url"])
def test_a_tag_whose_name_is_a_number_is_a_reference_link(wire_format: str) -> None:
    """A number as the text of a link is no citation of an address, where the address is one of ours."""
    store = CitationStore()
    store.register_reference("/tags/7", "2024", "tags")
    answer = CitationRun(wire_format, conversation=ConversationState(store=store)).resolve(
        "See [2024](/tags/7)."
    )
    assert [(one.start, one.end, one.title) for one in answer.references] == [(4, 19, "2024")]
    assert answer.misses == ()
    assert answer.citations == ()


@pytest.mark.parametrize(
    ("issued", "written"),
    [
        ("https://a.example/b", "https://a.example/b?utm_source=chat"),
        ("https://a.example/b", "https://a.example/b?x=1"),
        ("https://a.example/b/", "https://a.example/b/?x=1"),
        ("https://a.example/b?id=7", "https://a.example/b?id=7&utm_source=chat&utm_medium=x"),
    ],
)
def test_an_issued_address_with_something_behind_it_is_suggested(issued: str, written: str) -> None:
    """What was put behind an address never makes a citation of it, and the reader is told what was meant."""
    run = CitationRun("inline_url")
    run.present({"content": "Something.", "source_url": issued})
    # Enough other misses that not every key is compared.
    text = " ".join(f"[[1]](https://other.example/{number:040})" for number in range(40))
    answer = run.resolve(f"{text} [[2]]({written})")
    assert answer.misses[-1].suggestion == issued


GENUINE = {
    "document_id": "handbook",
    "title": "Handbook",
    "url": "https://home.example/h",
    "content": "The rule.",
}


@pytest.mark.parametrize(
    "hostile",
    [
        {"title": "Handbook, new"},
        {"url": "https://evil.example/h"},
        {"title": None},
        {"url": None},
        {"title": "Handbookhttps://home.example/h", "url": None},
    ],
    ids=str,
)
@pytest.mark.parametrize("comes_first", [False, True])
def test_m2_who_claims_a_document_takes_nothing_of_it(hostile: dict[str, Any], comes_first: bool) -> None:  # noqa: FBT001 - a column
    """A passage under the same document's id that is called otherwise, or leads elsewhere, is a source of its own."""
    run = CitationRun()
    given = {name: one for name, one in {**GENUINE, **hostile, "content": "Buy."}.items() if one is not None}
    keys = [run.present(item)["ref"] for item in (GENUINE, given)]
    if comes_first:
        keys.reverse()
    answer = run.resolve(f"One [{keys[0]}], two [{keys[1]}], one again [{keys[0]}].")
    assert [one.number for one in answer.evidences] == [1, 2]
    genuine = answer.evidences[1 if comes_first else 0].source
    assert isinstance(genuine, WebCitationSource)
    assert (genuine.title, genuine.url) == ("Handbook", "https://home.example/h")
    assert numbered(answer).text == "One [1], two [2], one again [1]."


def test_m2_passages_of_one_document_stay_one_source() -> None:
    """With the same id, title and address there is one number for all of them."""
    run = CitationRun()
    keys = [run.present({**GENUINE, "content": f"Rule {number}."})["ref"] for number in range(3)]
    answer = run.resolve(" ".join(f"So [{key}]." for key in keys))
    assert [one.number for one in answer.evidences] == [1]


def test_many_unknown_keys_get_near_ones() -> None:
    """However many were written before, a slip of one character is told."""
    run = CitationRun("ref")
    refs = [run.present({"id": str(n), "content": f"Passage {n}."})["ref"] for n in range(300)]
    others = " ".join(f"[{n:08x}]" for n in range(0xAAAA0000, 0xAAAA0000 + 100))
    slips = [ref[:-1] + ("0" if ref[-1] != "0" else "1") for ref in refs[:100]]
    answer = run.resolve(f"{others} " + " ".join(f"[{slip}]" for slip in slips if slip not in refs))
    told = {miss.written.strip("[]"): miss.suggestion for miss in answer.misses}
    for slip, ref in zip(slips, refs, strict=False):
        near = told.get(slip)
        assert near is not None
        assert sum(a != b for a, b in zip(near, slip, strict=True)) == 1 or near == ref
