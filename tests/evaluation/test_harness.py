"""The harness: figures of a file, written out row by row, and a stopped run taken up again."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass, replace
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.checking import LexicalBars, LexicalSupport, NliSupport, SupportCheck
from pincite.core.errors import InputError, MissingExtraError, ModelError, ModelFileError, NotFoundError
from pincite.core.limits import DEFAULT
from pincite.core.verdicts import SupportVerdict
from pincite.evaluation import (
    AnswerMetrics,
    CitationAccuracy,
    CitationQuality,
    ClaimShares,
    Evaluation,
    Fault,
    MarkerRates,
    evaluate,
)
from pincite.evaluation._identity import identity_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

OPENED = "The Arnsfeld depot opened on 14 March 2019."
EMPLOYS = "The Arnsfeld depot employs 1,250 people."
RAIN = "Rain is expected over the hills tomorrow."

ALPHA = {
    "id": "a1",
    "system": "alpha",
    "answer": f"{OPENED[:-1]} [1]. {EMPLOYS[:-1]} [2][3]. Cats sleep soundly [7]. Dogs bark loudly.",
    "passages": [OPENED, EMPLOYS, RAIN],
}
BETA = {
    "id": "b1",
    "system": "beta",
    "text": f"{EMPLOYS[:-1]} [rain].",
    "passages": {"rain": RAIN, "staff": EMPLOYS},
}
HENS = {"answer": "Hens sleep soundly [1].", "passages": [RAIN]}


def write(path: Path, *rows: object) -> Path:
    """Write rows as JSON lines; a string as it is."""
    lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


class Counting:
    """A method that supports what a passage holds, counts how often it is asked, and may be interrupted."""

    name = "counting"

    def __init__(self, most: int = 1_000_000) -> None:
        self.asked = count(1)
        self.most = most
        self.times = 0

    def check(self, claim: str, passages: Sequence[str]) -> SupportCheck:
        """Return whether the claim stands in a passage."""
        self.times = next(self.asked)
        if self.times > self.most:
            raise KeyboardInterrupt
        found = any(claim in passage for passage in passages)
        return SupportCheck(SupportVerdict.SUPPORTED if found else SupportVerdict.UNSUPPORTED, self.name)


class Waiting(Counting):
    """The same, asked several times at once."""

    async def check_async(self, claim: str, passages: Sequence[str]) -> SupportCheck:
        """Return the same."""
        return self.check(claim, passages)


@dataclass(frozen=True)
class Fixed:
    """A method with a setting."""

    setting: int
    name: str = "fixed"

    def check(self, claim: str, passages: Sequence[str]) -> SupportCheck:
        """Return the same for each claim."""
        del claim, passages
        return SupportCheck(SupportVerdict.SUPPORTED, self.name)


class Giving:
    """A method that returns what it was given."""

    name = "giving"

    def __init__(self, given: Any) -> None:
        self.given = given

    def check(self, claim: str, passages: Sequence[str]) -> SupportCheck:
        """Return it."""
        del claim, passages
        return self.given


class Failing:
    """A method that fails at hens."""

    name = "failing"

    def __init__(self, error: Exception) -> None:
        self.error = error

    def check(self, claim: str, passages: Sequence[str]) -> SupportCheck:
        """Fail, or say that it is supported."""
        del passages
        if "Hens" in claim:
            raise self.error
        return SupportCheck(SupportVerdict.SUPPORTED, self.name)


class FailingLater(Failing):
    """The same, for several rows at once."""

    async def check_async(self, claim: str, passages: Sequence[str]) -> SupportCheck:
        """Return the same."""
        return self.check(claim, passages)


def test_answers(tmp_path: Path) -> None:
    """Worked out by hand: of alpha's four claims two are recalled, of its three citations two are precise."""
    found = evaluate(write(tmp_path / "rows.jsonl", ALPHA, BETA))
    alpha, beta = found.answers
    assert (alpha.line, alpha.id, alpha.system) == (1, "a1", "alpha")
    assert alpha.metrics.quality == CitationQuality(claims=4, recalled=2, citations=3, precise=2)
    assert alpha.metrics.accuracy == CitationAccuracy(answers=1, pairs=3, supported=2)
    assert alpha.metrics.markers == MarkerRates(resolved=3, missed=1, unknown=1)
    assert alpha.metrics.shares == ClaimShares(claims=4, uncited=2, citations=3)
    # Beta cites the rain for what the other passage says.
    assert beta.metrics.quality == CitationQuality(claims=1, recalled=0, citations=1, precise=0)
    assert beta.metrics.shares == ClaimShares(claims=1, better=1, citations=1)
    assert found.summary.micro.quality == CitationQuality(claims=5, recalled=2, citations=4, precise=2)
    assert found.summary.macro["quality"]["recall"] == 0.25
    assert list(found.systems) == ["alpha", "beta"]
    assert found.systems["beta"].answers == (beta,)
    assert found.as_dict()["claims"] is None


