"""Citations of a structured answer, field by field. The responses are synthetic unless they are recorded."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from recorded import load

from pincite.core.citation import (
    Citation,
    ContentCitationAnchor,
    DocumentCitationSource,
    MarkerCitationAnchor,
    SourceSpan,
    TextPart,
    WebCitationSource,
)
from pincite.core.errors import InputError, LimitError
from pincite.core.limits import Limits
from pincite.core.verdicts import QuoteVerdict
from pincite.providers.fields import citations_by_field, verify_field_quotes
from pincite.providers.response import hash_of
from pincite.providers.sources import SentSources

if TYPE_CHECKING:
    from pathlib import Path

PAGE = WebCitationSource("https://a.example")


def part(text: str, *places: tuple[int, int]) -> TextPart:
    """Return a part of JSON text with a citation at each place."""
    return TextPart(text, tuple(Citation((PAGE,), ContentCitationAnchor(*place)) for place in places))


def told(answer: TextPart) -> list[tuple[str, str]]:
    """Return each cited field with the words that its anchor selects."""
    found: list[tuple[str, str]] = []
    for one in citations_by_field(answer).fields:
        anchor = one.citation.anchor
        assert anchor is not None
        found.append((one.pointer, one.value[anchor.start : anchor.end]))
    return found


def test_a_string() -> None:
    """`{"a": "bc"}`: the value stands at 7 to 9."""
    answer = part('{"a": "bc"}', (7, 9))
    assert told(answer) == [("/a", "bc")]
    (found,) = citations_by_field(answer).fields
    assert found.citation.text_hash == hash_of("bc")
    assert found.citation.sources == (PAGE,)


@pytest.mark.parametrize(
    ("written", "start", "end", "words"),
    [
        (r"x\ny", 0, 4, "x\ny"),
        (r"x\ny", 3, 4, "y"),
        (r"\"x\"", 2, 3, "x"),
        (r"\u00e9x", 6, 7, "x"),
        (r"\u00e9x", 0, 6, "é"),
        (r"\ud83d\ude00x", 12, 13, "x"),
        (r"\ud83d\ude00x", 0, 12, "\U0001f600"),
        (r"\ud83dx", 6, 7, "x"),
        (r"\\nx", 3, 4, "x"),
        (r"a\/b", 3, 4, "b"),
        ("\U0001f600x", 1, 2, "x"),
        # A place inside of an escape is the whole character.
        (r"a\u00e9b", 3, 5, "é"),
        (r"a\ud83d\ude00b", 4, 14, "\U0001f600b"),
        (r"a\nb", 2, 4, "\nb"),
    ],
)
def test_positions_are_mapped_through_escapes(written: str, start: int, end: int, words: str) -> None:
    """Each escape is one code point of the value, and so is a pair of halves."""
    text = f'{{"a": "{written}"}}'
    assert told(part(text, (7 + start, 7 + end))) == [("/a", words)]
    (found,) = citations_by_field(part(text, (7 + start, 7 + end))).fields
    assert found.value == json.loads(text)["a"]


def test_pointers() -> None:
    """Objects, arrays, names with `/` and `~`, numbers and words of JSON."""
    text = '{"a/b": [1, {"c~d": "e"}], "f": true, "": null}'
    whole = part(text, (0, len(text)))
    assert told(whole) == [("/a~1b/0", "1"), ("/a~1b/1/c~0d", "e"), ("/f", "true"), ("/", "null")]


def test_a_citation_over_two_fields_belongs_to_both() -> None:
    """Each with its own stretch."""
    text = '{"a": "one two", "b": "three four"}'
    #       0123456789012345678901234567890
    assert told(part(text, (11, 28))) == [("/a", "two"), ("/b", "three")]


def test_over_names_and_signs_alone_it_belongs_to_none() -> None:
    """Then it is told, with its place in the JSON text."""
    answer = part('{"name": "x"}', (1, 9))
    found = citations_by_field(answer)
    assert (found.fields, found.unplaced) == ((), answer.citations)


def test_without_an_anchor_it_belongs_to_none() -> None:
    """Nobody said where."""
    citation = Citation((PAGE,))
    assert citations_by_field(TextPart('{"a": "b"}', (citation,))).unplaced == (citation,)


def test_the_last_of_a_name_counts() -> None:
    """A value that is overwritten is none; what was cited of it belongs to no field."""
    text = '{"a": ["old"], "a": "new"}'
    answer = part(text, (8, 11), (21, 24))
    found = citations_by_field(answer)
    assert [one.pointer for one in found.fields] == ["/a"]
    assert found.fields[0].value == "new"
    assert found.unplaced == answer.citations[:1]


def test_markers_keep_their_kind_and_claim() -> None:
    """The claim goes with its marker as far as it stands in the same field."""
    citation = Citation(
        (PAGE,), MarkerCitationAnchor(13, 16), written="[1]", claim=ContentCitationAnchor(3, 12)
    )
    (found,) = citations_by_field(TextPart('{"a": "Claim [1]."}', (citation,))).fields
    assert found.citation.anchor == MarkerCitationAnchor(6, 9)
    assert found.citation.claim == ContentCitationAnchor(0, 5)
    assert found.citation.written == "[1]"


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ('Here you are:\n```json\n{"a": "b"}\n```', [("/a", "b")]),
        ('{"a": "b", "c": "d', [("/a", "b"), ("/c", "d")]),
        ('{"a": "b' + "\\n" + "\\", [("/a", "b\n")]),
        ('{"a": "b"} and {"c": "d"}', [("/a", "b")]),
        ('Here you are:\n  {"a": "b"}', [("/a", "b")]),
        ("```\n[1, 2]\n```", [("/0", "1"), ("/1", "2")]),
        ("no JSON at all", []),
        ("Open at nine ([example.com](https://example.com)).", []),
        ("[example.com](https://example.com)", []),
        ("[1] Opening hours {today}", []),
        ("", []),
        ("}", []),
        ("[[]", []),
    ],
)
def test_json_that_is_not_all_of_the_text(text: str, fields: list[tuple[str, str]]) -> None:
    """Words and a fence around it, and JSON that breaks off: what is there is read."""
    assert told(part(text, (0, len(text)))) == fields


def test_several_parts_are_one_text() -> None:
    """A response's positions are those of its whole text."""
    first, second = TextPart('{"a": "b'), part('c"}', (0, 1))
    from pincite.providers.response import ProviderResponse

    found = citations_by_field(ProviderResponse("google", "generate_content", (first, second)))
    assert [(one.pointer, one.value, one.citation.anchor) for one in found.fields] == [
        ("/a", "bc", ContentCitationAnchor(1, 2))
    ]
    assert found.of("/a") == (found.fields[0].citation,)
    assert found.of("/b") == ()


