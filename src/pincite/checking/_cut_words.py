"""Words that a quote may not be cut from: in front of it, where they turn or limit what follows, and behind it.

All in their folded form. Most of them are words of one language alone, and count wherever they stand; those that are
other words in another language stand in `AMBIGUOUS`, with the languages in which they count.
"""

# ruff: noqa: E501 - the words of a language in one row

from __future__ import annotations

import re

from pincite.checking._wording import NEGATORS

AMBIGUOUS: dict[str, frozenset[str]] = {
    word: frozenset(languages.split())
    for word, languages in {
        "als": "nl", "caso": "pt", "casi": "es", "en": "fi", "fast": "de", "falls": "de", "ha": "hu", "ma": "hu", "mai": "it",
        "n": "fr", "nada": "es pt", "ne": "fr hu", "ni": "es fr", "nul": "fr", "pas": "fr", "quasi": "it",
        "se": "it pt", "si": "fr es", "sin": "es", "solo": "it es", "wenig": "de", "om": "sv", "gdy": "pl",
    }.items()
}  # fmt: skip
"""Words that count only in these languages."""

DENYING = re.compile(
    r"den(?:y|ies|ied|ying|ial)|doubt(?:s|ed|ing|ful)?|disput\w+|refut\w+|reject(?:s|ed|ing)?|disprov\w+|debunk\w*|false|falsely"
    r"|untrue|wrong|wrongly|myth|misconception|unlikely|impossible|improbable|implausible|unproven|unproved|unclear"
    r"|uncertain|unknown|hoax|contrary|pretend\w*|unable|unwilling"
    r"|bestr(?:itt|itten|eitet|eiten|eite)|leugne\w*|bezweifel\w*|zweifel\w*|verneint\w*|dementier\w*|falsch|unwahr"
    r"|unmöglich|unwahrscheinlich|widerleg\w*"
    r"|nia|nient|nié\w*|niait|démen\w+|dout\w+|faux|contest(?:e|ent|é\w*|ait)|réfut\w+|improbable"
    r"|nieg\w+|neg(?:ó|aron|aba|ado)|dud(?:a|an|ó|oso)|falso|desm[ie]+n\w+|imposible"
    r"|nega|negano|negato|negava|negarono|negò|dubit\w+|smenti\w*|smentì|impossibile|improbabile"
    r"|negou|negam|negaram|duvid\w+|desment\w+|impossível|improvável"
    r"|ontken\w+|betwijfel\w+|onwaar|onjuist|onmogelijk|onwaarschijnlijk|weerleg\w+"
    r"|отриц\w+|опроверг\w*|сомнева\w+|неправд\w+|неверно|ложь|ложно|невозможно|вряд|отказ\w+|запре\w+"
    r"|zaprzecz\w+|wątpi\w+|nieprawd\w+|fałsz\w*|niemożliwe|odmówi\w+|odmawia\w*"
    r"|αρνείται|αρνήθηκ\w+|αρνούνται|διέψευσ\w+|διαψεύδ\w+|ψέμα\w*|ψευδ\w+|αμφιβάλλ\w+|αμφισβητ\w+"
    r"|نفى|نفت|ينفي|تنفي|أنكر\w*|ينكر|تنكر|يشك|مستحيل|رفض\w*|يرفض|ترفض|הכחיש\w*|מכחיש\w*|שקר|סירב\w*|מסרב\w*"
    r"|förnek\w+|benekt\w+|benægt\w+"
)
"""Words that say of what follows that it is not so."""

REFUSING = re.compile(
    r"refus\w+|fail(?:s|ed|ing|ure)?|declin\w+|unable|unwilling|unlikely|neglect\w+|forb[ia]d\w*|prohibit\w*|bann?(?:ed|s)"
    r"|barred|prevent\w*|stopped|stops|refrain\w*|hesitat\w+|forgot|forgets?|forgotten|reluctant|powerless|impossible"
    r"|unsafe|unwise|omit\w*|ceas\w+|abstain\w+|avoid\w*|too|inability|refusal|discourag\w+|dissuad\w+|kept|keeps"
    r"|weiger\w+|empêch\w+|interdi\w+|évit\w+|omis|oubli\w+|rehus\w+|evit\w+|prohib\w+|impid\w+|impe\w+|rifiut\w+|viet\w+"
    r"|recus\w+|proib\w+|se neg\w+|negó|negaron|verbo\w+|verbied\w+|verbod\w+|отказ\w+|запре\w+|odmówi\w+|zakaz\w+|αρνήθηκ\w+"
)
"""Words that say of what follows `to` or `from` that it is not done."""