def claim(label: object, verdict: str, system: str = "", evidence: Any = None) -> dict[str, Any]:
    """Return a claim that `Counting` calls supported or not."""
    return {
        "claim": OPENED,
        "evidence": evidence if evidence is not None else [OPENED if verdict == "supported" else RAIN],
        "label": label,
        "system": system,
    }


def test_claims(tmp_path: Path) -> None:
    """Six labelled claims, one of them without evidence: 3 of 5 are right."""
    file = write(
        tmp_path / "rows.jsonl",
        claim("Complete", "supported"),
        claim("Complete", "unsupported"),
        claim("Partial", "supported"),
        claim("Missing", "unsupported"),
        claim("Incomplete", "unsupported", "other"),
        claim("Missing", "", evidence=[]),
    )
    found = evaluate(file, method=Counting())
    summary = found.summary
    assert (len(summary.claims), len(summary.judged)) == (6, 5)
    assert summary.matrix.cells == (
        ("Complete", "supported", 1), ("Complete", "unsupported", 1), ("Incomplete", "unsupported", 1),
        ("Missing", "unsupported", 1), ("Partial", "supported", 1),
    )  # fmt: skip
    assert (summary.confusion.accuracy, summary.confusion.majority) == (0.6, 0.4)
    # F1: supported 2/4, partial 0, unsupported 4/5.
    assert summary.confusion.macro_f1 == pytest.approx((0.5 + 0 + 0.8) / 3)
    assert summary.ranking is None  # it gives no scores
    assert {name: len(one.claims) for name, one in found.systems.items()} == {"": 5, "other": 1}
    data = found.as_dict()["claims"]
    assert (data["claims"], data["without_evidence"], data["measures"]["accuracy"]) == (6, 1, 0.6)
    assert found.as_dict()["answers"] is None


@pytest.mark.parametrize(
    ("labels", "said"), [(["supported"], "unsupported"), (["contradicted"], "contradicted")]
)
def test_contradicted_is_unsupported_where_no_label_is(tmp_path: Path, labels: list[str], said: str) -> None:
    """The labels decide how many kinds there are."""
    rows = [{"claim": "It employs 1,520 people.", "evidence": "It employs 1,250 people.", "label": labels[0]}]
    summary = evaluate(write(tmp_path / "rows.jsonl", *rows)).summary
    assert summary.matrix.verdicts == {"contradicted": 1}
    assert summary.confusion.verdicts == {said: 1}


def test_ranking_by_the_lexical_score(tmp_path: Path) -> None:
    """The claim that stands in its evidence scores over the one that does not."""
    rows = [claim("Complete", "supported"), claim("Missing", "unsupported")]
    assert evaluate(write(tmp_path / "rows.jsonl", *rows)).summary.ranking == 1


def test_faults_are_named_and_lose_nothing(tmp_path: Path) -> None:
    """Lines that cannot be read, and an answer with two passages under one key."""
    clash = {"answer": "A.", "passages": [{"id": "a", "text": "x"}, {"id": "a", "text": "y"}]}
    found = evaluate(write(tmp_path / "rows.jsonl", "{", ALPHA, clash, "", "3", BETA))
    assert [one.line for one in found.answers] == [2, 6]
    assert found.faults == (
        Fault(1, "The line is no JSON."),
        Fault(3, "The key 'a' stands for another passage already."),
        Fault(5, "The line is no JSON object."),
    )


