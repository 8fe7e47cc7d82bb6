"""Write the published JSON Schemas, and the one of the server's own shapes that the console's types are made from.

    python tools/make_schemas.py            write what is out of date
    python tools/make_schemas.py --check    name what is out of date and fail

Published are `src/pincite/protocols/schemas/<name>.json`, part of the package: an answer and a citation as JSON, a row
of a search, and a preview. `docs/schemas/` has copies of these and of those of events. A shape's `$id` ends in its
version, which rises when something is taken away or means something else; a field that comes in anew does not change
it. What the server has a model for is taken from there. An answer is a plain dictionary (`pincite.protocols.answers`),
so its schema is written here.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Callable
    from enum import Enum

ROOT = Path(__file__).resolve().parent.parent
PROTOCOLS = ROOT / "src" / "pincite" / "protocols"
PUBLISHED = PROTOCOLS / "schemas"
IN_THE_DOCS = ROOT / "docs" / "schemas"
FOR_THE_CONSOLE = ROOT / "web" / "schemas" / "server.json"
DIALECT = "https://json-schema.org/draft/2020-12/schema"

TEXT = {"type": "string"}
NUMBER = {"type": "integer"}
NULL = {"type": "null"}


def maybe(shape: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of that shape or null."""
    return {"anyOf": [shape, NULL]}