def test_deep_json_costs_no_more_than_its_text() -> None:
    """What is deeper than the limit is no field; a string that is never closed is read once."""
    assert told(part('["' + '\\"' * 300_000, (0, 4))) == [("/0", '"')]
    text = "[" * 100_000 + '"a"' + ', "b"' * 1_000
    found = citations_by_field(part(text, (0, len(text))))
    assert (found.fields, len(found.unplaced)) == ((), 1)
    shallow = citations_by_field(part('[["a"], "b"]', (0, 12)), limits=Limits(provider_json_depth=1))
    assert [one.pointer for one in shallow.fields] == ["/1"]


def test_recorded_native_output(shared: Path) -> None:
    """The recorded JSON answer of Gemini: every citation with an anchor is one of a field, and says its words."""
    assert shared.is_dir()
    recording = load("google-stream-test-native-output-with-builtin-tools-stream-0")
    from pincite.providers.stream import StreamReader

    reader = StreamReader("google")
    for event in recording["events"]:
        reader.feed(event)
    response = reader.finish()
    found = citations_by_field(response)
    fields = json.loads(response.text[response.text.index("{") : response.text.rindex("}") + 1])
    anchored = [one for one in response.citations if one.anchor is not None]
    assert len(anchored) > 0
    assert len({one.citation.sources for one in found.fields}) > 0
    for one in found.fields:
        assert one.value in (fields[one.pointer[1:]], json.dumps(fields[one.pointer[1:]]))


def test_other_types_are_refused() -> None:
    """A plain sentence."""
    wrong: Any = "text"
    with pytest.raises(InputError, match="a ProviderResponse or a TextPart"):
        citations_by_field(wrong)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)


def at(value: Any, pointer: str) -> Any:
    """Return what a JSON Pointer leads to."""
    for name in pointer.split("/")[1:]:
        key = name.replace("~1", "/").replace("~0", "~")
        value = value[int(key) if isinstance(value, list) else key]
    return value


@given(
    value=st.lists(JSON, max_size=4) | st.dictionaries(st.text(max_size=4), JSON, max_size=4),
    ascii_only=st.booleans(),
)
def test_every_field_is_found_with_its_value(value: Any, *, ascii_only: bool) -> None:
    """A citation of the whole JSON belongs to every string that is not empty, and to every other value."""
    text = json.dumps(value, ensure_ascii=ascii_only)
    found = citations_by_field(part(text, (0, len(text)))).fields
    for one in found:
        meant = at(value, one.pointer)
        assert one.value == (meant if isinstance(meant, str) else json.dumps(meant))
        assert one.citation.anchor == ContentCitationAnchor(0, len(one.value))

    def leaves(inner: Any) -> int:
        if isinstance(inner, dict | list):
            within: Any = cast("Any", inner)
            return sum(map(leaves, within.values() if isinstance(inner, dict) else within))
        return inner != ""

    assert len(found) == leaves(value)


