"""The words of a claim or a sentence: their stems, which of them are names, and what is denied of them."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Final, NamedTuple

from pincite.checking._figures import WIDE
from pincite.checking._stop_words import NAME_WRITERS, STOP_WORDS
from pincite.checking._wording import NEGATORS

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Sequence

_LONGEST_WORD: Final = 40
"""Code points of a word; a longer run is a key or an address."""
_REMEMBERED: Final = 50_000
"""Stems that are kept; a book has about half as many words."""
_REACH: Final = 2
"""Words after a negator of which it may be said."""
_FAR: Final = 8
"""Words after a negator, common ones included, among which these are looked for."""
_SHARED: Final = 5
"""Letters that two forms of a word have in common, at the least."""
_TAIL: Final = 3
"""Letters behind these that one of them may have; the other may have one."""

_BEFORE: Final = 6
"""Code points before a negator of a script without spaces of which it is said."""

# Scripts written without spaces, or with endings glued to the word (`WIDE`), are compared by pairs of characters.
_MARKS: Final = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed"
    "\u0900-\u0963\u0966-\u0dff\u200c\u200d"
)
# What most texts have of other characters, so that they can be read as ASCII.
_TYPOGRAPHY: Final = (("’", "'"), ("‘", "'"), ("“", '"'), ("”", '"'), ("–", "-"), ("—", "-"), ("\u00a0", " "))
# Takes a word of a text of ASCII in small letters, with digits behind its letters; linear: runs of one class.
_ASCII_WORD: Final = re.compile(r"[a-z][a-z0-9]*(?:-\d+\b)?(?:'[a-z]+)?")
# Takes a run of a script without spaces, or a word; linear: possessive runs of classes that share no character.
_WORD: Final = re.compile(
    rf"[{WIDE}]++|[^\W\d_{WIDE}](?:[^\W_{WIDE}]++|[{_MARKS}]++)*+(?:-\d++(?!\w))?+(?:['’][^\W\d_{WIDE}]++)?+"
)
# The same, and what ends a clause; linear.
_BREAK: Final = r"[,;:.!?()—、，；：。！？،؛।]|\s[–-]\s"
_NUMBER: Final = r"\d++(?:[.,]\d++)*+"
_ASCII_CLAUSED: Final = re.compile(rf"{_ASCII_WORD.pattern}|{_NUMBER}|{_BREAK}")
_CLAUSED: Final = re.compile(rf"{_WORD.pattern}|{_NUMBER}|{_BREAK}")
_WIDE: Final = re.compile(f"[{WIDE}]")
# Takes marks that a word may carry or not: vowels of Hebrew and Arabic, tatweel, joiners; linear, one class.
_OPTIONAL: Final = re.compile(
    "[\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed\u200c\u200d]"
)
# Takes a word with its case; linear, as above.
_CASED: Final = re.compile(
    rf"[^\W\d_{WIDE}](?:[^\W_{WIDE}]++|[{_MARKS}]++)*+(?:-\d++(?!\w))?+(?:['’][^\W\d_{WIDE}]++)?+"
)
# What may stand right before the first word of a sentence; linear: one class up to the end.
_OPENS: Final = re.compile(r"(?:\A|[.!?:;]\s|[\"“„«‘(\[])[\s\"“„«‘(\[]*\Z")
# Takes a title or an initial, whose full stop ends no sentence; linear: short, up to the end.
_TITLE: Final = re.compile(
    r"(?:\b(?:Dr|Mr|Mrs|Ms|Prof|St|Sr|Jr|Hr|Fr|Frl|Mme|Mlle|Gen|Col|Lt|Rev|Hon|Nr|No|Ing|Dipl)|(?<!\w)[A-HJ-UWYZ])\.\s\Z"
)
# Takes what denies in scripts without spaces; the first part takes what only looks so; linear: short words.
_WIDE_NEGATOR: Final = re.compile(
    r"(?P<no>なければなら(?:ない|ず|ません)|なくてはなら(?:ない|ず|ません)|かもしれ(?:ない|ません)|だけでな[くい]|のみならず"
    r"|少な[くい]|不[同仅僅但少断斷过過錯错]|不可[避或缺思估]|未[来來]|非常|无[线论]|無[料線論])"
    r"|(?P<after>[不没沒無无未非勿])|(?P<before>ない|なく|なかっ|ません|ずに|禁止|않|없|못하|아니|없|ไม่)"
)

_DENYING: Final = (
    NEGATORS
    # What other languages have as another word: `mai` is May, `ne` and `ni` say little alone.
    - frozenset("mai ne ni né nem nul nulle fail fails failed".split())
) | frozenset(
    """
    нельзя nie bez ikke ingen aldri aldrig inte inga ei eivät değil tidak bukan không δεν μην όχι אין לא ללא नहीं न ما
    """.split()
)
# Words that deny what they have behind "to": who refused to sign has not signed.
_UNWILLING: Final = frozenset(
    """
    refuse refuses refused refusing fail fails failed failing decline declines declined forgot forgets neglect neglects
    neglected unable unwilling reluctant omitted ceased ceases
    """.split()
)
_MAY_DENY: Final = _DENYING | _UNWILLING
# Words that make more, or a bound, of the negator before them: "not only", "nicht nur", "no more than".
_ONLY: Final = frozenset("only just nur seulement solo sólo solamente soltanto alleen только".split())
_MORE: Final = frozenset("more less later longer fewer sooner mehr weniger länger später plus más".split())
_THAN: Final = frozenset("than als que de di dan чем".split())
# Before these a negator asks: "whether or not".
_OR: Final = frozenset("or oder ou o of или".split())
# Words of Portuguese, in which "no" is "in the", and words that tell another language from it.
_PORTUGUESE: Final = frozenset("não pelo pela são também às ao uma um em da na o os".split())
_NOT_PORTUGUESE: Final = frozenset("el la los las del y the is are of and to".split())

# Words before a name that stand before any other as well.
_ARTICLES: Final = frozenset(
    """
    der die das den dem des ein eine einer einem einen eines und oder the a an of and or le la les l d du de et el los
    las y il lo
    """.split()
) | {""}
# Names of what a statement may be ascribed to without saying whose it is.
_WRITINGS: Final = (
    r"(?:study|report|note|handbook|document|passage|source|text|article|paper|authors?|guide|manual|policy|page|record|file"
    r"|minutes|notice|researchers?|survey|analysis|website|brochure|leaflet|memo|letter|contract|instructions)s?"
)
_SCHRIFTEN: Final = (
    r"(?:studie|berichts?|handbuchs?|dokuments?|texte?s?|artikels?|quelle|notiz|richtlinie|protokolls?|autoren|vertrags?"
    r"|anleitung|merkblatts?|umfrage)"
)
_ECRITS: Final = (
    r"(?:rapport|étude|document|texte|note|guide|article|manuel|informe|estudio|documento|texto|nota|manual|artículo"
    r"|rapporto|studio|testo|manuale|articolo)"
)
# Takes who or what a statement is ascribed to, at its beginning; linear: anchored, a few words, each bounded.
_ASCRIBED: Final = re.compile(
    rf"\s*(?:(?:according to|as (?:stated|noted|described|reported|set out) in|as per|based on|in|per)"
    rf" (?:the|this|that|its|our)"
    rf" (?-i:(?:[a-z-]{{1,20}} ){{0,2}}?){_WRITINGS},? "
    rf"|(?:the|this) (?-i:(?:[a-z-]{{1,20}} ){{0,2}}?){_WRITINGS} (?:also )?"
    r"(?:says?|states?|notes?|reports?|explains?|mentions?|shows?|finds?|found|said|stated|noted|reported|indicates?)"
    r" that "
    rf"|(?:the|this) {_WRITINGS} (?:says?|states?|notes?|said|stated|noted):? (?!(?:nothing|little|so|more|much)\b)"
    rf"|(?:laut|gemäß|nach) (?:der|dem|den|des|diesem|dieser)? ?{_SCHRIFTEN},? "
    rf"|(?:die|der|das) {_SCHRIFTEN} (?:besagt|sagt|zeigt|berichtet|erklärt), dass "
    rf"|(?:selon|d['’]après|según|secondo) (?:le |la |les |l['’]|el |il |lo )?{_ECRITS},? "
    r"|(?:根据|根據|据|依据)(?:该|本|这份)?(?:研究|报告|報告|手册|文件|文章|资料|合同)(?:显示|指出|的规定)?[,，]?)",
    re.IGNORECASE,
)
# The same behind the statement; linear: anchored by its first words, a few bounded ones up to the end.
_ASCRIBED_AFTER: Final = re.compile(
    rf",? (?:according to|as (?:stated|noted|described|reported) in) (?:the|this|that)"
    rf" (?-i:(?:[a-z-]{{1,20}} ){{0,2}}?){_WRITINGS}(?=\W*\Z)",
    re.IGNORECASE,
)

# --- Stems ---

_IRREGULAR: Final = {
    word: stem
    for line in """
        pay paid; keep kept; leave left; send sent; hold held; sell sold; buy bought; build built; begin began begun;
        choose chose chosen; write wrote written; lose lost; win won; meet met; people person persons; child children;
        grow grew grown; rise rose risen; fall fell fallen; find found; teach taught; think thought; bring brought;
        spend spent; drive drove driven; speak spoke spoken; break broke broken; man men; woman women; study studies;
        analysis analyses; hypothesis hypotheses; become became; show shown; know knew known; lead led; cost costs
        """.split(";")
    for stem, *words in [line.split()]
    for word in words
}
# Endings, each with what stands in its place and how many letters must be left.
_ENDINGS: Final = (
    ("isations", "is", 3),
    ("isation", "is", 3),
    ("ations", "", 5),
    ("ation", "", 5),
    ("ements", "", 4),
    ("ement", "", 4),
    ("ments", "", 4),
    ("ment", "", 4),
    ("nesses", "", 4),
    ("ness", "", 4),
    ("ically", "ic", 3),
    ("ingly", "", 4),
    ("edly", "", 4),
    ("ings", "", 3),
    ("ing", "", 3),
    ("sses", "ss", 2),
    ("ches", "ch", 2),
    ("shes", "sh", 2),
    ("xes", "x", 2),
    ("ies", "y", 2),
    ("ied", "y", 2),
    ("ly", "", 4),
    ("ed", "", 3),
    ("s", "", 3),
)
_LONG: Final = 8
_SHORT: Final = 4
_WINDOW: Final = 6
"""Code points before a word that tell whether it opens a sentence."""


def stem(word: str) -> str:
    """Return the stem of a word in small letters, "" for one that says nothing of a topic.

    English endings are taken off words of ASCII; of other words the last letters, as far as they are long.
    """
    word = word[:_LONGEST_WORD].replace("’", "'")
    if not word.isascii():
        word = _OPTIONAL.sub("", unicodedata.normalize("NFKC", word))
    if word.endswith(("'s", "n't")):
        word = word[:-2] if word.endswith("'s") else ""
    if word in STOP_WORDS or word in _DENYING or not word:
        return ""
    elided, _, rest = word.partition("'")
    if rest and len(elided) <= 2:  # noqa: PLR2004 - l'eau, qu'elle
        return stem(rest)
    if word in _IRREGULAR:
        return _english(_IRREGULAR[word])
    if not word.isascii():
        return word[:-2] if len(word) >= _LONG else word[:-1] if len(word) >= _LONG - 2 else word
    return _english(word)


def _english(word: str) -> str:
    if len(word) < _SHORT or not word.isalpha():
        return word
    word = word.replace("iz", "is") if "iz" in word[2:] else word
    for ending, instead, left in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= left:
            if ending == "s" and word.endswith(("ss", "us", "is")):
                break
            word = word[: len(word) - len(ending)] + instead
            if not instead and len(word) > _SHORT - 1 and word[-1] == word[-2] and word[-1] not in "lsz":
                word = word[:-1]
            break
    if len(word) > _SHORT and word.endswith("our"):
        word = f"{word[:-3]}or"
    if len(word) >= _SHORT and word[-1] == "e":
        word = word[:-1]
    return f"{word[:-1]}i" if len(word) >= _SHORT and word[-1] == "y" else word


class _Stems(dict[str, str]):
    """Words to their stems, worked out once: texts say the same words again and again."""

    def __missing__(self, word: str) -> str:
        if len(self) >= _REMEMBERED:
            self.clear()
        self[word] = found = stem(word)
        return found


STEMS: Final = _Stems()
_stem_of: Final = STEMS.__getitem__


def words_of(text: str) -> list[str]:
    """Return the words of `text` in small letters, in order; of scripts without spaces, runs."""
    if not text.isascii():
        for mark, plain in _TYPOGRAPHY:
            text = text.replace(mark, plain)
    if text.isascii():
        return _ASCII_WORD.findall(text.lower())
    return _WORD.findall(text.casefold())


def unascribed(text: str) -> str:
    """Return a statement without "according to the report" and the like, where anything is left of it."""
    found = _ASCRIBED.match(text)
    rest = text[found.end() :] if found is not None else text
    if "according to " in rest or " as " in rest:
        rest = _ASCRIBED_AFTER.sub("", rest)
    return rest if any(char.isalnum() for char in rest) else text


def is_wide(text: str) -> bool:
    """Tell whether a text has letters of a script without spaces."""
    return not text.isascii() and _WIDE.search(text) is not None


def stems_of(words: Sequence[str], *, wide: bool) -> list[str]:
    """Return what words can be found by, in order, each once: stems, and, in a `wide` text, pairs of characters."""
    if wide:
        return list(dict.fromkeys(stem for word in words for stem in _stems(word)))
    found = dict.fromkeys(map(_stem_of, words))
    found.pop("", None)
    return list(found)


def _stems(word: str) -> Iterable[str]:
    if _WIDE.match(word) is not None:
        return pairs_of(word)
    return (stem,) if (stem := _stem_of(word)) else ()


def pairs_of(run: str) -> Iterator[str]:
    """Yield the pairs of characters of a run without spaces, or its one character; none that are grammar alone."""
    if len(run) == 1:
        yield run
    for at in range(len(run) - 1):
        pair = run[at : at + 2]
        if not ("\u3040" <= pair[0] <= "\u309f" and "\u3040" <= pair[1] <= "\u309f"):
            yield pair


def unheld(run: str, held: Container[str]) -> str:
    """Return the first two or more characters in a run that no pair in `held` touches, "" where there are none."""
    if len(run) < 2:  # noqa: PLR2004 - no pair
        return ""
    free = [True] * len(run)
    for at in range(len(run) - 1):
        pair = run[at : at + 2]
        if pair in held or ("\u3040" <= pair[0] <= "\u309f" and "\u3040" <= pair[1] <= "\u309f"):
            free[at] = free[at + 1] = False
    for at in range(len(run) - 1):
        if free[at] and free[at + 1]:
            end = next((end for end in range(at, len(run)) if not free[end]), len(run))
            return run[at:end]
    return ""


def related(one: str, other: str) -> bool:
    """Tell whether two stems may be of one word: a long common beginning, and little behind it."""
    if one[:_SHARED] != other[:_SHARED]:
        return False
    shared = _SHARED
    for a, b in zip(one[_SHARED:], other[_SHARED:], strict=False):
        if a != b:
            break
        shared += 1
    rests = sorted((len(one) - shared, len(other) - shared))
    return len(one) > _SHARED < len(other) and rests[0] <= 1 and rests[1] <= _TAIL


def beginning(of: str) -> str:
    """Return what related stems have in common."""
    return of[:_SHARED]


# --- Names ---


def names_of(text: str) -> tuple[dict[str, str], tuple[str, str] | None]:
    """Return the names of a text, stem to the word as written, and its first word where that may be one.

    A name begins with a capital inside a sentence, or has one, or a digit, inside the word. Where nouns do too
    (German), only the second counts; so it is in a title, whose words all begin with one.
    """
    shouted = text.isupper() and text.count(" ") > 1
    found: dict[str, str] = {}
    plain: dict[str, str] = {}
    first: tuple[str, str] | None = None
    small = 0
    german = False
    for match in _CASED.finditer(text):
        word = match.group()
        folded = word.casefold()
        if word == folded:
            small += 1
            german = german or folded in NAME_WRITERS
        elif root := _stem_of(folded):
            if (word[1:] != folded[1:] and not shouted) or not word.isalpha():
                found[root] = word
            elif shouted:
                continue
            elif not opens_sentence(text, match.start()):
                plain[root] = word
            elif match.start() < _SHORT:
                first = (root, word)
    if german:
        return found, None
    return (found | plain if len(plain) <= max(small, 1) else found), first


def opens_sentence(text: str, at: int) -> bool:
    """Tell whether the word at code point `at` is the first of a sentence."""
    before = text[max(0, at - _WINDOW) : at]
    return _OPENS.search(before) is not None and _TITLE.search(before) is None


def in_frames(text: str) -> Iterator[tuple[str, str, list[tuple[str, str]]]]:
    """Yield the words with a capital: stem, word as written, and the places of a statement that it stands in.

    Two words stand in the same place beside a same word that is no article, or between two same ones.
    """
    words = [match.group() for match in _CASED.finditer(text)]
    folded = ["", *map(str.casefold, words), ""]
    for at, word in enumerate(words):
        if word != folded[at + 1] and (root := _stem_of(folded[at + 1])):
            before, behind = folded[at], folded[at + 2]
            frames = [(before, behind)]
            # Marks stand where another place has a word, so that no two kinds are taken for each other.
            if before not in _ARTICLES:
                frames.append((before, ">"))
            if _stem_of(behind):
                frames.append(("<", behind))
            yield root, word, frames


def capitalised(text: str) -> dict[str, str]:
    """Return the words of a sentence that begin with a capital, stem to the word as written."""
    return {
        root: match.group()
        for match in _CASED.finditer(text)
        if match.group()[0].isupper() and (root := _stem_of(match.group().casefold()))
    }


def initials_of(text: str) -> str:
    """Return the capitals with which the words of a text begin, in order."""
    return "".join(match.group()[0] for match in _CASED.finditer(text) if match.group()[0].isupper())


# --- What is denied ---


class Denial(NamedTuple):
    """A negator and the stems of what it denies; `at` and `places` are their code points, as far as these are known.

    `seam` are the stems that a text with and one without it do not share.
    """

    negator: str
    stems: set[str]
    at: int = -1
    places: tuple[int, ...] = ()
    seam: frozenset[str] = frozenset()


def may_deny(words: Iterable[str]) -> bool:
    """Tell whether `denied_in` can find anything in a text with these words: most sentences deny nothing."""
    return any(word in _MAY_DENY or word.endswith("n't") or not word.isascii() for word in words)


def denied_in(text: str) -> list[Denial]:
    """Return what is denied in a text, negator by negator: the words behind each, within a few of its clause."""
    folded = text.casefold().replace("’", "'")
    is_ascii = folded.isascii()
    matches = list((_ASCII_CLAUSED if is_ascii else _CLAUSED).finditer(folded))
    words = [match.group() for match in matches]
    denying = _DENYING - {"no"} if _is_portuguese(words) else _DENYING
    reached: list[tuple[int, list[int]]] = []
    for at, word in enumerate(words):
        if word in _UNWILLING:
            if words[at + 1 : at + 2] == ["to"]:
                reached.append((at, _reached(words, range(at + 2, min(at + 2 + _FAR, len(words))), denying)))
        elif (word in denying or word.endswith("n't")) and not _denies_nothing(words, at, denying):
            places = _reached(words, range(at + 1, min(at + 1 + _FAR, len(words))), denying)
            # German and Turkish deny at the end of the clause.
            places = places or _reached(words, range(at - 1, max(at - 1 - _FAR, -1), -1), denying)
            reached.append((at, places))
    found: list[Denial] = []
    if reached:
        # What is said of one and denied of another is not denied.
        denied = {place for _, places in reached for place in places}
        free = {_stem_of(word) for place, word in enumerate(words) if place not in denied}
        # One letter in small may be two, and then the places are others.
        known = len(folded) == len(text)
        for at, places in reached:
            stems = {_stem_of(words[place]) for place in places} - free
            starts = tuple(matches[place].start() for place in places) if known else ()
            seam = frozenset({_stem_of(words[at])} - {""})
            found.append(Denial(words[at], stems, matches[at].start() if known else -1, starts, seam))
    if not is_ascii:
        found += _denied_wide(folded)
    return [one for one in found if one.stems or one.places]


def _is_portuguese(words: Sequence[str]) -> bool:
    """Tell whether "no" is "in the" here."""
    return "no" in words and not _PORTUGUESE.isdisjoint(words) and _NOT_PORTUGUESE.isdisjoint(words)


def _denies_nothing(words: Sequence[str], at: int, denying: frozenset[str]) -> bool:
    """Tell whether a negator is none here: "not only", "no more than", "or not", "not without"."""
    before = words[at - 1] if at else ""
    after = words[at + 1] if at + 1 < len(words) else ""
    if after in _ONLY or before in _OR or before in denying or after in denying:
        return True
    return after in _MORE and at + 2 < len(words) and words[at + 2] in _THAN


def _reached(words: Sequence[str], places: range, denying: frozenset[str]) -> list[int]:
    """Return the first places of words with a stem, within their clause and up to another negator."""
    found: list[int] = []
    for place in places:
        word = words[place]
        if len(found) == _REACH or not word[0].isalnum() or word in denying:
            break
        if word[0].isdecimal() or _stem_of(word):
            found.append(place)
    return found


def _denied_wide(text: str) -> Iterator[Denial]:
    for match in _WIDE_NEGATOR.finditer(text):
        if match["no"]:
            continue
        low, high = match.start() - _BEFORE, match.start()
        if match["after"]:
            low, high = match.end(), match.end() + _SHORT
        pairs = pairs_of(text[max(0, low) : high])
        before, behind = text[max(0, match.start() - 1) : match.start()], text[match.end() : match.end() + 1]
        yield Denial(
            match.group(),
            {pair for pair in pairs if is_wide(pair[0]) and is_wide(pair[-1])},
            match.start(),
            tuple(range(max(0, low), high)),
            frozenset((*pairs_of(before + match.group() + behind), before + behind)),
        )
