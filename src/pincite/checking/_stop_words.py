"""Words that say nothing of a topic, words of German, and days of the week, all in small letters."""

from __future__ import annotations

from typing import Final

STOP_WORDS: Final = frozenset(
    """
    according accordingly
    a about above after again all also although am among an and another any are as at away be became because become
    been before being below between both but by came can come could did do does doing done down during each either else
    even ever every few for from further gets got had has have having he hence her here hers him his how however i if in
    instead into is it its itself just least less let like made make makes making many may me might more most much
    must my myself near need of off often on once one only onto or other others our out over own per quite rather same
    several shall she should since so some such than that the their theirs them then there therefore these they this
    those though through thus to together too toward towards under until up upon us used using usually various very
    via was we well went were what when where whereas whether which while who whom whose why will with within would
    yet you your e.g i.e etc et al

    aber alle allem allen aller alles als also am an auch auf aus bei beim bis da dabei damit dann das dass dem den
    denn der deren des dessen die dies diese diesem diesen dieser dieses doch dort durch ein eine einem einen einer
    eines er es etwa für gegen hat hatte hatten ich ihm ihn ihr ihre ihrem ihren ihrer im in ins ist ja jede jedem
    jeden jeder jedes jedoch kann können könnte man mehr mein mit muss müssen nach noch nun nur ob oder schon sehr
    sein seine seinem seinen seiner seit sich sie sind so soll sollen sollte sowie um und uns unter vom von vor
    war waren warum was weil wenn wer werden wie wieder will wir wird wo wurde wurden während zu zum zur zwischen über

    ainsi après au aussi autre autres aux avant avec avoir car ce ceci cela celle celles celui ces cet cette ceux
    chaque chez comme comment d dans de depuis des donc dont du elle elles en encore entre est et été être eu fait
    faire il ils j jusqu l la le les leur leurs lors lui m mais me même mes mon n ne nos notre nous on ont ou où par
    parce pas pendant peu peut peuvent plus pour pourquoi qu quand que quel quelle quelles quels qui s sa se selon
    ses si soit son sont sous sur ta tes toi ton tous tout toute toutes très tu un une vers vos votre vous y à

    al algo algunas algunos ante antes aquel aquella así aun aunque cada como cómo con contra cual cuales cuando cuyo
    debe deben del desde donde durante e el él ella ellas ellos era eran esa ese eso esta está estaba están estas
    este esto estos fue fueron ha haber había hace hacia han hasta hay la las lo los más mi mientras mis mucho muy
    nos nosotros nuestra nuestro o os otra otras otro otros para pero poco por porque pues puede pueden que qué quien
    según ser si sí sido sobre su sus también tan tanto te tiene tienen toda todas todo todos tu unas uno unos ya yo

    agli alla allo anche ancora che chi ci come cosa cui da dagli dal dalla dalle degli dei della delle dello di dopo
    dove è ed era fra gli hanno ho i io lei li loro ma nei nel nella nelle nello noi per perché più poi quale quando
    quanto quella quelle quelli quello questa queste questi questo sono sua sue sugli sul sulla suo suoi tra tutti
    tutto un' una voi

    aos após até com da das depois do dos ela ele eles em entre essa esse foi foram isso isto já mais mas na nas no
    num numa pela pelas pelo pelos qual quem são sem seu seus sua suas também tem um uma às ao

    aan als bij dan dat deze die dit door dus een en er haar heb heeft het hij hoe hun ik je kan maar meer men met
    mijn naar nog nu of om onder ook op over tegen toen tot uit van veel voor wat we wel werd wie wij worden wordt
    ze zich zij zijn zo zou

    а без бы был была были было быть в вам вас весь во вот все всего всех вы где да для до его ее её если есть еще
    ещё же за и из или им их к как когда которая которые который кто ли лишь меня много может можно мы на над надо
    нас наш о об однако он она они оно от перед по под после потом потому при про с свои себя со так также там те
    тем то того тоже только том тот у уже хотя чем через что чтобы эта эти это этого этой этом этот я

    ان إن أن الي إلى اذا إذا التي الذي الذين اما أو او اي أي ايضا أيضا بعد بعض بل بين تحت تلك ثم حتى حيث خلال ذلك عن
    عند عندما على علي عليه عليها فقد في فيه فيها قبل قد كان كانت كل كما لكن له لها مع من منذ منه منها هذا هذه هل هم
    هما هناك هو هي هنا و وقد وكان ومن وهو وهي يكون

    और का की के को में से है हैं था थी थे यह वह इस उस पर ने भी एक कर या तो ही जो
    του της το τα οι η ο τον την και σε για με από στο στη στην στον είναι που
    """.split()
)

NAME_WRITERS: Final = frozenset(
    """
    der das und ist nicht wird werden wurde wurden sind für mit von auf dem den ein eine einer einem einen zur zum
    sich bei nach müssen darf dürfen kann können im vom beim des durch hat haben aus ihre seine keine diese dieser oder
    auch
    """.split()
)
"""Words of German: a text with one of them writes all its nouns with a capital."""

DAYS: Final = {
    word: number
    for number, words in enumerate(
        (
            "monday montag lundi lunes lunedì понедельник",
            "tuesday dienstag mardi martes martedì вторник",
            "wednesday mittwoch mercredi miércoles mercoledì среда среду",
            "thursday donnerstag jeudi jueves giovedì четверг",
            "friday freitag vendredi viernes venerdì пятница пятницу",
            "saturday samstag samedi sábado sabato суббота субботу",
            "sunday sonntag dimanche domingo domenica воскресенье",
        )
    )
    for word in words.split()
}
"""Days of the week to their number; Monday is 0."""
