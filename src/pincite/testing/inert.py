"""Whether a page does nothing by itself and leads nowhere that it should not.

HTML is read as a browser reads it (`selectolax`, an HTML5 parser), and what that parser writes is read once more,
because a sanitiser and a browser are two parsers too. Only elements that show text pass; which attributes load, and
which addresses act, follows the HTML standard, and what browsers leave out of an address follows the URL standard.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from pincite.core.errors import MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from selectolax.lexbor import LexborNode

TEXT_ELEMENTS: Final = frozenset(
    """a abbr acronym address article aside b bdi bdo big blockquote body br caption center cite code col colgroup data
    dd del details dfn div dl dt em figcaption figure footer h1 h2 h3 h4 h5 h6 head header hgroup hr html i ins kbd li
    main mark meta nav ol p pre q rb rp rt rtc ruby s samp search section small span strike strong sub summary sup table
    tbody td tfoot th thead time title tr tt u ul var wbr""".split()
)
"""The elements of HTML that show text and do nothing else."""

# What cannot be made harmless by looking at its attributes, so it cannot be allowed either.
_NEVER: Final = frozenset(
    "animate animatemotion animatetransform applet base embed foreignobject form frame frameset iframe link noembed "
    "noframes noscript object plaintext portal script set template use xmp".split()
)
_LOADING: Final = frozenset(
    """action archive attributionsrc background classid code codebase data-src dynsrc formaction icon imagesrcset
    longdesc lowsrc manifest ping poster profile src srcdoc srcset""".split()
)
_LINKING: Final = ("href", "xlink:href")
# Control and format characters, halves of characters, and separators of lines.
_UNSEEN: Final = ("Cc", "Cf", "Cs", "Zl", "Zp")
_META: Final = ("content-security-policy", "content-type")
# An escape of CSS: up to six digits and the space behind them, or one character. Linear.
_ESCAPE: Final = re.compile(r"\\(?:([0-9a-fA-F]{1,6})\s?|(.))", re.DOTALL)
_COMMENT: Final = re.compile(r"/\*(?:[^*]|\*(?!/))*+(?:\*/)?")
_STYLE: Final = re.compile(
    r"url\s*\(|src\s*\(|image(?:-set)?\s*\(|@import|@font-face|expression\s*\(|-moz-binding|behavior\s*:|javascript:",
    re.IGNORECASE,
)
# A number as citations have it, alone or among other words: bounded runs of one class.
_NUMBER: Final = re.compile(r"\[\s{0,9}([0-9]{1,9})\s{0,9}\]")
_BARE_NUMBER: Final = re.compile(r"[\W_]{0,9}([0-9]{1,9})[\W_]{0,9}")
_FRAGMENT: Final = "#:~:text="
_SHOWN: Final = 120


def assert_inert_html(
    html: str,
    *,
    links: Collection[str] | None = None,
    numbers: Mapping[int, str | None] | None = None,
    elements: Collection[str] = (),
) -> None:
    """Fail where `html`, a page or a part of one, runs a program, loads anything, or links what it must not.

    Links are http or https, absolute, with a host, without a user, or lead to a place in the same page. `links` are the
    only addresses that they may lead to, where given; a text fragment may follow. `numbers` says for each number of a
    citation where a link that shows it leads: an address, `#a-place-in-the-page`, or None for nowhere; a link that
    shows another number fails. `elements` are further elements that your page has and that are not for text alone, as
    `button`; those that load or run something are never allowed.

    Raises:
        AssertionError: it is not inert; the sentence names what was found.
        MissingExtraError: the HTML parser is not installed.
    """
    __tracebackhide__ = True
    found = _first_fault(html, links, numbers, frozenset(elements))
    if found:
        msg = f"The HTML is not inert: {found}"
        raise AssertionError(msg)


def assert_inert_markdown(
    text: str,
    *,
    links: Collection[str] | None = None,
    numbers: Mapping[int, str | None] | None = None,
    render: Callable[[str], str] | None = None,
) -> None:
    """Fail where `text`, shown by a renderer of Markdown that lets HTML through, is not inert.

    `render` is the renderer of your page; without one it is CommonMark, once plain and once with tables, footnotes and
    the other extensions of GitHub. `links` and `numbers` are those of `assert_inert_html`.

    Raises:
        AssertionError: it is not inert; the sentence names what was found.
        MissingExtraError: the Markdown renderer or the HTML parser is not installed.
    """
    __tracebackhide__ = True
    for renderer in (render,) if render is not None else _renderers():
        found = _first_fault(renderer(text), links, numbers, frozenset({"input"}))
        if found:
            msg = f"The Markdown is not inert: {found}"
            raise AssertionError(msg)


def _renderers() -> tuple[Callable[[str], str], ...]:
    try:
        import pyromark
    except ImportError as error:
        what = "Checking Markdown"
        raise MissingExtraError(what, "testing") from error
    options = pyromark.Options
    github = (
        options.ENABLE_TABLES | options.ENABLE_FOOTNOTES | options.ENABLE_STRIKETHROUGH | options.ENABLE_TASKLISTS
    )  # fmt: skip

    def plain(text: str) -> str:
        return pyromark.html(_whole(text))

    def extended(text: str) -> str:
        return pyromark.html(_whole(text), options=github)

    return plain, extended


def _whole(text: str) -> str:
    """Return `text` as UTF-8 can hold it: halves of characters are replaced, as a server's encoder does."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _first_fault(
    html: str,
    links: Collection[str] | None,
    numbers: Mapping[int, str | None] | None,
    elements: frozenset[str],
) -> str | None:
    try:
        from selectolax.lexbor import LexborHTMLParser
    except ImportError as error:
        what = "Checking HTML"
        raise MissingExtraError(what, "testing") from error
    allowed = (TEXT_ELEMENTS | {name.lower() for name in elements}) - _NEVER
    text = _whole(html)
    for turn in ("", " (when it is parsed a second time)"):
        tree = LexborHTMLParser(text)
        for node in tree.css("*"):
            found = _fault_of(node, allowed, links, numbers)
            if found:
                return f"{found}{turn}."
        text = tree.html or ""
    return None


