"""What the styles of HTML hide from a reader: inline styles, and rules of style sheets whose selectors are simple.

A page is not laid out, so this is about what is said: an element that is not shown, clipped away or moved out of sight
hides all that is in it; a size, an ink and a ground are handed down, and any element may set them anew.
"""

from __future__ import annotations

import re
from colorsys import hls_to_rgb
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

RGB = tuple[int, int, int]
Style = dict[str, str]

_IMPORTANT = "!important"
# A number with a unit: linear, bounded runs.
_LENGTH = re.compile(r"([+-]?(?:\d{1,9}(?:\.\d{0,9})?|\.\d{1,9}))([a-z]{2,4}|%)?")
_PIXELS = {
    **dict.fromkeys(("", "px"), 1.0),
    **dict.fromkeys(("em", "rem", "pc"), 16.0),
    **dict.fromkeys(("ex", "ch"), 8.0),
    **dict.fromkeys(("vw", "vh", "vmin", "vmax", "%"), 10.0),
    "pt": 4 / 3,
    "mm": 3.78,
    "cm": 37.8,
    "in": 96.0,
}
"""Pixels of a unit, about; of a share of the window that it has a thousand."""
_OUT_OF_SIGHT = -900.0
"""Pixels from which on what is moved to the left or up is off the page."""
_SMALLEST = 1.0
"""Pixels of type, or of a box that hides what flows over, in which nobody reads."""
_FAINTEST = 0.05
"""The share of opacity up to which ink is not seen."""
_SAME = 16
"""Steps of 255 by which ink may differ from its ground, in its most different part, and not be seen."""

# A colour as a function, or in hex; a word: linear, bounded runs.
_FUNCTION = re.compile(r"(rgb|hsl)a?\(([^()]{1,80})\)")
_HEX = re.compile(r"#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})")
_COLOUR_IN = re.compile(r"(?:rgb|hsl)a?\([^()]{1,80}\)|#[0-9a-f]{3,8}|[a-z]{3,25}")
_PARTS = re.compile(r"[\s,/]+")
_NAMES = {
    "white": "#fff",
    "snow": "#fffafa",
    "ivory": "#fffff0",
    "ghostwhite": "#f8f8ff",
    "floralwhite": "#fffaf0",
    "whitesmoke": "#f5f5f5",
    "mintcream": "#f5fffa",
    "azure": "#f0ffff",
    "black": "#000",
    "gray": "#808080",
    "grey": "#808080",
    "silver": "#c0c0c0",
    "red": "#f00",
    "green": "#008000",
    "lime": "#0f0",
    "blue": "#00f",
    "navy": "#000080",
    "yellow": "#ff0",
    "orange": "#ffa500",
    "purple": "#800080",
    "maroon": "#800000",
    "teal": "#008080",
    "aqua": "#0ff",
    "cyan": "#0ff",
    "magenta": "#f0f",
    "transparent": "#0000",
}
_HANDED_DOWN = frozenset({"none", "inherit", "unset", "currentcolor"})

# What clips, shrinks and moves, as functions of a style: linear, bounded runs.
_CLIP = re.compile(r"rect\(([^()]{1,80})\)")
_INSET = re.compile(r"inset\(([^()]{1,80})\)")
_POINT = re.compile(r"circle\(\s{0,9}0(?![.\d])")
_SHRUNK = re.compile(r"scale(?:x|y|3d)?\(\s{0,9}(?:0(?:\.0{0,9})?|\.0{1,9})%?\s{0,9}[,)]")
_MOVED = re.compile(r"translate(?:x|y|3d)?\(([^()]{1,80})\)")
_SIZES = re.compile(r"(?:^|\s)([+-]?[\d.]{1,20}(?:[a-z]{2,4}|%)?)(?=\s|/|$)")