def some(shape: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a list of that shape."""
    return {"type": "array", "items": shape}


def one_of(values: type[Enum], description: str) -> dict[str, Any]:
    """Return the schema of the values of an enumeration."""
    return {"enum": [one.value for one in values], "description": description}


def thing(description: str, fields: dict[str, Any], optional: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return the schema of an object with just those fields, all of them there but the optional ones."""
    return {
        "type": "object",
        "description": description,
        "properties": fields,
        "required": [name for name in fields if name not in optional],
        "additionalProperties": False,
    }


def said(shape: dict[str, Any], description: str) -> dict[str, Any]:
    """Return the schema with a description."""
    return {**shape, "description": description}


def to(name: str) -> dict[str, Any]:
    """Return a reference to a shape beside this one."""
    return {"$ref": f"#/$defs/{name}"}


# --- What an answer is made of -----------------------------------------------------------------------------------


def answer_shapes() -> dict[str, Any]:
    """Return the shapes of an answer by name, as `answer_json` makes them."""
    from pincite.checking.support import ReasonKind
    from pincite.core import verdicts

    support = one_of(verdicts.SupportVerdict, "Whether the passages say what the claim says.")
    check = {
        "support_verdict": support,
        "method": said(TEXT, "What told it."),
        "score": maybe(said({"type": "number"}, "From 0 to 1, on the method's own scale.")),
        "passage": said(maybe(TEXT), "The key of the passage that the verdict rests on."),
        "start": maybe(NUMBER),
        "end": said(maybe(NUMBER), "Code points of that passage."),
        "reasons": some(to("Reason")),
    }
    state = one_of(verdicts.SourceState, "What became of the cited version since.")
    source = {
        "title": maybe(TEXT),
        "document_id": maybe(TEXT),
        "source_key": said(maybe(TEXT), "The name of the document that may be shown."),
        "source_uri": said(maybe(TEXT), "An http or https address, where it is safe as a link."),
    }
    locator = {
        "type": "object",
        "description": "Where a person looks; a field that is not known is left out.",
        "properties": {
            **dict.fromkeys(
                ("page", "page_end", "line", "line_end", "slide", "slide_end", "paragraph", "paragraph_end"),
                NUMBER,
            ),
            **dict.fromkeys(("page_label", "sheet", "cells", "pointer", "part", "columns"), TEXT),
            "time": {"type": "number"},
            "time_end": {"type": "number"},
            "headings": some(TEXT),
            "ocr": {"type": "boolean"},
        },
        "additionalProperties": False,
    }
    return {
        "Locator": locator,
        "Source": thing("What a citation leads to.", source),
        "Citation": thing(
            "One marker of an answer and what was found out about it.",
            {
                "number": said(maybe(NUMBER), "The number of its source in `answer`."),
                "verdict": maybe(
                    one_of(verdicts.TraceVerdict, "Whether the text was in front of the model.")
                ),
                "quote_verdict": maybe(one_of(verdicts.QuoteVerdict, "What became of its quote.")),
                "support_verdict": maybe(support),
                "ref": maybe(TEXT),
                "evidence_id": maybe(TEXT),
                "source": to("Source"),
                "locator": to("Locator"),
                "confidence": maybe(
                    one_of(verdicts.Confidence, "Whether its passage reached the collection's bar.")
                ),
                "source_state": maybe(state),
                "excerpt": said(maybe(TEXT), "The words that it quotes, where it quotes some."),
                "excerpt_start": said(maybe(NUMBER), "Where they begin in their passage."),
                "anchor": said(maybe({"enum": ["marker", "content"]}), "What `start` and `end` are of."),
                "start": maybe(NUMBER),
                "end": said(maybe(NUMBER), "Code points of `text`."),
            },
        ),
        "Passage": thing("A cited passage.", {"ref": maybe(TEXT), "evidence_id": maybe(TEXT), "text": TEXT}),
        "NumberedSource": thing(
            "A source in the list below the answer.",
            {
                "number": NUMBER,
                **source,
                "locator": to("Locator"),
                "bibliography": said({"type": "object"}, "Fields of CSL-JSON; empty where nothing is known."),
                "passages": some(to("Passage")),
            },
        ),
        "Miss": thing(
            "Something that looks like a citation and is none.",
            {
                "start": NUMBER,
                "end": NUMBER,
                "written": TEXT,
                "reason": one_of(verdicts.MissReason, "Why it is none."),
                "suggestion": said(maybe(TEXT), "The nearest key that there is."),
            },
        ),
        "Stretch": thing("A part of `text`.", {"start": NUMBER, "end": NUMBER, "text": TEXT}),
        "Reason": thing(
            "Why a claim is not supported as it stands.",
            {
                "kind": one_of(ReasonKind, "What kind of reason."),
                "claim": maybe(TEXT),
                "source": maybe(TEXT),
                "message": said(TEXT, "A sentence for people."),
            },
        ),
        "SupportCheck": thing("A claim against passages.", check),
        "CitationSupport": thing(
            "One citation of a claim by itself.",
            {
                "citation": said(NUMBER, "Its index in `citations`."),
                "is_needed": maybe({"type": "boolean"}),
                **check,
            },
        ),
        "Quotation": thing(
            "Words in quotation marks, against the passages.",
            {
                "start": NUMBER,
                "end": NUMBER,
                "text": TEXT,
                "passage_key": maybe(TEXT),
                "quote_verdict": one_of(verdicts.QuoteVerdict, "What became of the quotation."),
                "reason": TEXT,
                "source_start": maybe(NUMBER),
                "source_end": maybe(NUMBER),
            },
        ),
        "Claim": thing(
            "A statement of the answer against what it cites.",
            {
                "start": NUMBER,
                "end": NUMBER,
                "text": TEXT,
                "together": said(maybe(to("SupportCheck")), "Against all that it cites."),
                "citations": some(to("CitationSupport")),
                "better": said(maybe(to("SupportCheck")), "The best passage that it does not cite."),
                "quotations": some(to("Quotation")),
            },
        ),
        "Support": thing(
            "Every claim of an answer, checked by one method.",
            {
                "method": TEXT,
                "claims": some(to("Claim")),
                "unclaimed": said(some(NUMBER), "Citations, by index, that belong to no claim."),
                "lengths": some(NUMBER),
            },
        ),
    }


def answer() -> dict[str, Any]:
    """Return the schema of an answer as JSON."""
    shape = thing(
        "An answer and what was found in it; offsets are code points of `text`.",
        {
            "answer": said(TEXT, "With numbered references in place of its markers."),
            "text": said(TEXT, "As the model wrote it."),
            "citations": said(some(to("Citation")), "One for each marker, in the order of the text."),
            "sources": said(some(to("NumberedSource")), "In the order of first mention."),
            "misses": some(to("Miss")),
            "uncited": said(some(to("Stretch")), "Sentences that state something and cite nothing."),
            "support": said(maybe(to("Support")), "Null where it was not asked for."),
        },
    )
    return {**shape, "$defs": answer_shapes()}


def citation() -> dict[str, Any]:
    """Return the schema of one citation as JSON."""
    shapes = answer_shapes()
    return {**shapes["Citation"], "$defs": {name: shapes[name] for name in ("Locator", "Source")}}


def row() -> dict[str, Any]:
    """Return the schema of a row of a search, from the server's own model."""
    from pincite.server.search import Row

    return Row.model_json_schema(mode="serialization")


def preview() -> dict[str, Any]:
    """Return the schema of a preview, from the server's own model."""
    from pincite.server.citations import PreviewBody

    return PreviewBody.model_json_schema(mode="serialization")


SCHEMAS: dict[str, tuple[int, Callable[[], dict[str, Any]]]] = {
    "answer": (1, answer),
    "citation": (1, citation),
    "preview": (1, preview),
    "row": (1, row),
}
"""What is published: name, version, and who makes it. Events get their entries here."""


def published(name: str) -> dict[str, Any]:
    """Return a schema as it is published."""
    version, make = SCHEMAS[name]
    shape = _untitled(make())
    return {
        "$schema": DIALECT,
        "$id": f"urn:pincite:schema:{name}:{version}",
        "title": name.capitalize(),
        **shape,
    }


# --- What the console's types are made from ------------------------------------------------------------------------


def server() -> dict[str, Any]:
    """Return the shapes of the server's OpenAPI as one schema."""
    from pincite.core.limits import Limits
    from pincite.core.settings import Settings
    from pincite.server import Service, build_app

    with (
        tempfile.TemporaryDirectory() as folder,
        Service(Path(folder), settings=Settings(), limits=Limits()) as service,
    ):
        shapes = build_app(service).openapi()["components"]["schemas"]
    text = json.dumps(_untitled(shapes)).replace("#/components/schemas/", "#/$defs/")
    return {"$schema": DIALECT, "title": "Server", "type": "object", "$defs": json.loads(text)}


def _untitled(shape: Any) -> Any:
    """Return a schema without the titles that pydantic makes of the names of fields: they say nothing new."""
    if isinstance(shape, list):
        return [_untitled(one) for one in cast("list[Any]", shape)]
    if not isinstance(shape, dict):
        return shape
    held = cast("dict[str, Any]", shape)
    return {
        name: _untitled(one) for name, one in held.items() if not (name == "title" and isinstance(one, str))
    }


# --- Writing ----------------------------------------------------------------------------------------------------


def files() -> dict[Path, str]:
    """Return every file as it should be, by its path."""
    made = {PUBLISHED / f"{name}.json": published(name) for name in SCHEMAS} | {FOR_THE_CONSOLE: server()}
    texts = {path: json.dumps(shape, indent=2, ensure_ascii=False) + "\n" for path, shape in made.items()}
    # Those written by hand are part of the package as they are; the documentation has a copy of each.
    packaged = {path: path.read_text(encoding="utf-8") for path in PROTOCOLS.rglob("schemas/*.json")} | texts
    copies = {IN_THE_DOCS / path.name: text for path, text in packaged.items() if path != FOR_THE_CONSOLE}
    return texts | copies


def main(arguments: list[str]) -> int:
    """Write the schemas, or with `--check` name those that are out of date."""
    old = 0
    for path, text in files().items():
        if path.is_file() and path.read_text(encoding="utf-8") == text:
            continue
        old = 1
        name = path.relative_to(ROOT)
        if "--check" in arguments:
            print(f"{name} is out of date: run `make schemas` and commit it.")
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            print(f"{name} written.")
    return old if "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