THAT = frozenset("that dass que qu che dat что чтобы że żeby ότι πως أن بأن أنه أنها כי att at".split())
TO = frozenset("to from zu de d a di om te να".split())
OF = frozenset(
    "of among von der des dieser de du d di dei degli delle del della do dos das da van из z ze spośród από των من".split()
)
"""Words between one that counts a part and what it is a part of."""

FOR = OF | {"for", "to", "in", "für", "pour", "para", "per", "voor", "для", "dla"}
"""Words between what there is none of and what that is of."""

PRONOUNS = frozenset(
    "he she they it we you i one er sie es wir ihr man il elle ils elles on nous vous él ella ellos nosotros lui lei loro"
    " ele ela eles hij zij ze we он она они мы вы on ona oni oba there es existe il".split()
)
"""Words that a clause with `that` may begin with."""

CLAIMED = frozenset(
    "little few scant insufficient limited weak poor alleged alleges rumoured rumored".split()
)
IFS = frozenset("if until till unless whether once wenn falls bis ob si se если пока jeśli αν إذا אם".split())
SHOWN = frozenset(
    "evidence proof sign signs indication reason support data hint hints trace confidence certainty".split()
)
"""Words that say of a clause with `that` that it is not shown: some by themselves, some in front of these."""

ASSURED = frozenset(
    """
    surprise surprising surprised surprisingly secret accident accidental coincidence coincidental wonder question mystery
    news matter unusual uncommon exaggeration overlooked ignored forget forgotten saying repeat mention escaped
    """.split()
)
"""Words of which the contrary says that a clause with `that` is so: no surprise, without saying, must not be forgotten."""
ASSURED_BY = frozenset("come comes came as in to of anyone anybody us one me you".split())
"""Words that may stand beside them."""

HARDLY = frozenset("hardly scarcely barely rarely seldom kaum nauwelijks едва ledwie guère".split())
"""Words that deny a clause with `that`, and only limit what follows right behind them."""

CONCORD = frozenset(
    """
    ne n non pas jamais rien personne aucun aucune nunca jamás nada nadie ningún ninguno ninguna não ninguém nenhum mai
    nessuno nessuna niente не нет никогда никто ничего никак nie nigdy nikt nic δεν μην ποτέ κανείς
    """.split()
)
"""Negators of languages in which two of them are one."""

THINKING = frozenset(
    """
    think thinks thinking thought believe believes believed believing suppose supposes supposed assume assumes assumed
    say says saying said claim claims claimed suggest suggests suggested conclude concluded imagine
    show shows showed shown prove proves proved proven demonstrate demonstrates demonstrated
    """.split()
)
"""Verbs that a clause may follow without `that`."""

JOINTS = frozenset("and but so because since when while who which as than".split())
"""Words in front of which another clause ends."""

THINKING_TO = frozenset("to would could can be ever really even seriously".split())
"""Words that may stand in front of them."""

LESS = frozenset(
    """
    few fewer little less none neither half some most many several part minority fraction handful third quarter percent
    cent lack absence one two three four five six seven eight nine ten dozen couple instead devoid free short
    incapable
    keiner keine keines wenige einige manche hälfte drittel teil mangel fehlen
    aucun aucune peu certains certaines moitié tiers plupart partie manque absence
    ninguno ninguna pocos pocas algunos algunas mitad tercio parte falta ausencia
    nessuno nessuna pochi poche alcuni alcune metà terzo mancanza assenza
    nenhum nenhuma poucos poucas alguns algumas metade terço ausência
    geen weinig weinigen sommige enkele helft derde deel gebrek
    никто никого ни немногие некоторые половина треть часть отсутствие один одна
    żaden żadna niewielu nieliczni niektórzy połowa część brak jeden
    κανένας καμία κανένα λίγοι λίγες λίγα μερικοί μερικές μισοί
    قليل بعض نصف أحد
    """.split()
)
"""Words that count a part of what follows them with a word like `of`."""