_UNSEEN_VALUES = {
    "display": frozenset({"none"}),
    "visibility": frozenset({"hidden", "collapse"}),
    "content-visibility": frozenset({"hidden"}),
}
_FOR_EARS = frozenset(
    "sr-only visually-hidden visuallyhidden screen-reader-text screen-reader-only screenreader-only sr-only-text "
    "element-invisible cdk-visually-hidden a11y-hidden hidden-visually u-hiddenvisually is-visually-hidden".split()
)
"""Classes by which pages keep words for programs that read aloud; nobody sees them."""

WHITE: RGB = (255, 255, 255)
"""The colour of a page that says nothing of it."""


def style_of(attributes: Mapping[str, str | None]) -> Style:
    """Return the inline style of an element, names and values in lower case."""
    written = attributes.get("style")
    return declarations(written)[0] if written else {}


def declarations(written: str) -> tuple[Style, Style]:
    """Return declarations by name, names and values in lower case; and those of them that are important."""
    style: Style = {}
    important: Style = {}
    for declaration in written.lower().split(";"):
        name, colon, value = declaration.partition(":")
        if colon:
            name = name.strip()
            if _IMPORTANT in value:
                value = value.replace(_IMPORTANT, "")
                important[name] = value.strip()
            style[name] = value.strip()
    return style, important


def pixels(written: str | None) -> float | None:
    """Return a length in pixels, about; None where none is written."""
    found = _LENGTH.fullmatch((written or "").strip())
    if found is None or (found[2] or "") not in _PIXELS:
        return None
    return float(found[1]) * _PIXELS[found[2] or ""]


# --- What hides an element with all that is in it --------------------------------------------------


def hidden(attributes: Mapping[str, str | None], style: Mapping[str, str]) -> bool:
    """Say whether an element is hidden with everything in it: by attributes, by a class, or by its style."""
    if attributes:
        if "hidden" in attributes or (attributes.get("aria-hidden") or "").strip().lower() == "true":
            return True
        names = attributes.get("class")
        if names and not _FOR_EARS.isdisjoint(names.lower().split()):
            return True
    if not style:
        return False
    if any(style.get(name) in values for name, values in _UNSEEN_VALUES.items()):
        return True
    return _share(style.get("opacity")) <= _FAINTEST / 5 or _is_moved(style) or _is_cut(style)


def _share(written: str | None) -> float:
    """Return an opacity as a share of one; one where none is written."""
    bare = (written or "").strip()
    found = _LENGTH.fullmatch(bare)
    if found is None or found[2] not in (None, "%"):
        return 1.0
    return float(found[1]) / (100 if found[2] else 1)


def _is_moved(style: Mapping[str, str]) -> bool:
    """Say whether an element is moved off the page."""
    names = ["text-indent", "margin-left", "margin-top"]
    if style.get("position") in {"absolute", "fixed", "relative"}:
        names += ("left", "top", "right", "bottom")
    if any((pixels(style[name]) or 0.0) <= _OUT_OF_SIGHT for name in names if name in style):
        return True
    moved = _MOVED.search(style.get("transform", ""))
    # Shares are those of the element itself, which is often drawn back by half of its size.
    return moved is not None and any(
        (pixels(part) or 0.0) <= _OUT_OF_SIGHT
        for part in _PARTS.split(moved[1].strip())
        if not part.endswith("%")
    )


def _is_cut(style: Mapping[str, str]) -> bool:
    """Say whether an element is clipped, shrunk or closed to nothing."""
    clip = _CLIP.search(style.get("clip", ""))
    if clip is not None:
        sides = [pixels(part) for part in _PARTS.split(clip[1].strip())]
        if len(sides) == 4 and None not in sides:  # noqa: PLR2004 - top, right, bottom, left
            top, right, bottom, left = (side or 0.0 for side in sides)
            if right - left <= _SMALLEST or bottom - top <= _SMALLEST:
                return True
    if any(_is_clipped(style[name]) for name in ("clip-path", "-webkit-clip-path") if name in style):
        return True
    if _SHRUNK.search(style.get("transform", "")) or (pixels(style.get("scale")) == 0.0):
        return True
    closes = any(style.get(name, "").startswith(("hidden", "clip")) for name in _OVERFLOW)
    return closes and any(
        (size := pixels(style.get(name))) is not None and size <= _SMALLEST
        for name in ("height", "max-height", "width", "max-width")
    )