@given(words=st.text(max_size=30), start=st.integers(0, 30), size=st.integers(1, 30))
def test_every_place_of_a_value_comes_back(words: str, start: int, size: int) -> None:
    """A place of the value, written as a place of the JSON text, is that place again."""
    start = min(start, len(words))
    end = min(start + size, len(words))
    text = json.dumps({"a": words})

    def written(place: int) -> int:
        return len('{"a": "') + len(json.dumps(words[:place])) - 2

    expected = [("/a", words[start:end])] if start < end else []
    assert told(part(text, (written(start), written(end)))) == expected


# --- Quotes in fields ---

RETURNS = "Items may be returned within 30 days. Refunds are paid by bank transfer."
OPENING = "The shop opens at nine o'clock on weekdays and at ten on Saturdays."


def sent() -> SentSources:
    """Return two documents."""
    sources = SentSources()
    sources.add_document(RETURNS, id="returns", title="Returns")
    sources.add_document(OPENING, id="opening")
    return sources


def test_quotes_are_verified() -> None:
    """With and without the source that they name; each verdict has its pointer."""
    value = {
        "answers": [
            {"claim": "30 days", "quote": "Items may be returned within 30 days.", "source": "returns"},
            {"claim": "60 days", "quote": "Items may be returned within 60 days.", "source": "returns"},
            {"claim": "at nine", "quote": "The shop opens at nine o'clock on weekdays"},
            {"claim": "at nine", "quote": "The shop opens at nine o'clock on weekdays", "source": 1},
            {"claim": "no", "quote": "Nobody has ever written such a sentence here."},
            {"claim": "who", "quote": "Items may be returned within 30 days.", "source": "nothing"},
        ]
    }
    found = verify_field_quotes(value, sent())
    assert [(one.pointer, one.verdict) for one in found] == [
        ("/answers/0/quote", QuoteVerdict.VERBATIM),
        ("/answers/1/quote", QuoteVerdict.ALTERED),
        ("/answers/2/quote", QuoteVerdict.VERBATIM),
        ("/answers/3/quote", QuoteVerdict.ELSEWHERE),
        ("/answers/4/quote", QuoteVerdict.ABSENT),
        ("/answers/5/quote", QuoteVerdict.UNCHECKED),
    ]
    assert [one.sent.source_id if one.sent else None for one in found] == [
        "returns",
        "returns",
        "opening",
        "returns",
        None,
        None,
    ]
    assert found[0].around == "/answers/0"
    assert [one.citation is not None for one in found] == [True, False, True, False, False, False]


def test_a_quote_is_a_citation() -> None:
    """Of the source's own words, in its own place."""
    (found,) = verify_field_quotes(json.dumps({"quote": "Refunds  are paid by bank transfer."}), sent())
    citation = found.citation
    assert citation is not None
    source = citation.sources[0]
    assert isinstance(source, DocumentCitationSource)
    assert (source.document_id, source.title) == ("returns", "Returns")
    assert source.excerpts == ("Refunds are paid by bank transfer.",)
    assert source.span == SourceSpan(38, 72)
    assert (citation.quote, citation.written) == (
        QuoteVerdict.TYPOGRAPHIC,
        "Refunds  are paid by bank transfer.",
    )


def test_lists_of_quotes_and_other_names() -> None:
    """Each of a list has its own pointer; what is no string is no quote."""
    value = {
        "evidence": ["Items may be returned within 30 days.", 3, "The shop opens at nine o'clock"],
        "doc": None,
    }
    found = verify_field_quotes(value, sent(), quote="evidence", source="doc")
    assert [(one.pointer, one.around) for one in found] == [("/evidence/0", ""), ("/evidence/2", "")]


def test_words_that_two_sources_have_belong_to_none() -> None:
    """Nothing is guessed."""
    sources = sent()
    sources.add_document(RETURNS)
    (found,) = verify_field_quotes({"quote": "Items may be returned within 30 days."}, sources)
    assert (found.verdict, found.sent) == (QuoteVerdict.UNCHECKED, None)
    assert found.reason == "2 sources have these words alike."


def test_nothing_is_absent_from_a_source_whose_text_is_not_known() -> None:
    """It may stand there."""
    sources = sent()
    sources.add_file("file-1")
    (found,) = verify_field_quotes({"quote": "Nobody has ever written such a sentence here."}, sources)
    assert found.verdict is QuoteVerdict.UNCHECKED


def test_quotes_of_other_types_are_refused() -> None:
    """Text that is no JSON, sources that are none, and what is too deep."""
    wrong: Any = []
    with pytest.raises(InputError, match="no JSON"):
        verify_field_quotes("{", sent())
    with pytest.raises(InputError, match="SentSources"):
        verify_field_quotes({}, wrong)
    deep: Any = "a"
    for _ in range(300):
        deep = [deep]
    with pytest.raises(LimitError):
        verify_field_quotes(deep, sent())
