"""Chunks with citations: what each text tells, when, and what never gets through."""

from __future__ import annotations

import json
from contextlib import aclosing
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic_ai.ui.vercel_ai.response_types import (
    AbortChunk,
    BaseChunk,
    DataChunk,
    DoneChunk,
    ErrorChunk,
    FinishChunk,
    FinishStepChunk,
    ReasoningDeltaChunk,
    ReasoningEndChunk,
    ReasoningStartChunk,
    SourceDocumentChunk,
    SourceUrlChunk,
    StartChunk,
    StartStepChunk,
    TextDeltaChunk,
    TextEndChunk,
    TextStartChunk,
)
from ui_reader import CITATIONS, all_of, as_json, check_order, read
from vercel_chunks import DOCUMENT, message, run_of, step, stream_of, text, tool

from pincite.citing import CitationRun
from pincite.protocols.vercel import AnswerCiter, CitedChunks, cited
from pincite.showing import numbered

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable

    from ui_reader import Read

    from pincite.protocols.citations_event import EndedMessage


def read_cited(run: CitationRun, chunks: Iterable[BaseChunk], **options: Any) -> Read:
    """Return what a client has of a stream with citations; the order holds."""
    error = options.pop("error", None)
    found = read(as_json(all_of(CitedChunks(run, **options).of(stream_of(chunks, error)))))
    check_order(found.types)
    return found


def test_a_text_and_what_it_cites() -> None:
    """Numbers stand in the text; each source is one part, a page on the web by its address; then comes the data."""
    run, a, b = run_of()
    found = read_cited(run, message(step(text("t", f"Blue [{a[:3]}", f"{a[3:]}], green [", f"{b}]."))))
    assert found.texts == ["Blue [1], green [2]."]
    assert found.sources == [
        {
            "type": "source-document",
            "sourceId": DOCUMENT,
            "mediaType": "application/pdf",
            "title": "handbook.pdf",
        },
        {
            "type": "source-url",
            "sourceId": "https://grass.example/green",
            "url": "https://grass.example/green",
            "title": "Grass",
        },
    ]
    (told,) = found.cited
    assert (told["messageId"], told["textId"], told["textIndex"]) == ("m-1", "t", 0)
    assert [(one["number"], one["start"], one["end"]) for one in told["citations"]] == [
        (1, 5, 8),
        (2, 16, 19),
    ]
    assert [one["sourceId"] for one in told["sources"]] == [DOCUMENT, "https://grass.example/green"]
    assert told["raw"] == f"Blue [{a}], green [{b}]."
    assert "text" not in told
    assert found.types[-6:] == ["source-document", "source-url", CITATIONS, "finish-step", "finish", "done"]


def test_a_citation_is_told_as_soon_as_it_is_written() -> None:
    """Provisional ones come behind their number, transient, so that no message keeps them."""
    run, a, _ = run_of()
    found = read_cited(run, message(step(text("t", f"Blue [{a}]", ", they say."))))
    (first,) = found.transient
    assert (first["type"], first["data"]["numbers"], first["data"]["textIndex"]) == (
        "data-pincite-citation",
        [1],
        0,
    )
    assert found.types.index("data-pincite-citation") < found.types.index("text-end")
    assert first["data"]["start_utf16"] == 5


def test_offsets_count_units_of_utf16_too() -> None:
    """A browser slices by UTF-16: an emoji before a number takes two units."""
    run, a, _ = run_of()
    found = read_cited(run, message(step(text("t", f"\U0001f600 Blue [{a}]"))))
    (one,) = found.cited[0]["citations"]
    assert (one["start"], one["start_utf16"]) == (7, 8)
    assert found.transient[0]["data"]["start_utf16"] == 8


def test_several_texts_in_one_message() -> None:
    """Each text has its own data, which says which text it is; a source that both cite is one part."""
    run, a, b = run_of()
    found = read_cited(
        run, message(step(text("0", f"First [{a}]."), tool()), step(text("0", f"Then [{b}], and [{a}].")))
    )
    assert found.texts == ["First [1].", "Then [1], and [2]."]
    assert [one["textIndex"] for one in found.cited] == [0, 1]
    assert [one["sourceId"] for one in found.sources] == [DOCUMENT, "https://grass.example/green"]
    first_end = found.types.index("finish-step")
    assert found.types[first_end - 1] == CITATIONS


