"""A model that answers with an attack, and a search that finds one, for agents to be run against."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from pincite.core.errors import MissingExtraError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from pydantic_ai.messages import ModelMessage, ToolCallPart
    from pydantic_ai.models.function import AgentInfo, DeltaToolCalls, FunctionModel
    from pydantic_ai.tools import ToolDefinition

    from pincite.testing.cases import AttackPassage, AttackText

_PIECE: Final = 7
"""Characters of a piece of a streamed answer: few enough to cut markers, escapes and elements in two."""


def hostile_model(
    attack: AttackText | str, *, marker: Callable[[list[ModelMessage]], str] | None = None
) -> FunctionModel:
    """Return a model of pydantic-ai that calls each of an agent's tools once and then answers with `attack`.

    `marker` is given the messages so far and returns the citation to write where the attack has one that is in order,
    as your format has it; without it that is `[1]`. Strings that a tool asks for are the user's own words. A streamed
    answer comes in pieces of seven characters.

    Raises:
        MissingExtraError: pydantic-ai is not installed.
    """
    try:
        from pydantic_ai.messages import ModelResponse, TextPart
        from pydantic_ai.models.function import DeltaToolCall, FunctionModel
    except ImportError as error:
        what = "A hostile model"
        raise MissingExtraError(what, "agents") from error

    def written(messages: list[ModelMessage]) -> str:
        if isinstance(attack, str):
            return attack
        return attack.text if marker is None else attack.citing(marker(messages))

    def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        return ModelResponse(_calls(messages, info) or [TextPart(written(messages))])

    async def stream(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[str | DeltaToolCalls]:
        wanted = _calls(messages, info)
        for index, call in enumerate(wanted):
            yield {
                index: DeltaToolCall(call.tool_name, call.args_as_json_str(), tool_call_id=f"call-{index}")
            }
        text = "" if wanted else written(messages)
        for start in range(0, len(text), _PIECE):
            yield text[start : start + _PIECE]

    return FunctionModel(answer, stream_function=stream, model_name="hostile")


def hostile_tools(*passages: AttackPassage) -> list[Callable[[str], list[dict[str, str]]]]:
    """Return tools for an agent of any kind: one, `search`, that finds `passages` whatever it is asked.

    A row has `title`, `url` and `text`.
    """

    def search(query: str) -> list[dict[str, str]]:  # noqa: ARG001 - whatever is asked
        """Search the documents."""
        return [{"title": one.title, "url": one.url, "text": one.text} for one in passages]

    return [search]


def _calls(messages: list[ModelMessage], info: AgentInfo) -> list[ToolCallPart]:
    """Return a call of each tool, where the model has not spoken yet."""
    from pydantic_ai.messages import ModelResponse, ToolCallPart

    if any(isinstance(message, ModelResponse) for message in messages):
        return []
    return [ToolCallPart(tool.name, _arguments(tool, _asked(messages))) for tool in info.function_tools]


def _asked(messages: list[ModelMessage]) -> str:
    """Return the user's last words."""
    from pydantic_ai.messages import UserPromptPart

    for message in reversed(messages):
        for part in reversed(message.parts):
            if isinstance(part, UserPromptPart) and isinstance(part.content, str):
                return part.content
    return "question"


def _arguments(tool: ToolDefinition, asked: str) -> dict[str, Any]:
    """Return arguments that a tool's schema takes, with the user's words for those that are plain strings."""
    from pydantic_ai.models.test import TestModel

    arguments: dict[str, Any] = TestModel().gen_tool_args(tool)
    fields: dict[str, Any] = tool.parameters_json_schema.get("properties", {})
    for name, schema in fields.items():
        if (
            name in arguments
            and schema.get("type") == "string"
            and not {"enum", "const", "pattern", "format"} & set(schema)
        ):
            arguments[name] = asked  # fmt: skip
    return arguments
