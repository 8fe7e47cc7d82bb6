"""Web Annotations: the cited words, where they stand, and the sentence that rests on them."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft202012Validator

from pincite.core.answer import Answer
from pincite.core.citation import (
    BoundPassage,
    Citation,
    ContentCitationAnchor,
    DocumentCitationSource,
    MarkerCitationAnchor,
    SourceSpan,
    WebCitationSource,
)
from pincite.core.ids import ChunkEvidenceId, SpanEvidenceId, public_document_id, version_of
from pincite.core.locators import Locator
from pincite.core.protocols import EvidenceText
from pincite.showing import to_annotations

if TYPE_CHECKING:
    from showing.conftest import Answered

TEXT = "Ä first line. 𝔸 Prices rise. Prices rise again, and fall. The last line is here."
DOCUMENT, VERSION = public_document_id("minutes"), version_of(TEXT)
START, END = TEXT.index("𝔸"), TEXT.index(" The last")
CHUNK = str(ChunkEvidenceId(DOCUMENT, VERSION, public_document_id("chunk")))

# What the Web Annotation Data Model asks of the parts that are used here (sections 3.1, 3.2.1, 4.1, 4.2, 5).
SELECTOR: dict[str, Any] = {
    "oneOf": [
        {
            "properties": {
                "type": {"const": "TextQuoteSelector"},
                **{name: {"type": "string"} for name in ("exact", "prefix", "suffix")},
            },
            "required": ["type", "exact"],
            "additionalProperties": False,
        },
        {
            "properties": {
                "type": {"const": "TextPositionSelector"},
                **{name: {"type": "integer", "minimum": 0} for name in ("start", "end")},
            },
            "required": ["type", "start", "end"],
            "additionalProperties": False,
        },
        {
            "properties": {
                "type": {"const": "FragmentSelector"},
                "conformsTo": {"const": "http://tools.ietf.org/rfc/rfc3778"},
                "value": {"type": "string", "pattern": "^page=[0-9]+$"},
                "refinedBy": {"$ref": "#/$defs/selector"},
            },
            "required": ["type", "value"],
            "additionalProperties": False,
        },
    ]
}
IRI = {"type": "string", "pattern": "^(https?://|urn:uuid:)"}
SCHEMA: dict[str, Any] = {
    "$defs": {"selector": SELECTOR},
    "type": "object",
    "properties": {
        "@context": {"const": "http://www.w3.org/ns/anno.jsonld"},
        "id": IRI,
        "type": {"const": "AnnotationCollection"},
        "label": {"type": "string"},
        "total": {"type": "integer"},
        "first": {
            "type": "object",
            "properties": {
                "id": IRI,
                "type": {"const": "AnnotationPage"},
                "partOf": IRI,
                "startIndex": {"const": 0},
                "items": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "properties": {
                            "id": IRI,
                            "type": {"const": "Annotation"},
                            "motivation": {"const": "linking"},
                            "body": {
                                "properties": {
                                    "type": {"const": "TextualBody"},
                                    "value": {"type": "string", "minLength": 1},
                                },
                                "required": ["type", "value", "format", "purpose"],
                            },
                            "target": {
                                "properties": {
                                    "type": {"const": "SpecificResource"},
                                    "source": IRI,
                                    "selector": {
                                        "type": "array",
                                        "minItems": 1,
                                        "items": {"$ref": "#/$defs/selector"},
                                    },
                                },
                                "required": ["type", "source"],
                                "additionalProperties": False,
                            },
                        },
                        "required": ["id", "type", "target"],
                        "additionalProperties": False,
                    },
                },
            },
            "required": ["id", "type", "partOf", "items"],
        },
    },
    "required": ["@context", "id", "type", "total", "first"],
    "additionalProperties": False,
}


def items_of(answer: Answer, *texts: EvidenceText) -> list[dict[str, Any]]:
    """Return the annotations of an answer, once the whole has the shape that it should have."""
    collection = json.loads(to_annotations(answer, texts=texts))
    validator: Any = Draft202012Validator(SCHEMA)
    validator.validate(collection)
    items: list[dict[str, Any]] = collection["first"]["items"]
    assert collection["total"] == len(items)
    assert len({item["id"] for item in items}) == len(items)
    return items


def stretch(start: int, end: int, name: str | None = None) -> EvidenceText:
    """Return a stretch of the document, under its own id unless it has a name."""
    own = str(SpanEvidenceId(DOCUMENT, VERSION, start, end))
    return EvidenceText(name or own, DOCUMENT, VERSION, start, end, TEXT[start:end])


def cited(excerpt: str, span: SourceSpan | None = None, page: int | None = None) -> Answer:
    """Return an answer that cites a passage of the document, or a part of it."""
    passage = BoundPassage("key", evidence_id=CHUNK, document_id=DOCUMENT, locator=Locator(page=page))
    source = DocumentCitationSource(DOCUMENT, "Minutes", (excerpt,), span, passage)
    return Answer("They rise [key]. So it is.", (Citation((source,), MarkerCitationAnchor(10, 15)),))


def test_a_passage_with_all_that_is_known_of_it() -> None:
    """Its words with those around it, its place in code points, and its page, on which the words are looked for."""
    whole = TEXT[START:END]
    (item,) = items_of(cited(whole, page=4), stretch(START, END, CHUNK), stretch(0, len(TEXT)))
    quote = {
        "type": "TextQuoteSelector",
        "exact": whole,
        "prefix": "Ä first line. ",
        "suffix": " The last line is here.",
    }
    assert item["target"] == {
        "type": "SpecificResource",
        "source": f"urn:uuid:{DOCUMENT}",
        "selector": [
            quote,
            {"type": "TextPositionSelector", "start": START, "end": END},
            {
                "type": "FragmentSelector",
                "conformsTo": "http://tools.ietf.org/rfc/rfc3778",
                "value": "page=4",
                "refinedBy": quote,
            },
        ],
    }
    assert item["body"]["value"] == "They rise."


def test_a_quote_is_told_from_the_same_words_elsewhere() -> None:
    """Of two places with the same words the second was meant; what is around it says so, and its place does."""
    inner = TEXT.index("Prices rise again") - START
    answer = cited("Prices rise", SourceSpan(inner, inner + len("Prices rise")))
    (item,) = items_of(answer, stretch(START, END, CHUNK))
    quote, position = item["target"]["selector"]
    assert (quote["prefix"], quote["suffix"]) == ("𝔸 Prices rise. ", " again, and fall.")
    assert TEXT[position["start"] : position["end"]] == quote["exact"] == "Prices rise"
    assert position["start"] == START + inner


def test_words_around_come_from_any_text_that_touches() -> None:
    """Neighbouring passages join; what is between two that do not touch is not made up."""
    whole = TEXT[START:END]
    (item,) = items_of(cited(whole), stretch(START, END, CHUNK), stretch(END, END + 4), stretch(0, 3))
    quote = item["target"]["selector"][0]
    assert (quote.get("prefix"), quote["suffix"]) == (None, " The")


def test_at_most_so_many_words_around() -> None:
    """Thirty-two code points on each side."""
    long = "a" * 100 + "MIDDLE" + "b" * 100
    version = version_of(long)
    name = str(SpanEvidenceId(DOCUMENT, version, 0, len(long)))
    passage = BoundPassage("key", evidence_id=name, document_id=DOCUMENT)
    source = DocumentCitationSource(DOCUMENT, "M", ("MIDDLE",), SourceSpan(100, 106), passage)
    text = EvidenceText(name, DOCUMENT, version, 0, len(long), long)
    (item,) = items_of(Answer("So [k].", (Citation((source,), MarkerCitationAnchor(3, 6)),)), text)
    quote = item["target"]["selector"][0]
    assert (quote["prefix"], quote["suffix"]) == ("a" * 32, "b" * 32)


def test_without_the_texts_the_words_alone_are_told() -> None:
    """No place is made up; and none for words that the kept text does not have where they should be."""
    alone = [{"type": "TextQuoteSelector", "exact": "Other words"}]
    for texts in ([], [stretch(START, END, CHUNK)]):
        (item,) = items_of(cited("Other words"), *texts)
        assert item["target"]["selector"] == alone


def test_a_source_without_words_is_the_whole_document() -> None:
    """There is nothing to select."""
    source = WebCitationSource("https://example.org/a?b=1", "A")
    (item,) = items_of(Answer("So [k].", (Citation((source,), MarkerCitationAnchor(3, 6)),)))
    assert item["target"] == {"type": "SpecificResource", "source": "https://example.org/a?b=1"}


@pytest.mark.parametrize(
    "url", ["javascript:alert(1)", "s3://bucket/key", "https://user:pw@example.org/", "file:///etc/passwd"]
)
def test_an_address_that_is_not_safe_is_no_source(url: str) -> None:
    """A name stands for it, the same each time; nothing of the address is shown."""
    answer = Answer("So [k].", (Citation((WebCitationSource(url, "A"),), MarkerCitationAnchor(3, 6)),))
    (item,) = items_of(answer)
    assert item["target"]["source"].startswith("urn:uuid:")
    assert url not in to_annotations(answer)
    assert items_of(answer) == [item]


def test_the_sentence_without_marks(answered: Answered) -> None:
    """Markers, emphasis and the mark of a list item are no part of what was said; one annotation for each citation."""
    answer = answered(
        "# So\n\n- Prices **rise** {0}{1}, as `planned` {0}.\n- They fall.\n", {"title": "A"}, {"title": "B"}
    )
    assert [item["body"]["value"] for item in items_of(answer)] == ["Prices rise, as planned."] * 3


def test_what_was_matched_after_the_fact_is_about_its_sentence() -> None:
    """An anchor that is no marker is the words themselves."""
    answer = cited(TEXT[START:END])
    matched = replace(answer.citations[0], anchor=ContentCitationAnchor(17, 26))
    (item,) = items_of(Answer(answer.text, (matched,)))
    assert item["body"]["value"] == "So it is."


def test_a_citation_without_a_place_is_about_nothing() -> None:
    """A provider's citation may stand nowhere in the answer."""
    answer = cited(TEXT[START:END])
    (item,) = items_of(Answer(answer.text, (replace(answer.citations[0], anchor=None),)))
    assert "body" not in item


def test_all_sources_of_a_citation_are_told() -> None:
    """Each is an annotation of its own."""
    sources = (
        WebCitationSource("https://example.org/a", "A"),
        WebCitationSource("https://example.org/b", "B"),
    )
    items = items_of(Answer("So [k].", (Citation(sources, MarkerCitationAnchor(3, 6)),)))
    assert [item["target"]["source"] for item in items] == ["https://example.org/a", "https://example.org/b"]