def test_texts_that_are_written_at_once() -> None:
    """Deltas of two texts may alternate: each is shown and told by itself."""
    run, a, b = run_of()
    chunks: list[BaseChunk] = [
        TextStartChunk(id="x"),
        TextStartChunk(id="y"),
        TextDeltaChunk(id="x", delta=f"Blue [{a[:2]}"),
        TextDeltaChunk(id="y", delta=f"Green [{b}]"),
        TextDeltaChunk(id="x", delta=f"{a[2:]}]"),
        TextEndChunk(id="y"),
        TextEndChunk(id="x"),
    ]
    found = read_cited(run, message(step(chunks)))
    assert found.texts == ["Blue [1]", "Green [1]"]
    assert {one["textIndex"]: one["sources"][0]["sourceId"] for one in found.cited} == {
        0: DOCUMENT,
        1: "https://grass.example/green",
    }


def test_what_was_presented_later_is_cited_too() -> None:
    """A text ended before its source was presented: before its step ends it is looked up again."""
    run, _, _ = run_of()
    ref = CitationRun("ref").present({"id": "c-1", "title": "Late", "content": "Snow is white."})["ref"]

    async def chunks() -> AsyncIterator[BaseChunk]:
        for one in message(step(text("t", f"White [{ref}].")))[:-3]:
            yield one
        run.present({"id": "c-1", "title": "Late", "content": "Snow is white."})
        for one in (FinishStepChunk(), FinishChunk(), DoneChunk()):
            yield one

    found = read(as_json(all_of(cited(chunks(), run))))
    check_order(found.types)
    (told,) = found.cited
    assert [one["number"] for one in told["citations"]] == [1]
    assert (told["text"], found.shown) == ("White [1].", ["White [1]."])
    assert len(found.sources) == 1


def test_a_later_step_settles_an_earlier_text() -> None:
    """What was told of a text already is told again under the same id, and takes its place."""
    run, _, _ = run_of()
    late = {"id": "c-1", "title": "Late", "content": "Snow is white."}
    ref = CitationRun("ref").present(late)["ref"]

    async def chunks() -> AsyncIterator[BaseChunk]:
        yield StartChunk(message_id="m")
        for one in step(text("t", f"White [{ref}].")):
            yield one
        run.present(late)
        for one in [*step(text("u", "Done.")), FinishChunk(), DoneChunk()]:
            yield one

    found = read(as_json(all_of(cited(chunks(), run))))
    assert found.types.count(CITATIONS) == 3
    assert [len(one["citations"]) for one in found.cited] == [1, 0]


def test_deferred_citations_come_with_the_end() -> None:
    """Where nothing is written, sentences are matched once the text stands; the number comes with the data's text."""
    run = CitationRun("deferred")
    run.present({"id": "a-1", "title": "A", "content": "Expenses over 100 EUR require prior approval."})
    found = read_cited(run, message(step(text("t", "Expenses over 100 EUR require prior approval."))))
    (told,) = found.cited
    assert [one["number"] for one in told["citations"]] == [1]
    assert found.shown == ["Expenses over 100 EUR require prior approval. [1]"]
    assert len(found.sources) == 1


@pytest.mark.parametrize("end", [ErrorChunk(error_text="gone"), AbortChunk(reason="stop")])
def test_what_goes_wrong_ends_the_text(end: BaseChunk) -> None:
    """A text that was left open is ended, and what it cites is told, before the client hears of the error."""
    run, a, _ = run_of()
    chunks = [
        StartChunk(),
        StartStepChunk(),
        TextStartChunk(id="t"),
        TextDeltaChunk(id="t", delta=f"Blue [{a}]"),
        end,
    ]
    found = read_cited(run, [*chunks, FinishStepChunk(), FinishChunk(), DoneChunk()])
    assert found.texts == ["Blue [1]"]
    kinds = found.types
    assert (
        kinds.index("text-end")
        < kinds.index(CITATIONS)
        < kinds.index("error" if "error" in kinds else "abort")
    )


def test_an_agent_that_breaks() -> None:
    """Whatever is raised, the client has a message that ends: text, citations, error, finish."""
    run, a, _ = run_of()
    chunks = [
        StartChunk(),
        StartStepChunk(),
        TextStartChunk(id="t"),
        TextDeltaChunk(id="t", delta=f"Blue [{a}]"),
    ]
    found = read_cited(run, chunks, error=RuntimeError("/secret/path"))
    assert found.types[-5:] == [CITATIONS, "error", "finish-step", "finish", "done"]
    assert found.errors == ["The stream ended before it was finished."]


