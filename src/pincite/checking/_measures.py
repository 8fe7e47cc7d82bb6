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
    "money ₹ 1": "₹ inr rupee rupees",
    "money fr 1": "chf franken",
    "money kr 1": "kr sek nok dkk kronor kroner",
    "money ct 1": "cent cents",
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
    if word not in {"once", "elf", "due", "acht"}  # other words of other languages as often
}
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
ABOUT: Final = frozenset(
    """
    about almost approximately around circa nearly roughly some ~ ≈ ca etwa rund ungefähr fast knapp gut environ presque
    aproximadamente casi cerca quasi около примерно почти
    """.split()
)
"""Words before a number that make it a rounded one."""