def _fault_of(
    node: LexborNode,
    allowed: frozenset[str],
    links: Collection[str] | None,
    numbers: Mapping[int, str | None] | None,
) -> str | None:
    tag = (node.tag or "").lower()
    attributes = {name.lower(): value or "" for name, value in node.attributes.items()}
    written = _tag(tag, attributes)
    if tag not in allowed:
        return f"the element {written} is none for text"
    if found := _fault_of_element(node, tag, attributes):
        return found
    for name, value in attributes.items():
        if found := _fault_of_attribute(tag, name, value, written):
            return found
        if name in _LINKING:
            found = _fault_of_address(value, links) or _fault_of_number(node, value, numbers)
            if found:
                return found
    return None


def _fault_of_element(node: LexborNode, tag: str, attributes: Mapping[str, str]) -> str | None:
    """Return what is wrong with an element that may be there, as it is there."""
    if tag == "meta" and attributes.get("http-equiv", "content-type").lower() not in _META:
        return f"the element {_tag(tag, attributes)} acts on the page"
    if tag == "input" and (attributes.get("type") != "checkbox" or "disabled" not in attributes):
        return f"the element {_tag(tag, attributes)} asks for something"
    if tag == "style" and (found := _acting_style(node.text(deep=True))):
        return f"a style sheet has {found!r}"
    return None


def _fault_of_attribute(tag: str, name: str, value: str, written: str) -> str | None:
    if name.startswith("on"):
        return f"{written} has the handler {name!r}"
    if name in _LOADING:
        return f"{written} loads {value[:_SHOWN]!r} by {name!r}"
    if name == "style" and (found := _acting_style(value)):
        return f"the style of {written} has {found!r}"
    if name in _LINKING and tag != "a":
        return f"{written} leads to {value[:_SHOWN]!r}, and is no link"
    return None


def _tag(tag: str, attributes: Mapping[str, str]) -> str:
    """Return a tag as it is shown in a sentence."""
    written = "".join(f' {name}="{value}"' for name, value in attributes.items())
    return f"<{tag}{written}>"[:_SHOWN]


def _acting_style(style: str) -> str | None:
    """Return what a style loads or runs; comments and escapes are read as CSS reads them."""

    def character(found: re.Match[str]) -> str:
        code = int(found.group(1), 16) if found.group(1) else 0
        return found.group(2) or (chr(code) if 0 < code <= sys.maxunicode else "\ufffd")

    # A comment may be written with escapes in it, and none ends a name; so each way of reading it is looked at.
    for text in (style, _COMMENT.sub("", style), _ESCAPE.sub(character, _COMMENT.sub("", style))):
        if (found := _STYLE.search(text)) is not None:
            return found.group()
    return None


def _fault_of_address(address: str, links: Collection[str] | None) -> str | None:
    if address.startswith("#") and not address.startswith(_FRAGMENT):
        return None
    found = _unsafe(address)
    if found is None and links is not None and not {address, address.partition(_FRAGMENT)[0]} & set(links):
        found = "is none of the addresses that were given"
    return f"a link leads to {address[:_SHOWN]!r}, which {found}" if found else None


def _unsafe(address: str) -> str | None:
    """Return what is wrong with an address that a link leads to."""
    if any(one.isspace() or one == "\\" or unicodedata.category(one) in _UNSEEN for one in address):
        return "has white space, a backslash or characters that are not seen"
    try:
        parts = urlsplit(address)
        host, port = parts.hostname, parts.port
    except ValueError:
        return "is no address"
    if parts.scheme.lower() not in ("http", "https"):
        return "is neither http nor https and absolute"
    if not host or port == 0:
        return "has no host"
    if "@" in parts.netloc:
        return "has a user in front of its host"
    # A letter of another script may look like one of ours; browsers and servers have hosts in ASCII too (RFC 5890).
    return None if host.isascii() else "has a host that is not in ASCII"


def _fault_of_number(node: LexborNode, address: str, numbers: Mapping[int, str | None] | None) -> str | None:
    if numbers is None:
        return None
    shown = node.text(deep=True)
    written = [int(found) for found in _NUMBER.findall(shown)]
    if not written and (bare := _BARE_NUMBER.fullmatch(shown)) is not None:
        written = [int(bare.group(1))]
    for number in written:
        wanted = numbers.get(number)
        if wanted is None or wanted not in (address, address.partition(_FRAGMENT)[0]):
            return (
                f"a link that shows the number {number} leads to {address[:_SHOWN]!r}, and not to its source"
            )
    return None
