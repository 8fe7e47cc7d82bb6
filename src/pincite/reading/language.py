"""The language of a text, for documents that do not say theirs.

Common words settle the languages that most documents are in, at no cost. The rest is asked of py3langid, whose model is
in its wheel; it takes about half a second and 120 MB once a process, and is loaded when the first text needs it.
"""

from __future__ import annotations

import re
import threading
from collections import Counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

_STRETCHES, _STRETCH = 3, 1_000
"""Stretches of a text that are looked at, from its beginning to its end, and the code points of each."""
_LETTERS = 30
"""Letters in them from which on a language is told."""
_FEWEST_WORDS, _SHARE, _AHEAD = 40, 0.2, 2
"""Words, the share of them that are a language's common ones, and how many times more than any other's they are."""
_SURE = 0.5
"""What the model says of its answer, from which on it counts: of 48 single sentences in 24 languages, each is right."""

_COMMON = {
    language: frozenset(words.split())
    for language, words in {
        "de": "der die das und ist nicht mit von den dem ein eine zu auf für im werden sich als auch",
        "en": "the of and to in is that for with be are this by on as it or not from at",
        "es": "el los las una que del por con para se es en no al su más como y sus son",
        "fr": "le les des et est dans une que pour du au sur pas par avec ce qui sont ne aux",
        "it": "il di che della per una con sono nel gli non del è da dei alla le più come anche",
        "nl": "het een van de en is dat niet voor met op zijn te door aan bij wordt worden ook naar",
        "pt": "os da do das dos que uma em não para com por se na no ao é são mais pelo",
    }.items()
}

# A word: linear, one class.
_WORD = re.compile(r"[^\W\d_]+")
# What the model calls a language, where it is one: linear, two letters.
_NAME = re.compile(r"[a-z]{2}")

_lock = threading.Lock()
_model: list[Callable[[str], tuple[str, float]] | None] = []


def language_of(text: str) -> str | None:
    """Return the language of `text` as a tag of two letters, such as `en`; None when it is not sure.

    A text in several languages has the one that most of its beginning, middle and end is in.
    """
    sample = _sample(text)
    words = _WORD.findall(sample.lower())
    if sum(map(len, words)) < _LETTERS:
        return None
    if len(words) >= _FEWEST_WORDS:
        counts = Counter(words)
        found = sorted(
            (sum(counts[word] for word in common), language) for language, common in _COMMON.items()
        )
        (second, _), (first, language) = found[-2:]
        if first >= _SHARE * len(words) and first >= _AHEAD * second:
            return language
    classify = _classifier()
    if classify is None:
        return None
    language, sure = classify(sample)
    return language if sure >= _SURE and _NAME.fullmatch(language) else None


def _sample(text: str) -> str:
    """Return the stretches of `text` that are looked at."""
    if len(text) <= _STRETCHES * _STRETCH:
        return text
    step = (len(text) - _STRETCH) // (_STRETCHES - 1)
    return "\n".join(text[at : at + _STRETCH] for at in range(0, _STRETCHES * step, step))


def _classifier() -> Callable[[str], tuple[str, float]] | None:
    """Return what says (language, how sure), None where py3langid is not installed."""
    with _lock:
        if not _model:
            _model.append(_load())
    return _model[0]


def _load() -> Callable[[str], tuple[str, float]] | None:
    try:
        from py3langid import langid  # pyright: ignore[reportMissingTypeStubs]
    except ImportError:
        return None
    module: Any = langid
    return module.LanguageIdentifier.from_model_file(module.MODEL_FILE, norm_probs=True).classify