def _is_clipped(path: str) -> bool:
    """Say whether a path to clip by leaves nothing: a point, or insets from two sides that meet."""
    inset = _INSET.search(path)
    if inset is None:
        return _POINT.search(path) is not None
    sides = [_LENGTH.fullmatch(part) for part in _PARTS.split(inset[1].strip())][:4]
    shares = [float(side[1]) if side is not None and side[2] == "%" else 0.0 for side in sides]
    # As of a margin: one is for all sides, two are for opposite ones, the left one is that of the right.
    top = shares[0]
    right = shares[1] if len(shares) > 1 else top
    bottom = shares[2] if len(shares) > 2 else top  # noqa: PLR2004 - top, right, bottom, left
    left = shares[3] if len(shares) > 3 else right  # noqa: PLR2004
    return top + bottom >= _WHOLE or left + right >= _WHOLE


_WHOLE = 100.0
_OVERFLOW = ("overflow", "overflow-x", "overflow-y")


# --- Size, ink and ground --------------------------------------------------------------------------


class _Colour(NamedTuple):
    rgb: RGB
    alpha: float


def colour(written: str | None) -> _Colour | None:
    """Return a colour, or None where none is written that is known."""
    bare = (written or "").strip().lower()
    bare = _NAMES.get(bare, bare)
    if _HEX.fullmatch(bare) is not None:
        digits = bare[1:]
        if len(digits) <= 4:  # noqa: PLR2004 - one digit a part
            digits = "".join(digit * 2 for digit in digits)
        red, green, blue, *alpha = (int(digits[at : at + 2], 16) for at in range(0, len(digits), 2))
        return _Colour((red, green, blue), alpha[0] / 255 if alpha else 1.0)
    found = _FUNCTION.fullmatch(bare)
    if found is None:
        return None
    parts = [part for part in _PARTS.split(found[2].strip().replace("deg", "")) if part]
    numbers = [_LENGTH.fullmatch(part) for part in parts]
    if len(parts) not in (3, 4) or any(one is None or one[2] not in (None, "%") for one in numbers):
        return None
    values = [(float(one[1]), one[2] == "%") for one in numbers if one is not None]
    alpha_part = values[3] if len(values) > 3 else (1.0, False)  # noqa: PLR2004 - behind three parts
    alpha_value = alpha_part[0] / (100 if alpha_part[1] else 1)
    if found[1] == "hsl":
        hue, saturation, light = (value for value, _ in values[:3])
        inner = hls_to_rgb(hue / 360 % 1, _within(light / 100), _within(saturation / 100))
        red, green, blue = (round(255 * part) for part in inner)
    else:
        red, green, blue = (
            round(255 * _within(value / (100 if is_share else 255))) for value, is_share in values[:3]
        )
    return _Colour((red, green, blue), alpha_value)


def _within(share: float) -> float:
    return min(1.0, max(0.0, share))


_LOOKS = frozenset(
    "color background background-color background-image background-clip -webkit-background-clip font font-size "
    "bgcolor text".split()
)
"""Names in a style, and of attributes, that say how text looks."""


