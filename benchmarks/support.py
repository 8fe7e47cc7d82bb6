"""How far `lexical` support goes: human labels, claims that were made wrong on purpose, and speed.

`python benchmarks/support.py`. The labels are those of ExpertQA, read from `eval/expertqa_claims.jsonl` of the folder
that `PINCITE_SHARED` names (else `../shared`); without it that part is left out. Nothing of it is kept here.
"""

from __future__ import annotations

import json
import os
import random
import re
import sys
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pincite.checking import LexicalBars, LexicalSupport, split_claims
from pincite.core.sentences import split_sentences
from pincite.core.verdicts import SupportVerdict
from pincite.evaluation import Confusion, auroc

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

ROOT = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("PINCITE_SHARED", ROOT.parent / "shared"))
LABELS = {
    "Complete": SupportVerdict.SUPPORTED,
    "Partial": SupportVerdict.PARTIAL,
    "Incomplete": SupportVerdict.UNSUPPORTED,
    "Missing": SupportVerdict.UNSUPPORTED,
}
FOLDS = 5
BARS = [step / 20 for step in range(4, 20)]
ROUNDS = 5


class Row(NamedTuple):
    """One labelled claim, what was said of it, and the score (0 to 1) with whether anything exact differs."""

    question: str
    system: str
    label: str
    verdict: SupportVerdict
    score: float
    exact: bool
    against: bool

    def at(self, supported: float, partial: float) -> SupportVerdict:
        """Return the verdict that other bars would give."""
        if self.against:
            return SupportVerdict.CONTRADICTED
        if self.score >= supported and not self.exact:
            return SupportVerdict.SUPPORTED
        return SupportVerdict.PARTIAL if self.score >= partial else SupportVerdict.UNSUPPORTED


# --- Human labels ---


def labelled(file: Path) -> list[Row]:
    """Return the labelled claims with their checks. A passage's first line, its number and address, is left out."""
    method, bare = LexicalSupport(), LexicalSupport(LexicalBars(supported=2.0, partial=0.0))
    rows: list[Row] = []
    for line in file.read_text(encoding="utf-8").splitlines():
        one = json.loads(line)
        if one["support"] not in LABELS or not one["evidence"]:
            continue
        passages = [rest or head for head, _, rest in (e.partition("\n\n") for e in one["evidence"])]
        check, other = method.check(one["claim"], passages), bare.check(one["claim"], passages)
        exact = any(reason.kind.value != "word" for reason in other.reasons)
        against = other.verdict is SupportVerdict.CONTRADICTED
        rows.append(
            Row(
                one["question"],
                one["system"],
                one["support"],
                check.verdict,
                other.score or 0.0,
                exact,
                against,
            )
        )
    return rows


def three(verdict: SupportVerdict) -> SupportVerdict:
    """Return the verdict as one of the three that the labels know: a contradicted claim is not supported."""
    return SupportVerdict.UNSUPPORTED if verdict is SupportVerdict.CONTRADICTED else verdict


def confusion(rows: Sequence[Row], verdict: Callable[[Row], SupportVerdict]) -> Confusion:
    """Return the three labels against what `verdict` says."""
    return Confusion.of((LABELS[row.label].value, three(verdict(row)).value) for row in rows)


def measures(rows: Sequence[Row], verdict: Callable[[Row], SupportVerdict]) -> tuple[float, float]:
    """Return accuracy and macro-F1 over the three labels."""
    found = confusion(rows, verdict)
    return found.accuracy or 0.0, found.macro_f1 or 0.0


def ranking(rows: Sequence[Row]) -> float:
    """Return how often a claim labelled Complete scores over one that is not (0.5 is chance)."""
    return (
        auroc(
            [row.score for row in rows if row.label == "Complete"],
            [row.score for row in rows if row.label != "Complete"],
        )
        or 0.0
    )


def chosen(rows: Sequence[Row]) -> tuple[float, float]:
    """Return the bars with the best macro-F1."""
    pairs = [(a, b) for a in BARS for b in BARS if b <= a]
    return max(pairs, key=lambda bars: measures(rows, lambda row: row.at(*bars))[1])