PHRASES = frozenset("way means time circumstances circumstance account case sense point event wise".split())
"""Words that make an adverb with `no` in front of them: by no means, at no time."""

PASSED = frozenset(
    """
    many much the a an these those this its his her their my our your all any each every both of yet even ever always again more
    quite really so very at single longer be been being have had also just that's such
    der die das den dem des dieser diese dieses alle allen mehr wieder ganz immer länger noch ein eine einen einem einer
    le la les l un une des de du encore toujours tous toutes cette ces
    el los las un una todavía más se lo
    il lo gli i uno più ancora tutti tutte mai
    o os as um uma mais ainda todos todas
    het een de meer weer alle ooit
    больше ещё еще все всех już więcej wszyscy wszystkich
    ο η το οι τα τον την του της των τους τις όλοι όλες
    """.split()
)
"""Words that may stand between one that turns round and what it turns, besides those in `-ly`."""

LIMITING = frozenset(
    """
    almost nearly hardly scarcely barely merely only allegedly supposedly reportedly purportedly ostensibly possibly
    perhaps maybe probably potentially presumably seemingly fewer less apparently virtually practically rarely seldom sometimes
    occasionally might may could if unless whether lest supposing assuming provided providing partly partially few
    some half except excepting excluding save
    fast beinahe kaum nur höchstens mindestens angeblich vermutlich möglicherweise vielleicht wenn falls sofern ob wenige
    einige manche ausser selten
    presque seulement peu quelques peine si sauf prétendument rarement parfois
    casi apenas quizá quizás posiblemente supuestamente pocos pocas algunos algunas salvo excepto raramente
    quasi appena forse pochi poche alcuni alcune solo se soltanto presumibilmente
    quase talvez poucos poucas alguns algumas somente supostamente
    bijna nauwelijks slechts misschien hooguit minstens alleen vermeend weinig enkele sommige indien als tenzij
    почти едва лишь только возможно якобы немногие некоторые если вряд редко
    prawie ledwie zaledwie tylko może rzekomo niewielu nieliczni niektórzy jeśli jeżeli gdyby rzadko
    σχεδόν μόλις μόνο ίσως λίγοι λίγες λίγα μερικοί μερικές αν εάν σπάνια
    neredeyse sadece yalnızca belki güya birkaç eğer
    تقريبا ربما فقط إذا لو כמעט רק אולי אם מעט लगभग केवल शायद यदि अगर कुछ
    nästan knappt bara kanske næsten kun måske kanskje nesten якщо майже téměř jen pokud
    """.split()
)
"""Words that limit what follows right behind them."""

TURNING = (
    NEGATORS - {"kaum", "hardly", "scarcely", "barely", "rarely", "seldom", "lack", "lacks", "lacked", "कभी"}
) | frozenset(
    """
    cannot keines keinem keineswegs keinesfalls mitnichten nirgendwo plus-jamais geenszins вовсе отнюдь bynajmniej
    inte ikke aldrig aldri ej ei eivät nem soha nu není nikdy nejsou ні ніколи không chưa đừng tidak bukan jangan
    """.split()
)
"""Words that turn round what follows them."""

NUMBERS = frozenset(
    """
    one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
    nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion trillion dozen
    ein eine zwei drei vier fünf sechs sieben acht neun zehn elf zwölf zwanzig dreissig hundert tausend dutzend
    deux trois quatre cinq sept huit neuf dix onze douze vingt trente cent mille
    dos tres cuatro cinco siete ocho nueve diez once doce veinte treinta cien mil
    due tre quattro cinque sei sette otto nove dieci venti trenta cento
    dois duas três quatro oito dez vinte trinta cem
    twee drie vier vijf zes zeven acht negen tien twintig dertig honderd duizend
    два три четыре пять шесть семь восемь девять десять двадцать сто тысяча
    dwa trzy cztery pięć sześć siedem osiem dziewięć dziesięć dwadzieścia sto tysiąc
    """.split()
)
"""Numbers in letters."""