def test_results_are_written_out(tmp_path: Path) -> None:
    """One line a row, each with its check, in the order of the rows."""
    out = tmp_path / "out.jsonl"
    evaluate(write(tmp_path / "rows.jsonl", ALPHA, claim("Complete", "supported")), out=out)
    first, second = map(json.loads, out.read_text(encoding="utf-8").splitlines())
    assert (first["line"], first["kind"], first["id"], first["method"]) == (1, "answer", "a1", "lexical")
    assert first["metrics"]["quality"]["recall"] == 0.5
    assert [one["written"] for one in first["misses"]] == ["[7]"]
    assert len(first["check"]["claims"]) == 4
    assert (second["line"], second["kind"], second["gold"]) == (2, "claim", "supported")
    assert second["check"]["support_verdict"] == "supported"


ROWS = [ALPHA, claim("Complete", "supported", "s"), BETA, claim("Partial", "unsupported"), "no row", BETA]


@pytest.mark.parametrize("method", [Counting, Waiting])
def test_a_stopped_run_is_taken_up_again(tmp_path: Path, method: type[Counting]) -> None:
    """Wherever it stops, the figures are those of one run, and nothing is asked twice."""
    file = write(tmp_path / "rows.jsonl", *ROWS)
    whole = evaluate(file, method=method())
    needed = method()
    evaluate(file, method=needed)
    for most in range(needed.times):
        out = tmp_path / f"out-{most}.jsonl"
        with pytest.raises(KeyboardInterrupt):
            evaluate(file, method=method(most), out=out)
        again = evaluate(file, method=method(), out=out)
        assert (again.answers, again.claims, again.faults) == (whole.answers, whole.claims, whole.faults)
        asked = method(0)
        done = evaluate(file, method=asked, out=out)
        assert (done.summary, done.resumed, asked.times) == (whole.summary, 5, 0)


