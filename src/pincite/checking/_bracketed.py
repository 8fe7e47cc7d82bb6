"""Words that somebody has put into a quote in brackets: what they stand for, and whether they say the same.

Brackets are typographic where they stand for nothing of the source, for a word that carries no meaning of its own, or
for the same word in another form. All words are folded.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rapidfuzz.distance import Prefix

from pincite.checking._cut_words import ABOUT, DENYING, THAT
from pincite.checking._stop_words import STOP_WORDS
from pincite.checking._wording import tokens
from pincite.core.fold import UNSPACED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pincite.core.fold import Folded

# Words of the source that a bracketed insertion may stand for.
_REPLACED = 6
_PRONOUNS = frozenset(
    """
    i me my mine myself you your yours yourself he him his himself she her hers herself it its itself we us our ours
    ourselves they them their theirs themselves this that these those who whom whose which one there
    ich mich mir mein meine meinen meinem meiner du dich dir dein deine er ihn ihm sein seine seinen seinem seiner es
    sie ihr ihre ihren ihrem ihrer uns unser unsere unseren euch sich dies dieser diese dieses diesen diesem
    je j tu il elle ils elles nous vous on moi toi lui leur leurs eux mon ma mes ton ta tes son sa ses notre nos votre
    vos ce cet cette ces ceci cela celui celle ceux celles
    yo tú él ella ello ellos ellas nosotros vosotros usted ustedes lo mi mis tu tus su sus nuestro nuestra nuestros este
    esta esto estos estas ese esa eso esos esas
    io lui lei loro noi voi mio mia miei suo sua suoi sue nostro nostra questo questa questi queste quello quella
    eu ele ela eles elas nós você vocês meu minha seu sua seus suas nosso nossa isto isso este esta esse essa
    ik hij zij ze wij we jij jullie hem haar hun mijn zijn onze ons deze dit die dat
    я ты он она оно мы вы они его её ее их ему ей им меня мой моя мои наш наша наши свой своя свои этот эта это эти
    ja ty on ona ono my wy oni one jego jej ich mój moja nasz nasza ten ta to te tego tej
    αυτός αυτή αυτό αυτοί αυτές εγώ εσύ εμείς εσείς του της τους μου σου μας σας
    o bu şu onlar onun onların ben biz sen siz
    هو هي هم هما هن أنا نحن أنت هذا هذه ذلك تلك הוא היא הם הן אני אנחנו זה זאת אלה वह वे यह ये मैं हम उसने उन्होंने
    그 그녀 그들 우리 나 저 이 我 你 您 他 她 它 们 們 其 该 該 此 这 這 那 彼 女 私 これ それ
    """.split()
)
"""Words that stand for others, and those that only point."""

_EMPTY = _PRONOUNS | frozenset(
    """
    the a an is are was were be been being am has have had having do does did will would shall
    der die das den dem des ein eine einen einem einer eines ist sind war waren hat haben hatte hatten wird werden wurde
    le la les l un une des du est sont était étaient a ont avait avaient
    el los las un una unos unas es son era eran fue fueron ha han había
    il i gli uno è sono era erano ha hanno aveva
    o os as um uma uns umas é são era eram foi foram
    de het een is zijn was waren heeft hebben had werd
    был была было были jest są był była było byli byly ο η το οι τα τον την
    """.split()
)
"""These, articles, and words that only say when something is."""

# Words that say that there is more of something than there was.
_ALL = frozenset(
    "all every each everyone everybody everything always both alle alles allen jeder jede jedes immer tous toutes tout"
    " toujours todos todas siempre tutti tutte sempre todo 都 全 所 皆 все всё всегда wszyscy wszystkie zawsze".split()
)
_DENIED = re.compile(
    r"lies?|lied|lying|scams?|hoax\w*|frauds?|fraudulent\w*|fake\w*|sham|bogus|purported\w*|supposed\w*|ostensibl[ey]"
    r"|alleg\w+|baseless\w*|nonsense|invented|fabricat\w+|wrongful\w*|fals\w+|untrue|incorrect\w*|mistaken\w*"
    r"|l\u00fcg\w+|gelogen\w*|betrug\w*|erfunden\w*|vorgeblich\w*|angeblich\w*|f\u00e4lschlich\w*"
    r"|mensong\w+|pr\u00e9tend\w*|fauss\w+|mentir\w*|supuest\w+|presunt\w+|fals[ao]mente|menzogn\w*|bugi\w+"
    r"|leugen\w*|zogenaamd\w*|\u044f\u043a\u043e\u0431\u044b|k\u0142amst\w*|rzekom\w*"
)
# The same in scripts without spaces, and of several words.
_DENIED_PHRASE = re.compile(
    "so-called|sogenannt|soi-disant|\u8c0e|\u8b0a|\u9a97|\u9a19|\u865a\u5047|\u636e\u79f0|\u64da\u7a31|\u6240\u8c13|\u6240\u8b02|\u5426\u8ba4|\u5426\u8a8d|\u5618"
    "|\uac70\uc9d3|\ud5c8\uc704"
)
# Endings that one word may have instead of another; a pair of them is a form of the same word.
_ENDING = re.compile(
    r"|s|es|'s|ed|d|ing|ings|e|en|n|em|t|te|ten|tet|st|est|\u00e9e?s?|ent|ait|[\u0430\u0435\u0438\u043e\u0443\u044b\u044e\u044f\u0439\u044c\u043c\u0445\u0432]{1,3}"
)
_LEAST_STEM = 3
# What an editor says of a quote and not in it.
_EDITOR = re.compile(
    r"(?:sic|emphas[ie]s|italics|original|hervorhebung|soulign\w+|cursiva|\u00e9nfasis|corsivo|nadruk|note|translation)(?!\w)"
)
_HAN = re.compile(f"[{UNSPACED}]")
_STOPS = frozenset(".!?;:,\u3002\u2026")
_BEFORE = re.compile(r"(\S+)\s\Z")
_LONGEST = 40


def words_of(text: str) -> list[str]:
    """Return the folded words of what stands in brackets."""
    return [found.group().lower() for found in tokens(text).finditer(text)]


def denies(text: str, put: Sequence[str]) -> bool:
    """Say whether words in brackets turn round what stands behind them: `it is a lie that`, `falsely`."""
    if len(put) > 1 and put[-1] in THAT - {"at"}:
        return True
    return _DENIED_PHRASE.search(text.lower()) is not None or any(
        _DENIED.fullmatch(word) is not None or DENYING.fullmatch(word) is not None for word in put
    )


def limits_number(put: Sequence[str], text: str, place: int) -> bool:
    """Say whether words in brackets, which stood at `place` of a folded quote, limit a number: `about [over] 30`."""
    return bool(put) and put[-1] in ABOUT and text[place : place + 2].lstrip()[:1].isdigit()


def says_other(put: Sequence[str], gone: Sequence[str]) -> bool:
    """Say whether words in brackets say something else than the words of the source in their place."""
    if not gone:
        return not _ALL.isdisjoint(put) and (_ALL | _EMPTY).issuperset(put)
    if list(put) == list(gone):
        return False
    if len(gone) > _REPLACED or not (ABOUT.isdisjoint(gone) and ABOUT.isdisjoint(put)):
        return True
    if not _ALL.isdisjoint(put) and _ALL.isdisjoint(gone):
        return True
    if _PRONOUNS.issuperset(put):
        return False
    meant = [word for word in gone if word not in _EMPTY]
    return not all(any(is_form(word, other) for other in put) for word in meant)


def is_form(one: str, other: str) -> bool:
    """Say whether two words are forms of one: `expire` and `expired`."""
    if one == other:
        return True
    stem = one[: Prefix.similarity(one, other)]
    if len(stem) < _LEAST_STEM:
        return False
    first, second = one[len(stem) :], other[len(stem) :]
    if {first, second} in ({"y", "ies"}, {"y", "ied"}, {"ies", "ied"}):
        return True
    return all(
        _ENDING.fullmatch(rest) is not None or (rest[:1] == stem[-1] and rest[1:] in ("ed", "ing", "en"))
        for rest in (first, second)
    )


def replaced_at_edge(
    text: str, place: int, quote: Folded, source: Folded, span: tuple[int, int]
) -> list[str]:
    """Return the words of the source right beside `span`, where the quote stands, that an insertion stands for.

    `place` is where in the fold of the quote the insertion stood. None where it stands in the middle of the quote, or
    adds to it and replaces nothing.
    """
    put = words_of(text)
    if _EDITOR.search(text.lower()) is not None or STOP_WORDS.issuperset(put):
        return []
    if not any(map(str.isalnum, quote.text[:place])):
        return [] if text.rstrip()[-1:] in _STOPS else _in_front(put, source, span[0])
    if any(map(str.isalnum, quote.text[place:])):
        return []
    behind = _behind(source, span[1])
    if not behind:
        return []
    last = words_of(quote.text[max(0, place - _LONGEST) : place])[-1:]
    if _HAN.match(behind[0]):
        return []
    is_number = put[0][:1].isdigit() and behind[0][:1].isdigit()
    first = source.cased[span[1] :].lstrip()[:1] if span[1] < len(source.cased) else ""
    are_names = first.isupper() and text.lstrip()[:1].isupper()
    return behind if is_number or are_names or STOP_WORDS.issuperset(last) else []


def _in_front(put: Sequence[str], source: Folded, start: int) -> list[str]:
    """Return the word in front of `start`, in scripts without spaces as many letters as were put there."""
    text = source.text[max(0, start - _LONGEST) : start]
    if _HAN.match(text[-1:]):
        letters = re.findall(r"\w", text[-len(put) :])
        return letters if letters and letters[-1] not in _EMPTY else []
    found = _BEFORE.search(text)
    if found is None or found.group(1)[-1:] in _STOPS:
        return []
    word = words_of(found.group(1))[-1:]
    # What only leads over to the quote is replaced by nothing.
    if not word or word[0].endswith("ly") or (STOP_WORDS.issuperset(word) and ABOUT.isdisjoint(word)):
        return []
    return word


def _behind(source: Folded, end: int) -> list[str]:
    """Return the word behind `end` with its article, if it is of the same sentence."""
    text = source.text[end : end + _LONGEST]
    if text[:1] != " " or not text[1:2].isalnum() or source.text[end - 1 : end] in _STOPS:
        return []
    words = words_of(text)
    return words[: 1 + (words[0] in _EMPTY - _PRONOUNS)]