ABOUT = frozenset(
    """
    about around roughly approximately over under above below than almost nearly least most minus plus circa ca approx
    some only just exceeding beyond max min maximum minimum negative
    über etwa rund ungefähr mindestens höchstens knapp unter zirka
    environ presque jusqu'à d'environ
    unos unas hasta casi aproximadamente
    oltre até
    ongeveer minstens hooguit bijna ruim tot
    около почти более менее больше меньше powyżej poniżej az fazla свыше примерно до минус
    około prawie ponad niż do
    περίπου σχεδόν πάνω κάτω
    yaklaşık حوالي نحو लगभग 약 최대 최소 거의 적어도 대략
    """.split()
)
"""Words right in front of a number that say that it is not that number."""

ABOUT_WITH = frozenset(
    """
    up bis mehr weniger plus moins près autour más menos cerca alrededor mais più meno fino intorno maximum minimum many much
    few little high low large small long old
    excess average meer minder более менее mniej więcej blisko jusqu jusqu'à upwards short
    """.split()
)
"""The same with a word like `to` or `of` behind them."""

LINKS = frozenset("to of as zu de di a à als dan que d von чем niż".split())
"""Those words."""

MONEY = frozenset("rs usd eur gbp chf jpy inr cny us$ a$ c$ hk$ kr sek nok dkk pln rub zł руб".split())
"""Currencies that stand in front of an amount."""

