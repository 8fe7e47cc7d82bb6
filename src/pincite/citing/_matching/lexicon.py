"""The words that matching a sentence with a passage has to know, as tables; all folded (small, no accents).

A word that ends in `*` is a stem: it takes every word that begins with it and has a few letters more.
"""

from __future__ import annotations

from typing import Final

NEGATORS: Final = frozenset(
    """
    not no never none neither cannot nobody nothing nowhere
    nicht kein keine keinem keinen keiner keines nie niemals nichts weder niemand
    ne n non
    nunca ninguna ninguno ningun
    не нет нельзя
    لا ليس ليست لم لن غير
    niet geen nooit
    nao
    """.split()
)
"""Words that turn what their clause says into its contrary."""

LACKING: Final = frozenset("without ohne sans sin senza sem zonder без بدون دون lacking".split())
"""Words that deny only what stands next to them."""

COMPANIONS: Final = frozenset(
    """
    nor
    pas jamais aucun aucune rien personne nul
    nada nadie jamas ni
    никто ничего никогда ни никакои
    nessun nessuno nessuna niente
    """.split()
)
"""Words that only add to a negator of the same clause; alone they negate too."""

NEGATED: Final = (
    "prohibit* forbid* forbidden forbade ban banned bans disallow* unable lack lacks lacked lacking fail* refus*"
    " reject* avoid* unlikely exempt* unharmed undamaged unaffected unchanged uninjured unsafe impossible illegal"
    " unlawful impair* insufficien* inadequa* ignor*"
    " untersag* verboten* verbiet* unmoglich interdit* interdi* impossible prohib* imposible запрещ* ممنوع يمنع يحظر"
).split()
"""Words that deny without a negator: "forbidden" stands to "allowed" as "not allowed" does."""

BOUNDS: Final = frozenset(
    "only just merely simply least doubt more less later fewer earlier nur bloss lediglich"
    " seulement solo solamente soltanto только лишь".split()
)
"""After one of these a negator negates nothing: "not only", "no later than"."""

# Each line: words that say the same, in several languages where they are short of letters in common.
_SAME: Final = """
up: increas* rise rises rising risen rose grow* grew climb* surg* gain* jump* stieg* steig* wachs* wuchs zunehm*
  zunahm* gestiegen augment* hauss* aument* crec* subi* sube увелич* вырос* раст*
down: decreas* fall falls fell fallen falling declin* drop* reduc* shrink* shrank sank cut cuts lower lowered
  lowers sink* gesunken fiel* abnehm* abnahm* baiss* dimin* baj* disminu* reduj* сниз* упал* уменьш*
win: win wins won winning victor* gewann gewinn* gewonnen gagn* gano ganar
lose: lose loses lost losing loss losses defeat* verlor* verlust* verlier* perdre perdu perdi*
open: open opens opened opening reopen* offnen offnet eroffn* geoffnet ouvr* ouvert* abrir abre* abri* offen
close: close closes closed closing shut shuts schliess* schloss geschlossen ferme* ferma fermer cerr* cierr*
high: high higher highest hoch hohe hoher hochste haut haute alto alta
low: low lowest niedrig* tief* bas basse
buy: buy buys bought buying purchas* acquir* kauf* gekauft achat* achet* compr*
sell: sell sells sold selling sale sales verkauf* verkauft vend* vendu* vent*
import: import*
export: export*
north: north* nord* norte
south: south* sud* sur
east: east* ost* oriental*
west: west* occidental*
begin: begin* began begun start* launch* commenc* debut* beginn* begann empez* empiez* comenz* comienz* inici*
end: end ends ended ending finish* conclud* ceas* terminat* expir* endet* fini* termin* acab*
include: includ* contain* compris* consist*
exclude: exclud* except* without
maximum: maxim* upper
minimum: minim*
early: early earliest fruh*
late: late latest spat*
left: left links
right: right rechts
male: male males men man boys mann* hommes hombres
female: female females women woman girls frau* femmes mujeres
positive: positiv*
negative: negativ*
accept: accept* approv* agree* adopt* zugestimmt angenommen accepte* acept*
oppose: oppos* disagree* abgelehnt ablehn* refus* rechaz*
safe: safe safely safety sicher*
danger: danger* unsafe hazard* gefahr* peligr*
strong: strong* stark*
weak: weak* schwach*
morning: morning* morgens matin manana
evening: evening* abends soir
show: show* demonstrat* indicat* reveal* found find finds present* report*
need: need* requir* necessary must obligat* compulsory mandatory
use: use uses used using usage employ* utili* apply applied
build: build* built construct* erect* install* errichtet gebaut
year: year* annual* yearly jahr* jahrlich* ano anos annee* annuel* anual* سنه سنويا سنوات عام год года году лет
month: month* monthly monat* mois mensuel* mes meses mensual*
day: day days daily tag tage taglich jour jours quotidien* dia dias diari*
week: week* weekly woche* wochentlich semaine* seman*
help: help* assist* support* aid aided
cause: caus* lead leads led result* due provok*
cost: cost* price* fee fees expens*
pay: pay pays paid payment* zahl* bezahl* kosten kostet
work: work* worker* job jobs employ*
person: person* people individual* human humans inhabitant* resident* habitant*
country: countr* nation* state states
firm: firm firms compan* business* enterprise* unternehmen*
child: child* kid kids infant*
car: car cars vehicle* automobile*
doctor: doctor* physician*
drug: drug* medicin* medication*
illness: illness* disease* sick*
study: stud* research* survey* trial*
big: big large larger largest great huge
small: small smaller smallest little tiny minor
home: home* house* household* dwelling*
get: get gets receiv* obtain* got
allow: allow* permit* erlaub* permi* autoris* разреш*
stop: stop* halt* quit
quick: quick* fast faster rapid* swift*
old: old older elder* aged
new: new newer novel
found: found* establish* creat*
fix: fix* repair* mend*
seem: appear* seem*
think: believ* consider* regard*
half: half halved halves halfte halb
choose: choos* chose select* pick*
protect: protect* safeguard* preserv*
send: send* sent ship* deliver*
teach: teach* taught train* educat*
kill: kill* die dies died death* dead
deadly: fatal* lethal
check: check* test* examin* inspect* measur*
owner: owner* own* possess*
rent: rent* lease* hire*
law: law laws act statute* regulation* legislat*
area: area* region* zone* territor*
money: money fund* financ*
risk: risk* hazard*
total: total* overall altogether
advise: advis* recommend* suggest*
double: doubl* twofold
third: triple* threefold
photo: solar photovoltaic* pv
ship: ship ships vessel*
road: road* street* highway*
bicycle: bicycl* bike bikes cycl*
keep: keep keeps kept hold holds held holding retain* remain* still stay stays
throw: throw* thrown threw discard* dispos*
freeze: freez* frozen froze
crop: crop* harvest*
young: young* youth* juvenile*
often: often frequent* common*
"""