def test_what_others_tell_comes_beside() -> None:
    """Each citer has a data part of its own for each text, in the order in which they were given."""

    class Records:
        def cite(self, message: EndedMessage) -> list[tuple[str, dict[str, Any]]]:
            return [("moca.citations", {"marker": message.text[5:8]})]

    run, a, _ = run_of()
    found = read_cited(run, message(step(text("t", f"Blue [{a}]"))), citers=[Records(), AnswerCiter()])
    assert [one["type"] for one in found.parts[2:]] == ["data-moca-citations", "source-document", CITATIONS]
    assert found.parts[2]["id"] == "moca-citations-0"
    assert found.parts[2]["data"] == {"marker": "[1]", "textId": "t", "textIndex": 0}


def test_a_text_that_goes_on_in_another_step() -> None:
    """A step may begin while a text is written: the text goes on."""
    run, a, _ = run_of()
    chunks: list[BaseChunk] = [
        TextStartChunk(id="t"),
        TextDeltaChunk(id="t", delta=f"Blue [{a[:4]}"),
        StartStepChunk(),
        TextDeltaChunk(id="t", delta=f"{a[4:]}]"),
        TextEndChunk(id="t"),
    ]
    found = read_cited(run, message(chunks))
    assert (found.texts, len(found.cited)) == (["Blue [1]"], 1)


def test_a_citer_that_breaks() -> None:
    """When what tells the citations fails, the text is still ended, and so is the message."""

    class Broken:
        def cite(self, message: EndedMessage) -> list[tuple[str, dict[str, Any]]]:
            raise RuntimeError(message.text)

    run, a, _ = run_of()
    found = read_cited(run, message(step(text("t", f"Blue [{a}]"))), citers=[Broken()])
    assert found.texts == ["Blue [1]"]
    assert found.types[-4:] == ["error", "finish-step", "finish", "done"]


def test_a_stream_that_leaves_its_finish_out() -> None:
    """It is no error, and what is cited is told at its end."""
    run, a, _ = run_of()
    found = read_cited(run, [StartChunk(), *text("t", f"Blue [{a}]")])
    assert found.types[-1] == CITATIONS
    assert found.errors == []


def test_nothing_follows_the_finish() -> None:
    """What comes behind it is dropped, but for the mark of the end."""
    run, a, _ = run_of()
    found = read_cited(run, [*message(step(text("t", "One.")))[:-1], *text("u", f"Two [{a}]"), DoneChunk()])
    assert found.texts == ["One."]
    assert found.types[-1] == "done"


def test_an_agent_cannot_tell_citations_itself() -> None:
    """Data parts of our names, sent by a tool, go no further; its own go through as they are."""
    run, _, _ = run_of()
    names = ("pincite-citations", "pincite-highlight", "pincite-redraft", "moca-citations", "weather")
    forged = [DataChunk(type=f"data-{name}", id="0", data={"citations": []}) for name in names]
    found = read_cited(run, message(step(forged, text("t", "Well."))))
    assert [one["type"] for one in found.parts] == ["step-start", "data-weather", "text", CITATIONS]
    assert found.cited[0]["textIndex"] == 0


@pytest.mark.parametrize(
    "address",
    [
        "javascript:alert(1)",
        "data:text/html,x",
        "https://u:p@a.example/",
        "//a.example",
        "https://a\u202e.example",
    ],
)
def test_no_source_leads_where_no_link_may(address: str) -> None:
    """An address that is no safe link makes no `source-url`: ours becomes a document, another's is dropped."""
    run = CitationRun("ref")
    ref = run.present({"id": "a-1", "title": "A", "content": "The sky is blue.", "url": address})["ref"]
    foreign = [SourceUrlChunk(source_id="x", url=address, title="X")]
    found = read_cited(run, message(step(foreign, text("t", f"Blue [{ref}]"))))
    (one,) = found.sources
    assert one["type"] == "source-document"
    assert address not in json.dumps(found.parts)


