"""The nodes of a package: Markdown with frontmatter under `content/`, one path each, in one language or several."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, cast

from pincite.protocols.moca.reader._fields import Fields, fields_of
from pincite.protocols.moca.reader._matching import Matcher
from pincite.protocols.moca.reader._paths import CONTENT, is_path, links, resolved
from pincite.protocols.moca.reader._yaml import Allowance, YamlError, read_yaml
from pincite.protocols.moca.reader.manifest import is_backward

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from pincite.core.limits import Limits
    from pincite.protocols.moca.reader._files import Files
    from pincite.protocols.moca.reader.findings import Findings
    from pincite.protocols.moca.reader.manifest import Manifest

# The lines around frontmatter: anchored to a line, one run each.
_OPENS: Final = re.compile(rb"(?:\xef\xbb\xbf)?---[ \t]*+\r?\n")
_CLOSES: Final = re.compile(rb"^---[ \t]*+(?:\r?\n|\Z)", re.MULTILINE)
_LOCALE: Final = re.compile(r"(.+)\.([A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8})*+)\.md", re.IGNORECASE | re.DOTALL)
_DATED: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_DAY_HEADING: Final = re.compile(r"##[ \t]++(.*)")
_RESERVED: Final = frozenset({"index.md", "log.md"})


@dataclass(frozen=True, slots=True)
class Representation:
    """A node in one language.

    `data` is the whole file, `body_start` where its text begins behind the frontmatter, in bytes; `sha256` is the
    file's hash in hex. `locale` is None for the default language. `matched` says of each piece of evidence whether it
    was found: None where nobody looked.
    """

    locale: str | None
    file: str
    data: bytes = field(repr=False)
    body_start: int
    sha256: str
    fields: Fields = field(repr=False)
    matched: tuple[bool | None, ...] = ()
    reviews: tuple[dict[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Node:
    """A node by its path below `content/`: the file of its default language, that one first."""

    path: str
    representations: tuple[Representation, ...]

    def representation(self, locale: str | None = None) -> Representation:
        """Return the one for a language: of that very tag, else of a tag around it or within it, else the default."""
        if locale is None:
            return self.representations[0]
        wanted = locale.lower()
        tags = {one.locale.lower(): one for one in self.representations if one.locale is not None}
        around = [tag for tag in tags if wanted.startswith(f"{tag}-")]
        within = [tag for tag in tags if tag.startswith(f"{wanted}-")]
        for tag in (wanted, *sorted(around, key=len, reverse=True), *within):
            if tag in tags:
                return tags[tag]
        return self.representations[0]


@dataclass(frozen=True, slots=True)
class Content:
    """The nodes of a package in the order of their paths, and what is known of their evidence."""

    nodes: tuple[Node, ...]
    has_evidence: bool
    is_self_contained: bool


def read_nodes(
    manifest: Manifest, files: Files, kept: Mapping[str, bytes], findings: Findings, limits: Limits
) -> Content:
    """Return the nodes of a package; `kept` are the bytes of the files that may be some."""
    locales = {tag.lower(): tag for tag in manifest.locales}
    reading = _Reading(files, findings, limits)
    found: dict[str, list[Representation]] = {}
    for file in kept:
        path = file.removeprefix(CONTENT)
        name = path.rpartition("/")[2].lower()
        if name in _RESERVED:
            reading.check_reserved(file, path, name, kept[file])
            continue
        key, locale = _locale_of(path, locales)
        made = reading.representation(file, locale, kept[file])
        if made is not None:
            found.setdefault(key, []).append(made)
    nodes = tuple(_node(path, found[path], findings) for path in sorted(found))
    return Content(nodes, reading.has_evidence, reading.has_evidence and reading.is_self_contained)


def _locale_of(path: str, locales: Mapping[str, str]) -> tuple[str, str | None]:
    """Return the path of a node and the language of one of its files."""
    found = _LOCALE.fullmatch(path)
    locale = None if found is None else locales.get(found[2].lower())
    return (path, None) if found is None or locale is None else (f"{found[1]}.md", locale)


def _node(path: str, found: list[Representation], findings: Findings) -> Node:
    found.sort(key=lambda one: (one.locale is not None, one.locale or ""))
    first = found[0]
    if first.locale is not None:
        findings.add("C009", f"There is no {CONTENT}{path} in the default language.", first.file)
    # A translation that does not say for whom it is must not open what its node closes.
    audience = first.fields.audience
    if audience is not None:
        found = [
            one
            if one.fields.audience is not None
            else replace(one, fields=replace(one.fields, audience=audience))
            for one in found
        ]
    return Node(path, tuple(found))


class _Reading:
    """Reads the files of one package's nodes."""

    def __init__(self, files: Files, findings: Findings, limits: Limits) -> None:
        self._files = files
        self._findings = findings
        self._limits = limits
        self._matcher = Matcher(files, limits)
        self._links_left = limits.moca_links
        self._values = Allowance(limits.moca_package_values)
        self.has_evidence = False
        self.is_self_contained = True

    def representation(self, file: str, locale: str | None, data: bytes) -> Representation | None:
        """Return what a file is of a node, None where it is none."""
        split = self._frontmatter(file, data)
        if split is None:
            return None
        front, body_start = split

        def remark(message: str) -> None:
            self._findings.add("C005", message, file)

        fields = fields_of(front, remark)
        if fields is None:
            self._findings.add("C003", "It has no type.", file)
            return None
        if is_backward(fields.valid_from, fields.valid_until):
            self._findings.add("C010", "`moca.valid_until` is not later than `moca.valid_from`.", file)
        self._check_references(file, fields, data[body_start:].decode())
        matched = tuple(self._evidence(file, fields))
        digest = self._files.digest(file)
        return Representation(locale, file, data, body_start, digest, fields, matched)

    def _frontmatter(self, file: str, data: bytes) -> tuple[dict[str, Any], int] | None:
        """Return the frontmatter of a file, and where the text behind it begins."""
        if len(data) > self._limits.moca_node_bytes:
            self._findings.add("C002", f"It has more than {self._limits.moca_node_bytes:,} bytes.", file)
            return None
        try:
            data.decode()
        except UnicodeDecodeError:
            self._findings.add("C002", "It is not in UTF-8.", file)
            return None
        opened = _OPENS.match(data)
        if opened is None:
            self._findings.add("C001", "It does not begin with frontmatter.", file)
            return None
        closed = _CLOSES.search(data, opened.end())
        if closed is None:
            self._findings.add("C002", "Its frontmatter does not end.", file, 1)
            return None
        if closed.start() - opened.end() > self._limits.moca_frontmatter_bytes:
            self._findings.add(
                "C002", f"Its frontmatter has more than {self._limits.moca_frontmatter_bytes:,} bytes.", file
            )
            return None
        try:
            front = read_yaml(
                data[opened.end() : closed.start()].decode(),
                depth=self._limits.moca_frontmatter_depth,
                values=self._limits.moca_frontmatter_values,
                allowance=self._values,
            )
        except YamlError as error:
            self._findings.add("C002", error.message, file, error.line + 1)
            return None
        if not isinstance(front, dict):
            self._findings.add("C002", "Its frontmatter is no mapping.", file)
            return None
        return cast("dict[str, Any]", front), closed.end()

    def _check_references(self, file: str, fields: Fields, body: str) -> None:
        """Say which sources and links lead nowhere, or out of the package."""
        resources = (one.get("resource") for one in fields.sources)
        for what, references in (
            ("source", (str(one) for one in resources if is_path(one))),
            ("link", links(body)),
        ):
            for reference in references:
                self._links_left -= 1
                if self._links_left < 0:
                    self._findings.add("C002", "The nodes hold more links than are looked at.", file)
                    return
                path, escapes = resolved(file, reference)
                if escapes:
                    self._findings.add(
                        "C008", f"The {what} {reference[:200]} leads out of the package.", file
                    )
                elif path is not None and path not in self._files:
                    self._findings.add("C007", f"The {what} {reference[:200]} leads nowhere.", file)

    def _evidence(self, file: str, fields: Fields) -> Iterator[bool | None]:
        """Yield, for each piece of evidence, whether it was found; None where nobody looked."""
        by_id = {one["id"]: one for one in fields.sources if isinstance(one.get("id"), str)}
        for place, cited in enumerate(fields.evidence):
            self.has_evidence = True
            source = by_id.get(cited.source)
            if source is None:
                self._findings.add("C006", f"There is no source {cited.source[:200]}.", file)
            path = None if source is None else self._matcher.file_of(file, source.get("resource"))
            if path is None:
                self.is_self_contained = False
            if path is None or cited.selector is None or place >= self._limits.moca_evidence:
                yield None
                continue
            matched = self._matcher.match(path, cited.selector)
            if matched is False:
                message = f"What it cites of {cited.source[:200]} does not stand in {path[:200]}."
                self._findings.add("C011", message, file)
            yield matched

    def check_reserved(self, file: str, path: str, name: str, data: bytes) -> None:
        """Say where an index or a log is none."""
        bad: Callable[[str], None] = lambda message: self._findings.add("C004", message, file)  # noqa: E731
        opened = _OPENS.match(data)
        if name == "log.md":
            if opened is not None:
                bad("A log has no frontmatter.")
            for line in data.decode("utf-8", "replace").splitlines():
                heading = _DAY_HEADING.match(line)
                if heading is not None and _DATED.match(heading[1]) is None:
                    bad("A heading of the log does not begin with a date.")
            return
        if opened is None:
            return
        split = self._frontmatter(file, data)
        if path.lower() != "index.md":
            bad("An index has no frontmatter.")
        elif split is None or split[0].keys() - {"okf_version"}:
            bad("The index of the whole says nothing but `okf_version` in its frontmatter.")
