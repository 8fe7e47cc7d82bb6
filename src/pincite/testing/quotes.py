"""Quotes that their sources do not say, each one small step away from what they do say."""
# ruff: noqa: E501 - a case is read as one row

from __future__ import annotations

from pincite.testing.cases import AttackQuote

_TRIAL = (
    "In the spring trial the new pump moved 45 litres a minute in each of nine runs. It was then sold abroad."
)
_COLD = "On the first night the lake stood at −3.5 degrees at the pier. Nobody went out on the ice."
_CELLS = "After two days the dish held a colony of 10⁹ cells in a clear broth. It was then frozen."
_DOSE = "Each of the rats was given 5 µg of the salt by mouth on day one. None of them fell ill."
_KEEPER = "The keeper was not told about the gale by the harbour office. It came in the night."
_LAWFUL = "The mayor regretted the unlawful closing of the north gate in May. He paid for the repairs."
_SWIM = "Guests may swim from the old pier unless the red flag is up. Dogs are not allowed."
_OPEN = "The reading room is open to all visitors, except on public holidays. Entry is free."
_REFUND = (
    "The deposit for the hall is paid back in full if the hall is left clean. Keys are returned by noon."
)
_STUDY = (
    "The drug lowered fever in adults. It did not lower fever in children under six. Both groups were small."
)
_VENDOR = "All rents of the market were collected by the vendor paypal in June. The books were audited."
_STAFF = "Hardly any of the night staff had read the new rules by June. The rules were printed again."
_ORDER = "The pilot accused the keeper of stealing the lamp oil. The court heard both of them."
_PRICE = "The barn was sold for $300 at the autumn fair. The field went for less."
_RANGE = "The usual dose of the salt is 5–10 mg a day for an adult. Children take half."
_SHARE = "Wages in the north rose by 45% within a single year. Rents rose faster."
_DELETE = "The service keeps logs for 90 days. The service deletes personal data only after written notice."

