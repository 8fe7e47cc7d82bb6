"""The model's own list of sources gives way to ours, and its own words stay."""

from __future__ import annotations

import pytest
from markdown_it import MarkdownIt

from hostile import hostile, much
from pincite.citing import CitationRun
from pincite.showing import render_answer, render_citations, sources_list
from pincite.showing._headings import own_lists

ID = "ev1:c:f24b301d-f73a-5291-9d80-7ea3cbd5291c:c174f9d9eba7d79c:efae06f9-f4e7-5a7a-af99-d7f5d7c4d6ef"
BAD = ID.replace("f24b", "024b")


class _Outcome:
    evidence_id = ID
    title = "Staff handbook"
    uri = None


def _shown(text: str) -> str:
    rendered, _ = render_citations(text.replace("ID", ID).replace("BAD", BAD), [ID], [_Outcome()])
    heads = [
        rendered
        for token in MarkdownIt("gfm-like").parse(rendered)
        if token.content == "Sources" and token.level == 1
    ]
    assert len(heads) <= 1
    return rendered.removesuffix("\n\n### Sources\n\n[1] Staff handbook")


@pytest.mark.parametrize(
    "own",
    [
        "### Sources\n\n- [ID] Staff handbook\n",
        "### Sources\n\n[1] Staff handbook, page 4\n[2] Another one\n",
        "# Sources:\n1. Staff handbook (page 4)\n2. https://a.example/x",
        "## **Sources**\n* Staff handbook [ID]\n* [BAD]",
        "**Sources:**\n- [The handbook](https://a.example)",
        "Sources\n=======\n\nID",
        "sources:\n- [ID]: the handbook\n  on its fourth page",
        "### Sources",
        "### Sources ###\n\n",
        "### S&#111;urces\n- [ID]",
        "### Sources\n\n- [ID]\n\n### Sources\n\n- [ID]\n",
        # Whatever it is called.
        "### References\n\n- [ID] Staff handbook\n",
        "## 5. Quellen\n\n1. Staff handbook (page 4)",
        "**Literatur:**\n- [ID]",
        "## 📚 Works Cited\n\n- [The handbook](https://a.example)",
        "#### Sources & References\n\n* [ID]",
        "BIBLIOGRAPHY\n===\n[1] Staff handbook",
        "### Sources cited\n\n[ID]\n\n### Bibliography\n\n[ID]",
        "### Quellenangaben\n- [ID]",
        "### Références :\n- [ID]",
        "### Fuentes\n- [ID]",
        "### Fonti\n- [ID]",
        "### Bronnen\n- [ID]",
        "### 参考文献\n- [ID]",
        "**来源：**\n- [ID]",
        "### References",
        # Below these a line is a source and nothing else.
        "### Footnotes\n\n[^1]: https://a.example/x\n[^2]: Staff handbook, p. 4",
        "Notes:\n- [ID] Staff handbook\n- [ID]",
        "### Citations\n\n1. [ID]\n2. [The handbook](https://a.example)",
        "### Fußnoten\n\n[1] [ID]",
    ],
)
def test_a_list_of_the_models_goes(own: str) -> None:
    """A section that only lists sources gives way to ours, wherever its lines say that it is one."""
    assert _shown(f"Yes [ID].\n\n{own}") == "Yes [1]."
    assert _shown(f"Yes [ID].\n\n{own}\n\n### Next\n\nOn.") == "Yes [1].\n\n### Next\n\nOn."


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        # The answer's own words under such a heading stay, and the heading is bold.
        ("### Sources\n\n- Lake Victoria [ID]\n- Lake Tana", "**Sources**\n\n- Lake Victoria [1]\n- Lake Tana"),
        ("Yes [ID].\n\n## Sources:\nThey are many.", "Yes [1].\n\n**Sources:**\n\nThey are many."),
        ("Yes [ID].\n\nSources\n---\nThey are many.", "Yes [1].\n\n**Sources**\n\nThey are many."),
        ("> ### Sources\n> They are many [ID].", "> **Sources**\n>\n> They are many [1]."),
        ("> - ### Sources\n>   They are [ID].", "> - **Sources**\n>\n>   They are [1]."),
        # It is a paragraph of its own, and what is a list or code stays one.
        ("Yes [ID].\n### Sources\nMany.", "Yes [1].\n\n**Sources**\n\nMany."),
        ("- Yes [ID].\n# Sources\n  ```\n  [1]\n  ```", "- Yes [1].\n\n**Sources**\n\n  ```\n  [1]\n  ```"),
        ("Yes [ID].\n\nIn all\nSources\n---\nThey are.", "Yes [1].\n\nIn all\nSources\n---\nThey are."),
        ("Yes [ID].\n\n    ### Sources\n    - [1] a", "Yes [1].\n\n    ### Sources\n    - [1] a"),
        ("Yes [ID].\n\n> ```\n> ### Sources\n> ```", "Yes [1].\n\n> ```\n> ### Sources\n> ```"),
        # The name alone says nothing, and no other name is like ours.
        ("### References\n\n- Lake Tana [ID]", "### References\n\n- Lake Tana [1]"),
        ("Yes [ID].\n\n## Literatur\nViel.", "Yes [1].\n\n## Literatur\nViel."),
        ("Yes [ID].\n\nNotes:\n[ID] holds for staff.", "Yes [1].\n\nNotes:\n[1] holds for staff."),
        ("Yes [ID].\n\n## Notes\n\n### On pay\nMore.", "Yes [1].\n\n## Notes\n\n### On pay\nMore."),
        # No heading: nothing to tell apart.
        ("**Sources:**\nThey are many [ID].", "**Sources:**\nThey are many [1]."),
        ("The sources are many [ID].", "The sources are many [1]."),
        # An answer that is nothing but a list stays one.
        ("Sources:\n[ID]: it says so, and more.", "Sources:\n[1]\\: it says so, and more."),
        ("### Sources\n\n- [ID]", "**Sources**\n\n- [1]"),
        # Code is no heading.
        ("Yes [ID].\n\n```\n### Sources\n\n- [1] a\n```", "Yes [1].\n\n```\n### Sources\n\n- [1] a\n```"),
        # Nothing is cited, so no list of ours follows.
        ("Yes.\n\n### Sources\n\n- Staff handbook\n", "Yes.\n\n### Sources\n\n- Staff handbook\n"),
    ],
)  # fmt: skip
def test_words_of_the_answer_stay(text: str, shown: str) -> None:
    """What is no list of sources is never taken for one."""
    assert _shown(text) == shown