@dataclass(frozen=True, slots=True)
class Look:
    """How text in an element looks.

    `ground` is the colour under it, None where that is not known, `ink` its own, None for the usual one; `clear` says
    that there is no ink at all.
    """

    ground: RGB | None = WHITE
    ink: RGB | None = None
    clear: bool = False
    tiny: bool = False

    @property
    def hides(self) -> bool:
        """Whether text that looks so is not seen."""
        if self.clear or self.tiny:
            return True
        if self.ink is None or self.ground is None:
            return False
        return max(abs(here - there) for here, there in zip(self.ink, self.ground, strict=True)) <= _SAME

    def within(self, tag: str, attributes: Mapping[str, str | None], style: Mapping[str, str]) -> Look:
        """Return the look of text in an element that stands in this one."""
        if _LOOKS.isdisjoint(style) and _LOOKS.isdisjoint(attributes):
            is_link = tag == "a" and "href" in attributes and (self.clear or self.ink is not None)
            return replace(self, ink=None, clear=False) if is_link else self
        made = replace(self, ground=_ground(attributes, style, self.ground), tiny=_tiny(style, self.tiny))
        clipped = style.get("background-clip") or style.get("-webkit-background-clip")
        if clipped == "text":
            # The ground shines through the letters.
            return replace(made, ink=None, clear=False)
        written = style.get("color") or attributes.get("text" if tag == "body" else "color")
        if not written:
            # A link has a colour of its own.
            return replace(made, ink=None, clear=False) if tag == "a" and "href" in attributes else made
        if written in _HANDED_DOWN:
            return made
        ink = colour(written)
        return replace(
            made,
            ink=ink.rgb if ink is not None else None,
            clear=ink is not None and ink.alpha <= _FAINTEST,
        )


def _ground(attributes: Mapping[str, str | None], style: Mapping[str, str], under: RGB | None) -> RGB | None:
    """Return the colour under an element's text, None for a picture and what is not known."""
    short = style.get("background", "")
    picture = style.get("background-image", "none")
    if picture not in _HANDED_DOWN or "(" in _FUNCTION.sub("", short) or attributes.get("background"):
        return None
    written = style.get("background-color") or attributes.get("bgcolor")
    if short and "background-color" not in style:
        known = [part for part in _COLOUR_IN.findall(short) if colour(part) is not None]
        written = known[0] if known else short
    if not written or written in _HANDED_DOWN or written in {"initial", "0", "0 0"}:
        return under
    found = colour(written)
    if found is None or _FAINTEST < found.alpha < 1 - _FAINTEST:
        return None
    return found.rgb if found.alpha > _FAINTEST else under


def _tiny(style: Mapping[str, str], under: bool) -> bool:  # noqa: FBT001 - what is handed down
    """Say whether an element's type is too small to be read; `under` says it of the one around it."""
    written = style.get("font-size")
    if written is None and "font" in style:
        sizes = _SIZES.findall(style["font"])
        # A weight may stand before the size.
        written = sizes[-1] if sizes else None
    found = _LENGTH.fullmatch(written or "")
    if found is None:
        # Sizes by name can be read, but for those that are handed down.
        return under and (written is None or written in _HANDED_DOWN or written in {"smaller", "larger"})
    number, unit = float(found[1]), found[2] or "px"
    relative = unit in {"em", "%", "ex", "ch"}
    size = number * 0.16 if unit == "%" else number * _PIXELS.get(unit, 1.0)
    return size <= _SMALLEST or (under and relative)


# --- Style sheets ----------------------------------------------------------------------------------

# A comment; a brace; a selector of a tag, classes and an id, and its parts. Linear: possessive runs.
_COMMENT = re.compile(r"/\*(?>[^*]++|\*(?!/))*+(?:\*/|\Z)")
_BRACE = re.compile(r"[{}]")
_SIMPLE = re.compile(r"([a-zA-Z][\w-]*+)?+((?:[.#][\w-]++)*+)")
_PART = re.compile(r"[.#][\w-]++")
# Blocks whose rules hold on any screen.
_FOR_ALL = re.compile(r"@(?:media\s+(?:only\s+)?(?:screen|all)|layer\b[^,;]{0,100})", re.IGNORECASE)

_USED = frozenset(
    "display visibility content-visibility opacity color background background-color background-image "
    "background-clip -webkit-background-clip font font-size position left right top bottom text-indent margin-left "
    "margin-top clip clip-path -webkit-clip-path transform scale height max-height width max-width overflow "
    "overflow-x overflow-y".split()
)
_OF_ROOTS = ("color", "background", "background-color", "background-image")
"""What is heeded of the rules for the whole page: scripts show what these hide until it is there."""
_MOST_RULES, _MOST_ALIKE, _MOST_KEPT = 50_000, 50, 20_000
"""Rules of a page, those for one class, id or tag, and styles that are kept for the next element like it."""