_CONTRARY: Final = (
    "up down, win lose, open close, high low, buy sell, import export, north south, east west,"
    " begin end, include exclude, maximum minimum, early late, left right, male female,"
    " positive negative, accept oppose, safe danger, strong weak, morning evening"
)

MONTHS: Final = {
    word: number
    for number, line in enumerate(
        """january jan januar janvier enero gennaio janeiro januari января
        february feb februar fevrier febrero febbraio fevereiro februari февраля
        march mar marz mars marzo marco maart марта
        april apr avril abril aprile апреля
        may mai mayo maggio maio mei мая
        june jun juni juin junio giugno junho июня
        july jul juli juillet julio luglio julho июля
        august aug aout agosto augustus августа
        september sep sept septembre septiembre settembre setembro сентября
        october oct oktober okt octobre octubre ottobre outubro октября
        november nov novembre noviembre novembro ноября
        december dec dezember dez decembre diciembre dicembre dezembro декабря""".splitlines(),
        start=1,
    )
    for word in line.split()
}
"""A month's name counts as one only beside a number."""

NUMBER_WORDS: Final = {
    word: number
    for number, words in {
        2: "two zwei deux dos dois twee два две",
        3: "three drei trois tres drie три",
        4: "four vier quatre cuatro quattro quatro четыре",
        5: "five funf cinq cinco cinque vijf пять",
        6: "six sechs seis zes шесть",
        7: "seven sieben sept siete sette sete zeven семь",
        8: "eight acht huit ocho otto oito восемь",
        9: "nine neun neuf nueve nove negen девять",
        10: "ten zehn dix diez dieci dez tien десять",
        11: "eleven onze undici",
        12: "twelve zwolf douze doce dodici doze twaalf двенадцать",
        13: "thirteen dreizehn treize trece",
        14: "fourteen vierzehn quatorze catorce",
        15: "fifteen funfzehn quinze quince",
        16: "sixteen sechzehn",
        17: "seventeen siebzehn",
        18: "eighteen achtzehn",
        19: "nineteen neunzehn",
        20: "twenty zwanzig vingt veinte venti vinte twintig двадцать",
        30: "thirty dreissig trente treinta trenta dertig тридцать",
        40: "forty vierzig quarante cuarenta quaranta veertig сорок",
        50: "fifty funfzig cinquante cincuenta cinquanta vijftig",
        60: "sixty sechzig soixante sesenta sessanta zestig",
        70: "seventy siebzig setenta settanta",
        80: "eighty achtzig ochenta ottanta tachtig",
        90: "ninety neunzig noventa novanta",
        100: "hundred hundert cien honderd сто",
    }.items()
    for word in words.split()
}