def test_a_torn_line_is_done_again(tmp_path: Path) -> None:
    """A process that was killed while it wrote leaves half a line."""
    file, out = write(tmp_path / "rows.jsonl", ALPHA, BETA), tmp_path / "out.jsonl"
    whole = evaluate(file, out=out)
    written = out.read_text(encoding="utf-8")
    for cut in (10, len(written) // 2, len(written) - 1):
        out.write_text(written[:cut], encoding="utf-8")
        again = evaluate(file, out=out)
        assert again.summary == whole.summary
        assert evaluate(file, out=out).resumed == 2


def test_what_is_other_is_done_again(tmp_path: Path) -> None:
    """A line that was changed or moved, and another method; what is the same is not."""
    file, out = write(tmp_path / "rows.jsonl", ALPHA, BETA), tmp_path / "out.jsonl"
    assert evaluate(file, out=out).resumed == 0
    assert evaluate(file, out=out).resumed == 2
    assert evaluate(file, out=out, method=Counting()).resumed == 0
    assert evaluate(file, out=out, method=Counting(), method_name="another").resumed == 0
    write(file, ALPHA, {**BETA, "system": "gamma"})
    changed = evaluate(file, out=out)
    assert (changed.resumed, changed.answers[1].system) == (1, "gamma")
    assert evaluate(write(file, BETA, ALPHA), out=out).resumed == 0


def test_other_limits_are_done_again(tmp_path: Path) -> None:
    """Found by a tester: a result under small limits was given again as one under large ones."""
    file, out = write(tmp_path / "rows.jsonl", ALPHA, BETA), tmp_path / "out.jsonl"
    small = replace(DEFAULT, support_claim_code_points=10)
    assert evaluate(file, out=out, limits=small).summary.micro.shares.unchecked == 3
    again = evaluate(file, out=out)
    assert (again.resumed, again.summary) == (0, evaluate(file).summary)
    for name in ("answer_claims", "quote_code_points", "marker_code_points", "markers_per_group"):
        assert evaluate(file, out=out, limits=replace(DEFAULT, **{name: 99})).resumed == 0, name
    for name in ("answer_claims_at_once", "mcp_ids"):
        assert evaluate(file, out=out, limits=replace(DEFAULT, **{name: 3})).resumed == 2, name


def test_other_bars_are_done_again(tmp_path: Path) -> None:
    """The name of a method says neither its bars nor its settings."""
    file, out = write(tmp_path / "rows.jsonl", ALPHA, BETA), tmp_path / "out.jsonl"
    for bar in (0.5, 0.9):
        method = LexicalSupport(LexicalBars(supported=bar))
        assert evaluate(file, method=method, out=out).resumed == 0
        same = LexicalSupport(LexicalBars(supported=bar), kept=3)
        assert evaluate(file, method=same, out=out).resumed == 2
    for settings in (1, 2):
        assert evaluate(file, method=Fixed(settings), out=out).resumed == 0
        assert evaluate(file, method=Fixed(settings), out=out).resumed == 2


def test_another_model_in_the_same_folder_is_another_method(tmp_path: Path) -> None:
    """Its files are what it is, wherever they lie; what was read into memory is not."""
    one, other = tmp_path / "one", tmp_path / "other"
    for folder in (one, other):
        folder.mkdir()
        for name in ("model.onnx", "config.json", "tokenizer.json"):
            (folder / name).write_text(name, encoding="utf-8")
        (folder / "README.md").write_text(str(folder), encoding="utf-8")
    first = identity_of(NliSupport(one))
    assert identity_of(NliSupport(other)) == first
    assert identity_of(NliSupport(one, supported=0.6)) != first
    assert identity_of(NliSupport(one, windows=8)) != first
    for name in ("model.onnx", "config.json", "tokenizer.json"):
        (other / name).write_text(name.upper(), encoding="utf-8")
        assert identity_of(NliSupport(other)) != first
        (other / name).write_text(name, encoding="utf-8")
    assert identity_of(NliSupport(tmp_path / "none")) != first


DAMAGE: list[tuple[str, Callable[[dict[str, Any]], Any]]] = [
    ("score of 400 digits", lambda one: one["check"].update(score=int("9" * 400))),
    ("infinite score", lambda one: one["check"].update(score=float("inf"))),
    ("true score", lambda one: one["check"].update(score=True)),
    ("score in words", lambda one: one["check"].update(score="high")),
    ("no score", lambda one: one["check"].pop("score")),
    ("unknown label", lambda one: one.update(label="zzz")),
    ("label of another kind", lambda one: one.update(label=[])),
    ("another label", lambda one: one.update(label="Missing", gold="unsupported")),
    ("label and gold differ", lambda one: one.update(gold="partial")),
    ("unknown verdict", lambda one: one["check"].update(support_verdict="maybe")),
    ("check of another kind", lambda one: one.update(check=[])),
    ("evidence that is not there", lambda one: one.update(has_evidence=False)),
    ("evidence of another kind", lambda one: one.update(has_evidence=1)),
    ("another line", lambda one: one.update(line=7)),
    ("true line", lambda one: one.update(line=True)),
    ("another system", lambda one: one.update(system="beta")),
    ("another id", lambda one: one.update(id="b1")),
    (
        "another kind",
        lambda one: one.update(kind="answer", is_unread=False, metrics=AnswerMetrics().as_dict()),
    ),
]


@pytest.mark.parametrize("damage", [damage for _, damage in DAMAGE], ids=[name for name, _ in DAMAGE])
def test_a_damaged_result_of_a_claim_is_done_again(
    tmp_path: Path, damage: Callable[[dict[str, Any]], Any]
) -> None:
    """Found by a tester: it was an error of Python's, or was believed."""
    file, out = write(tmp_path / "rows.jsonl", claim("Complete", "supported", "s")), tmp_path / "out.jsonl"
    again_after(damage, file, out)


ANSWER_DAMAGE: list[tuple[str, Callable[[dict[str, Any]], Any]]] = [
    ("number of 400 digits", lambda one: one["metrics"]["shares"].update(claims=10**400)),
    ("true number", lambda one: one["metrics"]["shares"].update(better=False)),
    ("negative number", lambda one: one["metrics"]["shares"].update(claims=-1)),
    ("number in words", lambda one: one["metrics"]["shares"].update(claims="4")),
    ("no number", lambda one: one["metrics"]["shares"].pop("claims")),
    ("rate of other numbers", lambda one: one["metrics"]["quality"].update(recall=1.0)),
    ("no group", lambda one: one["metrics"].pop("markers")),
    ("metrics of another kind", lambda one: one.update(metrics=[])),
    ("remark of another kind", lambda one: one.update(is_unread=0)),
    ("another kind", lambda one: one.update(kind="claim")),
]


@pytest.mark.parametrize(
    "damage", [damage for _, damage in ANSWER_DAMAGE], ids=[name for name, _ in ANSWER_DAMAGE]
)
def test_a_damaged_result_of_an_answer_is_done_again(
    tmp_path: Path, damage: Callable[[dict[str, Any]], Any]
) -> None:
    """The same."""
    again_after(damage, write(tmp_path / "rows.jsonl", ALPHA), tmp_path / "out.jsonl")


def again_after(damage: Callable[[dict[str, Any]], Any], file: Path, out: Path) -> None:
    """Damage the one result of a file, and see that its row is done again, once."""
    whole = evaluate(file, out=out)
    record = json.loads(out.read_text(encoding="utf-8"))
    damage(record)
    out.write_text(json.dumps(record) + "\n", encoding="utf-8")
    again = evaluate(file, out=out)
    assert (again.summary, again.resumed) == (whole.summary, 0)
    assert evaluate(file, out=out).resumed == 1


@pytest.mark.parametrize("line", ["3", "[]", "null", '"row"', "{}", "[" * 100_000, '{"row": 1}', "\ufffd"])
def test_a_line_that_is_none_of_ours_is_passed_over(tmp_path: Path, line: str) -> None:
    """Between results it is nothing."""
    file, out = write(tmp_path / "rows.jsonl", ALPHA, BETA), tmp_path / "out.jsonl"
    evaluate(file, out=out)
    out.write_text(line + "\n" + out.read_text(encoding="utf-8") + line + "\n", encoding="utf-8")
    assert evaluate(file, out=out).resumed == 2


@pytest.mark.parametrize("kind", [Failing, FailingLater])
@pytest.mark.parametrize(
    ("error", "message"),
    [
        (ZeroDivisionError("secret"), "The row failed with ZeroDivisionError."),
        (MemoryError(), "The row failed with MemoryError."),
        (InputError("Said plainly."), "Said plainly."),
        (ModelError("The model has gone."), "The model has gone."),
    ],
)
def test_an_error_costs_its_row(tmp_path: Path, kind: type[Failing], error: Exception, message: str) -> None:
    """Whatever it is: the others are evaluated, and it is asked about again the next time."""
    file, out = (
        write(tmp_path / "rows.jsonl", ALPHA, HENS, claim("Complete", "supported")),
        tmp_path / "out.jsonl",
    )
    found = evaluate(file, method=kind(error), out=out)
    assert [one.line for one in found.answers] == [1]
    assert found.faults == (Fault(2, message),)
    assert len(found.claims) == 1
    assert len(out.read_text(encoding="utf-8").splitlines()) == 2


@pytest.mark.parametrize(
    "error", [MissingExtraError("Not installed", extra="nli"), ModelFileError("Not read.")]
)
def test_a_method_that_does_not_work_is_no_fault_of_a_row(tmp_path: Path, error: Exception) -> None:
    """It would fail at each."""
    with pytest.raises(type(error)):
        evaluate(write(tmp_path / "rows.jsonl", HENS), method=Failing(error))


@pytest.mark.parametrize(
    "given", [None, 3, "supported", SupportCheck(SupportVerdict.SUPPORTED, "m", float("nan"))]
)
def test_what_is_no_check_costs_its_row(tmp_path: Path, given: Any) -> None:
    """A method may return anything."""
    rows = [claim("Complete", "supported")]
    (fault,) = evaluate(write(tmp_path / "rows.jsonl", *rows), method=Giving(given)).faults
    assert fault.message in ("The row failed with AttributeError.", "The row failed with ValueError.")


def test_answers_without_a_marker_that_could_be_read_are_counted(tmp_path: Path) -> None:
    """Now, and when they are taken from an earlier run."""
    rows = [{"answer": "Dogs bark loudly [doc1].", "passages": [RAIN]}, ALPHA]
    file, out = write(tmp_path / "rows.jsonl", *rows), tmp_path / "out.jsonl"
    for resumed in (0, 2):
        found = evaluate(file, out=out)
        assert (found.summary.unread, found.resumed) == (1, resumed)
        assert found.as_dict()["answers"]["unread"] == 1


def test_limits_bound_what_is_read(tmp_path: Path) -> None:
    """The ranges of an answer too."""
    row = {"answer": "Dogs bark loudly [1-3].", "passages": [RAIN, OPENED, EMPLOYS]}
    limits = replace(DEFAULT, markers_per_group=2)
    found = evaluate(write(tmp_path / "rows.jsonl", row), limits=limits)
    assert found.summary.micro.markers == MarkerRates(resolved=0, missed=1, unknown=0)


def test_the_same_row_twice_counts_twice(tmp_path: Path) -> None:
    """Resumed as well."""
    file, out = write(tmp_path / "rows.jsonl", BETA, BETA), tmp_path / "out.jsonl"
    for _ in range(2):
        assert evaluate(file, out=out).summary.micro.quality == CitationQuality(2, 0, 2, 0)


def test_the_first_rows_only(tmp_path: Path) -> None:
    """A limit counts rows, blank lines not; and progress is told of each row."""
    file = write(tmp_path / "rows.jsonl", "", ALPHA, "{", BETA)
    seen: list[int] = []
    found = evaluate(file, limit=2, progress=seen.append)
    assert (len(found.answers), len(found.faults), seen) == (1, 1, [1, 2])


def test_an_answer_with_half_a_character(tmp_path: Path) -> None:
    """JSON may hold one, and no file can: it is written escaped."""
    row = (
        '{"answer": "A cut emoji \\ud83d stands here [1].", "passages": ["A cut emoji \\ud83d stands here."]}'
    )
    file, out = write(tmp_path / "rows.jsonl", row), tmp_path / "out.jsonl"
    assert evaluate(file, out=out).summary.micro.quality.recall == 1
    assert evaluate(file, out=out).resumed == 1


def test_results_are_not_added_to_something_else(tmp_path: Path) -> None:
    """Neither to the file itself nor to one with other lines."""
    file, notes = write(tmp_path / "rows.jsonl", ALPHA), tmp_path / "notes.txt"
    notes.write_text("Mine.\nKeep it.\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"'notes\.txt' holds something else"):
        evaluate(file, out=notes)
    with pytest.raises(InputError, match="into the file that is evaluated"):
        evaluate(file, out=tmp_path / "." / "rows.jsonl")
    with pytest.raises(InputError, match="The results cannot be kept: "):
        evaluate(file, out=tmp_path / "no" / "out.jsonl")
    assert notes.read_text(encoding="utf-8") == "Mine.\nKeep it.\n"
    assert sorted(one.name for one in tmp_path.iterdir()) == ["notes.txt", "rows.jsonl"]


def test_wrong_arguments(tmp_path: Path) -> None:
    """Each is one plain sentence, before anything is written."""
    file = write(tmp_path / "rows.jsonl", ALPHA)
    wrong: Any = 3.5
    arguments: list[dict[str, Any]] = [
        {"limit": 0},
        {"limit": wrong},
        {"out": wrong},
        {"method_name": wrong},
        {"method_name": b"x"},
        {"limits": wrong},
    ]
    for one in arguments:
        with pytest.raises(InputError) as caught:
            evaluate(file, **one)
        assert [caught.value.field] == list(one)
    for name in ("a\0b", "\ud800"):
        with pytest.raises(InputError, match="`path` has a character that no name"):
            evaluate(name)
        with pytest.raises(InputError, match="`out` has a character that no name"):
            evaluate(file, out=name)
    with pytest.raises(InputError, match="There is no method 'magic'"):
        evaluate(file, method="magic")
    with pytest.raises(InputError, match="`path` is a path"):
        evaluate(wrong)
    with pytest.raises(NotFoundError):
        evaluate(tmp_path / "none.jsonl", out=tmp_path / "out.jsonl")
    assert not (tmp_path / "out.jsonl").exists()


async def test_in_an_event_loop(tmp_path: Path) -> None:
    """A method that waits says where it can work; one that does not, works."""
    file = write(tmp_path / "rows.jsonl", ALPHA)
    with pytest.raises(InputError, match="run `evaluate` in a thread"):
        evaluate(file, method=Waiting())
    assert evaluate(file, method=Counting()).answers


def test_nothing(tmp_path: Path) -> None:
    """An empty file has no figures."""
    file = write(tmp_path / "rows.jsonl")
    assert evaluate(file) == Evaluation("lexical")
    assert evaluate(file).as_dict() == {
        "method": "lexical", "resumed": 0, "faults": [], "answers": None, "claims": None, "systems": {},
    }  # fmt: skip


SOME = st.sampled_from([row for row in ROWS if not isinstance(row, str)])


@given(st.lists(SOME, max_size=6), st.randoms())
def test_the_order_of_rows_is_nothing(
    tmp_path_factory: pytest.TempPathFactory, rows: list[Any], random: Any
) -> None:
    """Figures of a file are those of its rows in any order."""
    folder = tmp_path_factory.mktemp("order")
    mixed = list(rows)
    random.shuffle(mixed)
    one = evaluate(write(folder / "one.jsonl", *rows), method=Counting()).summary
    other = evaluate(write(folder / "other.jsonl", *mixed), method=Counting()).summary
    assert one.as_dict() == other.as_dict()


def test_the_published_labels(shared: Path) -> None:
    """The figures of ExpertQA are those that the page on support tells."""
    found = evaluate(shared / "eval" / "expertqa_claims.jsonl")
    summary = found.summary
    assert summary.matrix.labels == {"Complete": 509, "Incomplete": 160, "Partial": 58}
    assert summary.confusion.majority == pytest.approx(0.700, abs=5e-4)
    accuracy, ranking = summary.confusion.accuracy, summary.ranking
    assert accuracy is not None
    assert ranking is not None
    # Well under the commonest label, and little better than chance: whoever changes this changes the page.
    assert 0.25 < accuracy < 0.45
    assert 0.5 < ranking < 0.7


def test_it_needs_the_base_install_alone() -> None:
    """Every name of it, and an evaluation by words, load `rapidfuzz` at most, and no library."""
    program = (
        "import sys, tempfile, pathlib\n"
        "before = set(sys.modules)\n"
        "import pincite.evaluation as e\n"
        "[getattr(e, name) for name in e.__all__]\n"
        "file = pathlib.Path(tempfile.mkdtemp(), 'rows.jsonl')\n"
        """file.write_text('{"answer": "The depot opened in 2019 [1].", "passages": ["It opened in 2019."]}')\n"""
        "e.evaluate(file)\n"
        "print(*sorted(set(sys.modules) - before))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    loaded = done.stdout.split()
    tops = {name.partition(".")[0] for name in loaded} - set(sys.stdlib_module_names)
    # What begins with an underscore is a part of Python, or of a compiled module.
    assert {name for name in tops if not name.startswith("_")} <= {"pincite", "rapidfuzz", "cython_runtime"}
    doors = ("reading", "library", "search", "agents", "cli", "server", "protocols")
    assert [name for name in loaded if name.startswith(tuple(f"pincite.{door}" for door in doors))] == []