def print_labels(rows: Sequence[Row]) -> None:
    """Print the confusion matrix, a line per system, and what bars chosen on other questions would do."""
    verdicts = list(SupportVerdict)[:4]
    print(f"\nExpertQA, {len(rows)} claims with evidence and label")
    print(f"{'label':<12}" + "".join(f"{verdict.value:>14}" for verdict in verdicts) + f"{'all':>8}")
    matrix = Confusion.of((row.label, row.verdict.value) for row in rows)
    for label in LABELS:
        counts = [matrix.count(label, verdict.value) for verdict in verdicts]
        if sum(counts):
            print(f"{label:<12}" + "".join(f"{count:>14}" for count in counts) + f"{sum(counts):>8}")
    print(f"\n{'system':<22}{'claims':>7}{'majority':>10}{'accuracy':>10}{'macro-F1':>10}{'ranking':>9}")
    for system in [*sorted({row.system for row in rows}), ""]:
        mine = [row for row in rows if system in {row.system, ""}]
        accuracy, macro = measures(mine, lambda row: row.verdict)
        majority = confusion(mine, lambda row: row.verdict).majority
        print(
            f"{system or 'all':<22}{len(mine):>7}{majority:>10.3f}{accuracy:>10.3f}{macro:>10.3f}{ranking(mine):>9.3f}"
        )
    always = measures(rows, lambda _: SupportVerdict.SUPPORTED)
    print(f"always `supported`: accuracy {always[0]:.3f}, macro-F1 {always[1]:.3f}")
    whole = confusion(rows, lambda row: row.verdict)
    share, base = whole.precision("supported"), whole.labels["supported"] / whole.total
    said = whole.verdicts["supported"]
    print(f"of {said} `supported` claims {share:.3f} are labelled Complete, of all {base:.3f}")
    questions = sorted({row.question for row in rows})
    random.Random(1).shuffle(questions)
    found: list[tuple[float, float]] = []
    for fold in range(FOLDS):
        held = set(questions[fold::FOLDS])
        bars = chosen([row for row in rows if row.question not in held])
        accuracy, macro = measures(
            [row for row in rows if row.question in held], lambda row, bars=bars: row.at(*bars)
        )
        found.append((accuracy, macro))
        print(
            f"fold {fold + 1}: bars {bars[0]:.2f} and {bars[1]:.2f} chosen on the other questions: {macro:.3f}"
        )
    mean = [sum(column) / FOLDS for column in zip(*found, strict=True)]
    print(f"chosen bars on held-out questions: accuracy {mean[0]:.3f}, macro-F1 {mean[1]:.3f}")


# --- Claims made wrong on purpose ---