def test_titles_are_one_line() -> None:
    """A title of control characters, right-to-left marks and much text is cut to one line; one of none has a word."""
    run = CitationRun("ref")
    first = run.present(
        {"id": "a", "title": "A\u202etxt.exe\n\x00" + "b" * 10_000, "content": "The sky is blue."}
    )
    second = run.present({"id": "b", "title": "", "content": "Grass is green."})
    found = read_cited(run, message(step(text("t", f"Blue [{first['ref']}], green [{second['ref']}]"))))
    title, none = (one["title"] for one in found.sources)
    assert title.startswith("A txt.exe b")
    assert len(title) <= 200
    assert none == "Source"
    assert len({one["sourceId"] for one in found.sources}) == 2


def test_a_source_that_is_there_already_is_not_told_again() -> None:
    """The provider's own `source-url`, or one of the message that is gone on with, is the same source."""
    run, a, b = run_of()
    own = [SourceUrlChunk(source_id="https://grass.example/green", url="https://grass.example/green")]
    found = read_cited(
        run, message(step(own, text("t", f"Blue [{a}], green [{b}]"))), sources=[str(DOCUMENT)], texts=2
    )
    assert [one["type"] for one in found.sources] == ["source-url"]
    assert found.cited[0]["textIndex"] == 2


def test_metadata_of_a_delta_are_kept() -> None:
    """What a provider says with a piece is passed on, also where the piece is held back."""
    run, a, _ = run_of()
    chunks: list[BaseChunk] = [
        TextStartChunk(id="t"),
        TextDeltaChunk(id="t", delta=f"[{a[:3]}", provider_metadata={"p": {"n": 1}}),
        TextDeltaChunk(id="t", delta=f"{a[3:]}]", provider_metadata={"p": {"n": 2}}),
        TextEndChunk(id="t"),
    ]
    found = as_json(all_of(cited(stream_of(message(step(chunks))), run)))
    deltas = [one for one in found if one["type"] == "text-delta"]
    assert [one["providerMetadata"]["p"]["n"] for one in deltas if "providerMetadata" in one] == [1, 2]
    assert "".join(one["delta"] for one in deltas) == "[1]"


def test_what_is_not_text_goes_through() -> None:
    """Thoughts, tools and pieces of an unknown text are none of ours."""
    run, a, _ = run_of()
    thoughts: list[BaseChunk] = [
        ReasoningStartChunk(id="r"),
        ReasoningDeltaChunk(id="r", delta=f"[{a}]"),
        ReasoningEndChunk(id="r"),
        *tool(),
    ]
    chunks = message(step(thoughts))
    assert as_json(all_of(cited(stream_of(chunks), run))) == as_json(chunks)


def test_a_message_without_an_id_has_that_of_its_first_text() -> None:
    """Where nobody names the message, its citations have something to be found by."""
    run, a, _ = run_of()
    found = read_cited(
        run, message(step(text("t", f"Blue [{a}]")), step(text("u", "Well.")), message_id=None)
    )
    assert [one["messageId"] for one in found.cited] == ["t", "t"]


def test_titles_of_others_are_one_line_too() -> None:
    """What a provider calls its source is shown by the same page as ours."""
    run, _, _ = run_of()
    foreign: list[BaseChunk] = [
        SourceUrlChunk(source_id="x", url="https://x.example/", title="A\u202e\nB"),
        SourceDocumentChunk(source_id="y", media_type="text/plain", title="\u200b"),
    ]
    found = read_cited(run, message(step(foreign)))
    assert [one["title"] for one in found.sources] == ["A B", "Source"]


async def test_a_client_that_goes_away() -> None:
    """Where nobody reads on, the agent's own stream is closed at once."""
    run, _, _ = run_of()
    closed: list[bool] = []

    async def chunks() -> AsyncIterator[BaseChunk]:
        try:
            for one in message(step(text("t", "One."))):
                yield one
        finally:
            closed.append(True)

    stream = CitedChunks(run).of(chunks())
    async with aclosing(stream):
        assert isinstance(await anext(stream), StartChunk)
    assert closed == [True]


