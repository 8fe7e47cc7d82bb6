"""The words that matching a sentence with a passage has to know, as tables; all folded (small, no accents).

A word that ends in `*` is a stem: it takes every word that begins with it and has at most five letters more.
"""

from __future__ import annotations

from typing import Final

FUNCTION_WORDS: Final = frozenset(
    """
    a about above after again all also although am among an and any are around as at away be became because become been
    before being below between both but by came can could did do does doing done down during each either else even every
    few for from further gets give given gives goes got had has have having he hence her here hers him his how however
    i if in instead into is it its itself just keep kept let like likewise made make makes making many may me meanwhile
    might moreover most much must my need needs never of off often on once one only onto or other others ought our
    out over own per perhaps quite rather s same shall she should since so some such t take taken takes than that the
    their them then there therefore these they this those though through thus to too toward towards under until up upon
    us very via was we well went were what whatever when where whereas whether which while who whoever whom whose why
    will with within would yet you your
    aber alle allem allen aller alles als also am an auch auf aus bei beim bis bleibt da dabei dadurch daher damit dann
    das dass davon dazu dem den denen denn der deren des dessen die dies diese diesem diesen dieser dieses doch dort
    durch ein eine einem einen einer eines er es etwa euch fur gegen gilt habe haben hat hatte hatten ich ihm ihn ihr
    ihre ihrem ihren ihrer im in indem ins ist ja jede jedem jeden jeder jedes jedoch kann konnen konnte man mehr mein
    mit muss mussen nach nachdem noch nun nur ob oder rund schon sehr sein seine seinem seinen seiner seit sich sie sind
    so sobald sogar soll sollen sollte sowie uber um und uns unter vom von vor wahrend wann war waren warum was weil
    wenn wer werden wie wieder will wir wird wo wurde wurden zu zum zur zwischen
    ainsi alors apres au aucun aussi autre autres aux avant avec avoir c car ce ceci cela celle celles celui ces cet
    cette ceux chaque chez comme comment d dans de depuis des deux-ci donc dont du elle elles en encore entre est et ete
    etre eu fait faire il ils j jusqu l la le les leur leurs lors lui m mais meme memes mon n nos notre nous on ont ou
    par parce pendant peu peut peuvent plus pour pourquoi qu quand que quel quelle quelles quels qui sa se selon sera
    ses si soit son sont sous sur ta tes toi ton tous tout toute toutes tres tu un une va vers vos votre vous y
    al algo algunas algunos ante antes aquel aquella asi aun aunque cada como con contra cual cuales cuando cuyo debe
    deben del desde donde durante e el ella ellas ellos era eran esa ese eso esta estaba estan estas este esto estos fue
    fueron ha haber habia hace hacia han hasta hay la las lo los mas me mi mientras mis mucho muy nos nosotros nuestra
    nuestro o os otra otras otro otros para pero poco por porque pues puede pueden que quien segun ser si sido sobre su
    sus tambien tan tanto te tiene tienen toda todas todo todos tu unas uno unos ya yo
    agli alla allo anche ancora che chi ci come cosa cui da dagli dal dalla dalle degli dei del della delle dello di dopo
    dove e ed era fra gli ha hanno il io lei li loro ma mi nei nel nella nelle nello noi non per perche piu poi qual
    quale quando quanto quella quelle quelli quello questa queste questi questo sono sua sue sugli sul sulla suo suoi
    tra tutti tutto un una uno voi
    aos apos ate com da das de depois do dos ela ele eles em entre essa esse esta este foi foram isso isto ja mais mas
    muito na nas no nos num numa o os ou pela pelas pelo pelos qual quando quem sao se sem ser seu seus sua suas tem um
    uma
    aan al als bij dan dat de deze die dit door dus een en er haar heb heeft het hij hoe hun ik in is je kan maar meer
    men met mijn naar nog nu of om onder ook op over te tegen toen tot uit van veel voor waar was wat we wel werd wie
    wij worden wordt ze zich zij zijn zo zou
    а без бы был была были было быть в вам вас весь во вот все всего всех вы где да для до его ее если есть еще же за и
    из или им их к как когда которая которые который кто ли лишь меня мне много может можно мои мы на над надо нас наш о
    об однако он она они оно от перед по под после потом потому при про с свои себя со так также такои там те тем то того
    тоже только том тот у уже хотя чем через что чтобы эта эти это этого этои этом этот я
    ان الى اذا اكثر التي الذي الذين اما او اي ايضا بعد بعض بل بين تحت تلك ثم جدا حتى حول حيث خلال ذلك عام عن عند
    عندما على علي عليه عليها فقد في فيه فيها قبل قد كان كانت كل كما لكن له لها مع من منذ منه منها هذا هذه هل هم هما هناك
    هو هي هنا و وقد وكان ومن وهو وهي يكون الي كلم
    """.split()
)
"""Words of ten languages that say nothing about a topic."""