def test_a_source_that_is_only_listed_is_listed() -> None:
    """An id that stands nowhere but in the model's own list is in ours."""
    rendered, sources = render_citations(f"Yes.\n\n### Sources\n\n- [{ID}] The handbook", [ID], [_Outcome()])
    assert rendered == "Yes.\n\n### Sources\n\n[1] Staff handbook"
    assert len(sources) == 1


def test_answers_have_one_list_too() -> None:
    """A resolved answer is shown without the list of the model's own, so that ours can follow."""
    run = CitationRun("ref")
    ref = run.present({"id": "a", "content": "Data is deleted.", "title": "Notes"})["ref"]
    rendered = render_answer(run.resolve(f"Yes [{ref}].\n\n### Sources\n\n- [{ref}] Notes"))
    assert rendered.text.rstrip() == "Yes [1]."
    assert sources_list(rendered.sources)[0] == "### Sources"


def test_a_list_may_hold_many_lines_that_are_called_so() -> None:
    """Lines that begin one list and go on with another are gone through once, and so are the markers in them."""
    text = "[1] Sources\n" * 20_000
    markers = [(start, start + 3) for start in range(0, len(text), len("[1] Sources\n"))]
    assert own_lists(f"{text}Words.", [], lambda: markers, []) == []
    assert own_lists(f"Words.\n{text}", [], list[tuple[int, int]], []) == [(7, 7 + len(text))]


@hostile
@pytest.mark.parametrize(
    "unit", ["sources ", "# &", "#", "### Sources\n", "Sources\n", "Sources:\n- [1]\n", "> "]
)
def test_long_texts_end(unit: str) -> None:
    """A megabyte of anything like such a heading is looked through once."""
    text = much(unit)
    assert isinstance(own_lists(text, [], list[tuple[int, int]], []), list)