_ADVERBS = (
    "(?:(?:gestern|heute|dann|leider|auch|jedoch|bisher|noch|gar|überhaupt|wohl|sicher|ganz|also|deshalb|damals|jetzt"
    "|dan|vandaag|gisteren|toen|nog|ook|helaas|echter|zeker|meteen) ){0,2}"
)
_PRESENT = (
    r"(?= (?:[\w'-]+ ){1,7}?(?:is|are|has|have|does|do|can|must|shall|permits?|allows?|applies|apply)(?!\w))"
)
# What a quote may not be cut before: a kind (`turns` or `limits`), and languages where it counts in these alone.
DOUBTED = (
    "(?:is|are|was|were|has been|have been|had been|seems?|proved|turned out to be)"
    " (?:(?:quite|simply|just|clearly|now|highly|very|utterly) )?(?:false|untrue|wrong|a myth|a lie|a mistake|unproven|unproved|unknown|unclear|uncertain|doubtful|unlikely|impossible|denied|disputed|rejected|refuted|disproved|debunked|contested|nonsense|not (?:true|known|proven|proved|clear|certain|so|the case|correct))"
)
CONDITIONS: tuple[tuple[str, str, str], ...] = (
    ("limits", "", r"unless|except(?:ing)?|excluding|only|if(?! (?:so|not)(?!\w))|assuming|supposing|presuming"),
    ("limits", "", r"provid(?:ed|ing)(?: that(?!\w)|,|(?! an? )(?! (?:[\w-]+ ){1,5}(?:with|for|by)(?!\w)))"),
    ("limits", "", "(?:and |but |or |then |and then |but then |however,? |although |yet )only|so long as|as long as|conditional(?:ly)?|contingent"),
    ("limits", "", "on (?:the )?(?:sole |express )?condition|on the (?:understanding|assumption)|subject to|barring"),
    ("limits", "", "save (?:for|on|in|at|by|with|when|where|as|that|if|the|those|one|two|to|from|during)|until|without"),
    ("limits", "", "other than|apart from|aside from|in the absence of|to the extent|inso ?far|in so far|pending"),
    ("limits", "", r"with (?:the|one|some|few|a few|certain|two|three|no|many|rare) (?:[\w-]+ )?exceptions?|in case|in the event"),
    ("limits", "", "where (?:applicable|possible|permitted|necessary|appropriate|practicable|allowed|needed)"),
    ("limits", "", f"when(?:ever)?{_PRESENT}"),
    ("limits", "", r"(?:allegedly|supposedly|reportedly|purportedly|apparently|presumably|perhaps|maybe|possibly|probably|partly|partially|sometimes|occasionally|at times|on occasion)(?= ?[.;!?)]|\Z)"),
    ("limits", "", "at (?:the )?(?:most|least|best|worst|earliest|latest)|or (?:less|more|fewer|so|under|over|above|below)"),
    ("limits", "", "or (?:not|never|none)|in (?:theory|principle|part|name)(?! of)|on paper|for the most part|more or less"),
    ("limits", "", "in (?:some|most|certain|rare|exceptional|a few|few|no|many) (?:cases|circumstances|instances|respects)"),
    ("limits", "", "to (?:some|a certain|a limited|a small) (?:extent|degree)|up to a point"),
    ("turns", "", "(?:by|in|at|to|for|of|with|under|on|from|into) (?:no(?! time at all| time(?! (?:is|was|may|shall|can|will)))|none|nobody|neither|no one|no-one|nothing)"),
    ("turns", "", "(?:but|though|although|yet|albeit) (?:not|never|rarely|seldom|hardly|scarcely|no longer|nowhere)"),
    ("turns", "", "nowhere|not at all|in vain"),
    ("turns", "", "or (?:is|was|are|were|has|have|had|do|does|did|can|could|will|would) (?:it|he|she|they|we|you|not)"),
    ("turns", "that", DOUBTED),
    ("limits", "", "(?:though|although|albeit|yet|even then|and even then) only"),
    ("limits", "", "es sei denn|ausser|ausgenommen|mit ausnahme|sofern|soweit|solange|nur|wenn|vorausgesetzt"),
    ("limits", "de", "falls"),
    ("limits", "", "unter der (?:bedingung|voraussetzung)|bis auf|abgesehen von|allenfalls|höchstens|mindestens|angeblich"),
    ("limits", "", "vermutlich|vielleicht|möglicherweise|aber nur|jedoch nur|und nur|oder (?:weniger|mehr)"),
    ("turns", "", rf"(?:aber |jedoch )?{_ADVERBS}(?:nicht|nie|niemals|keineswegs|keinesfalls|mitnichten|nirgend\w*|kaum)"),
    ("turns", "", r"kein\w{0,2}|(?:von|in|mit|bei|zu|unter|aus) (?:niemand\w*|kein\w{0,2})"),
    ("limits", "", "sauf|à moins qu|à condition|excepté|hormis|sous réserve|seulement|uniquement|que si|qu'en cas|pourvu qu"),
    ("limits", "", "tant qu|dans la mesure|en l'absence|à l'exception|peut-être|(?:tout )?au plus|au moins|prétendument"),
    ("limits", "", "ou (?:moins|plus)|et seulement"),
    ("turns", "", "(?:par|dans|en|à|pour|avec|sous|de) (?:aucune?|personne|nul(?:le)?)|jamais|guère|nulle part"),
    ("turns", "fr", "pas"),
    ("limits", "fr es", "si"),
    ("limits", "", "salvo|excepto|a menos que|a no ser que|siempre que|siempre y cuando|a condición|con (?:la )?excepción"),
    ("limits", "", "sólo|solamente|únicamente|en caso de|a excepción|quizás?|tal vez|como (?:máximo|mínimo)|o (?:menos|más)"),
    ("limits", "", "supuestamente|y sólo|solo (?:si|cuando|en|los|las|para|con)"),
    ("turns", "", r"nunca|jamás|(?:por|en|a|de|para|con) (?:nadie|ning[uú]n\w*|nada)"),
    ("limits", "", "eccetto|tranne|a meno che|purché|a condizione|fatta eccezione|soltanto|unicamente|ad eccezione|forse"),
    ("limits", "", "al massimo|almeno|o (?:meno|più)|presumibilmente|qualora|solo se|solo quando|nel caso|salvo"),
    ("limits", "it es", "solo"),
    ("limits", "it pt", "se"),
    ("turns", "", r"(?:da|in|a|di|per|con) (?:nessun\w*|niente)"),
    ("turns", "it", "mai"),
    ("limits", "", "exceto|a não ser que|desde que|com exceção|à exceção|somente|apenas|só|talvez|no (?:máximo|mínimo)"),
    ("limits", "", "ou (?:menos|mais)|supostamente"),
    ("turns", "", r"(?:por|em|a|de|para|com) (?:ninguém|nenhum\w*)"),
    ("limits", "pt", "caso"),
    ("limits", "", "tenzij|behalve|mits|met uitzondering|op voorwaarde|alleen|slechts|indien|wanneer|voor zover|zolang"),
    ("limits", "", "misschien|vermoedelijk|hooguit|ten (?:hoogste|minste)|minstens|of (?:minder|meer)|en alleen"),
    ("limits", "nl", "als"),
    ("turns", "", rf"(?:maar )?{_ADVERBS}(?:niet|nooit|nergens|geenszins|nauwelijks)|(?:door|in|aan|van|met|voor) (?:geen|niemand)|geen"),
    ("limits", "", "кроме|за исключением|если|только|лишь|при условии|разве что|пока не|не (?:более|менее)|возможно|якобы"),
    ("limits", "", "или (?:меньше|больше|менее|более)|и только|но только|хотя бы"),
    ("turns", "", r"никогда|никем|нигде|ни (?:в|на|с|при|для|у|по) \w+|но не"),
    ("limits", "", "chyba że|o ile|z wyjątkiem|pod warunkiem|oprócz|poza|tylko|jedynie|jeśli|jeżeli|gdyby|dopóki|być może"),
    ("limits", "", "rzekomo|lub (?:mniej|więcej)|co najwyżej|co najmniej|i tylko|ale tylko"),
    ("limits", "pl", "gdy"),
    ("turns", "", "nigdy|nigdzie|przez nikogo|ale nie|w żadnym|na żadnym|z żadnym|do żadnego"),
    ("limits", "", "εκτός|εφόσον|με την προϋπόθεση|με εξαίρεση|μόνο|αν|εάν|όταν|ίσως|πλην|ή λιγότερο|ή περισσότερο|υπό τον όρο"),
    ("turns", "", "ποτέ|πουθενά|αλλά όχι|από κανέναν?|σε κανέν[αν]*|σε καμία"),
    ("limits", "", "hariç|dışında|ancak|eğer|koşuluyla|şartıyla|sadece|yalnızca|olmadıkça|belki|sürece"),
    ("turns", "", r"değil\w*|yok(?:tur)?|asla|hiçbir\w*"),
    ("turns", "tr", r"\w{2,20}m[ae](?:dı|di|mış|miş|z|yacak|yecek|malı|meli)\w{0,6}|\w{2,20}m[ıiuü]yor\w{0,4}"),
    ("limits", "", "إلا|ما لم|باستثناء|بشرط|شريطة|شرط|إذا|لو|فقط|عدا|ما عدا|سوى|ربما|ولكن فقط"),
    ("turns", "", "أبدا|ولكن ليس|ليس"),
    ("limits", "", r"אלא אם|אלא|למעט|בתנאי|אם|רק|חוץ מ\w*|פרט ל\w*|אולי|כל עוד"),
    ("turns", "", "לעולם לא|אבל לא|לא"),
    ("limits", "", "के अलावा|को छोड़कर|बशर्ते|यदि|अगर|केवल|सिवाय|शायद"),
    ("turns", "", r"(?:[^\W\d_]{1,3} )?(?:नहीं|मत|ना|न)"),
    ("turns", "", "않\\w*|못\\w*|아니\\w*|없\\w*|안"),
    ("limits", "", "경우에만|제외\\w*|다만|단"),
    ("limits", "", "utom|såvida|med undantag|endast|förutsatt|undtagen|medmindre|hvis|bortset|unntatt|med mindre|dersom|kun"),
    ("turns", "", "inte|ikke|aldrig|aldri|ei koskaan"),
    ("limits", "", "якщо|окрім|лише|тільки|за умови|pokud|kromě|pouze|ledaže|jestliže|s výjimkou|kivéve|hacsak|feltéve"),
    ("limits", "", "dacă|cu excepția|numai|doar|paitsi|ellei|trừ khi|trừ|nếu|chỉ|kecuali|jika|hanya|asalkan|مگر|اگر"),
)  # fmt: skip
# Without a space in front, in scripts that have none.
UNSPACED_CONDITIONS = (
    "除外|除非|(?:前提|条件|條件)(?:是|为|為|在于)|当且仅当|當且僅當|倘若|以[^。！？,\n]{1,20}(?:为|為)(?:前提|条件|條件)|的除外|を除|に限|ただし|제외|다만|为限|為限|才(?:能|可|会|會)?|(?:但|但是|不过|不過)[^。！？\n]{0,30}?"
    "(?:除外|例外|不得|不可|不能|不包括|不适用|不適用|必须|必須|须|須|仅|僅|只|限)|(?:如果|若|假如|只要|只有|仅限|僅限|只限)"
    "|(?:と|と言|という|わけ|こと|もの|の|[は-んぁ-ゖ]){0,6}?(?:ではな|でな|ない(?!と)|なかった|なく|ません|まい(?=[。、])|ず(?=[。、に]))"
    "|(?:[さしせれらられたてにでとはもがをき言限思考]){1,10}?(?:ない(?!と)|なかった|なく|ません|まい(?=[。、])|ず(?=[。、に]))"
    "|という(?:証拠|根拠|事実|確証|データ|報告|研究)[はがも]?(?:な[いか]|ありません|存在しな|無い|見つかってい)"
    "|(?:場合|とき|時)(?:に|を|は)?(?:限|除|のみ|だけ)|なら(?=[、ば])|だけ|のみ|ไม่|เว้นแต่|ยกเว้น|หาก|ถ้า|เฉพาะ|เท่านั้น"
)
"""Regular expressions, all bounded."""

