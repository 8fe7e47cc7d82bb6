"""What goes with an id when it becomes a number, and what stays: the marks that dress it, and the words beside it.

`A`, `B` and `Z` stand for valid ids, `X` for one that was not fetched; a row is what a model wrote, what is shown of it
by the policies `drop` and `mark`, and the titles of the sources.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.citing import CitationRun, CitationStore, ConversationState
from pincite.showing import render_answer, render_citations

if TYPE_CHECKING:
    from pincite.showing import RenderedSources

VERSION = "c174f9d9eba7d79c"
PASSAGE = "efae06f9-f4e7-5a7a-af99-d7f5d7c4d6ef"
HEADS = {
    name: f"{number}24b301d-f73a-5291-9d80-7ea3cbd5291c:{VERSION}:" for number, name in enumerate("ABZX")
}
IDS = {name: f"ev1:c:{head}{PASSAGE}" for name, head in HEADS.items()} | {"Z": f"ev1:s:{HEADS['Z']}12-35"}
NAME = re.compile("[ABZX]")


@dataclass(frozen=True)
class _Outcome:
    evidence_id: str
    title: str
    uri: str | None = None


def _with_ids(text: str) -> str:
    return NAME.sub(lambda name: IDS[name.group()], text)


def _shown(answer: str, policy: str = "drop") -> tuple[str, list[str], RenderedSources]:
    valid = [IDS[name] for name in "ABZ"]
    outcomes = [_Outcome(IDS[name], name) for name in "ABZ"]
    rendered, sources = render_citations(_with_ids(answer), valid, outcomes, invalid=policy)  # type: ignore[arg-type]
    return rendered.partition("\n\n### Sources\n")[0], [one.title for one in sources], sources


VALID_ROWS = {
    # A number as the words of a link to the id.
    "number": ("yes [1](A).", "yes [1].", "A"),
    "other number": ("yes [7](A), no [3](B).", "yes [1], no [2].", "AB"),
    "number in double brackets": ("yes [[1]](A).", "yes [1].", "A"),
    "number and title": ('yes [1](<A> "Notes").', "yes [1].", "A"),
    "number and two ids": ("yes [1](A, B).", "yes [1][2].", "AB"),
    "footnote's mark as words": ("yes [^1](A).", "yes [1].", "A"),
    "escaped brackets as words": (r"yes [\[1\]](A).", "yes [1].", "A"),
    "full-width number": ("yes \uff3b1\uff3d\uff08A\uff09.", "yes [1].", "A"),
    "image of a number": ("yes ![1](A).", "yes [1].", "A"),
    "words": ("see [the rate](A).", "see the rate [1].", "A"),
    # Letters and marks beside the id.
    "emphasis": ("yes _A_.", "yes _[1]_.", "A"),
    "letters before": ("see_A.", "see_[1].", "A"),
    "letters around": ("fooAbar.", "foo[1]bar.", "A"),
    "braces": ("foo{Z}bar.", "foo{[1]}bar.", "Z"),
    "plural": ("both As.", "both [1]s.", "A"),
    "place": ("yes [A: p. 4].", "yes [1].", "A"),
    "place behind a comma": ("yes [A, p. 3].", "yes [1].", "A"),
    "place behind dress": ("yes [see *A*, pp. 3-4].", "yes [1].", "A"),
    "two with a hyphen": ("yes [A-B].", "yes [1][2].", "AB"),
    "two spans with a hyphen": ("yes [Z-Z].", "yes [1].", "Z"),
    "file citation": ("yes \u3010A\u2020source\u3011.", "yes [1].", "A"),
    # Code spans.
    "code in brackets": ("yes [`A`].", "yes [1].", "A"),
    "two in brackets": ("yes [`A`, `B`].", "yes [1][2].", "AB"),
    "one code span of two": ("yes [`A, B`].", "yes [1][2].", "AB"),
    "code and plain": ("yes [`A`, B].", "yes [1][2].", "AB"),
    "double brackets round code": ("yes [[`A`]].", "yes [1].", "A"),
    "code without brackets": ("write `A`.", "write `A`.", ""),
    "code in parentheses": ("write (`A`).", "write (`A`).", ""),
    "code that says more": ("write [`x = A`].", "write [`x = A`].", ""),
    "code and words": ("write [`A` or so].", "write [`A` or so].", ""),
    # Marks that are defined elsewhere.
    "footnote": ("yes.[^1]\n\n[^1]: A\n", "yes.[1]", "A"),
    "reference": ("yes [1], no [2], yes [1].\n\n[1]: A\n[2]: B\n", "yes [1], no [2], yes [1].", "AB"),
    "numbers are ours": ("yes [2], no [1].\n\n[1]: A\n[2]: B\n", "yes [1], no [2].", "BA"),
    "defined first": ("[1]: A\n[2]: B\n\nyes [2], no [1].", "\nyes [1], no [2].", "BA"),
    "group of marks": ("yes [1, 2].\n\n[1]: A\n[2]: B\n", "yes [1][2].", "AB"),
    "mark with a place": ("yes [^1, p. 3].\n\n[^1]: A\n", "yes [1].", "A"),
    "adjacent marks": ("yes[^1][^2].\n\n[^1]: A\n[^2]: B", "yes[1][2].", "AB"),
    "defined in a list": ("yes [1].\n\n- [1]: A\n", "yes [1].", "A"),
    "defined in brackets": ("yes [^1].\n\n[^1]: [A]\n", "yes [1].", "A"),
    "defined with a title": ("yes [1].\n\n[1]: A Notes of May\n", "yes [1].", "A"),
    "defined by a word": ("yes [1]. A\n\n[1]: there", "yes \\[1]. [1]\n\n\\[1]\\: there", "A"),
    "a note in words": ("yes [^1].\n\n[^1]: A says so.", "yes [^1].\n\n[^1]\\: [1] says so.", "A"),
    "not used": ("yes.\n\n[1]: A\n\nno", "yes.\n\n\nno", ""),
    # What would be left.
    "link to nowhere": ("yes [A][].", "yes [1].", "A"),
    "carets": ("yes [^A^].", "yes [1].", "A"),
    "hex entities": ("yes &#x5b;A&#x5D;.", "yes [1].", "A"),
    "named entities": ("yes &lsqb;A&rsqb;.", "yes [1].", "A"),
    "quotation marks": ('yes ["A"].', "yes [1].", "A"),
    "at signs": ("yes [@A; @B].", "yes [1][2].", "AB"),
    "a field": ("yes [id=A].", "yes [1].", "A"),
    "marks without width": ("yes [\u200bA\ufeff].", "yes [1].", "A"),
    "marks without width around": ("yes \u200bA\u200b.", "yes [1].", "A"),
    "thin spaces": ("yes [\u2009A\u2009].", "yes [1].", "A"),
}  # fmt: skip


@pytest.mark.parametrize("name", VALID_ROWS)
def test_what_goes_with_a_valid_id(name: str) -> None:
    """By every policy the same: a number, its source, and nothing left of what the model put around the id."""
    answer, text, titles = VALID_ROWS[name]
    for policy in ("drop", "mark", "keep"):
        if (name, policy) == ("not used", "keep"):
            continue
        shown, found, _ = _shown(answer, policy)
        assert shown.rstrip() == _with_ids(text) if "`" in text else shown.rstrip() == text
        assert found == list(titles)


INVALID_ROWS = {
    "number": ("no [1](X).", "no.", "no [?]."),
    "number in double brackets": ("no [[1]](X).", "no.", "no [?]."),
    "footnote's mark as words": ("no [^1](X).", "no.", "no [?]."),
    "image of a number": ("no ![1](X).", "no.", "no [?]."),
    "half an id behind a number": ("no [1](ev1:c:12\u202689).", "no.", "no [?]."),
    "emphasis": ("no _X_.", "no.", "no _[?]_."),
    "letters around": ("fooXbar.", "foobar.", "foo[?]bar."),
    "letters of other scripts": ("\u6cd5X\u5f8b.", "\u6cd5\u5f8b.", "\u6cd5[?]\u5f8b."),
    "place": ("no [X: p. 4].", "no.", "no [?]."),
    "two with a hyphen": ("no [X-X].", "no.", "no [?]."),
    "good and bad": ("yes [A-X].", "yes [1].", "yes [1][?]."),
    "file citation": ("no \u3010X\u2020source\u3011.", "no.", "no [?]."),
    "code in brackets": ("no [`X`].", "no.", "no [?]."),
    "half": ("no [ev1:c:1234...].", "no.", "no [?]."),
    "half with an ellipsis": ("no [ev1:c:12\u202689].", "no.", "no [?]."),
    "half in dress": ("no [**ev1:c:12\u202689**].", "no.", "no [?]."),
    "half in code": ("no [`ev1:c:12\u202689`].", "no.", "no [?]."),
    "half in parentheses": ("no (ev1:c:12\u202689).", "no.", "no [?]."),
    "half and words": ("no [source: ev1:c:12..., p. 3].", "no.", "no [?]."),
    "dash in a span": (f"no [ev1:s:{HEADS['Z']}12\u201335].", "no.", "no [?]."),
    "other digits": (f"no [ev1:s:{HEADS['Z']}\u0661\u0662-\u0663\u0665].", "no.", "no [?]."),
    "entities for colons": ("no [" + IDS["X"].replace(":", "&#58;") + "].", "no.", "no [?]."),
    "beginning": ("no [ev1:].", "no.", "no [?]."),
    "half among words": (f"no ev1:c:{PASSAGE[:20]}\u2026{PASSAGE[-4:]} so.", "no so.", "no [?] so."),
    "footnote": ("no.[^1]\n\n[^1]: X\n", "no.", "no.[?]"),
    "reference": ("no [1].\n\n[1]: ev1:c:oops\n", "no.", "no [?]."),
    "link to nowhere": ("no [X][].", "no.", "no [?]."),
    "quotation marks": ('no ["X"].', "no.", "no [?]."),
    "marks without width": ("no [\u200bX\u200b].", "no.", "no [?]."),
}


@pytest.mark.parametrize("name", INVALID_ROWS)
def test_what_goes_with_an_id_that_is_not_valid(name: str) -> None:
    """Nothing is left of it, or a mark stands there; the words beside it stay, and policy `keep` changes nothing."""
    answer, dropped, marked = INVALID_ROWS[name]
    assert _shown(answer)[0].rstrip() == dropped
    assert _shown(answer, "mark")[0].rstrip() == marked
    assert "ev1" in _shown(answer, "keep")[0]


def test_an_id_split_over_lines_of_a_quotation() -> None:
    """Its second half, behind the quotation's mark, was unseen."""
    first, second = IDS["A"][:50], IDS["A"][50:]
    for answer in (f"> yes [{first}\n> {second}].\n> so", f"> yes {first}\n> {second}.\n> so"):
        rendered, sources = render_citations(answer, [IDS["A"]], [_Outcome(IDS["A"], "Notes")])
        assert rendered.startswith("> yes [1].\n> so")
        assert [one.title for one in sources] == ["Notes"]


