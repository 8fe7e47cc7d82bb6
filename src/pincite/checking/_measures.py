"""The words of numbers: units with what they are worth, months, multipliers, numerals. All in small letters."""

from __future__ import annotations

from typing import Final, NamedTuple


class Unit(NamedTuple):
    """A dimension, and what one of the unit is worth in the base of it."""

    dimension: str
    factor: float


_UNITS: Final = {
    "share 1": "% ％ ٪ percent prozent procent pct процент процента процентов パーセント",
    "share 0.1": "‰",
    "points 1": "pp prozentpunkt prozentpunkte prozentpunkten",
    "money $ 1": "$ us$ usd dollar dollars dólares ドル 美元",
    "money € 1": "€ eur euro euros евро يورو ユーロ 欧元",
    "money £ 1": "£ gbp pound pounds",
    "money ¥ 1": "¥ jpy yen 円 日元",
    "money 元 1": "元 块 cny rmb yuan 人民币",
    "money ₹ 1": "₹ inr rupee rupees",
    "money fr 1": "chf franken",
    "money kr 1": "kr sek nok dkk kronor kroner",
    "money ct 1": "cent cents",
    "clock 60": "uhr o'clock 点 點",
    "celsius 1": "°c ℃ celsius",
    "fahrenheit 1": "°f ℉ fahrenheit",
    "degree 1": "° degree degrees grad",
    "length 1e-9": "nm nanometre nanometres nanometer nanometers",
    "length 1e-6": "μm µm micron microns micrometre micrometres micrometer micrometers",
    "length 1e-3": "mm millimetre millimetres millimeter millimeters millimetern",
    "length 1e-2": "cm centimetre centimetres centimeter centimeters zentimeter centimètres centímetros",
    "length 1": "m metre metres meter meters metern mètre mètres metro metros метр метра метров メートル 米",
    "length 1e3": (
        "km kilometre kilometres kilometer kilometers kilometern kilomètres kilómetros километр километра километров"
        " キロメートル 公里"
    ),
    "length 1609.344": "mile miles mi",
    "length 0.3048": "ft foot feet",
    "length 0.0254": "inch inches",
    "length 0.9144": "yd yard yards",
    "area 1": "m² m2 sqm",
    "area 1e4": "ha hectare hectares hektar hectáreas",
    "area 1e6": "km² km2",
    "mass 1e-9": "ng",
    "mass 1e-6": "μg µg ug mcg microgram micrograms mikrogramm",
    "mass 1e-3": "mg milligram milligrams milligramm milligrammes miligramos",
    "mass 1": "g gram grams gramm gramme grammes gramos",
    "mass 1e3": "kg kilogram kilograms kilogramm kilo kilos кг",
    "mass 1e6": "t tonne tonnes tonnen toneladas тонн",
    "mass 453.59237": "lb lbs",
    "volume 1e-3": "ml millilitre millilitres milliliter milliliters",
    "volume 1": "l litre litres liter liters litern litros",
    "volume 1e3": "m³ m3",
    "power 1e-3": "mW milliwatt milliwatts",
    "power 1": "w watt watts",
    "power 1e3": "kw kilowatt kilowatts",
    "power 1e6": "MW megawatt megawatts",
    "power 1e9": "gw gigawatt gigawatts",
    "energy 1": "kwh",
    "energy 1e3": "mwh",
    "energy 1e6": "gwh",
    "energy 1e9": "twh",
    "calories 1": "kcal",
    "frequency 1": "hz hertz",
    "frequency 1e3": "khz",
    "frequency 1e6": "mhz",
    "frequency 1e9": "ghz",
    "data 1": "byte bytes",
    "data 1e3": "kb kilobyte kilobytes",
    "data 1e6": "mb megabyte megabytes",
    "data 1e9": "gb gigabyte gigabytes",
    "data 1e12": "tb terabyte terabytes",
    "time 1e-3": "ms millisecond milliseconds",
    "time 1": "s sec secs second seconds sekunde sekunden seconde secondes segundo segundos секунд 秒",
    "time 60": "min mins minute minutes minuten minuto minutos минут 分 分钟 分間",
    "time 3600": "h hr hrs hour hours stunde stunden heure heures hora horas ora ore час часа часов 小时 小時 時間",
    "time 86400": "d day days tag tage tagen jour jours día días giorno giorni dag dagen день дня дней 天 日間",
    "time 604800": "week weeks woche wochen semaine semaines semana semanas settimana settimane недели недель 週間",
    "months 1": "month months monat monate monaten mois mes meses mese mesi maand maanden месяца месяцев か月 个月",
    "months 12": "year years jahr jahre jahren an ans année années año años anno anni jaar год года лет 年間",
    "pressure 1": "mmhg",
    "times 1": "times mal fois veces volte раз раза",
}
UNITS: Final = {
    word: Unit(head.rpartition(" ")[0], float(head.rpartition(" ")[2]))
    for head, words in _UNITS.items()
    for word in words.split()
}
"""How a unit is written, to its dimension and worth. Of the few that differ by their capitals alone both are here."""

