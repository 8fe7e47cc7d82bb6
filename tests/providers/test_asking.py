"""When citations are asked for: each row of the rules is a test."""

from __future__ import annotations

from typing import Any

import pytest

from pincite.core.errors import CitationRequestError, InputError
from pincite.providers.asking import (
    RULES,
    AnchorKind,
    OutputKind,
    SourceKind,
    Switch,
    ask_citations,
    is_anthropic,
    output_kind,
    rules_for,
)
from pincite.providers.read import APIS
from pincite.providers.requests import RequestDocument

CLAUDE = "anthropic.claude-sonnet-4-5-20250929-v1:0"
NOVA = "amazon.nova-pro-v1:0"
ENABLED = {"citations": {"enabled": True}}
SEARCH = {"type": "web_search_20250305", "name": "web_search"}
FETCH = {"type": "web_fetch_20250910", "name": "web_fetch"}


class Answer:
    """A structured answer."""


class NativeOutput:
    """Named as pydantic-ai's wrapper is."""


class PromptedOutput:
    """Named as pydantic-ai's wrapper is."""


ROWS: list[tuple[Any, ...]] = [
    ("anthropic", "web_search", None, None, False, {"tools": [SEARCH]}, {}),
    ("anthropic", "web_fetch", None, None, True, {"tools": [{**FETCH, **ENABLED}]}, {}),
    ("anthropic", "document", None, None, True, {}, ENABLED),
    ("anthropic", "search_result", None, None, True, {}, ENABLED),
    ("bedrock", "document", None, CLAUDE, True, {}, ENABLED),
    ("bedrock", "search_result", None, CLAUDE, True, {}, ENABLED),
    ("google", "web_search", None, None, False, {"tools": [{"google_search": {}}]}, {}),
    ("google", "file_search", None, None, False, {"tools": [{"file_search": {}}]}, {}),
    ("google", "web_fetch", None, None, False, {"tools": [{"url_context": {}}]}, {}),
    ("vertex", "web_search", None, None, False, {"tools": [{"google_search": {}}]}, {}),
    ("openai", "web_search", "responses", None, False, {"tools": [{"type": "web_search"}]}, {}),
    ("openai", "web_search", "chat", None, False, {"web_search_options": {}}, {}),
    ("openai", "file_search", "responses", None, False, {"tools": [{"type": "file_search"}]}, {}),
    (
        "openrouter",
        "web_search",
        None,
        "openai/x",
        False,
        {"tools": [{"type": "openrouter:web_search"}]},
        {},
    ),
    ("openrouter", "web_search", None, "perplexity/sonar-pro", False, {}, {}),
    (
        "xai",
        "web_search",
        None,
        None,
        True,
        {"tools": [{"type": "web_search"}], "include": ["inline_citations"]},
        {},
    ),
    (
        "xai",
        "x_search",
        None,
        None,
        True,
        {"tools": [{"type": "x_search"}], "include": ["inline_citations"]},
        {},
    ),
    (
        "xai",
        "collection",
        None,
        None,
        True,
        {"tools": [{"type": "file_search"}], "include": ["inline_citations"]},
        {},
    ),
    ("cohere", "document", None, None, False, {}, {}),
    ("mistral", "web_search", "conversations", None, False, {"tools": [{"type": "web_search"}]}, {}),
    (
        "mistral",
        "file_search",
        "conversations",
        None,
        False,
        {"tools": [{"type": "document_library"}]},
        {},
    ),
    ("perplexity", "web_search", "sonar", None, False, {}, {}),
    ("perplexity", "web_search", "agent", None, False, {"tools": [{"type": "web_search"}]}, {}),
    ("groq", "document", None, None, True, {"citation_options": "enabled"}, {}),
    ("groq", "web_search", None, None, True, {"citation_options": "enabled"}, {}),
    ("openai_compatible", "web_search", None, None, False, {}, {}),
]


@pytest.mark.parametrize(("provider", "source", "api", "model", "is_asked", "body", "block"), ROWS)
def test_text_output(
    provider: str,
    source: str,
    api: str | None,
    model: str | None,
    *,
    is_asked: bool,
    body: dict[str, Any],
    block: dict[str, Any],
) -> None:
    """What turns the citations of a kind of source on, and nothing else, is in the request."""
    asking = ask_citations(provider, [source], api=api, model=model)
    assert (asking.is_asked, asking.body, asking.block) == (is_asked, body, block)
    assert asking.kinds == (SourceKind(source),)
    assert asking.reasons == ()


