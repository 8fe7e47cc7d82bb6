"""One tree of errors, one shape."""

from __future__ import annotations

from pincite.core import errors
from pincite.core.errors import MissingExtraError, NotFoundError, PinciteError


def _tree(kind: type[PinciteError]) -> list[type[PinciteError]]:
    return [kind, *(below for child in kind.__subclasses__() for below in _tree(child))]


def test_the_tree_in_the_docstring_is_the_tree() -> None:
    """Every error is drawn at the top of its module."""
    drawn = errors.__doc__ or ""
    assert all(kind.__name__ in drawn for kind in _tree(PinciteError))


def test_codes_are_unique() -> None:
    """A code names one kind of error."""
    codes = [kind.code for kind in _tree(PinciteError)]
    assert len(codes) == len(set(codes))


def test_the_one_shape() -> None:
    """Every door answers with code, message and field."""
    error = NotFoundError("There is no such passage.", field="chunk_id")
    assert error.as_dict() == {
        "error": {"code": "not_found", "message": "There is no such passage.", "field": "chunk_id"}
    }


def test_a_missing_extra_names_its_command() -> None:
    """One sentence says what to type."""
    error = MissingExtraError("Reading a PDF", "pdf")
    assert str(error) == "Reading a PDF needs the extra `pdf`: pip install 'pincite[pdf]'."