PASSAGES = tuple(
    " ".join(passage.split())
    for passage in """
        The Arnsfeld depot opened on 14 March 2019 and employs 230 people. It is not open to the public on
        Sundays. Deliveries from Rotterdam arrive within 5 days. In 2023 the depot handled 48,500 pallets, 12
        per cent more than in 2022.

        Solution B is stored at 4 °C for at most 72 hours. It must not be frozen. A dose of 250 mg is given
        twice a day, and patients under 12 years receive 5 mg per kilogram. In the trial in Lyon the mortality
        fell by 18 per cent.

        Tenants give notice three months before the end of a quarter. Pets are allowed with the consent of the
        landlord. The deposit is 1,800 EUR and is returned within 30 days. Heating costs are included in the
        rent since 1 October 2021.

        The Velmar bridge is 412 metres long and carries the line from Graz to Maribor. Trains may not cross it
        at more than 60 km/h. Its foundations were laid in June 1908 by the engineer Karl Obermann. The toll of
        3.50 EUR was abolished in 1974.

        Revenue rose by 9.5 million EUR in the second half of 2024. The board in Zurich approved the sale of
        Norvik. No dividend will be paid for 2024. The loan of 20 million USD is due on 30 June 2027, and the
        interest rate of 4.25 per cent is fixed.

        Version 3.11.4 of the server does not accept passwords shorter than 10 characters. Backups run every 6
        hours and are kept for 35 days. Access by the Berlin team was enabled in May 2022. The limit of 500 MB
        cannot be raised.
    """.split("\n\n")
)
UNITS = {
    "days": "hours", "hours": "minutes", "mg": "g", "EUR": "USD", "USD": "EUR", "km/h": "m/s", "per cent": "EUR",
    "metres": "kilometres", "MB": "GB", "years": "months", "months": "weeks", "°C": "°F",
}  # fmt: skip
NAMES = {
    "Arnsfeld": "Borkum", "Rotterdam": "Antwerp", "Lyon": "Marseille", "Velmar": "Tarnow", "Graz": "Vienna",
    "Maribor": "Ljubljana", "Karl Obermann": "Otto Brandt", "Zurich": "Geneva", "Norvik": "Solberg", "Berlin": "Munich",
}  # fmt: skip
MONTHS = {"March": "April", "October": "November", "June": "August", "May": "July"}
CONTRARY = {
    "rose": "fell", "fell": "rose", "allowed": "prohibited", "included": "excluded", "approved": "rejected",
    "enabled": "disabled",
}  # fmt: skip
# Words of the same kind: what stands where one of them was is another statement, and no word tells.
NOUNS = {
    "people": "machines", "pallets": "letters", "patients": "nurses", "dose": "meal", "landlord": "lawyer",
    "deposit": "fine", "rent": "tax", "foundations": "towers", "toll": "speed", "dividend": "bonus", "loan": "gift",
    "passwords": "names", "Backups": "Updates", "Tenants": "Guests",
}  # fmt: skip
BOUNDS = {
    " at most ": " ",
    " within ": " after ",
    " under ": " over ",
    "more than": "about",
    "shorter": "longer",
}
# Takes a number as the passages write it: linear.
NUMBER = re.compile(r"\d[\d,.]*\d|\d")
YEAR = re.compile(r"\b(?:19|20)\d\d\b")


def number_changed(text: str) -> Iterator[str]:
    """Yield the text with one of its numbers changed in one figure."""
    for match in NUMBER.finditer(text):
        if YEAR.fullmatch(match.group()):
            continue
        figures = match.group()
        changed = f"{(int(figures[0]) % 9) + 1}{figures[1:]}"
        yield text[: match.start()] + changed + text[match.end() :]


def date_changed(text: str) -> Iterator[str]:
    """Yield the text with another year, or another month."""
    for match in YEAR.finditer(text):
        yield text[: match.start()] + str(int(match.group()) - 3) + text[match.end() :]
    yield from replaced(text, MONTHS)


def negation_dropped(text: str) -> Iterator[str]:
    """Yield the text without its negator."""
    for old, new in ((" not ", " "), ("cannot", "can"), ("No dividend", "A dividend")):
        if old in text:
            yield text.replace(old, new, 1)


def negation_added(text: str) -> Iterator[str]:
    """Yield the text with "not" behind its first auxiliary verb, where it denies nothing yet."""
    if " not " not in text and "cannot" not in text and "No " not in text:
        match = re.search(r"\b(?:is|are|was|were|will|may|must)\b", text)
        if match is not None:
            yield f"{text[: match.end()]} not{text[match.end() :]}"


def replaced(text: str, pairs: dict[str, str]) -> Iterator[str]:
    """Yield the text with one of its words replaced, once for each that it has."""
    for old, new in pairs.items():
        if re.search(rf"(?<!\w){re.escape(old)}(?!\w)", text):
            yield text.replace(old, new, 1)


def exchanged(text: str) -> Iterator[str]:
    """Yield the text with its first two numbers in each other's place."""
    found = [match for match in NUMBER.finditer(text) if not YEAR.fullmatch(match.group())]
    if len(found) > 1 and found[0].group() != found[1].group():
        one, other = found[0], found[1]
        yield (
            text[: one.start()]
            + other.group()
            + text[one.end() : other.start()]
            + one.group()
            + text[other.end() :]
        )