@pytest.mark.parametrize(
    ("provider", "source", "api", "model"),
    [
        ("bedrock", "document", None, NOVA),
        ("bedrock", "search_result", None, NOVA),
        ("bedrock", "web_search", None, CLAUDE),
        ("google", "document", None, None),
        ("vertex", "document", None, None),
        ("vertex", "file_search", None, None),
        ("vertex", "web_fetch", None, None),
        ("openai", "document", None, None),
        ("openai", "file_search", "chat", None),
        ("openrouter", "document", None, None),
        ("xai", "document", None, None),
        ("mistral", "web_search", "chat", None),
        ("mistral", "document", None, None),
        ("perplexity", "document", None, None),
        ("openai_compatible", "document", None, None),
    ],
)
def test_kinds_that_have_none(provider: str, source: str, api: str | None, model: str | None) -> None:
    """They are not asked for and it is said; where they are required that is an error before the request."""
    asking = ask_citations(provider, [source], api=api, model=model)
    assert (asking.is_asked, asking.kinds, asking.body, asking.block) == (False, (), {}, {})
    assert len(asking.reasons) == 1
    with pytest.raises(CitationRequestError):
        ask_citations(provider, [source], api=api, model=model, required=True)


def test_every_rule_is_a_row_of_these_tests() -> None:
    """As many as there are: 26 kinds that have citations, 10 that say there are none."""
    have = [rule for rule in RULES if rule.switch is not Switch.NEVER]
    assert (len(have), len(RULES) - len(have)) == (26, 10)
    assert {rule.provider for rule in RULES} == {*APIS, "vertex"}


@pytest.mark.parametrize("output", ["structured", "native", "prompted", [str, Answer], Answer])
@pytest.mark.parametrize("source", ["document", "search_result", "web_fetch"])
@pytest.mark.parametrize(("provider", "model"), [("anthropic", None), ("bedrock", CLAUDE)])
def test_anthropic_models_are_asked_with_text_alone(
    provider: str, model: str | None, source: str, output: object
) -> None:
    """Otherwise the markup lands in the fields, so the fields stay clean and there are no citations."""
    asking = ask_citations(provider, [source], model=model, output=output)
    assert (asking.is_asked, asking.block, asking.may_leak) == (False, {}, False)
    assert asking.kinds == ()
    assert "citations" not in str(asking.body)
    with pytest.raises(CitationRequestError):
        ask_citations(provider, [source], model=model, output=output, required=True)


def test_anthropic_refuses_native_output() -> None:
    """The reason says that the provider refuses it, not only that it is unwise."""
    (reason,) = ask_citations("anthropic", ["document"], output="native").reasons
    assert reason.endswith("anthropic refuses them with a schema of its own.")


@pytest.mark.parametrize(
    ("provider", "model", "source"),
    [
        ("anthropic", None, "document"),
        ("anthropic", None, "web_fetch"),
        ("anthropic", None, "search_result"),
        ("bedrock", CLAUDE, "document"),
        ("bedrock", CLAUDE, "search_result"),
    ],
)
def test_a_forced_tool_fails_before_the_request(provider: str, model: str | None, source: str) -> None:
    """The markup reaches its arguments every time."""
    with pytest.raises(CitationRequestError, match="a tool that it must call") as caught:
        ask_citations(provider, [source], model=model, forced_tool=True)
    assert caught.value.field == "forced_tool"
    assert caught.value.as_dict()["error"]["code"] == "citation_request"


def test_a_forced_tool_with_web_search_alone_does_not() -> None:
    """Anthropic cites web search whether it is asked or not; the markup may leak, and it is said."""
    asking = ask_citations("anthropic", ["web_search"], forced_tool=True)
    assert (asking.kinds, asking.is_asked, asking.may_leak) == ((SourceKind.WEB_SEARCH,), False, True)


def test_a_forced_tool_with_structured_output_does_not() -> None:
    """Nothing is asked for then."""
    assert not ask_citations("anthropic", ["document"], output=Answer, forced_tool=True).is_asked


def test_a_forced_tool_without_citations_does_not() -> None:
    """Documents that are not to be cited are none that could leak."""
    document = RequestDocument("a", citations=False)
    assert not ask_citations("anthropic", [], documents=[document], forced_tool=True).is_asked


@pytest.mark.parametrize("provider", ["google", "openai", "openrouter", "xai"])
def test_a_forced_tool_is_no_matter_elsewhere(provider: str) -> None:
    """Tools work as usual."""
    assert ask_citations(provider, ["web_search"], forced_tool=True).kinds == (SourceKind.WEB_SEARCH,)


