"""Words that are each other's contrary, and words of a scale (all, most, some, few): which sense a sentence has."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from pincite.checking._terms import STEMS, Denial, is_wide, pairs_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

# A line is a pair; those with "~" have two sides that change places with their verb: who buys and who sells.
_CONTRARIES: Final = """
increase increased increases increasing rise rises rose risen rising grow grows grew grown growing climb climbed gained
    raise raises raised raising steigen steigt stieg stiegen gestiegen steigern steigert steigerte gesteigert erhöht
    erhöhen erhöhte erhöhten wächst wuchs zunahme anstieg augmente augmenté augmenter aumenta aumentó aumentar вырос
    выросла увеличился увеличилась
/ decrease decreased decreases decreasing fall falls fell fallen falling decline declined declines declining drop drops
    dropped dropping shrank shrunk lower lowers lowered lowering cut cuts reduce reduces reduced reducing sinken sinkt
    sank sanken gesunken gesenkt senken senkt senkte senkten verringert verringern verringerte abnahme rückgang diminue
    diminué diminuer baisse baissé disminuye disminuyó disminuir снизился снизилась упал упала
allow allows allowed permit permits permitted erlaubt gestattet zulässig autorisé permis permitido разрешено
/ forbid forbids forbidden prohibit prohibits prohibited ban banned verboten untersagt unzulässig interdit prohibido
    запрещено
accept accepted accepts approve approved approves genehmigt angenommen accepté approuvé aceptado aprobado
/ reject rejected rejects refuse refused refuses deny denied denies abgelehnt rejeté refusé rechazado
include includes included including enthalten inbegriffen inclus incluido
/ exclude excludes excluded excluding ausgeschlossen exclu excluido
mandatory compulsory obligatory required obligatorisch verpflichtend obligatoire obligatorio
/ optional voluntary freiwillig facultatif volontaire voluntario opcional
safe sicher sûr seguro
/ unsafe dangerous gefährlich dangereux peligroso
legal lawful
/ illegal unlawful
possible möglich
/ impossible unmöglich
effective wirksam efficace
/ ineffective unwirksam inefficace
maximum maximal
/ minimum minimal
win wins won gewonnen gewinnt gewann
/ lose loses lost verloren verliert verlor
~ buy buys bought purchase purchased purchases kauft kaufte kauften kaufen gekauft acheté achète compró
/ sell sells sold verkauft verkaufte verkauften verkaufen vendu vend vendió
open opened opens opening geöffnet offen öffnet öffnete öffnen eröffnet eröffnete eröffnen ouvert ouvre ouverte abierto
/ closed closes close closing shut geschlossen schließt schloss schließen fermé ferme fermée cerrado
enable enabled enables
/ disable disabled disables
succeed succeeded success
/ fail failed fails failure
work works worked working function functions functioned funktioniert fonctionne funciona
/ fail failed fails failing broken defekt versagt
positive positiv
/ negative negativ
true
/ false
~ more mehr
/ fewer less weniger
~ most meisten
/ least wenigsten
~ higher höher höhere höheren höherer höheres
/ lower niedriger niedrigere niedrigeren geringer geringere geringeren tiefer
~ better besser bessere besseren mieux meilleur meilleure mejor
/ worse schlechter schlechtere schlechteren pire peor
well gut bien
/ badly poorly schlecht
good gut gute guten guter
/ bad poor schlecht schlechte schlechten schlechter
best beste besten bester
/ worst schlechteste schlechtesten
~ larger bigger greater größer größere größeren
/ smaller kleiner kleinere kleineren
~ longer länger
/ shorter kürzer
~ faster quicker schneller
/ slower langsamer
~ older älter
/ younger jünger
~ earlier früher
/ later später
~ stronger stärker
/ weaker schwächer
~ above oberhalb
/ below unterhalb
highest höchste höchsten höchster
/ lowest niedrigste niedrigsten
largest biggest größte größten
/ smallest kleinste kleinsten
always immer toujours siempre sempre всегда
/ never nie niemals jamais nunca никогда
mindestens wenigstens minimum
/ höchstens maximal maximum
"""
_WIDE_CONTRARIES: Final = """
增长 增加 上升 上涨 增大 增多 提高 提升 增長 上漲 増加 上昇 増大 증가 상승 늘었
    / 下降 减少 下跌 降低 减小 下滑 減少 下落 低下 감소 하락 줄었
开放 开业 打开 开门 开启 開放 開業 営業 / 关闭 停业 关门 關閉 閉鎖 休業 閉館
允许 准许 许可 許可 允許 허용 / 禁止 不准 严禁 금지
最多 至多 最高 最大 최대 / 最少 至少 最低 最小 최소
接受 批准 同意 承認 승인 / 拒绝 驳回 反对 拒絕 拒否 却下 거부
买入 购买 购入 購入 / 卖出 出售 售出 販売 売却
包括 包含 含む / 不含 除外 排除
高于 多于 大于 / 低于 少于 小于
上午 午前 오전 / 下午 午後 오후
安全 / 危险 危険
成功 성공 / 失败 失敗 실패
必须 必須 / 可选
合法 / 非法 违法
盈利 / 亏损
进口 輸入 / 出口 輸出
更多 更高 更好 更大 / 更少 更低 更差 更小
以上 / 以下
"""
# Words of one scale, the most first; a claim that says more than its source is not borne out.
_SCALES: Final = """
all every each alle allen alles sämtliche jeder jede jedes tous toutes todos todas tutti tutte все всех
/ most majority meisten mehrheit plupart mayoría maggior большинство
/ many viele vielen numerous zahlreiche beaucoup muchos muchas molti molte многие
/ some several einige einigen manche manchen mehrere certains certaines quelques
    algunos algunas alcuni alcune некоторые
