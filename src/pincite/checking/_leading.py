"""Conditions right in front of a quote, in its sentence: `If the tenant agrees,`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pincite.checking._cut_words import AMBIGUOUS

if TYPE_CHECKING:
    from collections.abc import Callable

    from pincite.core.fold import Folded

# What is said of saying something, and is no condition of it.
_SAID = (
    "i (?:recall|remember|may|understand|am not mistaken|read)|i'm not mistaken|memory serves"
    "|you (?:ask me|will|like|please)|truth be told|we are honest"
)
# What a clause begins with that is a condition, and what may stand in front of it. One word or a few in turn: linear.
_IF = re.compile(
    r"(?:\(?[a-z0-9]{1,3}\) )?"
    r"(?:and |or |but |that |then |only |und |aber |nur |et |mais |y |pero |e |ma |mas |en |maar |и |но |i |a )?"
    r"(?P<word>"
    rf"if(?! (?:anything|only|{_SAID})(?!\w))|unless|supposing|assuming|except(?:ing)?|barring|lest"
    r"|provided(?! (?:with|by|for|in)(?!\w))|providing (?:that|you|he|she|they|we|it|i|there)|subject to"
    r"|(?:as|so) long as|in case|in the event|on (?:the )?condition"
    r"|wenn(?! (?:auch|ich mich|man so)(?!\w))|falls|sofern|soweit|solange|vorausgesetzt|es sei denn"
    r"|unter der (?:bedingung|voraussetzung)"
    r"|si(?! (?:je (?:me|ne me|puis)|l'on|mal no)(?!\w))|s'ils?|sauf|pourvu|à (?:condition|moins)|en cas"
    r"|salvo|a menos|siempre (?:que|y cuando)|a condición|en caso"
    r"|se|qualora|purché|a (?:meno|condizione)|nel caso"
    r"|caso|desde que|exceto"
    r"|als|indien|mits|tenzij|op voorwaarde"
    r"|если|при условии|jeśli|jeżeli|gdyby|pod warunkiem|o ile|chyba że|якщо|pokud|jestliže"
    r"|αν|εάν|εφόσον|eğer|إذا|لو|في حال|אם|यदि|अगर|om|hvis|dersom|dacă|nếu|jika|jos|만약|만일"
    r")(?!\w)"
)
# The same, with a capital alone: nothing else tells it from a verb.
_INVERTED = re.compile(r"(?P<word>had|were|should) [\w-]+")
# What may lead over from a condition to what it is one of.
_THEN = re.compile(r"(?:then|so|dann|so|alors|entonces|allora|então|dan|то|тогда|to|wtedy|तो) \Z")
# What goes on with something else.
_OTHERWISE = re.compile(
    r"(?:and|but|yet|or|nor|while|although|though|und|aber|oder|mais|pero|però|ma|mas|maar|но|ale)(?!\w)"
)
_SENTENCE = re.compile(r"[.!?;:\u061f\u0964][\"')\]]{0,2} ")
# In scripts without spaces: from the word that begins the condition, or at the ending that makes one, to a comma.
# Bounded, and none crosses a comma.
_UNSPACED_IF = re.compile(
    r"(?:\A|[\u3002\uff01\uff1f!?;:,\u3001\"' ])"
    r"(?P<word>(?:如果|假如|假使|倘若|倘|若(?![干無无])|只要|除非|只有|要是|万一|萬一|一旦|但凡"
    r"|如(?![图圖下上前今此何同表期]))[^\u3002\uff01\uff1f!?;,\u3001\n]{1,60})[,\u3001](?:则|則|那么|那麼|就|才|便)?\Z"
    r"|(?P<ending>[^\u3002\uff01\uff1f!?;,\u3001\n]{1,60}"
    r"(?:なら|ならば|(?<![例と])[れけせてねめげべ]ば|たら|場合|場合は|場合には|限り"
    r"|(?<![种種此])(?:情况|情況)下|(?:前提|条件|條件)下))[,\u3001]\Z"
    r"|(?P<korean>[^.!?;,\n]{1,60}[하되으라다려우오가주치지시이](?:면|다면|라면)), ?\Z"
)
_COMMA, _UNSPACED_COMMA = ",\u060c", frozenset(",\u3001")


def condition_in_front(
    folded: Folded, quote: str, counts: Callable[[str], bool], *, is_cut: bool
) -> tuple[int, int] | None:
    """Return where in `folded`, the fold of what stands in front of a quote, a condition of the quote stands.

    `counts` says whether a word that is another in some languages counts here; `is_cut`, that the fold begins anywhere
    and at no sentence. None where the quote goes on with something else, or where another sentence stands in between.
    """
    text = folded.text
    is_unspaced = not text.isascii() and not _UNSPACED_COMMA.isdisjoint(text[-3:])
    if is_unspaced and (found := _UNSPACED_IF.search(text, int(is_cut))) is not None:
        return found.span(found.lastgroup or 0)
    front = text.rstrip("*_`\"'(")
    then = _THEN.search(front)
    front = (front if then is None else front[: then.start()]).rstrip()
    if front[-1:] not in _COMMA or not front or _OTHERWISE.match(quote.lower()) is not None:
        return None
    start = max((found.end() for found in _SENTENCE.finditer(front)), default=0)
    begin = start
    for mark in _COMMA:
        begin = max(begin, front.rfind(mark, start, len(front) - 1) + 1)
    for at in dict.fromkeys((begin, start)):
        if is_cut and at == 0:
            continue
        first = at + len(front[at:]) - len(front[at:].lstrip(" *_`\"'-"))
        found = _IF.match(front, first)
        if found is None and folded.cased[first : first + 1].isupper():
            found = _INVERTED.match(front, first)
        if found is None:
            continue
        word = found["word"]
        if word not in AMBIGUOUS or counts(word):
            return found.start("word"), len(front) - 1
    return None
