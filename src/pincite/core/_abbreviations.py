"""The words that decide whether a full stop ends a sentence, as tables by kind and language.

A lower-case entry also stands for its capitalised form ("fig" takes "Fig."); an entry with a capital
is taken exactly as written ("Sat." is a day, "sat." is a verb that may end a sentence). `_` in an entry
is a space between two words. Dotted forms carry no spaces: "z. B." and "z.B." are both "z.B".
"""

from __future__ import annotations

from enum import Enum
from typing import Final


class Kind(Enum):
    """What an abbreviation promises about the word after its stop."""

    ALWAYS = "never ends a sentence"
    PERSON = "stands before a name: ends only before a sentence starter no name begins with"
    NAME = "part of a name, or may end: ends only before a sentence starter"
    NUMBER = "stands before a number or letter: ends before any other capitalised word"
    DIGITS = "stands before a number: ends before any other capitalised word"
    CLOSING = "closes a list or a time: ends before a capitalised word that is no time word"


_TABLE: Final[dict[Kind, str]] = {
    Kind.ALWAYS: """
        e.g i.e eg ie cf viz vs approx incl excl resp esp aka ca Mr Mrs Ms Messrs Dr Drs Prof DR MR MRS
        z.B z.T z.Z d.h v.a m.E s.o s.u i.A o.g bzw bspw evtl ggf inkl exkl zzgl sog vgl Az Gem geb gest insb
        insbes Dipl.-Ing dt engl frz
        p.ex par_ex c.-à-d c-à-d Mme Mmes Mlle Mlles MM
        p.ej por_ej t.ej Sra Srta Sres Dra Dña EE aprox Gral
        ad_es per_es p.es cfr sig.ra sig.na sigg dott dott.ssa prof.ssa avv geom
        por_ex Exmo Exma Profa
        bijv d.w.z o.a m.a.w t.a.v i.v.m dhr mevr zgn evt
        np tzn tzw tj m.in por
        т.е т.к т.н т.о т.ч напр акад доц канд д-р англ нем лат
        π.χ δηλ βλ
        bl.a t.ex f.eks dvs např tzv
        डॉ प्रो ए बी सी डी ई एफ जी एच आई जे के एल एम एन ओ पी क्यू आर एस टी यू वी डब्ल्यू एक्स वाई
    """,
    Kind.PERSON: """
        dr mr prof Rev Revd Hon Gov Sen Rep Pres Gen Capt Col Lt Cmdr Sgt Maj Adm Brig St Ste Mt
        Hr Fr Mag Ing Lic Arq Arz Mtro Eng Pr Arch av Avda Vd Vds Ud Uds Sr
        sig mw drs inż mgr lek ks św bp abp gen płk kpt ul al pl
        ул пл им гр проф инж см ср обл Αγ Δρ
    """,
    Kind.NAME: """
        U.S U.K U.N E.U D.C Inc Ltd Corp Co Cos Bros Plc Pty Cie Ltda S.p.A S.r.l Jr Esq Ph.D M.D M.Sc B.Sc
        Ed.D LL.B Ave Blvd Rd Hwy Ft Bldg Univ Dept Assn Inst Intl Natl dept et_al ed eds trans ibid loc
        cit op.cit
        Ala Ariz Ark Calif Colo Conn Del Fla Ga Ill Kan Ky Md Mich Minn Miss Mo Mont Neb Nev Okla Ore Pa
        Penn Tenn Tex Va Vt Wash Wis Wyo
        Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Okt Nov Dec Dez Mrz
        Mon Tue Tues Wed Thu Thur Thurs Fri Sat Sun
        u.a o.ä o.Ä i.d.R d.R Mio Mrd Tsd Std Str Jh Hrsg hrsg v.Chr n.Chr J.-C éd hab bd boul
        EE.UU a.C d.C avda tys mln mld zob o.o
        гг вв н.э руб коп тыс млн млрд мин сек пр бул π.Χ μ.Χ
    """,
    Kind.NUMBER: """
        fig figs sec sect secs art arts vol vols ch chap pp par para eq eqs ref refs tab ex
        thm prop def lem cor cl sch reg réf
        Abs Abb Anm Aufl Bd Kap Rn Rdnr Rz Ziff
        pág págs cap pag pagg séc blz
        str ust pkt poz rozdz rys
        рис табл гл стр ст
        σελ αρ
    """,
    Kind.DIGITS: """
        no nos nr gem est ext tel max min mind app ok apr env janv févr avr juil sept oct nov déc tél núm godz
        янв февр авг сент окт нояб дек τηλ
    """,
    Kind.CLOSING: """
        etc usw a.m p.m A.M P.M ff s.w v.m ecc enz itd itp т.д т.п др κλπ κ.λπ κτλ κ.ά μ.μ π.μ osv m.m
    """,
}

ABBREVIATIONS: Final[dict[str, Kind]] = {
    word.replace("_", " "): kind for kind, words in _TABLE.items() for word in words.split()
}