/ few wenige wenigen peu pocos pocas pochi poche немногие
; must shall obliged muss müssen doit doivent debe deben deve devono должен должны
/ may might can could optionally darf dürfen kann können peut peuvent puede pueden può possono может могут
"""
_WIDE_SCALES: Final = """
所有 全部 全体 每个 すべて 全て 모든 모두 / 大多数 大部分 多数 대부분 / 许多 很多 多くの
    / 一些 部分 有些 一部 일부 / 少数 极少 소수
; 必须 应当 必須 / 可以 可能
"""
_FEW, _MANY = 5, 3
_QUANTITIES: Final = 0


def _pairs(table: str) -> list[tuple[list[str], list[str], bool]]:
    lines = table.casefold().replace("\n    ", " ").replace("\n/", " /").strip().splitlines()
    split = [line.partition("/") for line in lines]
    return [(left.replace("~", "").split(), right.split(), left.startswith("~")) for left, _, right in split]


_PAIRS: Final = [*_pairs(_CONTRARIES), *_pairs(_WIDE_CONTRARIES)]
CONVERSE: Final = frozenset(number for number, (_, _, turns) in enumerate(_PAIRS) if turns)
"""Pairs whose two words say the same when what stands around them changes places."""


def _senses_of_words() -> dict[str, list[tuple[int, int]]]:
    found: dict[str, list[tuple[int, int]]] = {}
    for number, (left, right, _) in enumerate(_PAIRS):
        for side, words in ((1, left), (-1, right)):
            for word in words:
                found.setdefault(word, []).append((number, side))
    return found


CONTRARIES: Final = _senses_of_words()
"""Words to the numbers of their pairs of senses, and which of the two they are (1 or -1)."""


def _levels() -> dict[str, tuple[int, int]]:
    return {
        word: (scale, level)
        for table in (_SCALES, _WIDE_SCALES)
        for scale, line in enumerate(table.casefold().split(";"))
        for level, words in enumerate(line.split("/"), start=1)
        for word in words.split()
    }


_LEVELS: Final = _levels()


def _finder(words: Iterable[str]) -> re.Pattern[str]:
    """Take those of `words` that are written without spaces around them, the longest first; linear: a list."""
    return re.compile("|".join(sorted((word for word in words if is_wide(word)), key=len, reverse=True)))


_WIDE_WORD: Final = _finder([*CONTRARIES, *_LEVELS])


class Sense(NamedTuple):
    """Which of two contrary senses a text has, the word that says so, and the stems that the word is part of.

    `beside` are the stems right behind a word that has none of its own ("more"): it is said of them.
    """

    sign: int
    word: str
    stems: frozenset[str]
    beside: frozenset[str] = frozenset()

    def is_of(self, other: Sense) -> bool:
        """Tell whether both are said of the same."""
        return not self.beside or not other.beside or not self.beside.isdisjoint(other.beside)


def wide_words(text: str) -> dict[str, frozenset[str]]:
    """Return the words with a contrary that stand in a text without spaces, with the pairs of characters they touch."""
    if not is_wide(text):
        return {}
    return {
        match.group(): frozenset(pairs_of(text[max(0, match.start() - 1) : match.end() + 1]))
        for match in _WIDE_WORD.finditer(text)
    }


def senses_of(
    words: Sequence[str], wide: dict[str, frozenset[str]], denials: Iterable[Denial]
) -> dict[int, Sense]:
    """Return the pairs of contrary senses of which a text has one, a denied one being the other.

    `words` are its words in small letters, in order, `wide` those of `wide_words`.
    """
    found: dict[int, Sense] = {}
    both: set[int] = set()
    for word in sorted((set(words) | wide.keys()) & CONTRARIES.keys()):
        stems = wide.get(word) or frozenset({STEMS[word]})
        for pair, side in CONTRARIES[word]:
            beside = frozenset[str]() if any(stems) else _beside(words, word)
            sense = Sense(-side if negator_of(denials, word) else side, word, stems, beside)
            if found.setdefault(pair, sense).sign != sense.sign:
                both.add(pair)
    return {pair: sense for pair, sense in found.items() if pair not in both}


def _beside(words: Sequence[str], word: str) -> frozenset[str]:
    """Return the stems right behind a word, wherever it stands."""
    found = {STEMS[behind] for one, behind in pairwise(words) if one == word}
    return frozenset(found - {""})


def negator_of(denials: Iterable[Denial], word: str) -> str:
    """Return the negator of a word, "" where it has none."""
    stems = set(pairs_of(word)) if is_wide(word) else {STEMS[word]}
    return next((one.negator for one in denials if stems <= one.stems), "")


def levels_of(words: Iterable[str], wide: Iterable[str]) -> dict[int, tuple[int, str]]:
    """Return the scales of which a text has one level alone, to that (1 is the most) and its word."""
    found: dict[int, tuple[int, str]] = {}
    several: set[int] = set()
    for word in sorted((set(words) | set(wide)) & _LEVELS.keys()):
        scale, level = _LEVELS[word]
        if found.setdefault(scale, (level, word))[0] != level:
            several.add(scale)
    return {scale: level for scale, level in found.items() if scale not in several}


def says_more(scale: int, said: int, there: int) -> bool:
    """Tell whether a claim's level of a scale does not follow from its source's."""
    # Who may is not who must, and few are fewer than some; but what all do, some do.
    return said != there and (said < there or scale != _QUANTITIES or said == _FEW)


def excludes(scale: int, said: int, there: int) -> bool:
    """Tell whether one level leaves no room for the other: few and most, must for may."""
    if scale != _QUANTITIES:
        return said < there
    return _FEW in {said, there} and min(said, there) <= _MANY