TIMES: Final = {
    "twice": 2,
    "thrice": 3,
    "zweimal": 2,
    "dreimal": 3,
    "viermal": 4,
    "дважды": 2,
    "трижды": 3,
}
"""Words that count how often."""

MULTIPLIERS: Final = {
    word: number
    for number, words in {
        1e2: "hundred hundert 百",
        1e3: "thousand thousands tausend tsd mille mil mila тысяч тысячи тыс الف الاف 千 k",
        1e4: "万 萬 만",
        1e6: "million millions millionen mio millon millones milione milioni миллион миллионов млн مليون mn m",
        1e8: "億 亿 억",
        1e9: "billion billions bn milliarden milliarde mrd milliard milliards miliardi миллиард миллиардов млрд مليار",
        1e12: "trillion trillions 兆",
    }.items()
    for word in words.split()
}

MONEY_SUFFIXES: Final = frozenset({"k", "m", "mn"})
"""Multipliers that are read as such only after money: `$45m`."""

UNITS: Final = {
    word: unit
    for unit, words in {
        "x": "times mal fois veces volte vezes раза раз 回",
        "%": "% ％ ٪ percent prozent procent percento 百分 パーセント процентов процента pct",
        "‰": "‰",
        "pp": "prozentpunkte prozentpunkten prozentpunkt pp",
        "c": "°c ℃ celsius",
        "f": "°f ℉ fahrenheit",
        "$": "$ usd dollar dollars us$",
        "€": "€ eur euro euros евро يورو ユーロ",
        "£": "£ gbp pound pounds",
        "yen": "¥ 円 yen jpy 日元",
        "kr": "kr kronor kroner sek nok dkk",
        "fr": "chf",
        "mm": "mm millimetre millimetres millimeter millimeters millimetres",
        "cm": "cm centimetre centimetres centimeter centimeters zentimeter centimetro centimetros",
        "m": "m metre metres meter meters metro metros metern メートル 米 متر مترا метров",
        "km": "km kilometre kilometres kilometer kilometers kilometros كيلومتر كيلومترا キロメートル 公里 километров",
        "mi": "mile miles",
        "ft": "ft foot feet",
        "inch": "inch inches",
        "ha": "hectare hectares hektar",
        "mg": "mg milligram milligrams milligramm",
        "ug": "μg mcg microgram micrograms",
        "g": "g gram grams gramme grammes gramm gramos",
        "kg": "kg kilogram kilograms kilogramm kilo kilos",
        "t": "t tonne tonnes ton tons tonnen tonnellate toneladas тонн",
        "ml": "ml millilitre millilitres milliliter milliliters",
        "l": "l litre litres liter liters litros",
        "w": "w watt watts",
        "kw": "kw kilowatt kilowatts",
        "mw": "mw megawatt megawatts megavatios",
        "gw": "gw gigawatt gigawatts gigavatios",
        "tw": "tw terawatt terawatts",
        "kwh": "kwh",
        "mwh": "mwh",
        "gwh": "gwh",
        "twh": "twh",
        "hz": "hz hertz",
        "khz": "khz",
        "mhz": "mhz",
        "ghz": "ghz",
        "kb": "kb kilobyte kilobytes",
        "mb": "mb megabyte megabytes",
        "gb": "gb gigabyte gigabytes",
        "tb": "tb terabyte terabytes",
        "ms": "ms millisecond milliseconds",
        "s": "sec second seconds sekunden secondes segundos 秒 секунд",
        "min": "min minute minutes minuten minutos 分钟 分 минут",
        "h": "h hr hrs hour hours stunden stunde heures heure horas hora 時間 小时 часов",
        "d": "day days tage tagen tag jours jour dias dia 日間 天 днеи",
        "wk": "week weeks wochen woche semaines semaine semanas semana 週間",
        "mo": "month months monate monaten monat mois meses mes か月 ヶ月 个月 месяцев",
        "y": "year years jahre jahren jahr ans annees anos 年間 лет",
        "mmhg": "mmhg",
    }.items()
    for word in words.split()
}
"""How a unit of measure is written after (or, for money, before) a number, and the one name it has here."""

