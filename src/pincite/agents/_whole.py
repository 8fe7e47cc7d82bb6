"""What a model or a tool says, whole: half of a character has no bytes, and could be neither told nor sent back."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from pydantic_ai import ToolReturn
from pydantic_ai.messages import TextPart, ThinkingPart, ToolCallPart
from pydantic_core import to_json, to_jsonable_python

from pincite.core.surrogates import whole, whole_json

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelResponse, ModelResponsePart


def whole_response(response: ModelResponse) -> ModelResponse:
    """Return a model's response with its texts, and the arguments of its calls, whole; the same where they are."""
    parts = [_whole_part(part) for part in response.parts]
    if all(one is other for one, other in zip(parts, response.parts, strict=True)):
        return response
    return replace(response, parts=parts)


def _whole_part(part: ModelResponsePart) -> ModelResponsePart:
    if isinstance(part, TextPart | ThinkingPart):
        text = whole(part.content)
        return part if text is part.content else replace(part, content=text)
    if isinstance(part, ToolCallPart):
        args, name = whole_json(part.args), whole(part.tool_name)
        return (
            part if args is part.args and name is part.tool_name else replace(part, args=args, tool_name=name)
        )
    return part


def whole_result(result: Any) -> Any:  # noqa: ANN401 - whatever a tool returns
    """Return what a tool returned with its strings whole; the same where they are, or where it is no JSON."""
    if isinstance(result, ToolReturn):
        returned = cast("ToolReturn[Any]", result)
        value, content = whole_result(returned.return_value), whole_result(returned.content)
        if value is returned.return_value and content is returned.content:
            return returned
        return replace(returned, return_value=value, content=content)
    mended = result
    try:
        mended = whole_json(result)
        to_json(mended)
    except (ValueError, RecursionError) as error:
        return _as_json(mended) if "surrogates" in str(error) else mended
    return mended


def _as_json(value: Any) -> Any:  # noqa: ANN401 - as above
    """Return a value with objects of the tool's own in it as they would be written, whole."""
    try:
        return whole_json(to_jsonable_python(value))
    except (ValueError, RecursionError):
        return value