TALK_WORDS: Final = frozenset(
    """
    above additional additionally answer answers apply ask aspects assist assistance background basically below brief
    briefly certainly clarify conclude concluding conclusion consider context course depends detail detailed details
    discuss discussed due essentially example examples explain explained explanation explore fact facts feel finally
    find findings first firstly fit following follow followed follows free furthermore general generally glad good great
    happy help helpful helps hello hi hope important importantly include included includes including information
    interesting item items itself key know last lastly later let list listed look looking main mean mentioned mixed
    more need next note noted notes noteworthy number okay order overall overview particular please point points
    possible provide provided provides question questions ready reason reasons regarding related relevant remember say
    says second secondly section see several short shortly show shown shows simple simply specific step steps sum
    summarise summarize summary sure talk tell thank thanks thing things think third thirdly topic topics try
    understand use useful various want way ways welcome wish worth wrong yes picture
    angaben antwort beispiel bitte danke details fazit folgende folgenden folgendes frage fragen gern gerne hilft
    hoffe informationen insgesamt kurz kurzum lasst punkt punkte sagen thema uberblick ubersicht weitere wichtig
    wichtige zunachst zusammenfassend zusammenfassung
    apercu bref conclusion enfin espere exemple important informations ensuite merci point points question questions
    reponse resume resumer savoir suivant suivante suivantes suivants voici
    ademas ayuda conclusion cuenta ejemplo espero finalmente gracias importante informacion pregunta preguntas punto
    puntos respuesta resumen resumir siguiente siguientes
    """.split()
)
"""Words with which an answer talks about itself: a sentence of nothing else is filler."""

CONJUNCTIONS: Final = frozenset(
    """
    and but while whereas although though yet however because since which unless if
    und aber wahrend sondern jedoch doch weil obwohl wenn
    et mais tandis alors car si
    y pero mientras aunque porque
    e ma mentre e mas enquanto
    en maar terwijl
    и а но хотя
    لكن بينما ولكن
    """.split()
)
"""Words that open another clause."""

NEGATORS: Final = frozenset(
    """
    not no never none neither nor without cannot nobody nothing nowhere
    nicht kein keine keinem keinen keiner keines nie niemals ohne nichts weder niemand
    ne n sans non
    nunca sin ninguna ninguno ningun
    не нет без нельзя
    لا ليس ليست لم لن غير بدون دون
    niet geen nooit zonder
    nao sem
    """.split()
)
"""Words that turn what their clause says into its contrary."""

COMPANIONS: Final = frozenset(
    """
    pas jamais aucun aucune rien personne nul
    nada nadie jamas ni
    никто ничего никогда ни никакои
    mai nessun nessuno nessuna niente
    """.split()
)
"""Words that only add to a negator of the same clause; alone they negate too."""