def test_what_a_line_defines_and_nothing_uses_is_declared() -> None:
    """The line goes, and its id counts as declared."""
    shown, found, sources = _shown("yes [B].\n\n[^1]: A\n")
    assert shown.rstrip() == "yes [1]."
    assert found == ["B"]
    assert [one.title for one in sources.declared_only] == ["A", "Z"]


def test_a_list_of_defined_marks_is_a_list_of_sources() -> None:
    """The model's own list gives way to ours, and its marks in the text are our numbers."""
    shown, found, _ = _shown("yes [2].\n\n### Sources\n\n[1]: A\n[2]: B\n")
    assert shown.rstrip() == "yes [1]."
    assert found == ["B"]


def test_an_answer_that_was_resolved_is_shown_alike() -> None:
    """Marks, numbers, code spans and halves: what `render_answer` shows of them."""
    store = CitationStore()
    store.register_hit(IDS["A"], {"content": "Deleted within 10 days.", "title": "Notes"}, None, None)
    run = CitationRun("evidence_id", conversation=ConversationState(store=store))
    answer = run.resolve(
        _with_ids("a [^1] b [1](A) c [`A`] d [ev1:c:12\u202689] e [^2](A) f [1](X) g fooAbar.\n\n[^1]: A\n")
    )
    assert render_answer(answer).text.rstrip() == "a [1] b [1] c [1] d e [1] f g foo[1]bar."
    assert [one.written for one in answer.misses] == ["[ev1:c:12\u202689]", _with_ids("[1](X)")]


PIECES = st.lists(
    st.sampled_from(["word", " ", "_", "\u6cd5", "\u00e9", ", ", "{", "}", '"', "; ", "\u2014", "s"]),
    max_size=6,
).map("".join)


@given(PIECES, PIECES, st.sampled_from("ABZX"))
def test_only_the_id_is_taken_out(before: str, after: str, name: str) -> None:
    """Of a bare id no letter beside it goes; only the emphasis around nothing does, and the space before nothing."""
    key = IDS[name]
    rendered, _ = render_citations(f"{before}{key}{after}", [IDS[one] for one in "ABZ"], [], invalid="mark")
    body = rendered.partition("\n\n### Sources")[0]
    kept = re.sub(r"[_\s]", "", before), re.sub(r"[_\s]", "", after)
    assert re.sub(r"[_\s]", "", body) == ("[?]" if name == "X" else "[1]").join(kept)
