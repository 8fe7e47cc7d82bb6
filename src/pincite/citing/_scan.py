"""The one scan of an answer: where its markers stand, and what is code, comment, tag or link target.

It walks the text once, left to right, and settles each place by what stands up to `marker_code_points` after it. A
code span must close within its paragraph and that bound, else its backticks are text; an open fence reaches to the
end, and so does a comment that opens a line; any other comment closes like a code span. Lines end in LF or CRLF.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Any, NamedTuple

from pincite.citing import _tokens
from pincite.citing._bare import Settled, with_bare_ids
from pincite.citing._marks import (
    LOOK_BACK,
    PENDING,
    Mark,
    Member,
    bracket,
    custom,
    is_exponent,
    link,
    private,
    raised,
    wide,
)
from pincite.citing._opening import (
    CLOSED,
    NUMBER,
    PLAIN_ANY,
    RAISED,
    plain_marker,
    raised_number,
)
from pincite.citing._target import COMMENT, Closings, Pending
from pincite.citing.formats import wire_formats
from pincite.citing.occurrence import UNKNOWN, UNSETTLED, Link, Occurrence
from pincite.core.limits import DEFAULT, Limits

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable

    from pincite.citing.formats import WireFormat

# Spaces that may stand before what opens a line: CommonMark's indent.
_INDENT = 3
# Code points of a link's text that are looked through for where it begins.
_LINK_TEXT = 200
# The window of a stream is cut when this much of it is behind.
_WINDOW = 1_024
_ESCAPABLE = frozenset("[]`<")
# Behind every code point.
_ENDLESS = 10**15

_new: Any = tuple.__new__  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType] - whatever is in it


class Scan(NamedTuple):
    """The markers of a text in order, the spans of it that are code or comment, and its site-relative links."""

    occurrences: list[Occurrence]
    code: list[tuple[int, int]]
    links: list[Link]


def scan(text: str, formats: Iterable[WireFormat] | None = None, *, limits: Limits = DEFAULT) -> Scan:
    """Return the markers and the code of `text` in one linear pass."""
    scanner = Scanner(formats, limits=limits)
    scanner.text = text
    scanner.run(final=True)
    found = scanner.found()
    if "evidence_id" not in scanner.wanted:
        return found
    settled = Settled(found.occurrences, found.code, scanner.targets)
    return found._replace(occurrences=with_bare_ids(text, settled, limits.marker_code_points))


class _Mode(NamedTuple):
    """What the scan is inside of: where it began and what closes it."""

    start: int
    close: re.Pattern[str]


class Scanner:
    """Scans a text that may still grow: set or extend `text`, then `run`.

    `text` is a window of the whole that begins at code point `base` of it. After a run, `pending` says that the
    matter at the window's end is open, and `is_clear` that nothing is, so that a plain marker may follow; `held` is
    the code point of the whole from which nothing is settled yet; `is_dull` says of a further piece that it settles
    nothing, and from `deadline` on any piece does.
    """

    __slots__ = (
        "_ahead", "_at", "_closed_until", "_closings", "_customs", "_mode", "_most", "_no_close",
        "_search", "base", "code", "deadline", "extra", "held", "is_clear", "is_dull", "limit", "links",
        "occurrences", "pending", "quiet", "targets", "text", "wanted",
    )  # fmt: skip

    def __init__(self, formats: Iterable[WireFormat] | None, *, limits: Limits) -> None:
        named = list(wire_formats().values() if formats is None else formats)
        self.wanted = {one.name for one in named}
        if formats is None:
            self.wanted.add("foreign")
        self._customs = [one for one in named if one.name not in _tokens.BUILT_IN and one.opening]
        self.extra = extra = "".join(sorted({one.opening[0] for one in self._customs}))
        self._search = _tokens.special(extra, whole=False).search
        self.quiet = frozenset("[]<`\\~\u3010\uff3b\ue200" + extra).isdisjoint
        self.limit = limits.marker_code_points
        self._most = limits.markers_per_group
        self._at = 0
        # What was added and needs no look any more: it stands between `_at` and what will come.
        self._ahead: list[str] = []
        self._mode: _Mode | None = None
        self._closed_until = 0
        self._closings = Closings()
        # How far there is no line that ends a fence of a list item, by its mark and width.
        self._no_close: dict[tuple[str, int], int] = {}
        self.text = ""
        self.base = 0
        self.occurrences: list[Occurrence] = []
        self.code: list[tuple[int, int]] = []
        self.links: list[Link] = []
        # Targets of links and attributes of elements that may hold an evidence id.
        self.targets: list[tuple[int, int]] = []
        self.pending = False
        self.is_dull = self.quiet
        self.is_clear = not self._customs
        self.held = 0
        self.deadline = 0

    def found(self) -> Scan:
        """Return what was found so far."""
        return Scan(self.occurrences, self.code, self.links)

    def is_code(self, at: int) -> bool:
        """Say of a code point of the whole text that was settled whether it stands in code or a comment."""
        mode = self._mode
        if mode is not None and at >= mode.start:
            return True
        # The stretches are in order, and a whole text may have been read before anything of it is asked about.
        before = bisect_right(self.code, (at, _ENDLESS)) - 1
        return before >= 0 and at < self.code[before][1]

    def extend(self, piece: str) -> None:
        """Add to the text, and let go of what lies far behind."""
        if self._ahead:
            ahead = "".join(self._ahead)
            self._ahead.clear()
            self._at += len(ahead)
            piece = ahead + piece
        behind = self._at - LOOK_BACK
        if behind > _WINDOW:
            self.text = (self.text + piece)[behind:]
            self.base += behind
            self._at -= behind
            # Where the line's own start is gone, no line starts with the window.
            self._closed_until = max(int(self._closed_until < behind), self._closed_until - behind)
            self._closings.forget()
            self._no_close.clear()
        else:
            self.text += piece

    def run(self, *, final: bool) -> None:  # noqa: C901 - the one loop that every marker passes
        """Go as far as the text settles; `final` says that it will not grow."""
        self.pending = False
        text, base, length = self.text, self.base, len(self.text)
        search = self._search if not final or base else _tokens.special(self.extra, whole=True).search
        wanted, limit, enter = self.wanted, self.limit, self.occurrences.append
        at = self._at
        while True:
            if self._mode is not None:
                self._at = at
                if not self._inside_mode(final=final):
                    break
                at = self._at
            found = search(text, at)
            if found is None:
                # A bracket that closes at the very end may be the joint of a link.
                self._at = length - (not final and text.endswith("]", at))
                break
            at, end = found.span()
            kind = found.lastindex
            if kind == RAISED:
                if "sup_numeric" in wanted:
                    if at and end - at <= limit and not is_exponent(text, at):
                        enter(raised_number(found, base + at, base + end))
                    at = end
                    continue
            elif (
                kind is not None
                and end - at <= limit
                # What follows most markers surely has nothing to do with them.
                and (
                    kind in CLOSED or (end < length and text[end] not in "(:") or self._stands_alone(at, end)
                )
            ):
                one = plain_marker(found, wanted, base + at, base + end)
                if one is not None:
                    enter(one)
                at = end
                continue
            self._at = at
            self._token(text[at], at, final=final)
            if self.pending:
                break
            at = self._at
        self.is_clear = not (self.pending or self._mode or self._customs or self._at < length)
        if self.pending:
            return
        self.held = base + length
        if final and self._mode is None:
            self._at = length

    def plain(self, piece: str, start: int) -> re.Match[str] | int:
        """Return the plain marker that begins at `start` of a further piece of the text, and has nothing behind it.

        Else what keeps it from being entered as it is: `UNSETTLED` says that one more character tells, `UNKNOWN`
        that the piece has to be scanned.
        """
        found = PLAIN_ANY.match(piece, start)
        if found is None:
            return UNKNOWN
        end, kind = found.end(), found.lastindex
        rest = piece[end:]
        if kind == RAISED:
            # Behind a space or a mark there is nothing that could be raised to a power.
            before = piece[start - 1 : start]
            if not before or before.isalnum() or before == ")":
                return UNKNOWN
        elif kind not in CLOSED and rest[:1] in "(:":
            # What follows a key must be there to be seen: it may make a link or a definition of it.
            return UNKNOWN if rest else UNSETTLED
        elif kind == NUMBER:
            return UNKNOWN
        return found if end - start <= self.limit and self.quiet(rest) else UNKNOWN

    def skip(self, piece: str) -> None:
        """Add a piece that has been looked at to the text; it is put together when somebody looks at it again."""
        self._ahead.append(piece)

    def _stands_alone(self, at: int, end: int) -> bool:
        """Say whether a parenthesis or a colon behind a marker surely has nothing to do with it."""
        follows = self.text[end : end + 1]
        if follows == "(":
            stop = min(len(self.text), at + self.limit)
            return stop < len(self.text) and link(self.text, end, stop, hard=True) is None
        return follows == ":" and not self._may_define(at, end)

    def _token(self, char: str, at: int, *, final: bool) -> None:  # noqa: C901 - one branch a character
        """Take in what stands at `at`; move on, or say that it is pending."""
        stop = at + self.limit
        hard = final or len(self.text) >= stop
        stop = min(stop, len(self.text))
        for form in self._customs:
            found = custom(self.text, form, at, stop, hard=hard, most=self._most)
            if found is not None:
                self._marker(found, at)
                return
        if not self.wanted and char not in "`~\\":
            self._at = at + 1  # who wants no markers wants the code that is code whatever else there is
        elif char == "[":
            self._bracket(at, stop, hard=hard)
        elif char == "]":
            self._link(at, stop, hard=hard)
        elif char == "`":
            self._ticks(at, stop, hard=hard, final=final)
        elif char == "<":
            self._angle(at, stop, hard=hard)
        elif char == "~":
            self._tildes(at, stop, hard=hard, final=final)
        elif char == "\\":
            self._escape(at, final=final)
        elif char in "\u3010\uff3b":
            self._marker(wide(self.text, at, stop, hard=hard, most=self._most), at)
        elif char == "\ue200":
            self._marker(private(self.text, at, stop, hard=hard, most=self._most), at)
        else:
            self._at = at + 1

    def _wait(self, at: int, pending: Pending = PENDING, *, held: int | None = None) -> None:
        """Stay at `at` until more is there; the text from `held` on (from `at`, when None) may be part of a marker."""
        self._at = at
        self.pending = True
        self.is_dull = pending.is_dull
        self.held = self.base + (at if held is None else held)
        self.deadline = self.base + at + self.limit

    def _wait_for_region(self, at: int, pending: Pending) -> None:
        """Stay at `at`; only what may be a marker in what follows is held."""
        found = _tokens.HELD.search(self.text, at + 1)
        self._wait(at, pending, held=len(self.text) if found is None else found.start())

    def _bracket(self, at: int, stop: int, *, hard: bool) -> None:
        found = self._grammar(at, stop, hard=hard)
        end = found.end if isinstance(found, Mark) else at
        if not hard and self._may_define(at, end) and self.text.find("\n", end, stop) < 0:
            # The rest of the line says whether this is a definition.
            self._wait(at, _tokens.OPEN_DEFINITION)
        else:
            self._marker(found, at)

    def _may_define(self, at: int, end: int) -> bool:
        """Say whether a bracket may be the label of a reference definition: alone, at a line's start, with a colon."""
        text = self.text
        return text.startswith(":", end) and text[at + 1 : at + 2] != "[" and self._opens_line(at)

    def _marker(self, found: Mark | Pending | None, at: int) -> None:
        if found is None:
            self._at = at + 1
        elif isinstance(found, Pending):
            self._wait(at, found)
        else:
            self._add(found, at)
            self._at = found.end

    def _add(self, mark: Mark, at: int, *, inside: str = "", outer: tuple[int, int] | None = None) -> None:
        """Enter the members of a marker that begins at `at`; `inside` says in what it stands."""
        text, base = self.text, self.base
        whole = (base + at, base + mark.end)
        lone = len(mark.members) == 1
        if not inside and mark.linked and at > 0 and text[at - 1] == "!":
            inside = "image"
        in_code, in_link = inside in _tokens.IN_CODE, inside in _tokens.IN_LINKS
        extract = None if mark.extract is None else text[slice(*mark.extract)]
        definition = (
            not (in_code or mark.linked)
            and text[at] == "["
            and not mark.number
            and self._may_define(at, mark.end)
            and _tokens.DEFINITION.match(text, mark.end, at + self.limit) is not None
        )
        where = inside or (
            "definition" if definition else "label" if mark.linked else
            "raised" if text[at] == "<" else "bracket" if lone else "group"
        )  # fmt: skip
        for member in mark.members:
            form = self._form(member, mark.number)
            if form is None or ((in_code or in_link) and not (member.full or form == "ref")):
                continue
            span = whole if lone else (base + member.start, base + member.end)
            self.occurrences.append(
                _new(
                    Occurrence,
                    (
                        *span, member.key, text[span[0] - base : span[1] - base], outer or whole, member.full,
                        in_code, mark.linked, definition, form, mark.repairs, extract, mark.number, member.keys,
                        member.fault, in_link, where,
                    ),
                )
            )  # fmt: skip
        only = mark.members[0]
        is_image = text[max(0, at - 1) : at] == "!"
        if only.form == "inline_url" and only.key.startswith("/") and not (only.full or inside or is_image):
            # A number as the text of a link may be the name of what it leads to.
            self.links.append(Link(*whole, only.key))
        if mark.extract is not None and outer is None and not (in_code or in_link):
            self._within(*mark.extract, outer=whole)

    def _form(self, member: Member, number: str) -> str | None:
        """Return the wire format of a key, or None when it was not asked for; `number` has it for its address."""
        form, wanted = member.form, self.wanted
        if number and form not in wanted:
            form = "inline_url"
        if form == "ref" and member.full:
            return "short_id" if "short_id" in wanted else "ref" if "ref" in wanted else None
        return form if form in wanted else None

    def _within(self, at: int, stop: int, *, inside: str = "", outer: tuple[int, int] | None = None) -> None:
        """Enter the markers of a stretch that is settled: code, a link's target, or an extract."""
        text = self.text
        while (found := _tokens.OPENERS.search(text, at, stop)) is not None:
            at = found.start()
            mark = self._grammar(at, min(stop, at + self.limit), hard=True)
            if isinstance(mark, Mark):
                self._add(mark, at, inside=inside, outer=outer)
                at = mark.end
            else:
                at += 1

    def _grammar(self, at: int, stop: int, *, hard: bool) -> Mark | Pending | None:
        char = self.text[at]
        if char == "[":
            return bracket(self.text, at, stop, hard=hard, most=self._most, closings=self._closings)
        if char == "\ue200":
            return private(self.text, at, stop, hard=hard, most=self._most)
        return wide(self.text, at, stop, hard=hard, most=self._most)

    def _escape(self, at: int, *, final: bool) -> None:
        """Step over a run of backslashes, and over what the last of an odd number escapes."""
        end = _tokens.end_of(_tokens.BACKSLASHES, self.text, at, at + self.limit)
        if end >= len(self.text) and not final and end - at < self.limit:
            self._wait(at, held=end)
        else:
            self._at = end + ((end - at) % 2 == 1 and self.text[end : end + 1] in _ESCAPABLE)

    def _link(self, at: int, stop: int, *, hard: bool) -> None:
        """Step over the target of a link: what stands there is an address, whatever it looks like."""
        found = link(self.text, at + 1, stop, hard=hard)
        if isinstance(found, Pending):
            self._wait_for_region(at + 1, PENDING)
            self._at = at
        elif found is None:
            self._at = at + 1
        else:
            target = found["target"]
            if target.startswith("/") and found.group() == f"({target})":
                # Only a link whose text is words and nothing else, and that is no image, can be let through.
                opening = self.text.rfind("[", max(0, at - _LINK_TEXT), at)
                words = self.text[opening + 1 : at]
                if (
                    opening >= 0
                    and self.text[opening - 1 : opening] not in ("!", "\\")
                    and _tokens.PLAIN_WORDS.fullmatch(words)
                ):
                    self.links.append(Link(self.base + opening, self.base + found.end(), target))
            self._target(at + 1, found.end())
            self._within(at + 2, found.end(), inside="target")
            self._at = found.end()

    def _ticks(self, at: int, stop: int, *, hard: bool, final: bool) -> None:
        text = self.text
        end = _tokens.end_of(_tokens.TICKS, text, at, stop)
        if end >= len(text) and not final and end - at < self.limit:
            self._wait(at, held=end)
            return
        width = end - at
        if width >= _tokens.FENCE and self._opens_line(at) and end <= stop:
            line_end = text.find("\n", end, stop)
            info = text[end : stop if line_end < 0 else line_end]
            if "`" not in info:
                if line_end < 0 and not hard:
                    self._wait_for_region(at, _tokens.OPEN_CODE)
                else:
                    self._fence(at, "`", width, end + len(info))
                return
        elif width >= _tokens.FENCE and self._deep_fence(at, end, stop, hard=hard):
            return
        found = _tokens.span_close(width).search(text, end, stop) if end < stop else None
        if not hard and (found is None or found.end() >= stop):
            self._wait_for_region(at, _tokens.OPEN_CODE)
        elif found is None or text[found.start()] == "\n":
            self._at = end
        else:
            self._region(at, found.end(), "code")

    def _tildes(self, at: int, stop: int, *, hard: bool, final: bool) -> None:
        text = self.text
        end = _tokens.end_of(_tokens.TILDES, text, at, stop)
        if end >= len(text) and not final and end - at < self.limit:
            self._wait(at, held=end)
        elif end - at >= _tokens.FENCE and self._opens_line(at) and end <= stop:
            line_end = text.find("\n", end, stop)
            if line_end < 0 and not hard:
                self._wait_for_region(at, _tokens.OPEN_LINE)
            else:
                self._fence(at, "~", end - at, stop if line_end < 0 else line_end)
        elif end - at < _tokens.FENCE or not self._deep_fence(at, end, stop, hard=hard):
            self._at = end

    def _deep_fence(self, at: int, end: int, stop: int, *, hard: bool) -> bool:
        """Take in, or wait for, the whole fence of a list item or a quotation; say whether there is one."""
        # It has to close near by: what is indented that far may be prose that goes on, and open no fence at all.
        text = self.text
        before = text[max(0, at - LOOK_BACK) : at]
        kind = (text[at], end - at)
        if (
            end >= stop
            or kind[1] > _tokens.DEEP
            or _tokens.CONTAINER.fullmatch(before[before.rfind("\n") + 1 :]) is None
        ):
            return False
        # No stretch is searched twice, but for a line that was not at its end.
        start = max(end, self._no_close.get(kind, 0) - LOOK_BACK)
        found = _tokens.deep_fence_close(*kind).search(text, start, stop)
        if found is None:
            self._no_close[kind] = stop
        if not hard and (found is None or found.end() >= len(text)):
            self._wait_for_region(at, _tokens.OPEN_CODE if text[at] == "`" else _tokens.OPEN_DEEP)
            return True
        if found is None:
            return False
        self._region(at, found.end(), "code")
        return True

    def _fence(self, at: int, char: str, width: int, inside: int) -> None:
        indent = at - len(self.text[max(0, at - _INDENT) : at].rstrip(" ")) - max(0, at - _INDENT)
        self._mode = _Mode(self.base + at - indent, _tokens.fence_close(char, width))
        self._at = self._closed_until = inside

    def _angle(self, at: int, stop: int, *, hard: bool) -> None:
        text = self.text
        if at + 1 >= len(text) and not hard:
            self._wait(at)
            return
        follows = text[at + 1 : at + 2]
        if follows in ("s", "S") and "sup_numeric" in self.wanted:
            found = raised(text, at, stop, hard=hard, most=self._most)
            if found is not None:
                self._marker(found, at)
                return
        if follows == "!":
            self._comment(at, stop, hard=hard)
            return
        tag = _tokens.TAG.match(text, at, stop)
        if tag is not None:
            self._target(at, tag.end())
            self._within(at, tag.end(), inside="attribute")
            self._at = tag.end()
        elif not hard and _tokens.TAG_SO_FAR.fullmatch(text, at, stop) is not None:
            self._wait_for_region(at, _tokens.OPEN_TAG)
        else:
            self._at = at + 1

    def _comment(self, at: int, stop: int, *, hard: bool) -> None:
        text = self.text
        if not text.startswith("<!--", at):
            if not hard and "<!--".startswith(text[at:stop]):
                self._wait(at, held=len(text))
            else:
                self._at = at + 1
            return
        if self._opens_line(at):
            self._mode = _Mode(self.base + at, _tokens.COMMENT_END)
            self._at = self._closed_until = at + 4
            return
        found = self._closings.next(COMMENT, text, at + 4, stop)
        if found is None and not hard:
            self._wait_for_region(at, _tokens.OPEN_COMMENT)
        elif found is None or text[found.start()] == "\n":
            self._at = at + 4
        else:
            self._region(at, found.end(), "comment")

    def _region(self, start: int, end: int, inside: str) -> None:
        """Enter a stretch of code or comment that is settled."""
        self.code.append((self.base + start, self.base + end))
        self._within(start, end, inside=inside)
        self._at = end

    def _target(self, start: int, end: int) -> None:
        """Remember an address or attributes in which an evidence id may stand."""
        if self.text.find("1:", start, end) >= 0 and self.text[start : start + 2] not in _tokens.AUTOLINK:
            self.targets.append((self.base + start, self.base + end))

    def _inside_mode(self, *, final: bool) -> bool:
        """Go through a fence or a comment; say whether it has been left."""
        mode, text, length = self._mode, self.text, len(self.text)
        if mode is None:
            return True
        close = mode.close.search(text, self._closed_until)
        if close is not None and close.end() - close.start() > self.limit:
            # A line that long closes nothing, however it may go on.
            self._closed_until = close.end()
            close = mode.close.search(text, self._closed_until)
        left = close is not None and (final or close.end() < length or mode.close is _tokens.COMMENT_END)
        until = length if close is None else close.start()
        at = self._at
        while (found := _tokens.OPENERS.search(text, at, until)) is not None:
            at = found.start()
            stop = min(until, at + self.limit)
            mark = self._grammar(at, stop, hard=left or final or until - at >= self.limit)
            if isinstance(mark, Pending):
                self._wait(at)
                return False
            if isinstance(mark, Mark):
                self._add(mark, at, inside="comment" if mode.close is _tokens.COMMENT_END else "code")
            at = at + 1 if mark is None else mark.end
        if left and close is not None:
            self.code.append((mode.start, self.base + close.end()))
            self._mode = None
            self._at = close.end()
            return True
        self._at = max(at, until)
        # A line that is not at its end may still become the closing one.
        line = text.rfind("\n", self._closed_until, until) + 1
        self._closed_until = max(self._closed_until, line)
        if mode.close is _tokens.COMMENT_END:
            self._closed_until = max(self._closed_until, length - 2)
        if final:
            self.code.append((mode.start, self.base + length))
        return False

    def _opens_line(self, position: int) -> bool:
        """Say whether nothing but an indent stands before `position` on its line; it looks no further back."""
        before = self.text[max(0, position - _INDENT - 1) : position]
        indent = before[before.rfind("\n") + 1 :]
        return len(indent) <= _INDENT and not indent.strip(" ")
