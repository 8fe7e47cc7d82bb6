"""How true the answers are: `python -m benchmarks answers`; the page about it is docs/how-true.md.

The documents of `examples/` are asked 30 questions (`benchmarks/data/questions.jsonl`): 22 of which it is known which
words answer them, and 8 that the documents do not answer. The offline model answers; with `PINCITE_MODEL` set, that
model answers too. Where the labelled claims of ExpertQA are at hand (`../shared`, or `PINCITE_SHARED`), the method of
support is held against them as well. Everything here is what `pincite add` and `pincite eval` print.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
QUESTIONS = ROOT / "benchmarks" / "data" / "questions.jsonl"
SHARED = Path(os.environ.get("PINCITE_SHARED", ROOT.parent / "shared"))


def main() -> int:
    """Print the tables."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        _pincite(home, "add", str(ROOT / "examples"))
        for model in ("", os.environ.get("PINCITE_MODEL", "")):
            if model or not (home / "answers.jsonl").exists():
                print(
                    f"\n30 questions about `examples/`, answered by {model or 'the offline model'}\n",
                    flush=True,
                )
                answers = home / f"answers{'-of-a-model' if model else ''}.jsonl"
                _pincite(
                    home,
                    "eval",
                    str(QUESTIONS),
                    "--ask",
                    str(answers),
                    *(["--model", model] if model else []),
                )
        labelled = SHARED / "eval" / "expertqa_claims.jsonl"
        if labelled.is_file():
            print("\nThe method of support against 727 claims that experts have labelled\n", flush=True)
            _pincite(home, "eval", str(labelled), "--by", "system")
        else:
            print("\nThe labelled claims are not at hand; set PINCITE_SHARED to where they are.")
    return 0


def _pincite(home: Path, *words: str) -> None:
    kept = {name: value for name, value in os.environ.items() if name != "PINCITE_MODEL"}
    program = "from pincite.cli import run; run()"
    command = [sys.executable, "-c", program, *words]
    done = subprocess.run(command, check=False, env={**kept, "PINCITE_HOME": str(home), "COLUMNS": "110"})
    if done.returncode not in {0, 1}:
        sys.exit(done.returncode)


if __name__ == "__main__":
    sys.exit(main())
