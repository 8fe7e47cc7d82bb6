"""The objects of a page: what its contents draw, in the order in which it is drawn."""

from __future__ import annotations

from ctypes import addressof, c_ulong, c_void_p, create_string_buffer
from dataclasses import dataclass, field
from itertools import repeat
from typing import TYPE_CHECKING

from pincite.core.geometry import Affine
from pincite.reading.pdf import _pdfium as pdfium

if TYPE_CHECKING:
    from collections.abc import Callable

TEXT, PATH, IMAGE, FORM = 1, 2, 3, 5
"""Kinds of page objects (fpdf_edit.h)."""

_MOST_MARKS = 16
"""Marks of a text object that are looked at."""

_DEEPEST = 4
"""Forms inside one another whose objects are looked at."""


@dataclass(slots=True)
class PageObjects:
    """What a page draws: PDFium's handle of each object and its kind; those of a form stand behind the form.

    `inside` maps the space of an object in a form (by its place here) to the page's. `left` is how many more might
    have been looked at; where it is negative or `whole` is False there are more than these.
    """

    things: list[pdfium.Handle]
    kinds: list[int]
    left: int
    inside: dict[int, Affine] = field(default_factory=dict)
    whole: bool = True

    def of_kind(self, kind: int) -> list[pdfium.Handle]:
        """Return the objects of one kind."""
        return [thing for thing, own in zip(self.things, self.kinds, strict=True) if own == kind]


def page_objects(page: int, *, most: int) -> PageObjects:
    """Return the objects of an open page, `most` of them at most."""
    count = max(0, int(pdfium.count_objects(page)))
    if count > most:
        return PageObjects([], [], -1, whole=False)
    # A loop over all objects, without a line of Python in it.
    things = list(map(pdfium.object_of, repeat(c_void_p(page)), range(count)))
    kinds = list(map(pdfium.kind_of, things))
    found = PageObjects(things, kinds, most - count)
    if FORM in kinds:
        found.things, found.kinds = [], []
        _add(found, things, kinds, None, 0)
    return found


def matrix_of(thing: pdfium.Handle) -> Affine:
    """Return the map from an object's own space to that of what it stands in."""
    matrix = pdfium.Matrix()
    pdfium.object_matrix(thing, addressof(matrix))
    return Affine(matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f)


def after(first: Affine, then: Affine) -> Affine:
    """Return the map that is `first`, and `then` on what that gives."""
    return Affine(
        then.a * first.a + then.c * first.b,
        then.b * first.a + then.d * first.b,
        then.a * first.c + then.c * first.d,
        then.b * first.c + then.d * first.d,
        then.a * first.e + then.c * first.f + then.e,
        then.b * first.e + then.d * first.f + then.f,
    )


def on_layer(thing: pdfium.Handle, count: int, known: dict[int, bool]) -> bool:
    """Say whether a text object stands on an optional layer, which may be switched off; `known` are marks."""
    for position in range(min(count, _MOST_MARKS)):
        mark = pdfium.get_mark(thing, position)
        if not mark:
            continue
        layer = known.get(mark)
        if layer is None:
            layer = known[mark] = _names_layer(mark)
        if layer:
            return True
    return False


def _names_layer(mark: int) -> bool:
    name, length = create_string_buffer(8), c_ulong()
    if not pdfium.mark_name(mark, addressof(name), len(name), addressof(length)):
        return False
    written = name.raw[: min(length.value, len(name))]
    return written.decode("utf-16-le", "replace").rstrip("\0") == "OC"


def _add(
    found: PageObjects, things: list[pdfium.Handle], kinds: list[int], within: Affine | None, depth: int
) -> None:
    """Add objects, and behind each form what it holds; `within` maps their space to the page's."""
    get: Callable[..., pdfium.Handle] = pdfium.form_object_at
    for thing, kind in zip(things, kinds, strict=True):
        if within is not None:
            found.inside[len(found.things)] = within
        found.things.append(thing)
        found.kinds.append(kind)
        if kind != FORM or found.left < 0:
            continue
        count = int(pdfium.count_form_objects(thing))
        if depth >= _DEEPEST or count <= 0:
            found.whole = found.whole and count <= 0
            continue
        found.left -= count
        if found.left < 0:
            found.whole = False
            return
        held = list(map(get, repeat(thing), range(count)))
        own = matrix_of(thing)
        _add(
            found,
            held,
            list(map(pdfium.kind_of, held)),
            own if within is None else after(own, within),
            depth + 1,
        )