MULTIPLIERS: Final = {
    word: number
    for number, words in {
        1e2: "hundred hundert 百",
        1e3: "thousand thousands tausend tsd mille mil mila тысяч тысячи тыс 千 k",
        1e4: "万 萬 만",
        1e6: "million millions millionen mio millón millones milione milioni миллион миллиона миллионов млн mn m 百万",
        1e8: "億 亿 억",
        1e9: "billion billions bn milliarde milliarden mrd milliard milliards miliardi миллиард миллиардов млрд",
        1e12: "trillion trillions 兆",
    }.items()
    for word in words.split()
}

NUMBER_WORDS: Final = {
    word: number
    for number, words in {
        2: "two zwei deux dos due twee два две",
        3: "three drei trois tres tre drie три",
        4: "four vier quatre cuatro quattro четыре",
        5: "five fünf cinq cinco cinque vijf пять",
        6: "six sechs seis zes шесть",
        7: "seven sieben siete sette zeven семь",
        8: "eight acht huit ocho otto восемь",
        9: "nine neun neuf nueve negen девять",
        10: "ten zehn dix diez dieci tien десять",
        11: "eleven elf onze once undici",
        12: "twelve zwölf douze doce dodici twaalf двенадцать",
        13: "thirteen dreizehn treize trece",
        14: "fourteen vierzehn quatorze catorce",
        15: "fifteen fünfzehn quinze quince",
        16: "sixteen sechzehn",
        17: "seventeen siebzehn",
        18: "eighteen achtzehn",
        19: "nineteen neunzehn",
        20: "twenty zwanzig vingt veinte venti двадцать",
        30: "thirty dreißig trente treinta trenta тридцать",
        40: "forty vierzig quarante cuarenta сорок",
        50: "fifty fünfzig cinquante cincuenta",
        60: "sixty sechzig soixante sesenta",
        70: "seventy siebzig setenta",
        80: "eighty achtzig ochenta",
        90: "ninety neunzig noventa",
        100: "hundred hundert",
    }.items()
    for word in words.split()
    if word not in {"once", "due"}  # other words of other languages as often
}
ORDINALS: Final = {
    word: number
    for number, words in enumerate(
        """first erste ersten erster erstes erstem premier première primero primera primo prima
        second zweite zweiten zweiter zweites zweitem deuxième segunda
        third dritte dritten dritter drittes drittem troisième tercero tercera
        fourth vierte vierten vierter viertes viertem quatrième cuarta
        fifth fünfte fünften fünfter fünftes fünftem cinquième quinto quinta
        sixth sechste sechsten sechster sechstes sechstem sixième sexto sexta
        seventh siebte siebten siebter siebtes siebtem septième séptimo séptima
        eighth achte achten achter achtes achtem huitième octavo octava
        ninth neunte neunten neunter neuntes neuntem neuvième noveno novena
        tenth zehnte zehnten zehnter zehntes zehntem dixième décimo décima""".splitlines(),
        start=1,
    )
    for word in words.split()
    if word not in {"prima", "achten", "achte", "achtet"}  # other words as often
}
PARTS: Final = {
    word: number
    for number, words in {
        2: "half halves hälfte moitié mitad metà metade половина половины",
        3: "third thirds drittel tiers tercio tercios terzo terzi треть",
        4: "quarter quarters viertel quart quarts cuarto cuartos четверть",
        5: "fifth fifths fünftel cinquième cinquièmes quinto quintos",
        8: "eighth eighths achtel",
        10: "tenth tenths zehntel dixième dixièmes",
    }.items()
    for word in words.split()
}
"""What a part is called, to how many of them make the whole."""
ONES: Final = {
    "a": 1,
    "one": 1,
    "ein": 1,
    "eine": 1,
    "un": 1,
    "une": 1,
    "una": 1,
    "uno": 1,
    "die": 1,
    "der": 1,
    "la": 1,
} | {word: number for word, number in NUMBER_WORDS.items() if number < 10}  # noqa: PLR2004 - digits
"""What may count parts."""
KANJI: Final = {
    char: at for at, chars in enumerate("〇零 一 二两兩 三 四 五 六 七 八 九".split()) for char in chars
} | {
    "十": 10,
    "百": 100,
    "千": 1000,
    "万": 10_000,
    "萬": 10_000,
    "亿": 100_000_000,
    "億": 100_000_000,
}
MEASURES: Final = tuple(
    """
    个月 個月 か月 ヶ月 小时 小時 時間 分钟 分鐘 分間 星期 公里 公斤 公顷 欧元 美元 日元 週間 日間 年間
    人 元 块 円 名 位 个 個 家 天 年 月 日 次 回 岁 歲 歳 周 週 秒 米 吨 页 頁 台 辆 本 冊 张 張 所 间 間 条 條 种 種 件
    层 層 倍 度 期 届 号 章 节 節 项 項 点 點 時 时
    """.split()
)
"""What is counted by a numeral before it, in scripts without spaces; the longest first."""
NUMBERED: Final = frozenset(
    """
    version versions release v section sections chapter clause article paragraph figure table appendix abschnitt kapitel
    artikel absatz ziffer tabelle abbildung fassung chapitre alinéa versión sección capítulo versione sezione capitolo
    версия раздел глава §
    """.split()
)
"""Words before numbers of which each part counts alone: section 2.10 is not section 2.1."""
TENS: Final = {
    "twenty": 20,
    "thirty": 30,
    "forty": 40,
    "fifty": 50,
    "sixty": 60,
    "seventy": 70,
    "eighty": 80,
    "ninety": 90,
}