def test_tools_that_the_model_chooses_keep_citations() -> None:
    """With the warning that the markup may stand in their arguments."""
    asking = ask_citations("anthropic", ["document"])
    assert (asking.is_asked, asking.may_leak) == (True, True)


@pytest.mark.parametrize("output", ["structured", "native", "prompted", [str, Answer]])
def test_anthropic_web_search_leaks_unasked(output: object) -> None:
    """Also where nothing asks for citations."""
    asking = ask_citations("anthropic", ["web_search"], output=output)
    assert (asking.is_asked, asking.may_leak, asking.body) == (False, True, {"tools": [SEARCH]})


@pytest.mark.parametrize("output", ["structured", "native", "prompted", [str, Answer]])
def test_xai_is_asked_with_text_alone(output: object) -> None:
    """It would answer in text instead of calling the output tool; the search tool stays."""
    asking = ask_citations("xai", ["web_search"], output=output)
    assert (asking.is_asked, asking.body) == (False, {"tools": [{"type": "web_search"}]})


def test_xai_needs_a_search_tool() -> None:
    """Without one there is nothing to ask for."""
    asking = ask_citations("xai", [])
    assert (asking.is_asked, asking.body) == (False, {})
    assert asking.reasons == (
        "There is no source of which citations could be had; name a tool or send documents.",
    )


@pytest.mark.parametrize("output", ["native", "prompted", NativeOutput(), PromptedOutput()])
@pytest.mark.parametrize("provider", ["google", "openai", "openrouter", "vertex"])
def test_json_text_is_cited_in_json_text(provider: str, output: object) -> None:
    """With NativeOutput or PromptedOutput the positions are those of the JSON."""
    asking = ask_citations(provider, ["web_search"], output=output)
    assert (asking.in_json, asking.kinds) == (True, (SourceKind.WEB_SEARCH,))


@pytest.mark.parametrize("provider", ["google", "openai", "openrouter", "vertex", "perplexity", "groq"])
def test_arguments_of_an_output_tool_carry_none(provider: str) -> None:
    """The answer comes back as arguments, and it is said that they have no citations."""
    asking = ask_citations(provider, ["web_search"], output=Answer)
    assert (asking.kinds, asking.in_json, len(asking.reasons)) == ((), False, 1)


def test_cohere_refuses_a_schema_with_documents() -> None:
    """Before the request, and not by an answer without citations."""
    with pytest.raises(CitationRequestError, match="cohere refuses documents"):
        ask_citations("cohere", ["document"], output="native")


def test_sonar_refuses_the_tool() -> None:
    """It always searches: the request has no tool, here and at Perplexity itself."""
    assert ask_citations("openrouter", ["web_search"], model="perplexity/sonar").body == {}
    assert ask_citations("perplexity", ["web_search"]).body == {}


def test_bedrock_text_must_be_utf8() -> None:
    """A typed error before the request, on models of Anthropic alone."""
    latin = RequestDocument(data=b"R\xfcckgabe")
    with pytest.raises(CitationRequestError, match="UTF-8"):
        ask_citations("bedrock", [], model=CLAUDE, documents=[latin])
    assert not ask_citations("bedrock", [], model=NOVA, documents=[latin]).is_asked
    assert not ask_citations("bedrock", [], model=CLAUDE, documents=[latin], output=Answer).is_asked


def test_bedrock_s3_documents_are_never_cited() -> None:
    """Alone they ask for nothing; beside others, the others are cited; required is an error."""
    stored = RequestDocument(s3_uri="s3://bucket/a.txt")
    alone = ask_citations("bedrock", [], model=CLAUDE, documents=[stored])
    assert (alone.is_asked, alone.block, len(alone.reasons)) == (False, {}, 1)
    beside = ask_citations("bedrock", [], model=CLAUDE, documents=[stored, RequestDocument("a")])
    assert (beside.is_asked, beside.block, len(beside.reasons)) == (True, ENABLED, 1)
    with pytest.raises(CitationRequestError, match="not in S3"):
        ask_citations("bedrock", [], model=CLAUDE, documents=[stored], required=True)
    must = RequestDocument(s3_uri="s3://bucket/a.txt", citations=True)
    with pytest.raises(CitationRequestError, match="not in S3"):
        ask_citations("bedrock", [], model=CLAUDE, documents=[must])


