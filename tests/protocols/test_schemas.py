"""The published JSON Schemas: made from the source as it is now, and true of what the server and the library say."""

from __future__ import annotations

import importlib.util
import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator, ValidationError

from pincite.citing import CitationRun
from pincite.protocols.answers import answer_json

ROOT = Path(__file__).resolve().parent.parent.parent
NAMES = ("answer", "citation", "preview", "row")
HANDBOOK = {
    "id": "handbook-4",
    "title": "Handbook",
    "content": "Expenses over 100 EUR require prior approval from your line manager. "
    "Receipts are kept for seven years.",
}


def schema(name: str) -> dict[str, Any]:
    """Return a schema as the package has it."""
    text = files("pincite.protocols").joinpath("schemas", f"{name}.json").read_text(encoding="utf-8")
    return dict(json.loads(text))


def validator(name: str) -> Any:
    """Return what holds a value against a schema of the package."""
    return Draft202012Validator(schema(name))


def answered(text: str, *, support: bool = True, wire_format: str = "ref") -> dict[str, Any]:
    """Return an answer to the handbook as JSON; `{}` in `text` stands for the key of its passage."""
    run = CitationRun(wire_format)
    key = next(iter(run.present(HANDBOOK).values()))
    answer = run.resolve(text.replace("{}", str(key)))
    checked = run.check(answer) if support else None
    return answer_json(answer if checked is None else checked.answer, None, checked)


def test_the_schemas_are_those_of_the_source() -> None:
    """Every file that `make schemas` writes is as it would write it."""
    found = importlib.util.spec_from_file_location("make_schemas", ROOT / "tools" / "make_schemas.py")
    assert found is not None
    assert found.loader is not None
    tool: Any = importlib.util.module_from_spec(found)
    found.loader.exec_module(tool)
    old = [path.name for path, text in tool.files().items() if path.read_text(encoding="utf-8") != text]
    assert old == []


@pytest.mark.parametrize("name", NAMES)
def test_each_is_a_schema_with_a_version(name: str) -> None:
    """Each is valid JSON Schema, names itself with its version, and names no host."""
    found = schema(name)
    Draft202012Validator.check_schema(found)
    assert found["$id"] == f"urn:pincite:schema:{name}:1"
    assert "://" not in json.dumps(found).replace("https://json-schema.org/draft/2020-12/schema", "").replace(
        "upload://", ""
    )


@pytest.mark.parametrize(
    "text",
    [
        "Approval is needed above 100 EUR [{}].",
        "Approval is needed above 250 EUR [{}], and nobody reads this [[deadbeef]]. Coffee is free for all.",
        'It says "receipts are kept for nine years" [{}].',
        "",
    ],
)
def test_real_answers_are_valid(text: str) -> None:
    """Answers with support and without, with misses, quotations and sentences that cite nothing."""
    for support in (True, False):
        found = answered(text, support=support)
        validator("answer").validate(found)
        for citation in found["citations"]:
            validator("citation").validate(citation)


def test_a_quote_and_words_that_stand_for_a_citation_are_valid() -> None:
    """A citation with an extract of its own, and one whose anchor is the sentence itself."""
    run = CitationRun("inline_url")
    address = "https://example.org/handbook"
    run.present({**HANDBOOK, "source_url": address})
    quoted = answer_json(run.resolve(f'So it is. [[1]]({address} "prior approval from your line manager")'))
    assert quoted["citations"][0]["excerpt"] is not None
    validator("answer").validate(quoted)
    deferred = answered("Expenses over 100 EUR require prior approval.", wire_format="deferred")
    assert deferred["citations"][0]["anchor"] == "content"
    validator("answer").validate(deferred)


def test_what_is_no_answer_is_refused() -> None:
    """A field too many, one too few, and a verdict that there is not."""
    good = answered("Approval is needed above 100 EUR [{}].")
    for spoil in (
        {**good, "score": 0.5},
        {name: value for name, value in good.items() if name != "misses"},
        {**good, "citations": [{**good["citations"][0], "verdict": "certain"}]},
    ):
        with pytest.raises(ValidationError):
            validator("answer").validate(spoil)
