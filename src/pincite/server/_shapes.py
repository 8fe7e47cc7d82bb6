"""Shapes that several routes share."""

from __future__ import annotations

from typing import Annotated, Any, cast

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, JsonValue

from pincite.core.text import normalise


class Shape(BaseModel):
    """What the server says: frozen, and read from our own nouns by their attributes."""

    model_config = ConfigDict(frozen=True, from_attributes=True)


class Asked(BaseModel):
    """What the server is asked: a name that it does not know is refused, since it is a slip of somebody's."""

    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=False)


class FaultBody(Shape):
    """What went wrong."""

    code: str = Field(description="A stable name of the kind of error.")
    message: str = Field(description="A sentence for people.")
    field: str | None = Field(description="The input at fault, where it is one.")


class Fault(Shape):
    """The one shape of every error."""

    error: FaultBody


def _text(value: Any) -> Any:  # noqa: ANN401 - whatever the request holds
    return normalise(value) if isinstance(value, str) else value


Text = Annotated[str, BeforeValidator(_text)]
"""Text of a request, in the form in which everything here is kept (NFC, line feeds, no half characters)."""


def _clean(value: Any) -> Any:  # noqa: ANN401 - whatever JSON holds
    if isinstance(value, str):
        return normalise(value)
    if isinstance(value, list):
        return [_clean(one) for one in cast("list[Any]", value)]
    if isinstance(value, dict):
        return {normalise(str(name)): _clean(one) for name, one in cast("dict[Any, Any]", value).items()}
    return value


Json = Annotated[JsonValue, AfterValidator(_clean)]
"""Any JSON of a request, its texts in that form too."""