MONTHS: Final = {
    word: number
    for number, line in enumerate(
        """january jan januar jänner janvier enero gennaio janeiro januari января январь январе
        february feb februar février fevrier febrero febbraio fevereiro februari февраля февраль феврале
        march mar märz mars marzo março maart марта март марте
        april apr avril abril aprile апреля апрель апреле
        may mai mayo maggio maio mei мая май мае
        june jun juni juin junio giugno junho июня июнь июне
        july jul juli juillet julio luglio julho июля июль июле
        august aug août aout agosto augustus августа август августе
        september sep sept septembre septiembre settembre setembro сентября сентябрь сентябре
        october oct oktober okt octobre octubre ottobre outubro октября октябрь октябре
        november nov novembre noviembre novembro ноября ноябрь ноябре
        december dec dezember dez décembre decembre diciembre dicembre dezembro декабря декабрь декабре""".splitlines(),
        start=1,
    )
    for word in line.split()
}
"""A month's name is one beside a number."""

DATE_LEADS: Final = frozenset(
    """
    in since until from by year before after during im seit bis ab jahr vor nach en depuis desde hasta avant après
    antes nel dal dopo in sinds tot в с до после года
    """.split()
)
"""Words before a number of four digits that make a year of it."""

AT_LEAST: Final = frozenset(
    phrase.strip()
    for phrase in """
    over, above, exceeding, exceeds, exceed, least, minimum, >, ≥, after, since, from, more than, greater than,
    no less than, not less than, older than, longer than, higher than, larger than, mindestens, über, minimal, nach,
    seit, ab, mehr als, länger als, höher als, plus de, au moins, après, depuis, más de, al menos, mínimo, después de,
    desde, almeno, più di, dopo, meer dan, sinds, свыше, после, более чем, не менее, больше чем
    """.split(",")
)
"""Words before a number that make it, or what comes behind it, the least that is meant."""
AT_MOST: Final = frozenset(
    phrase.strip()
    for phrase in """
    below, under, most, maximum, <, ≤, before, until, within, less than, fewer than, up to, no more than, not more than,
    no longer than, no later than, younger than, shorter than, lower than, smaller than, höchstens, maximal, unter,
    vor, bis, innerhalb, bis zu, weniger als, nicht mehr als, kürzer als, moins de, jusqu à, au plus, avant, menos de,
    hasta, antes de, meno di, fino a, minder dan, binnen, менее, до, не более, меньше чем
    """.split(",")
)
"""The same for the most."""
TIMELY: Final = frozenset(
    phrase.strip()
    for phrase in """
    after, since, from, within, before, until, up to, no later than, nach, seit, ab, vor, bis, bis zu, innerhalb,
    binnen, après, depuis, avant, jusqu à, después de, desde, hasta, antes de, dopo, fino a, sinds, с, до, после
    """.split(",")
)
"""Bounds of a stretch: what is said to happen within 8 days is not said of one that took 5."""
WIDE_LEAST: Final = (
    "不少于",
    "不低于",
    "超过",
    "超過",
    "多于",
    "高于",
    "大于",
    "至少",
    "最少",
    "少なくとも",
    "최소",
    "적어도",
)
WIDE_MOST: Final = (
    "不超过",
    "不超過",
    "不多于",
    "不高于",
    "少于",
    "低于",
    "小于",
    "不到",
    "至多",
    "最多",
    "最大",
    "최대",
)
"""Bounds right before a number in scripts without spaces, the longer first."""
ABOUT: Final = frozenset(
    """
    about almost approximately around circa nearly roughly some ~ ≈ ca etwa rund ungefähr fast knapp gut environ presque
    aproximadamente casi cerca quasi около примерно почти
    """.split()
)
"""Words before a number that make it a rounded one."""
