"""The words that the extractive answerer knows: what asks for what, and what answers it."""

from __future__ import annotations

import re
from enum import Enum


class Facet(Enum):
    """A kind of thing that a question asks for and a sentence may hold."""

    NUMBER = "number"
    MONEY = "money"
    TIME = "time"
    PERSON = "person"


STOP_WORDS = frozenset(
    """
    a an the this that these those it its they them their there here and or but nor if then than so as of in on
    at to from by for with without about into onto over under between during per up down out off again is are am
    was were be been being do does did done have has had having i me my mine you your yours he him his she her we
    us our ours who whom whose what which when where why how can could may might must shall should will would not
    no yes any some all each every both either such same own only just also too very more most much many few
    please tell give gives given get gets got need needs needed take takes taken make makes made say says let
    happen happens happened
    der die das den dem des ein eine einer eines einem einen und oder aber wenn als wie wer wen wem wessen was
    wann wo warum welche welcher welches welchem welchen ist sind war waren wird werden hat haben hatte ich du er
    sie es wir ihr mein dein sein kann darf muss soll nicht kein keine im in am an auf aus bei mit nach von vom zu
    zum zur für über um
    """.split()
)
"""Words that say nothing about a subject, English and German."""

IRREGULAR = {
    "paid": "pay",
    "kept": "keep",
    "left": "leave",
    "leaving": "leave",
    "sent": "send",
    "held": "hold",
    "sold": "sell",
    "bought": "buy",
    "built": "build",
    "began": "begin",
    "chose": "choose",
    "chosen": "choose",
    "wrote": "write",
    "written": "write",
    "lost": "lose",
    "won": "win",
    "met": "meet",
    "people": "person",
    "children": "child",
}
"""Forms that no suffix rule brings together."""

SUFFIXES = (
    "ements",
    "ement",
    "ments",
    "ment",
    "ations",
    "ation",
    "ings",
    "ing",
    "ies",
    "ied",
    "als",
    "al",
    "ly",
    "ed",
    "es",
    "s",
    "e",
    "y",
)
"""Endings that are taken off a word, the first that fits, once."""

SHORTEST_STEM = 3
"""Code points that must remain of a word."""

NUMBER_WORDS = (
    "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|hundred"
    "|thousand|million|half|double|twice|once|eine|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zwölf"
)
MONTHS = (
    "january|february|march|april|june|july|august|september|october|november|december"
    "|januar|februar|märz|juni|juli|oktober|dezember"
)
DAYS = "monday|tuesday|wednesday|thursday|friday|saturday|sunday|montag|dienstag|mittwoch|donnerstag|freitag"
SPANS = (
    "seconds?|minutes?|hours?|days?|weeks?|months?|quarters?|years?|night|noon|midnight|immediately|daily|weekly"
    "|monthly|yearly|annually|stunden?|tagen?|tage|wochen?|monaten?|monate|jahren?|jahre"
)
ROLES = (
    "managers?|leads?|leaders?|officers?|directors?|heads?|deput(?:y|ies)|chair(?:man|woman|person)?|boards?"
    "|committees?|teams?|desks?|offices?|departments?|coordinators?|supervisors?|presidents?|ministers?"
    "|secretar(?:y|ies)|owners?|authors?|founders?|engineers?|doctors?|lawyers?|auditors?|treasurers?|partners?"
    "|staff|employees?|customers?|suppliers?|contractors?|council|court|judge|ceo|cfo|cto|hr"
    "|vorgesetzten?|leitung|leiter(?:in)?|geschäftsführ(?:ung|er|erin)|abteilung|vorstand"
)

# What a question asks for: each is linear, plain alternatives between word edges.
ASKS: tuple[tuple[re.Pattern[str], Facet], ...] = (
    (re.compile(r"\b(?:who|whom|whose|wer|wen|wem|wessen|by which (?:person|role))\b"), Facet.PERSON),
    (
        re.compile(
            r"\b(?:how (?:much|many|high|large|big|far|fast|heavy|tall)|amounts?|rates?|limits?|caps?|percent(?:age)?"
            r"|discounts?|sums?|values?|wie ?viele?|betrag)\b"
        ),
        Facet.NUMBER,
    ),
    (
        re.compile(
            r"\b(?:prices?|costs?|fees?|charges?|budgets?|salary|salaries|wages?|refunds?|preise?|kosten)\b"
        ),
        Facet.MONEY,
    ),
    (
        re.compile(
            r"\b(?:when|how (?:long|soon|quickly|often|late|early)|deadlines?|(?:which|what) (?:day|date|time"
            r"|year|month)|since|until|wann|wie (?:lange|oft|schnell)|frist)\b"
        ),
        Facet.TIME,
    ),
)

GENERIC = {
    "amount": Facet.NUMBER,
    "amounts": Facet.NUMBER,
    "number": Facet.NUMBER,
    "sum": Facet.NUMBER,
    "value": Facet.NUMBER,
    "figure": Facet.NUMBER,
    "betrag": Facet.NUMBER,
    "date": Facet.TIME,
    "day": Facet.TIME,
    "deadline": Facet.TIME,
    "time": Facet.TIME,
    "frist": Facet.TIME,
    "person": Facet.PERSON,
    "role": Facet.PERSON,
}
"""Words that ask for a kind of thing and are answered by any such thing: "amount" by an amount."""

# What a sentence holds: each is linear, plain alternatives between word edges or one run of digits.
HOLDS: dict[Facet, re.Pattern[str]] = {
    Facet.NUMBER: re.compile(rf"\d|\b(?:{NUMBER_WORDS})\b"),
    Facet.MONEY: re.compile(
        r"[$€£¥%]|\d\.\d\d\b|\b(?:eur|euros?|usd|dollars?|gbp|pounds?|chf|cents?|per cent|percent|free|prozent)\b"
    ),
    Facet.TIME: re.compile(rf"\b\d{{1,2}}:\d\d\b|\b\d{{4}}-\d\d|\b(?:{MONTHS}|{DAYS}|{SPANS})\b"),
    Facet.PERSON: re.compile(rf"\b(?:{ROLES})\b"),
}

# What "what is the SALARY of ..." asks for: linear, one word between fixed ones.
SUBJECT = re.compile(
    r"\b(?:what|which) (?:is|are|was|were) (?:(?:the|a|an|my|our|your|their) )?(?P<subject>\w+) (?:of|for|at|in)\b"
)

# Who asks about themselves, and who is spoken to, as rules for readers do: each is linear, plain alternatives.
ASKS_OF_ONESELF = re.compile(
    r"\b(?:i|me|my|mine|we|us|our|ich|mich|mir|meine?[nmrs]?|wir|uns|unsere?[nmrs]?)\b"
)
SPEAKS_TO_READER = re.compile(r"\b(?:you|your|yours|ihr|ihre[nmrs]?|ihnen)\b")

# A line at the head of a mail or memo: linear, one name, blanks of one line and a colon.
HEAD_LINE = re.compile(
    r"^[^\S\n]*(?:from|to|cc|bcc|subject|re|date|sent|reply-to|message-id|von|an|betreff|datum|gesendet)[^\S\n]*:",
    re.MULTILINE | re.IGNORECASE,
)

# A sentence that leans on the one before it: linear, anchored.
LEANS = re.compile(
    r"(?:it|they|this|that|these|those|he|she|such|both|its|their|then|otherwise|in that case"
    r"|er|sie|es|diese[rsmn]?|dies|dabei|dann)\b"
)