# Words that open a sentence far more often than they follow a name or an abbreviation.
_STARTERS: Final = """
    The This That These Those It He She We They You I In On At By For From With If When While As But And
    Or So However Moreover Therefore Thus Then There Here His Her Its Our Their My Your After Before Since
    Because Although Though What Who Which Why How Where Not No Yes Also To Some Many Most All Both Each
    Every One Another Such A An Please Do Does Is Are Can Under Until Unless Once Only Nothing Any
    Der Die Das Ein Eine Er Sie Es Wir Ich Ihr Dies Diese Dieser Dieses Im Am Auf Aus Bei Mit Nach Seit Von
    Vor Zu Zum Zur Und Oder Aber Auch Doch Dann Da Dabei Damit Daher Deshalb Wenn Als Wie Was Wer Wo Warum
    Nicht Noch Nur Für Durch Ohne Um Bis Alle Jeder Man Den Dem
    Le La Les Un Une Des Il Elle Ils Elles Nous Vous Je Ce Cet Cette Ces Dans En Pour Par Sur Avec
    Sans Mais Et Ou Donc Car Quand Comme Puis Alors Ensuite Cependant Toutefois C' J' L' Qu' S' N' D'
    El Los Las Una Unos Unas Él Ella Ellos Ellas Esto Este Esta Estos Estas De Con Por Para Pero Y Si
    Cuando Como Después Luego También Se Su Sus Al Hay Según
    Lo Gli Uno Questo Questa Egli Lui Lei Loro Di Ma E O Quando Come Poi Anche Non È Sono Nel Nella Per
    Os Um Uma Ele Ela Eles Elas Isto Em Na Com Mas Depois Não Ao
    De Het Een Hij Zij Ze Wij Dit Dat Deze Op Met Voor Van Maar Of Toen Dan Ook Er Niet Na
    On Ona Ono Oni Ten Ta Te W Z Po Ale Jeśli Kiedy Potem Następnie Jednak Nie Jest
    Он Она Оно Они Это Этот Эта Мы Вы Я В На С По К И А Но Если Когда Потом Затем Однако Также Не Как Для
    При После Там Все
    Ο Η Το Οι Τα Αυτός Αυτή Και Αλλά Όταν Αν Στο Στη Στην Για Με Από Δεν
"""
STARTERS: Final = frozenset(_STARTERS.split())

# Starters that also begin surnames ("J. Le Goff", "Sr. De la Cruz"), so they end nothing after an initial.
PARTICLES: Final = frozenset(
    "Le La Les De Des Di Da El Al Los Las Lo Van Von Der Den L' D' An On Na Y E O".split(),
)

# Words that say when, and so carry on after "5 p.m.".
TIME_WORDS: Final = frozenset(
    """
    Monday Tuesday Wednesday Thursday Friday Saturday Sunday Mon Tue Tues Wed Thu Thurs Fri Sat Sun
    January February March April May June July August September October November December
    EST EDT CST CDT MST MDT PST PDT ET CT MT PT GMT UTC CET CEST BST IST Eastern Central Mountain Pacific
    Greenwich
    """.split(),
)

# German nouns that take an ordinal, and the words that stand before one ("am 3. Mai", "der 2. Rang").
ORDINAL_NOUNS: Final = frozenset(
    """
    Januar Jänner Februar März April Mai Juni Juli August September Oktober November Dezember Jahrhundert
    Jahrhunderts Jahrhunderte Jahrtausend Auflage Klasse Platz Tag Tages Bundesliga Weltkrieg Weltkriegs
    Weltkrieges Kapitel Stock Woche Monat Monats Jahr Quartal Quartals Halbjahr Semester Runde Spieltag
    Geburtstag Lebensjahr Etage Obergeschoss Sinfonie Mal
    """.split(),
)
ORDINAL_LEADS: Final = frozenset("der die das dem den des vom zum zur im beim jeder jedem jeden".split())

# Words whose number or letter belongs to what follows when both open a sentence ("Step 1. Open the lid").
LABELS: Final = frozenset(
    """
    step table figure section article chapter part rule appendix annex example case theorem lemma
    definition proposition note question exhibit schedule clause item phase schritt tabelle abbildung
    abschnitt artikel kapitel teil frage étape tableau chapitre section annexe paso tabla figura artículo
    capítulo passo tabella articolo capitolo artigo stap tabel hoofdstuk krok rozdział шаг таблица рисунок
    статья глава § §§
    """.split(),
)

# Words after which a single capital is a label and not an initial ("vitamin C. We", "World War I. Most").
LETTER_LABELS: Final = frozenset(
    """
    vitamin plan option type class group grade hepatitis appendix section exhibit schedule figure part
    phase team point category annex model zone level tier column row variant version war
    typ klasse gruppe anlage variante stufe groupe classe annexe grupo clase anexo gruppo
    """.split(),
)

# Endings of street names, whose number follows ("Hauptstr. 5").
STREETS: Final = ("str",)

# Units that end a sentence after a number, though they look like initials or abbreviations ("10 m. Next").
UNITS: Final = frozenset("m g s h l V W K C см мин сек min sec".split())
