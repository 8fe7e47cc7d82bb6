"""Our showing, checking and answering, proven with the kit: nothing of a source or a model acts on a page."""

from __future__ import annotations

import json
import re
import unicodedata
from typing import TYPE_CHECKING, Any

import pytest
from markdown_it import MarkdownIt

from hostile import hostile, many
from pincite.checking import verify_quote
from pincite.citing import CitationRun
from pincite.core.errors import InputError
from pincite.showing import (
    NumberedPiece,
    NumberedStream,
    numbered,
    render_answer,
    snippet,
    sources_list,
    to_annotations,
    to_bibtex,
    to_csl_json,
    to_html,
    to_text,
)
from pincite.testing import assert_inert_html, assert_inert_markdown, assert_no_address

if TYPE_CHECKING:
    from collections.abc import Callable

    from pincite.core.answer import Answer
    from pincite.testing import AttackPassage, AttackQuote, AttackText

OWN = "https://docs.example/own"
WEB = re.compile(r"https?://[^@\\]+")


def chat(kind: str) -> Callable[[str], str]:
    """Return what a careful chat shows Markdown with: no HTML, no images, links to the web alone."""
    shown = MarkdownIt(kind, {"html": False}).disable("image")
    shown.validateLink = lambda url: WEB.fullmatch(url) is not None
    return shown.render


# To the second one a bare address is a link.
CHATS = (chat("commonmark"), chat("gfm-like"))
# What turns a terminal or a page around: control characters but tab and line feed, marks of direction, tags. One class.
STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\U000e0000-\U000e0fff]")


def answered(text: AttackText | str, hit: dict[str, Any]) -> Answer:
    """Return the answer of a model that was shown `hit` and writes `text`, citing it where the text has a marker."""
    run = CitationRun("ref")
    marker = f"[{run.present(hit)['ref']}]"
    return run.resolve(text.replace("[KEY]", marker) if isinstance(text, str) else text.citing(marker))


def assert_page_is_inert(answer: Answer, links: tuple[str, ...] | None) -> None:
    """Hold every form that an answer can be shown in to the kit's checks.

    Numbers count in the answer; in the list of sources a link shows a title, whatever number that has in it.
    """
    known = {source.number: source.link for source in render_answer(answer).sources}
    for page in (True, False):
        html = to_html(answer, page=page, title="Question")
        assert_inert_html(
            html,
            links=links,
            # The page has a style sheet of its own; its policy names the hash of it, so no other counts.
            elements=("style",) if page else (),
        )
    body = to_html(answer, page=False).partition('<section class="sources">')[0]
    assert_inert_html(body, links=links, numbers={number: f"#source-{number}" for number in known})
    rendered = render_answer(answer)
    assert_inert_markdown("\n\n".join([rendered.text, *sources_list(rendered.sources)]), links=links)
    assert_inert_markdown(rendered.text, links=links, numbers=dict.fromkeys(known))
    for render in CHATS:
        assert_inert_markdown(numbered(answer).text, numbers=dict.fromkeys(known), render=render)
    text = to_text(answer, title="Question")
    assert STEERING.search(text) is None


def test_what_a_model_writes_does_not_act(attack_text: AttackText) -> None:
    """In HTML, Markdown and plain text: no program, nothing loaded, no link of the model's, no number taken."""
    assert_page_is_inert(answered(attack_text, hit()), (OWN,))


def hit(**fields: Any) -> dict[str, Any]:
    """Return a hit as a tool returns it."""
    return {"title": "Notes", "source_url": OWN, "content": "Data is deleted after 30 days.", **fields}


def test_what_a_model_writes_does_not_act_while_it_is_written(attack_text: AttackText) -> None:
    """The stream of pieces is as inert as the whole, wherever the text is cut."""
    run = CitationRun("ref")
    text = attack_text.citing(f"[{run.present(hit())['ref']}]")
    for size in (1, 1_000):
        stream = NumberedStream(run.resolution())
        pieces = [stream.feed(text[at : at + size]) for at in range(0, len(text), size)]
        shown = "".join(
            one.text
            for many_ in [*pieces, stream.finish()]
            for one in many_
            if isinstance(one, NumberedPiece)
        )
        for render in CHATS:
            assert_inert_markdown(shown, numbers={1: None}, render=render)


def test_what_a_title_says_does_not_act(attack_title: AttackText) -> None:
    """A title is text in every form, bounded, with nothing in it that turns or hides."""
    answer = answered("Yes [KEY].", hit(title=attack_title.text))
    assert_page_is_inert(answer, (OWN,))
    assert len(to_text(answer)) < 3_000
    assert "\\input{" not in to_bibtex(answer)
    for told in (to_csl_json(answer), to_annotations(answer)):
        assert json.loads(told)


def test_what_an_address_is_does_not_act(attack_url: AttackText) -> None:
    """An address becomes a link of the web that has a host, or none; the operator's own are told nowhere."""
    answer = answered(
        "Yes [KEY].", {"id": "a-1", "title": "Notes", "content": "Data is deleted.", "url": attack_url.text}
    )
    assert_page_is_inert(answer, None)
    for told in (
        to_html(answer),
        to_text(answer),
        to_csl_json(answer),
        to_bibtex(answer),
        to_annotations(answer),
    ):
        assert_no_address(told)


def test_what_a_passage_says_resolves_to_nothing(attack_passage: AttackPassage) -> None:
    """A model that copies a passage word for word cites nothing by it, and the page that shows it is inert."""
    run = CitationRun("ref")
    fields = {
        "content": attack_passage.text,
        "title": attack_passage.title,
        "url": attack_passage.url,
        "id": "p-1",
    }
    if not attack_passage.text:
        with pytest.raises(InputError):
            run.present(fields)
        return
    ref = run.present(fields)["ref"]
    assert run.resolve(attack_passage.text).citations == ()
    answer = run.resolve(f"Yes [{ref}].\n\n{attack_passage.text}")
    assert [answer.text[one.anchor.start : one.anchor.end] for one in answer.citations if one.anchor] == [
        f"[{ref}]"
    ]
    assert_page_is_inert(answer, None)
    line = snippet(attack_passage.text)
    assert len(line) <= 400
    assert not any(
        unicodedata.category(one) in ("Cc", "Cs")
        for one in line
        if one != "\ufffd" and not "\ud800" <= one <= "\udfff"
    )


def test_a_false_quote_is_not_verified(attack_quote: AttackQuote) -> None:
    """The quote is refused, and the honest one of the same source is accepted."""
    assert not verify_quote(attack_quote.quote, attack_quote.source).is_verified
    assert verify_quote(attack_quote.honest, attack_quote.source).is_verified


@hostile
def test_floods_are_read_in_linear_time(attack_flood: AttackText) -> None:
    """Resolving, numbering, rendering and checking a megabyte of anything that opens come back."""
    text = attack_flood.pattern * many(attack_flood.times)
    run = CitationRun("ref")
    run.present(hit())
    answer = run.resolve(text)
    assert answer.citations == ()
    assert numbered(answer).places == {}
    assert render_answer(answer).sources == ()
    assert not verify_quote(text[:2_000], "Data is deleted after 30 days.").is_verified