def test_several_kinds_are_one_request() -> None:
    """Tools in order, each once."""
    asking = ask_citations("anthropic", ["web_search", SourceKind.WEB_FETCH, "document", "document"])
    assert asking.body == {"tools": [SEARCH, {**FETCH, **ENABLED}]}
    assert asking.block == ENABLED
    assert asking.kinds == (SourceKind.WEB_SEARCH, SourceKind.WEB_FETCH, SourceKind.DOCUMENT)


def test_what_is_built_is_ones_own() -> None:
    """A request that is changed afterwards changes no rule."""
    asking: Any = ask_citations("xai", ["web_search"])
    asking.body["include"].append("other")
    asking.body["tools"][0]["type"] = "other"
    assert ask_citations("xai", ["web_search"]).body["include"] == ["inline_citations"]
    assert ask_citations("xai", ["web_search"]).body["tools"] == [{"type": "web_search"}]


@pytest.mark.parametrize(
    ("output", "kind"),
    [
        (str, OutputKind.TEXT),
        ("text", OutputKind.TEXT),
        ([str], OutputKind.TEXT),
        ([str, Answer], OutputKind.STRUCTURED),
        ((str, int), OutputKind.STRUCTURED),
        (bool, OutputKind.STRUCTURED),
        (NativeOutput(), OutputKind.NATIVE),
        (PromptedOutput(), OutputKind.PROMPTED),
        ([], OutputKind.STRUCTURED),
    ],
)
def test_output_kinds(output: object, kind: OutputKind) -> None:
    """`[str, Answer]` counts as structured."""
    assert output_kind(output) is kind


def test_the_wrappers_of_pydantic_ai() -> None:
    """They are known by name, so those of the installed version are tried."""
    module = pytest.importorskip("pydantic_ai")
    assert output_kind(module.NativeOutput(int)) is OutputKind.NATIVE
    assert output_kind(module.PromptedOutput(int)) is OutputKind.PROMPTED
    assert output_kind(module.ToolOutput(int)) is OutputKind.STRUCTURED
    assert output_kind(module.TextOutput(str.split)) is OutputKind.TEXT


@pytest.mark.parametrize(
    ("model", "is_one"),
    [
        (CLAUDE, True),
        (f"us.{CLAUDE}", True),
        (f"arn:aws:bedrock:eu-west-1:1:inference-profile/eu.{CLAUDE}", True),
        (NOVA, False),
        ("openai.gpt-oss-120b-1:0", False),
    ],
)
def test_models_of_anthropic(model: str, *, is_one: bool) -> None:
    """Ids, ids of inference profiles, ARNs."""
    assert is_anthropic(model) is is_one


def test_anchors() -> None:
    """As the table of the documentation has them."""
    rules = {(one.provider, one.kind): one.anchor for one in RULES if one.models is None}
    assert rules["anthropic", SourceKind.DOCUMENT] is AnchorKind.PART
    assert rules["google", SourceKind.WEB_SEARCH] is AnchorKind.CONTENT
    assert rules["openai", SourceKind.WEB_SEARCH] is AnchorKind.MARKER
    assert rules["openai", SourceKind.FILE_SEARCH] is AnchorKind.NONE
    assert rules["openrouter", SourceKind.WEB_SEARCH] is AnchorKind.NONE
    assert rules["xai", SourceKind.COLLECTION] is AnchorKind.MARKER


@pytest.mark.parametrize(
    "given",
    [
        {"provider": "nobody", "sources": []},
        {"provider": 3, "sources": []},
        {"provider": "openai", "sources": ["web"]},
        {"provider": "openai", "sources": "web_search"},
        {"provider": "openai", "sources": [3]},
        {"provider": "openai", "sources": [], "api": "completions"},
        {"provider": "bedrock", "sources": ["document"]},
        {"provider": "openai", "sources": [], "output": "json"},
        {"provider": "openai", "sources": [], "documents": ["a text"]},
        {"provider": "openai", "sources": [], "model": 3},
    ],
)
def test_other_arguments_are_refused(given: dict[str, Any]) -> None:
    """With a plain sentence."""
    with pytest.raises(InputError):
        ask_citations(**given)


def test_rules_for() -> None:
    """One rule for each kind, the one about the model first."""
    assert {one.models for one in rules_for("bedrock", model=CLAUDE)} == {"models of Anthropic"}
    assert {one.models for one in rules_for("bedrock", model=NOVA)} == {None}
    assert [one.apis for one in rules_for("openai", api="chat")] == [("chat",), ()]
