"""The sources of one package as evidence is looked for in them: read once, made plain once, within a budget."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Any, Final

from pincite.protocols.moca.reader._files import UnreadableError
from pincite.protocols.moca.reader._paths import is_path, resolved
from pincite.protocols.moca.reader.evidence import Source, can_match, kind_of, matches, plain

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pincite.core.limits import Limits
    from pincite.protocols.moca.reader._files import Files

_FOLDERS: Final = ("sources/", "media/")
# Sources that are kept plain, the last ones asked for.
_KEPT: Final = 8
# What making a source plain costs, beside one search in it.
_MAKING: Final = 8


class Matcher:
    """Looks for evidence in the sources of one package, until `limits.moca_evidence_bytes` were gone through."""

    __slots__ = ("_files", "_kept", "_left", "_limits")

    def __init__(self, files: Files, limits: Limits) -> None:
        self._files = files
        self._limits = limits
        self._left = limits.moca_evidence_bytes
        self._kept: OrderedDict[str, Source | None] = OrderedDict()

    def file_of(self, node: str, resource: object) -> str | None:
        """Return the file of a source that lies in the package, where sources lie; None for any other."""
        if not isinstance(resource, str) or not is_path(resource):
            return None
        path = resolved(node, resource).path
        return path if path is not None and path in self._files and path.startswith(_FOLDERS) else None

    def match(self, path: str, selector: Mapping[str, Any]) -> bool | None:
        """Say whether a selector is met in a source; None where nobody looks."""
        kind = kind_of(path)
        if kind is None or not can_match(selector, kind):
            return None
        source = self._source(path, kind)
        if source is None or len(source.text) > self._left:
            return None
        self._left -= len(source.text)
        return matches(selector, source)

    def _source(self, path: str, kind: str) -> Source | None:
        if path in self._kept:
            self._kept.move_to_end(path)
            return self._kept[path]
        source: Source | None = None
        most = min(self._limits.moca_source_bytes, self._left // _MAKING)
        try:
            data = self._files.read(path, most)
            most = len(data) * _MAKING
            source = plain(data.decode(), kind)
        except (UnreadableError, UnicodeDecodeError):
            # Unchecked: nothing can be said of a source that is too large, or no text. Trying has its price too.
            pass
        self._left -= most
        self._kept[path] = source
        if len(self._kept) > _KEPT:
            self._kept.popitem(last=False)
        return source