def test_an_answer_in_several_text_parts() -> None:
    """With thoughts between them, the parts are one answer: the last one has the whole, the ones before are emptied."""
    run, a, b = run_of()
    answer = run.resolve(f"Blue [{a}]. Green [{b}].")
    checked: Any = SimpleNamespace(answer=answer, written=answer.text)
    thoughts: list[BaseChunk] = [ReasoningStartChunk(id="r"), ReasoningEndChunk(id="r")]
    parts = (
        text("s", "Searching. "),
        thoughts,
        text("t", f"Blue [{a}]. "),
        thoughts,
        text("u", f"Green [{b}]."),
    )
    found = read_cited(run, message(step(*parts)), settle=lambda: checked)
    assert found.texts == ["Searching. ", "Blue [1]. ", "Green [1]."]
    assert found.shown == ["Searching. ", "", "Blue [1]. Green [2]."]
    last = found.cited[-1]
    assert [(one["number"], one["start"]) for one in last["citations"]] == [(1, 5), (2, 16)]
    assert last["raw"] == answer.text


def test_what_was_mended_takes_the_place_of_what_was_streamed() -> None:
    """Where the answer that holds reads otherwise than what was written, the data has its text."""
    run, a, _ = run_of()
    checked: Any = SimpleNamespace(answer=run.resolve(f"Blue [{a}]."), written="Blue [sky].")
    found = read_cited(run, message(step(text("t", "Blue [sky]."))), settle=lambda: checked)
    assert (found.texts, found.shown) == (["Blue [sky]."], ["Blue [1]."])
    assert found.types.count(CITATIONS) == 1


# --- What holds for every stream --------------------------------------------------------------------------------

_A, _B = run_of()[1:]
_PIECES = st.lists(
    st.sampled_from(
        [
            f"[{_A}]",
            f"[{_B}]",
            f"[{_A}, {_B}]",
            "[nothing1]",
            " word",
            ". ",
            "`",
            "\U0001f600",
            "\n",
            "[",
            "]",
            _A[:4],
        ]
    ),
    max_size=8,
).map("".join)


@st.composite
def _chunked(draw: st.DrawFn) -> tuple[list[BaseChunk], list[str]]:
    """Draw a message, and the texts of it: steps with texts in pieces, tools between, and any kind of end."""
    chunks: list[BaseChunk] = [StartChunk(message_id="m")]
    texts: list[str] = []
    for _ in range(draw(st.integers(0, 3))):
        inside: list[BaseChunk] = []
        for _ in range(draw(st.integers(0, 2))):
            written = draw(_PIECES)
            cuts = sorted(draw(st.lists(st.integers(0, len(written)), max_size=3)))
            pieces = [written[a:b] for a, b in zip([0, *cuts], [*cuts, len(written)], strict=True)]
            inside += text(draw(st.sampled_from("xy")), *pieces)
            texts.append(written)
            if draw(st.booleans()):
                inside += tool(f"call-{len(texts)}")
        chunks += step(inside)
    end = draw(st.sampled_from(["finish", "error", "abort", "cut"]))
    if end == "cut":
        at = draw(st.integers(1, len(chunks)))
        return chunks[:at], texts
    if end == "error":
        chunks += [ErrorChunk(error_text="gone"), FinishChunk(finish_reason="error")]
    elif end == "abort":
        chunks.append(AbortChunk())
    else:
        chunks.append(FinishChunk())
    return [*chunks, DoneChunk()], texts


@given(_chunked(), st.booleans())
def test_every_stream_keeps_the_order(drawn: tuple[list[BaseChunk], list[str]], breaks: bool) -> None:  # noqa: FBT001 - hypothesis gives it
    """Any message, cut anywhere: the order holds, each text tells once what it cites, and is shown with numbers."""
    chunks, texts = drawn
    run, _, _ = run_of()
    found = read_cited(run, chunks, error=RuntimeError() if breaks else None)
    whole = {index for index, written in enumerate(texts) if written}
    is_whole = isinstance(chunks[-1], DoneChunk)
    seen: dict[int, dict[str, Any]] = {one["textIndex"]: one for one in found.cited}
    assert len(seen) == len(found.cited)
    assert seen.keys() == whole if is_whole else seen.keys() <= whole
    for index, told in seen.items():
        shown = found.shown[index]
        if is_whole or index < len(found.texts) - 1:
            assert shown == numbered(run.resolve(texts[index])).text
        for one in told["citations"]:
            assert shown[one["start"] : one["end"]].startswith("[")
        assert all(one["sourceId"] in {part["sourceId"] for part in found.sources} for one in told["sources"])
    assert len({one["sourceId"] for one in found.sources}) == len(found.sources)