UNSPACED_TURNING = re.compile(
    r"(?:[不没沒未勿莫别別]|[無无非](?!常))(?:有|会|會|能|可|应|應|该|該|得|要|必|曾|想|肯|敢|是|再|法|准|許|许|可能|能够|太|完全)?"
    r"(?:[在对對向给給将將把被让讓由])?\Z"
    r"|(?:拒绝|拒絕|否认|否認|禁止|反对|反對|从未|從未|无法|無法|没有|沒有|并非|並非|未能"
    r"|(?:没有|沒有|并无|並無|尚无|尚無|缺乏|无|無)(?:任何|足够|足夠|充分|确凿|確鑿|科学|科學|可靠|明确|明確|直接|的){0,3}"
    r"(?:证据|證據|迹象|跡象|数据|數據|资料|資料|理由|研究|依据|依據)(?:能够|能|可以|可|足以|来|來)?"
    r"(?:表明|显示|顯示|证明|證明|证实|證實|支持|说明|說明|认为|認為|相信|指出)[,:]?"
    r"|(?:不|并不|並不|不能|无法|無法|未|未能|难以|難以|尚未|从未|從未|没有|沒有|很难|很難|难|難)"
    r"(?:认为|認為|相信|证明|證明|证实|證實|表明|意味着|意味著|代表|等于|等於|说|說|同意|承认|承認|显示|顯示)(?:了|过|過)?[,:]?"
    r"|(?:怀疑|懷疑|质疑|質疑|谎称|謊稱|误认为|誤認為|误以为|誤以為)[,:]?"
    r"|ไม่มีหลักฐานว่า|ไม่มี|ไม่|ไม่ได้|มิ|ห้าม|มิได้|อย่า)\Z"
)
UNSPACED_LIMITING = re.compile(
    r"(?:如果|若|假如|除非|只有|只要|几乎|幾乎|仅|僅|可能|也许|也許|据称|據稱|もし|ほとんど|ほぼ|おそらく|เกือบ|อาจ|หาก|ถ้า|เฉพาะ)\Z"
)
"""What turns round or limits in front, in scripts without spaces."""
