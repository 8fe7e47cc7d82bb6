"""How text becomes terms: stems for scripts with spaces, pairs of characters for those without."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from pincite.core.errors import MissingExtraError
from pincite.core.text import normalise

if TYPE_CHECKING:
    from tantivy import Index, TextAnalyzer

_LONGEST_WORD = 40
"""Bytes of the longest word that is indexed; longer runs are keys, hashes and noise."""

# Runs of a script written without spaces (Thai to Khmer, kana, ideographs, hangul): linear, one class.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7a3\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff]+"
)

# Words of English that say nothing about a topic: of no weight as long as a question has others.
STOP_WORDS = frozenset(
    """
    a about above after again all also am an and any are as at be because been before being below between both
    but by can could did do does doing down during each few for from further had has have having he her here hers
    him his how i if in into is it its itself just let ll may me might more most must my no nor not now of off on
    once only or other our ours out over own please re s same shall she should so some such t tell than that the
    their theirs them then there these they this those through to too under until up upon us ve very was we were
    what when where which while who whom whose why will with would you your yours
    """.split()
)


class Analysis:
    """The analysers of one process: the same for passages and for questions."""

    __slots__ = ("_stem", "_word")

    def __init__(self) -> None:
        self._word = _analyser(stemmed=False)
        self._stem = _analyser(stemmed=True)

    def register(self, index: Index) -> None:
        """Make `index` know the analysers by the names that its schema uses."""
        index.register_tokenizer("pincite_word", self._word)
        index.register_tokenizer("pincite_stem", self._stem)

    def words(self, text: str) -> list[tuple[str, str]]:
        """Return (word, stem) of each spaced word of `text`, in order: lower case, accents folded."""
        spaced = _UNSPACED.sub(" ", normalise(text))
        return list(zip(self._word.analyze(spaced), self._stem.analyze(spaced), strict=True))


def spaced_text(text: str) -> str:
    """Return `text` without its runs of unspaced scripts: what the word fields index."""
    return _UNSPACED.sub(" ", text)


def passage_grams(text: str) -> list[str]:
    """Return single characters and neighbouring pairs of every unspaced run: what a passage is indexed under."""
    grams: list[str] = []
    for match in _UNSPACED.finditer(text):
        run = match.group()
        grams += run
        grams += (run[at : at + 2] for at in range(len(run) - 1))
    return grams


def question_grams(text: str) -> list[str]:
    """Return the pairs of every unspaced run, or its one character: what a question is looked up by."""
    grams: list[str] = []
    for match in _UNSPACED.finditer(normalise(text)):
        run = match.group()
        grams += [run] if len(run) == 1 else [run[at : at + 2] for at in range(len(run) - 1)]
    return grams


def _analyser(*, stemmed: bool) -> TextAnalyzer:
    try:
        from tantivy import Filter, TextAnalyzerBuilder, Tokenizer
    except ImportError as error:
        what = "Searching by words"
        raise MissingExtraError(what, "search") from error
    builder: Any = TextAnalyzerBuilder(Tokenizer.simple())
    # The order matters: folding may lengthen a word, so the long ones go first, in both alike.
    for step in (Filter.remove_long(_LONGEST_WORD), Filter.lowercase(), Filter.ascii_fold()):
        builder = builder.filter(step)
    if stemmed:
        builder = builder.filter(Filter.stemmer("english"))
    return builder.build()
