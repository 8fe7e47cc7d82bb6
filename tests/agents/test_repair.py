"""The repair that needs no model: it leaves out or spells right, never adds, and records what it did."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.agents import Repair, RepairKind
from pincite.agents._review import review
from pincite.agents.repair import feedback, mended
from pincite.citing import CitationRun
from pincite.core.verdicts import TraceVerdict

if TYPE_CHECKING:
    from pincite.agents._review import Reviewed

TEXTS = ("Expenses over 100 EUR require approval.", "Staff receive 27 days of leave.", "The oven is old.")


def run_with_passages(wire_format: str = "ref") -> tuple[CitationRun, list[str]]:
    """Return a run that was shown three passages, and their keys."""
    run = CitationRun(wire_format)
    field = run.format.key_field
    assert field is not None
    return run, [run.present({"id": f"p{n}", "content": text})[field] for n, text in enumerate(TEXTS)]


def slip(key: str, at: int = 3) -> str:
    """Return a key with one character changed."""
    return key[:at] + ("0" if key[at] != "0" else "1") + key[at + 1 :]


async def repaired(run: CitationRun, text: str) -> tuple[str, tuple[Repair, ...], Reviewed]:
    """Return a text after the repair, what was done, and what is found in it then."""
    after, repairs = mended(text, await review(text, run))
    return after, repairs, await review(after, run)


@pytest.mark.parametrize("wire_format", ["ref", "short_id", "evidence_id"])
async def test_a_slip_is_spelled_right(wire_format: str) -> None:
    """One character off the one key that it can mean: it is written as that key."""
    run, keys = run_with_passages(wire_format)
    at = 3 if wire_format != "evidence_id" else 70
    good, bad = run.format.write(keys[0]), run.format.write(slip(keys[0], at))
    after, repairs, found = await repaired(run, f"Approval is needed. {bad}")
    assert after == f"Approval is needed. {good}"
    assert [(one.kind, one.written, one.became) for one in repairs] == [(RepairKind.RESPELLED, bad, good)]
    assert [one.verdict for one in found.checks] == [TraceVerdict.VALID]
    assert found.faults == ()


async def test_a_slip_in_a_group() -> None:
    """The member is spelled right, the others stay as they are."""
    run, keys = run_with_passages()
    after, repairs, found = await repaired(run, f"Both hold [{keys[0]}, {slip(keys[1])}].")
    assert after == f"Both hold [{keys[0]}, {keys[1]}]."
    assert len(repairs) == 1
    assert found.faults == ()


async def test_what_could_be_two_keys_is_left() -> None:
    """A slip of two keys at once is none of them."""
    run = CitationRun("short_id")
    for name in ("aaaaaaaa-0000-4000-8000-000000000001", "aaaaaabb-0000-4000-8000-000000000002"):
        run.present({"id": name, "content": f"Text of {name}."})
    text = "So it is. [[aaaaaaab]]"
    after, repairs, _ = await repaired(run, text)
    assert (after, repairs) == (text, ())


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("So it is [{good}] [[deadbeef]].", "So it is [{good}]."),
        ("So it is [[deadbeef]] [{good}].", "So it is [{good}]."),
        ("[[deadbeef]] So it is [{good}].", "So it is [{good}]."),
        ("So it is [{good}, deadbeef].", "So it is [{good}]."),
        ("So it is [deadbeef, {good}].", "So it is [{good}]."),
        ("So it is [{good}; deadbeef; cafebabe].", "So it is [{good}]."),
        ("So it is [[deadbeef]](https://x.example) [{good}].", "So it is [{good}]."),
    ],
)
async def test_beside_a_valid_one_it_is_left_out(text: str, after: str) -> None:
    """An invented key goes where its sentence has a valid citation: alone, in a group, as a link."""
    run, keys = run_with_passages()
    done, repairs, found = await repaired(run, text.format(good=keys[0]))
    assert done == after.format(good=keys[0])
    assert {one.kind for one in repairs} == {RepairKind.DROPPED}
    assert all(one.became is None for one in repairs)
    assert found.faults == ()


@pytest.mark.parametrize(
    "text",
    [
        "The moon is far. [[deadbeef]]",
        "Approval is needed. [{good}] The moon is far. [[deadbeef]]",
        "[{good}]: https://evil.example",
        "`[[deadbeef]]` [{good}]",
    ],
)
async def test_what_needs_the_model_is_left(text: str) -> None:
    """A sentence that would lose its only citation, a definition, and code are not touched."""
    run, keys = run_with_passages()
    whole = text.format(good=keys[0])
    after, repairs, _ = await repaired(run, whole)
    assert (after, repairs) == (whole, ())


@given(
    st.lists(
        st.sampled_from(
            ["good", "other", "slip", "invented", "word.", "So", "\n\n", "[", "]", "`", "(", ", "]
        ),
        max_size=14,
    )
)
async def test_it_never_adds(parts: list[str]) -> None:
    """Whatever the text: no passage is cited after the repair that was not, or was not meant by a slip, before."""
    run, keys = run_with_passages()
    names = {
        "good": f"[{keys[0]}]",
        "other": f"[{keys[1]}]",
        "slip": f"[[{slip(keys[0])}]]",
        "invented": "[[deadbeef]]",
    }
    text = " ".join(names.get(part, part) for part in parts)
    before = await review(text, run)
    after, repairs, found = await repaired(run, text)
    meant = {one.suggestion for one in before.faults}
    cited = {key for key in keys if any(key == one for one in _keys(before))} | {
        key for key in keys if key in meant
    }
    assert {key for key in keys if key in _keys(found)} <= cited
    assert len(found.cited) + len(found.faults) <= len(before.cited) + len(before.faults)
    assert (after == text) is (not repairs)
    again, more, _ = await repaired(run, after)
    assert (again == after) is (not more)


def _keys(found: Reviewed) -> set[str]:
    passages = [source.passage for one in found.answer.citations for source in one.sources]
    return {passage.citation_key for passage in passages if passage is not None}


async def test_what_the_model_is_told() -> None:
    """Each fault with its reason and what it may have meant; a thousand of them are twenty and a number."""
    run, keys = run_with_passages()
    text = f"One [[{slip(keys[0])}]]. Two [[deadbeef]]."
    told = feedback(await review(text, run))
    assert f"- [[{slip(keys[0])}]]: No passage was shown under this key. Did you mean {keys[0]}?" in told
    assert "- [[deadbeef]]: No passage was shown under this key." in told
    many = feedback(await review(" ".join(f"No {n} [[dead{n:04}]]." for n in range(1_000)), run))
    assert "- and 980 more" in many
    assert len(many) < 3_000