NEGATED: Final = (
    "prohibit* forbid* forbidden forbade ban banned bans disallow* unable lack lacks lacked lacking fail* refus* reject*"
    " avoid* unlikely exempt* unharmed undamaged unaffected unchanged uninjured unsafe impossible illegal unlawful"
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
up: increas* rise rises rising risen rose grow* grew climb* surg* gain* jump* stieg* steig* wachs* wuchs zunehm* zunahm* gestiegen augment* hauss* aument* crec* subi* sube увелич* вырос* раст*
down: decreas* fall falls fell fallen falling declin* drop* reduc* shrink* shrank sank cut cuts lower lowered lowers sink* gesunken fiel* abnehm* abnahm* baiss* dimin* baj* disminu* reduj* сниз* упал* уменьш*
win: win wins won winning victor* gewann gewinn* gewonnen gagn* gano ganar
lose: lose loses lost losing loss losses defeat* verlor* verlust* verlier* perdre perdu perdi*
open: open opens opened opening reopen* offnen offnet eroffn* geoffnet ouvr* ouvert* abrir abre* abri* offen
close: close closes closed closing shut shuts schliess* schloss geschlossen ferme* ferma fermer cerr* cierr*
more: more most above over exceed* mehr uber plus mas
fewer: less least fewer under below weniger unter moins menos
high: high higher highest hoch hohe hoher hochste haut haute alto alta
low: low lowest niedrig* tief* bas basse bajo baja
buy: buy buys bought buying purchas* acquir* kauf* gekauft achat* achet* compr*
sell: sell sells sold selling sale sales verkauf* verkauft vend* vendu* vent*
import: import*
export: export*
north: north* nord* norte
south: south* sud* sur
east: east* ost* oriental*
west: west* occidental*
before: before prior earlier previous* vorher avant antes
after: after later following afterwards danach apres despues
begin: begin* began begun start* launch* commenc* debut* beginn* begann empez* empiez* comenz* comienz* inici*
end: end ends ended ending finish* conclud* ceas* terminat* expir* endet* fini* termin* acab*
include: includ* contain* compris* consist*
exclude: exclud* except* without
maximum: maxim* highest most upper
minimum: minim* lowest least
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
oral: oral* mouth
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
start-up: found* establish* creat*
fix: fix* repair* mend*
show-up: appear* seem*
think: believ* consider* regard*
lower-half: half halved halves halfte halb
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
danger-word: risk* hazard*
total: total* overall altogether
advise: advis* recommend* suggest*
double: doubl* twice twofold
third: triple* threefold
photo: solar photovoltaic* pv
ship: ship ships vessel*
road: road* street* highway*
crop: crop* harvest*
young: young* youth* juvenile*
often: often frequent* common*
"""

_CONTRARY: Final = (
    "up down, win lose, open close, more fewer, high low, buy sell, import export, north south, east west,"
    " before after, begin end, include exclude, maximum minimum, early late, left right, male female,"
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
        2: "two zwei deux dos due dois twee два две",
        3: "three drei trois tres tre drie три",
        4: "four vier quatre cuatro quattro quatro четыре",
        5: "five funf cinq cinco cinque vijf пять",
        6: "six sechs seis sei zes шесть",
        7: "seven sieben sept siete sette sete zeven семь",
        8: "eight acht huit ocho otto oito восемь",
        9: "nine neun neuf nueve nove negen девять",
        10: "ten zehn dix diez dieci dez tien десять",
        11: "eleven onze undici elf",
        12: "twelve zwolf douze doce dodici doze twaalf двенадцать",
        13: "thirteen dreizehn treize trece",
        14: "fourteen vierzehn quatorze catorce",
        15: "fifteen funfzehn quinze quince",
        16: "sixteen sechzehn seize",
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
        100: "hundred hundert cent cien honderd сто",
    }.items()
    for word in words.split()
}

MULTIPLIERS: Final = {
    word: number
    for number, words in {
        1e2: "hundred hundert 百",
        1e3: "thousand thousands tausend tsd mille mil mila тысяч тысячи тыс الف الاف 千 k",
        1e4: "万 萬 만",
        1e6: "million millions millionen mio millon millones milliones milione milioni миллион миллионов млн مليون mn m",
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
        "km": "km kilometre kilometres kilometer kilometers kilometern kilometros كيلومترا كيلومتر キロメートル 公里 километров",
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
        "d": "day days tage tagen tag jours jour dias dia 日間 天 дней",
        "wk": "week weeks wochen woche semaines semaine semanas semana 週間",
        "mo": "month months monate monaten monat mois meses mes か月 ヶ月 个月 месяцев",
        "y": "year years jahre jahren jahr ans annees anos 年間 лет",
        "mmhg": "mmhg",
    }.items()
    for word in words.split()
}
"""How a unit of measure is written after (or, for money, before) a number, and the one name it has here."""

APPROXIMATORS: Final = frozenset(
    """
    about almost approximately around circa nearly roughly some ca etwa rund ungefahr fast knapp environ presque quelque
    aproximadamente alrededor casi cerca unos circa quasi около примерно почти حوالي نحو 約 约 およそ 大约
    """.split()
)


def _concepts() -> tuple[dict[str, str], dict[str, str]]:
    words: dict[str, str] = {}
    stems: dict[str, str] = {}
    for line in _SAME.strip().splitlines():
        name, _, listed = line.partition(": ")
        for word in listed.split():
            (stems if word.endswith("*") else words).setdefault(word.rstrip("*"), name)
    return words, stems


CONCEPT_WORDS, CONCEPT_STEMS = _concepts()
"""Word (or stem) to the name of its line."""

CONTRARIES: Final = {
    a: b
    for left, right in (pair.split() for pair in _CONTRARY.split(","))
    for a, b in ((left, right), (right, left))
}
"""A line's name to the name of the line that says the contrary."""