ATTACK_QUOTES = (
    AttackQuote("digits-exchanged", "two digits are exchanged", "the new pump moved 54 litres a minute in each of nine runs", _TRIAL, "the new pump moved 45 litres a minute in each of nine runs"),
    AttackQuote("digit-left-out", "a digit is left out", "the new pump moved 4 litres a minute in each of nine runs", _TRIAL, "moved 45 litres a minute in each of nine runs"),
    AttackQuote("zero-added", "a zero is added", "the new pump moved 450 litres a minute in each of nine runs", _TRIAL, "the new pump moved 45 litres a minute"),
    AttackQuote("number-word", "a number is another, in words", "moved 45 litres a minute in each of seven runs", _TRIAL, "45 litres a minute in each of nine runs"),
    AttackQuote("unit-of-time", "another unit of time", "the new pump moved 45 litres an hour in each of nine runs", _TRIAL, "In the spring trial the new pump moved 45 litres a minute"),
    AttackQuote("minus-lost", "the minus is left out", "the lake stood at 3.5 degrees at the pier", _COLD, "the lake stood at −3.5 degrees at the pier"),
    AttackQuote("point-moved", "the point is moved", "the lake stood at −35 degrees at the pier", _COLD, "On the first night the lake stood at −3.5 degrees"),
    AttackQuote("exponent-lost", "a raised digit becomes one of the number's own", "the dish held a colony of 109 cells in a clear broth", _CELLS, "the dish held a colony of 10⁹ cells in a clear broth"),
    AttackQuote("exponent-changed", "a raised digit is another", "the dish held a colony of 10⁸ cells in a clear broth", _CELLS, "a colony of 10⁹ cells in a clear broth"),
    AttackQuote("unit", "a thousand times as much", "Each of the rats was given 5 mg of the salt by mouth", _DOSE, "Each of the rats was given 5 µg of the salt by mouth"),
    AttackQuote("currency", "another currency", "The barn was sold for €300 at the autumn fair.", _PRICE, "The barn was sold for $300 at the autumn fair."),
    AttackQuote("range-cut", "the end of a range is cut off", "The usual dose of the salt is 5", _RANGE, "The usual dose of the salt is 5–10 mg a day for an adult."),
    AttackQuote("percent-lost", "the sign behind a number is cut off", "Wages in the north rose by 45", _SHARE, "Wages in the north rose by 45% within a single year."),
    AttackQuote("not-lost", "`not` is left out", "The keeper was told about the gale by the harbour office.", _KEEPER, "The keeper was not told about the gale by the harbour office."),
    AttackQuote("not-added", "`not` is put in", "Entry is not free.", _OPEN, "The reading room is open to all visitors, except on public holidays. Entry is free."),
    AttackQuote("not-cut-off", "it begins behind `not`", "told about the gale by the harbour office", _KEEPER, "The keeper was not told about the gale"),
    AttackQuote("prefix-cut-off", "it begins inside of a word that says the opposite", "lawful closing of the north gate in May", _LAWFUL, "the unlawful closing of the north gate in May"),
    AttackQuote("cut-before-unless", "it ends before the condition", "Guests may swim from the old pier", _SWIM, "Guests may swim from the old pier unless the red flag is up."),
    AttackQuote("cut-before-except", "it ends before the exception", "The reading room is open to all visitors", _OPEN, "The reading room is open to all visitors, except on public holidays."),
    AttackQuote("cut-before-if", "it ends before the condition", "The deposit for the hall is paid back in full", _REFUND, "The deposit for the hall is paid back in full if the hall is left clean."),
    AttackQuote("only-cut-off", "it begins behind what limits it", "any of the night staff had read the new rules by June", _STAFF, "Hardly any of the night staff had read the new rules by June."),
    AttackQuote("stop-put-in", "a full stop hides that it goes on", "Guests may swim from the old pier.", _SWIM, "Dogs are not allowed."),
    AttackQuote("ellipsis-hides-not", "an ellipsis stands for `not`", "The keeper was … told about the gale by the harbour office.", _KEEPER, "The keeper was not told about the gale by the harbour office. It came in the night."),
    AttackQuote("ellipsis-out-of-order", "its parts stand the other way round", "It was then sold abroad … the new pump moved 45 litres a minute", _TRIAL, "In the spring trial the new pump moved 45 litres a minute in each of nine runs."),
    AttackQuote("splice", "two sentences are made one without a mark", "The drug lowered fever in children under six.", _STUDY, "It did not lower fever in children under six."),
    AttackQuote("roles-exchanged", "who did it to whom", "The keeper accused the pilot of stealing the lamp oil.", _ORDER, "The pilot accused the keeper of stealing the lamp oil."),
    AttackQuote("look-alike-letter", "a letter of another script", "collected by the vendor p\u0430ypal in June", _VENDOR, "collected by the vendor paypal in June"),
    AttackQuote("unseen-characters", "digits turned by marks that nobody sees", "the new pump moved \u202e54\u202c litres a minute in each of nine runs", _TRIAL, "in each of nine runs"),
    AttackQuote("word-exchanged", "a word that means another thing", "The pilot acquitted the keeper of stealing the lamp oil.", _ORDER, "the keeper of stealing the lamp oil"),
    AttackQuote("only-lost", "the limit inside is left out", "The service deletes personal data after written notice.", _DELETE, "The service deletes personal data only after written notice."),
    AttackQuote("made-up", "the source says nothing like it", "The harbour was closed to all ships for nine years.", _TRIAL, "It was then sold abroad."),
    AttackQuote("pattern", "signs of a regular expression that match all", ".*(pump|rule)?.*", _TRIAL, "the new pump moved 45 litres"),
    AttackQuote("empty", "nothing, which stands in every source", "", _TRIAL, "the new pump moved 45 litres a minute"),
    AttackQuote("one-letter", "a letter, which stands in every source", "e", _TRIAL, "In the spring trial the new pump moved 45 litres"),
)  # fmt: skip
"""Quotes to refuse, each with a quote of the same source to accept: a check that refuses everything proves nothing."""