EDITS: dict[str, Callable[[str], Iterator[str]]] = {
    "number changed": number_changed,
    "date changed": date_changed,
    "unit changed": lambda text: replaced(text, UNITS),
    "negation dropped": negation_dropped,
    "negation added": negation_added,
    "contrary word": lambda text: replaced(text, CONTRARY),
    "name changed": lambda text: replaced(text, NAMES),
    "numbers exchanged": exchanged,
    "bound turned or lost": lambda text: (
        text.replace(old, new, 1) for old, new in BOUNDS.items() if old in text
    ),
    "noun changed": lambda text: replaced(text, NOUNS),
}


def thinned(text: str) -> str:
    """Return a sentence without every sixth word of more than four letters: what a loose retelling leaves out."""
    seen = 0
    kept: list[str] = []
    for word in text.split():
        plain = word.isalpha() and word.islower() and len(word) > 4
        seen += plain
        if not (plain and seen % 3 == 0):
            kept.append(word)
    return " ".join(kept)


def print_edits() -> None:
    """Print what became of sentences that were made wrong, and of the same sentences left right."""
    method = LexicalSupport()
    sentences = [(text, text[start:end]) for text in PASSAGES for start, end in split_sentences(text)]
    print(f"\nClaims made from {len(sentences)} sentences of six passages, each against its passage")
    print(f"{'claim':<40}{'claims':>7}{'supported':>11}{'partial':>9}{'unsupp.':>9}{'contrad.':>10}")
    for how, change in (("as it stands", str), ("thinned", thinned)):
        counts = Counter(method.check(change(one), [text]).verdict for text, one in sentences)
        print_counts(f"right, {how}", counts)
        for name, edit in EDITS.items():
            counts = Counter(
                method.check(wrong, [text]).verdict for text, one in sentences for wrong in edit(change(one))
            )
            print_counts(f"{name}, {how}", counts)
    for name in ("minutes-2026-03.md", "notice.txt"):
        text = (ROOT / "examples" / name).read_text(encoding="utf-8")
        claims = [claim.text for claim in split_claims(text)]
        print_counts(f"right, {name}", Counter(method.check(one, [text]).verdict for one in claims))
        wrong = [
            edited for one in claims for edit in (number_changed, negation_dropped) for edited in edit(one)
        ]
        print_counts(
            f"number or negation, {name}", Counter(method.check(one, [text]).verdict for one in wrong)
        )


def print_counts(name: str, counts: Counter[SupportVerdict]) -> None:
    """Print one line: claims, then how many got each verdict."""
    supported, partial, unsupported, contradicted = (counts[verdict] for verdict in list(SupportVerdict)[:4])
    print(f"{name:<40}{counts.total():>7}{supported:>11}{partial:>9}{unsupported:>9}{contradicted:>10}")


# --- Speed ---


def print_speed() -> None:
    """Print claims a second against three passages of about 1 kB, new ones for each claim and the same for all."""
    texts = [" ".join(PASSAGES[at : at + 4])[:1_000] for at in range(3)]
    claims = [text[start:end] for text in PASSAGES for start, end in split_sentences(text)]
    many = [[f"{text} {number}" for text in texts] for number in range(200)]
    method, fresh = LexicalSupport(), LexicalSupport(kept=0)
    for name, how, jobs in (
        ("the same passages", method, [(claim, texts) for claim in claims * 8]),
        ("new passages each time", fresh, [(claims[at % len(claims)], many[at]) for at in range(200)]),
    ):
        best = float("inf")
        for _ in range(ROUNDS):
            began = time.perf_counter()
            for claim, passages in jobs:
                how.check(claim, passages)
            best = min(best, (time.perf_counter() - began) / len(jobs))
        print(f"{name}: {1 / best:,.0f} claims a second, {best * 1e3:.2f} ms (bar 0.5 ms is the goal)")


def main() -> int:
    """Print all of it; the labels only where they are."""
    file = SHARED / "eval" / "expertqa_claims.jsonl"
    if file.is_file():
        print_labels(labelled(file))
    else:
        print(f"No labelled claims: {file} is not there. `PINCITE_SHARED` names the folder that has them.")
    print_edits()
    print()
    print_speed()
    return 0


if __name__ == "__main__":
    sys.exit(main())
