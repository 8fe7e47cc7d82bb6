"""What can be said of a citation: closed sets, each value as JSON holds it."""

from __future__ import annotations

from enum import StrEnum


class TraceVerdict(StrEnum):
    """Whether a cited id names text that was fetched in scope (the check's page). It does not judge support."""

    VALID = "valid"
    NOT_FETCHED = "not_fetched"
    UNAVAILABLE = "unavailable"
    MALFORMED = "malformed"


class FetchStatus(StrEnum):
    """What became of the fetch of one evidence id. Only `ok` counts as fetched."""

    OK = "ok"
    PARTIAL = "partial"
    TRUNCATED = "truncated"
    UNAVAILABLE = "unavailable"
    MALFORMED = "malformed"
    FAILED = "failed"


class Confidence(StrEnum):
    """Whether a hit's rerank score reached the collection's bar (the reader's page). None: not scored."""

    SUPPORTED = "supported"
    WEAK = "weak"


class SourceState(StrEnum):
    """What became of the cited version since."""

    CURRENT = "current"
    SUPERSEDED = "superseded"
    REMOVED = "removed"


class QuoteVerdict(StrEnum):
    """What became of the model's quote when it was looked for in its source."""

    VERBATIM = "verbatim"
    TYPOGRAPHIC = "typographic"
    ELIDED = "elided"
    ALTERED = "altered"
    TRUNCATED = "truncated"
    ELSEWHERE = "elsewhere"
    ABSENT = "absent"
    TOO_SHORT = "too_short"
    UNCHECKED = "unchecked"


class DifferenceKind(StrEnum):
    """In what a quote departs from its source: in a word or a number, or in how they are written."""

    WORD = "word"
    NUMBER = "number"
    SIGN = "sign"
    UNIT = "unit"
    NEGATOR = "negator"
    LIMITER = "limiter"
    SCRIPT = "script"
    ORDER = "order"
    SYMBOL = "symbol"
    CASE = "case"
    TYPO = "typo"
    SPACING = "spacing"
    FOOTNOTE = "footnote"
    RUNNING_HEAD = "running_head"
    INSERTION = "insertion"
    PUNCTUATION = "punctuation"


class SupportVerdict(StrEnum):
    """Whether passages say what a claim says, as far as the named method can tell."""

    SUPPORTED = "supported"
    PARTIAL = "partial"
    UNSUPPORTED = "unsupported"
    CONTRADICTED = "contradicted"
    UNCHECKED = "unchecked"


class MissReason(StrEnum):
    """Why something that looks like a citation is none."""

    NEVER_ISSUED = "never_issued"
    AMBIGUOUS = "ambiguous"
    MALFORMED = "malformed"
    IN_CODE = "in_code"
    IN_LINK = "in_link"
