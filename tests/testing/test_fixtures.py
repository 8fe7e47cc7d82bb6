"""The fixtures of the kit, in tests of other people's: they come by themselves, one test a case, under its name."""

from __future__ import annotations

import subprocess
import sys

import pytest

from pincite import testing

pytest_plugins = ("pytester",)
# Without a cache to write, and without the plugin that warns where nothing is configured.
QUIET = ("-p", "no:cacheprovider", "-p", "no:asyncio")
FIXTURES = {
    "attack_file": "ATTACK_FILES",
    "attack_flood": "ATTACK_FLOODS",
    "attack_name": "ATTACK_NAMES",
    "attack_passage": "ATTACK_PASSAGES",
    "attack_quote": "ATTACK_QUOTES",
    "attack_text": "ATTACK_TEXTS",
    "attack_title": "ATTACK_TITLES",
    "attack_url": "ATTACK_URLS",
}


def run(pytester: pytest.Pytester, source: str, *options: str) -> tuple[dict[str, int], str]:
    """Run one test file in a pytest of its own; return its outcomes and what it printed."""
    pytester.makepyfile(source)
    result = pytester.runpytest(*QUIET, *options)
    return result.parseoutcomes(), result.stdout.str()


def test_each_list_has_a_fixture(pytester: pytest.Pytester) -> None:
    """A test that asks for an attack runs once for each case, and there is no list without one."""
    assert sorted(FIXTURES.values()) == [name for name in testing.__all__ if name.startswith("ATTACK_")]
    source = "\n".join(f"def test_{name}({name}):\n    assert {name}.what\n" for name in FIXTURES)
    counts, printed = run(pytester, source)
    assert counts == {"passed": sum(len(getattr(testing, name)) for name in FIXTURES.values())}, printed


def test_a_case_is_named_by_its_name(pytester: pytest.Pytester) -> None:
    """The id of a test is the name of its case, so that `-k` chooses it."""
    source = "def test_one(attack_file):\n    assert attack_file.data()[:5] == b'%PDF-'\n"
    counts, printed = run(pytester, source, "-v", "-k", "locked.pdf")
    assert counts == {"passed": 1, "deselected": len(testing.ATTACK_FILES) - 1}
    assert "test_one[locked.pdf] PASSED" in printed


def test_two_attacks_multiply(pytester: pytest.Pytester) -> None:
    """A test that asks for two runs for every pair."""
    source = "def test_one(attack_quote, attack_name):\n    pass\n"
    counts, _ = run(pytester, source)
    assert counts == {"passed": len(testing.ATTACK_QUOTES) * len(testing.ATTACK_NAMES)}


def test_cases_of_ones_own_take_the_place_of_ours(pytester: pytest.Pytester) -> None:
    """A mark of `parametrize` says which cases a test has."""
    source = """
    import pytest
    from pincite.testing import AttackText

    MINE = AttackText("mine", "a case of mine", "x")

    @pytest.mark.parametrize("attack_text", [MINE], indirect=True, ids=["mine"])
    def test_one(attack_text):
        assert attack_text is MINE

    @pytest.mark.parametrize(["attack_url", "other"], [(MINE, 1), (MINE, 2)])
    def test_two(attack_url, other):
        assert attack_url is MINE
    """
    counts, printed = run(pytester, source)
    assert counts == {"passed": 3}, printed


def test_an_agent_is_run_against_the_models_and_the_tools(pytester: pytest.Pytester) -> None:
    """`hostile_model` comes once for each text, `hostile_tools` once for each passage."""
    source = """
    import pytest
    from pydantic_ai import Agent

    def test_model(hostile_model, attack_text):
        assert Agent(hostile_model).run_sync("?").output == attack_text.text

    def test_tools(hostile_tools, attack_passage):
        assert hostile_tools[0]("?")[0]["text"] == attack_passage.text
    """
    pytester.makepyfile(source)
    # In a process of its own: the loops that it leaves behind are none of the other tests'.
    result = pytester.runpytest_subprocess(*QUIET, "-k", "[image] or [script]")
    others = len(testing.ATTACK_TEXTS) + len(testing.ATTACK_PASSAGES) - 4
    assert result.parseoutcomes() == {"passed": 4, "deselected": others}


def test_without_pydantic_ai_the_model_is_passed_over(pytester: pytest.Pytester) -> None:
    """Whoever has no agents of that kind skips these tests, with the reason."""
    source = """
    import sys
    sys.modules["pydantic_ai"] = None

    def test_model(hostile_model):
        raise AssertionError
    """
    pytester.makepyfile(source)
    result = pytester.runpytest_subprocess(*QUIET, "-rs", "-k", "[script]")
    assert result.parseoutcomes() == {"skipped": 1, "deselected": len(testing.ATTACK_TEXTS) - 1}
    assert "pip install 'pincite[agents]'" in result.stdout.str()


def test_a_failed_check_says_what_was_found_and_where_the_test_is(pytester: pytest.Pytester) -> None:
    """The sentence stands in the report, and the lines of the check do not."""
    source = """
    from pincite.testing import assert_inert_html

    def test_one():
        assert_inert_html("<script>alert(1)</script>")
    """
    counts, printed = run(pytester, source)
    assert counts == {"failed": 1}
    assert "The HTML is not inert: the element <script> is none for text." in printed
    assert "inert.py" not in printed


def test_the_kit_loads_nothing_that_is_not_asked_for() -> None:
    """Importing it loads neither a parser nor pydantic-ai, nor any part of pincite beside the kit and core."""
    program = "import sys, pincite.testing\nprint(*sorted(sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    names = done.stdout.split()
    heavy = {"selectolax", "pyromark", "pydantic_ai", "pydantic", "pytest", "rapidfuzz"}
    assert {name.partition(".")[0] for name in names} & heavy == set()
    rooms = {name.split(".")[1] for name in names if name.startswith("pincite.")}
    assert {room for room in rooms if not room.startswith("_")} == {"core", "testing"}


@pytest.mark.parametrize(
    ("missing", "call"),
    [("selectolax", "assert_inert_html('x')"), ("pyromark", "assert_inert_markdown('x')")],
)
def test_a_parser_that_is_not_installed_is_named(missing: str, call: str) -> None:
    """The error says which extra brings it."""
    program = f"import sys; sys.modules[{missing!r}] = None\nfrom pincite.testing import *\n{call}"
    done = subprocess.run([sys.executable, "-c", program], check=False, capture_output=True, text=True)
    assert "pip install 'pincite[testing]'" in done.stderr
