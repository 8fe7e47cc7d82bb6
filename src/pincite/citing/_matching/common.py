"""Common words: those of nine languages that carry no topic, and those with which an answer talks about itself.

All are folded: small letters, no accents.
"""

from __future__ import annotations

from typing import Final

_FUNCTION: Final = {
    "en": """
        a about above after again all also although am among an and any are around as at away be became because
        become been before being below between both but by came can could did do does doing done down during
        each either else even every few for from further gets give given gives goes got had has have having he
        hence her here hers him his how however i if in instead into is it its itself just keep kept let like
        likewise made make makes making many may me meanwhile might moreover most much must my need needs never
        of off often on once one only onto or other others ought our out over own per perhaps quite rather s
        same shall she should since so some such t take taken takes than that the their them then there
        therefore these they this those though through thus to too toward towards under until up upon us very
        via was we well went were what whatever when where whereas whether which while who whoever whom whose
        why will with within would yet you your
        """,
    "de": """
        aber alle allem allen aller alles als also am an auch auf aus bei beim bis bleibt da dabei dadurch daher
        damit dann das dass davon dazu dem den denen denn der deren des dessen die dies diese diesem diesen
        dieser dieses doch dort durch ein eine einem einen einer eines er es etwa euch fur gegen gilt habe haben
        hat hatte hatten ich ihm ihn ihr ihre ihrem ihren ihrer im in indem ins ist ja jede jedem jeden jeder
        jedes jedoch kann konnen konnte man mehr mein mit muss mussen nach nachdem noch nun nur ob oder rund
        schon sehr sein seine seinem seinen seiner seit sich sie sind so sobald sogar soll sollen sollte sowie
        uber um und uns unter vom von vor wahrend wann war waren warum was weil wenn wer werden wie wieder will
        wir wird wo wurde wurden zu zum zur zwischen
        """,
    "fr": """
        ainsi alors apres au aucun aussi autre autres aux avant avec avoir c car ce ceci cela celle celles celui
        ces cet cette ceux chaque chez comme comment d dans de depuis des donc dont du elle elles en encore
        entre est et ete etre eu fait faire il ils j jusqu l la le les leur leurs lors lui m mais meme memes mon
        n nos notre nous on ont ou par parce pendant peu peut peuvent plus pour pourquoi qu quand que quel
        quelle quelles quels qui sa se selon sera ses si soit son sont sous sur ta tes toi ton tous tout toute
        toutes tres tu un une va vers vos votre vous y
        """,
    "es": """
        al algo algunas algunos ante antes aquel aquella asi aun aunque cada como con contra cual cuales cuando
        cuyo debe deben del desde donde durante e el ella ellas ellos era eran esa ese eso esta estaba estan
        estas este esto estos fue fueron ha haber habia hace hacia han hasta hay la las lo los mas me mi
        mientras mis mucho muy nos nosotros nuestra nuestro o os otra otras otro otros para pero poco por porque
        pues puede pueden que quien segun ser si sido sobre su sus tambien tan tanto te tiene tienen toda todas
        todo todos tu unas uno unos ya yo
        """,
    "it": """
        agli alla allo anche ancora che chi ci come cosa cui da dagli dal dalla dalle degli dei del della delle
        dello di dopo dove e ed era fra gli ha hanno il io lei li loro ma mi nei nel nella nelle nello noi non
        per perche piu poi qual quale quando quanto quella quelle quelli quello questa queste questi questo sono
        sua sue sugli sul sulla suo suoi tra tutti tutto un una uno voi
        """,
    "pt": """
        aos apos ate com da das de depois do dos ela ele eles em entre essa esse esta este foi foram isso isto
        ja mais mas muito na nas no nos num numa o os ou pela pelas pelo pelos qual quando quem sao se sem ser
        seu seus sua suas tem um uma
        """,
    "nl": """
        aan al als bij dan dat de deze die dit door dus een en er haar heb heeft het hij hoe hun ik in is je kan
        maar meer men met mijn naar nog nu of om onder ook op over te tegen toen tot uit van veel voor waar was
        wat we wel werd wie wij worden wordt ze zich zij zijn zo zou
        """,
    "ru": """
        а без бы был была были было быть в вам вас весь во вот все всего всех вы где да для до его ее если есть
        еще же за и из или им их к как когда которая которые которыи кто ли лишь меня мне много может можно мои
        мы на над надо нас наш о об однако он она они оно от перед по под после потом потому при про с свои себя
        со так также такои там те тем то того тоже только том тот у уже хотя чем через что чтобы эта эти это
        этого этои этом этот я
        """,
    "ar": """
        ان الي اذا اكثر التي الذي الذين اما او اي ايضا بعد بعض بل بين تحت تلك ثم جدا حتي حول حيث خلال ذلك عام عن
        عند عندما علي عليه عليها فقد في فيه فيها قبل قد كان كانت كل كما لكن له لها مع من منذ منه منها هذا هذه هل
        هم هما هناك هو هي هنا و وقد وكان ومن وهو وهي يكون الي كلم
        """,
}
FUNCTION_WORDS: Final = frozenset(" ".join(_FUNCTION.values()).split())
"""Words of nine languages that say nothing about a topic."""

LANGUAGES: Final[dict[str, tuple[str, ...]]] = {}
"""Each of these words to the languages that have it."""
for _language, _words in _FUNCTION.items():
    for _word in _words.split():
        LANGUAGES[_word] = (*LANGUAGES.get(_word, ()), _language)

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
    nevertheless nonetheless consequently usually typically especially particularly specifically currently recently
    actually clearly certain commonly often overall per se significant significantly crucial essential role plays play
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