_NAMES_OF = frozenset({"class", "id"})


class _Rule(NamedTuple):
    weight: tuple[int, int, int]
    style: Style
    important: Style


class Sheet:
    """The rules of a page's style sheets whose selectors are a tag, classes and an id, or some of these."""

    def __init__(self) -> None:
        self.paints = False
        """Whether a rule gives a ground to elements that are not known."""
        self._rules: dict[str, dict[tuple[str, frozenset[str]], _Rule]] = {}
        self._count = 0
        self._kept: dict[tuple[str, str, str], tuple[Style, Style]] = {}

    @property
    def has_rules(self) -> bool:
        """Whether an element without attributes may have a style."""
        return self._rules != {}

    def add(self, source: str) -> None:
        """Take the rules of a style sheet; those that depend on more than the element itself are passed over."""
        depth = place = 0
        selectors = ""
        source = _COMMENT.sub(" ", source)
        self.paints = self.paints or "@import" in source
        for brace in _BRACE.finditer(source):
            text = source[place : brace.start()]
            place = brace.end()
            if brace[0] == "{":
                before = text.rpartition(";")[2].strip()
                if depth == 0 and _FOR_ALL.fullmatch(before) is not None:
                    continue
                selectors = before if depth == 0 and not before.startswith("@") else ""
                depth += 1
            elif depth:
                depth -= 1
                if selectors:
                    self._add(selectors, text)
                elif "background" in text:
                    self.paints = True
                selectors = ""

    def _add(self, selectors: str, body: str) -> None:
        style, important = declarations(body)
        style = {name: value for name, value in style.items() if name in _USED}
        if not style:
            return
        important = {name: value for name, value in important.items() if name in _USED}
        for written in selectors.split(","):
            selector = written.strip()
            found = _SIMPLE.fullmatch(selector) if selector else None
            if found is None:
                self.paints = self.paints or any(name.startswith("background") for name in style)
            elif self._count < _MOST_RULES:
                self._keep((found[1] or "").lower(), _PART.findall(found[2]), style, important)

    def _keep(self, tag: str, parts: list[str], style: Style, important: Style) -> None:
        if tag in {"html", "body"}:
            style, important = (
                {name: one[name] for name in _OF_ROOTS if name in one} for one in (style, important)
            )
        held = self._rules.setdefault(parts[-1] if parts else tag, {})
        key = (tag, frozenset(parts))
        before = held.get(key)
        if before is not None:
            held[key] = _Rule(before.weight, {**before.style, **style}, {**before.important, **important})
        elif len(held) < _MOST_ALIKE:
            ids = sum(part.startswith("#") for part in parts)
            held[key] = _Rule((ids, len(parts) - ids, int(tag != "")), style, important)
            self._count += 1

    def style(self, tag: str, attributes: Mapping[str, str | None]) -> Style:
        """Return the style of an element: what the rules say of it, and its inline style over that."""
        own = style_of(attributes) if attributes else {}
        if not self._rules or (tag not in self._rules and _NAMES_OF.isdisjoint(attributes)):
            return own
        ruled, important = self._ruled(tag, attributes.get("class") or "", attributes.get("id") or "")
        return {**ruled, **own, **important} if ruled else own

    def _ruled(self, tag: str, names: str, own: str) -> tuple[Style, Style]:
        key = (tag, names, own)
        if (kept := self._kept.get(key)) is not None:
            return kept
        held = {f".{name}" for name in names.split()} | ({f"#{own}"} if own else set[str]())
        found = [
            rule
            for place in (tag, *held)
            for (kind, parts), rule in self._rules.get(place, {}).items()
            if kind in ("", tag) and parts <= held
        ]
        found.sort(key=_weight)
        style: Style = {}
        important: Style = {}
        for rule in found:
            style |= rule.style
            important |= rule.important
        if len(self._kept) < _MOST_KEPT:
            self._kept[key] = style, important
        return style, important


def _weight(rule: _Rule) -> tuple[int, int, int]:
    return rule.weight