SAME_NAMES: Final = {
    word: words.split()[0]
    for words in (
        "america american americans usa us american americain amerikanisch*",
        "argentina argentine argentinian",
        "australia australian australien",
        "austria austrian osterreich osterreichisch* autriche autrichien*",
        "belgium belgian belgien belgisch* belgique belge",
        "brazil brazilian brasilien bresil brasil",
        "britain british uk grossbritannien britisch* britannique britanico",
        "bulgaria bulgarian bulgarien",
        "canada canadian kanada kanadisch*",
        "chile chilean",
        "china chinese chinesisch* chine chinois*",
        "croatia croatian kroatien",
        "cyprus cypriot zypern",
        "czechia czech tschechien tschechisch*",
        "denmark danish danes danemark danisch*",
        "egypt egyptian agypten agyptisch* egypte",
        "england english englisch* angleterre anglais*",
        "estonia estonian estland",
        "europe european europa europaisch* europeen* europeo europea",
        "finland finnish finnland finnisch*",
        "france french frankreich franzosisch* francais* francia frances francesa",
        "germany german germans deutschland deutsch* allemagne allemand* alemania aleman*",
        "greece greek greeks griechenland griechisch* grece grec* grecia griego griega",
        "hungary hungarian ungarn ungarisch* hongrie",
        "iceland icelandic island",
        "india indian indien indisch* inde indien*",
        "iraq iraqi irak",
        "ireland irish irland irisch* irlande irlandais*",
        "israel israeli",
        "italy italian italien italienisch* italie italiano italiana",
        "japan japanese japanisch* japon japonais*",
        "kenya kenyan",
        "latvia latvian lettland",
        "mexico mexican mexiko mexique",
        "morocco moroccan marokko maroc",
        "netherlands dutch holland niederlande niederlanden niederlandisch*",
        "norway norwegian norwegen norwegisch* norvege",
        "pakistan pakistani",
        "peru peruvian",
        "poland polish polen polnisch* pologne polonais* polonia",
        "portugal portuguese portugiesisch*",
        "romania romanian rumanien rumanisch*",
        "russia russian russland russisch* russie russe",
        "scotland scottish scots schottland",
        "serbia serbian serbien",
        "slovakia slovak slowakei",
        "slovenia slovenian slowenien",
        "spain spanish spanien spanisch* espagne espagnol* espana",
        "sweden swedish swedes schweden schwedisch* suede suedois*",
        "switzerland swiss schweiz schweizer* suisse suiza",
        "turkey turkish turkei turkisch* turquie",
        "ukraine ukrainian",
        "vietnam vietnamese",
        "wales welsh",
    )
    for word in words.split()
}
"""Countries and their adjectives, to one word for each: a French bank is one of France."""
MORE_THAN: Final = frozenset(
    """
    above over exceed exceeds exceeded exceeding more least minimum after since beyond older heavier longer higher
    greater larger taller
    mindestens mehr uber nach ab seit alter schwerer langer hoher
    plus superieur apres depuis mas superior despues desde minimo
    более больше свыше после اكثر بعد
    """.split()
)
LESS_THAN: Final = frozenset(
    """
    below under less fewer most maximum before until within younger lighter shorter lower smaller hochstens
    maximal weniger unter vor junger kurzer bis moins inferieur avant jusqu menos inferior antes hasta maximo
    менее меньше до اقل قبل حتي
    """.split()
)
"""Words that make the figure after them a bound, from below or from above."""

AT_LEAST: Final = frozenset("au al".split())
"""Words that turn a smaller bound into a greater one: "au moins", "al menos"."""
APPROXIMATORS: Final = frozenset(
    """
    about almost approximately around circa nearly roughly some ca etwa rund ungefahr fast knapp environ presque quelque
    aproximadamente alrededor casi cerca unos circa quasi около примерно почти حوالي نحو 約 约 およそ 大约
    """.split()
)


def _concepts() -> dict[str, str]:
    found: dict[str, str] = {}
    for line in _SAME.replace("\n  ", " ").strip().splitlines():
        name, _, listed = line.partition(": ")
        for word in listed.split():
            found.setdefault(word, name)
    return found


CONCEPTS: Final = _concepts()
"""Word, or stem with its `*`, to the name of its line."""

CONTRARIES: Final = {
    a: b
    for left, right in (pair.split() for pair in _CONTRARY.split(","))
    for a, b in ((left, right), (right, left))
}
"""A line's name to the name of the line that says the contrary."""
