"""How true the answers are: `python -m benchmarks answers`; the page about it is docs/how-true.md.

The documents of `examples/` are asked 30 questions (`benchmarks/data/questions.jsonl`): 22 of which it is known which
words answer them, and 8 that the documents do not answer. The rules of the offline model are set on these. A ferry
company's documents (`benchmarks/data/ferry/`) are asked 31, 23 and 8, on which no rule is set: they are held out, and
who changes a rule because of them has to write others. The offline model answers; with `PINCITE_MODEL` set, that model
answers too. Where the labelled claims of ExpertQA are at hand (`../shared`, or `PINCITE_SHARED`), the method of support
is held against them as well. Everything here is what `pincite add` and `pincite eval` print.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "benchmarks" / "data"
# What is asked about which documents, and what is said of that.
SETS = (
    (ROOT / "examples", DATA / "questions.jsonl", "30 questions about `examples/`, answered by"),
    (
        DATA / "ferry",
        DATA / "ferry-questions.jsonl",
        "31 held-out questions about a ferry company, answered by",
    ),
)
SHARED = Path(os.environ.get("PINCITE_SHARED", ROOT.parent / "shared"))


def main() -> int:
    """Print the tables."""
    with tempfile.TemporaryDirectory() as folder:
        for place, (documents, questions, said) in enumerate(SETS):
            home = Path(folder) / str(place)
            _pincite(home, "add", str(documents))
            _ask(home, questions, said, "")
            if model := os.environ.get("PINCITE_MODEL", ""):
                _ask(home, questions, said, model)
    labelled = SHARED / "eval" / "expertqa_claims.jsonl"
    if not labelled.is_file():
        print("\nThe labelled claims are not at hand; set PINCITE_SHARED to where they are.")
        return 0
    print("\nThe method of support against 727 claims that experts have labelled\n", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        _pincite(Path(folder), "eval", str(labelled), "--by", "system")
    return 0


def _ask(home: Path, questions: Path, said: str, model: str) -> None:
    """Print the table of one model, the offline one where it has no name."""
    print(f"\n{said} {model or 'the offline model'}\n", flush=True)
    answers = home / f"answers{'-of-a-model' if model else ''}.jsonl"
    chosen = ["--model", model] if model else []
    _pincite(home, "eval", str(questions), "--ask", str(answers), *chosen)


def _pincite(home: Path, *words: str) -> None:
    kept = {name: value for name, value in os.environ.items() if name != "PINCITE_MODEL"}
    program = "from pincite.cli import run; run()"
    command = [sys.executable, "-c", program, *words]
    done = subprocess.run(command, check=False, env={**kept, "PINCITE_HOME": str(home), "COLUMNS": "110"})
    if done.returncode not in {0, 1}:
        sys.exit(done.returncode)


if __name__ == "__main__":
    sys.exit(main())
