"""The fixture `citation_contract`, as people use it on tools of their own."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from pincite.core.errors import CitationContractError
from pincite.pytest_plugin import CitationContract

pytest_plugins = ("pytester",)
# Without a cache to write, and without the plugin that warns where nothing is configured.
QUIET = ("-p", "no:cacheprovider", "-p", "no:asyncio")

# The example of the page as a test of it: its record is fetched, and its tool is held to the contract.
PAGE = (
    (Path(__file__).resolve().parent / "data" / "my_tools_source.txt").read_text(encoding="utf-8")
    + """

RECORD = {"title": "Ticket 7", "url": "https://tickets.example/7"}
MyToolsSource._MyToolsSource__fetch_record = lambda self: RECORD


def test_my_tool(citation_contract):
    tools = MyToolsSourceFactory.create(citation_contract.store)
    citation_contract.check(tools.my_tool())
"""
)


def outcomes(pytester: pytest.Pytester, source: str) -> tuple[dict[str, int], str]:
    """Run one test file in a pytest of its own; return its outcomes and what it printed."""
    pytester.makepyfile(source)
    result = pytester.runpytest(*QUIET)
    return result.parseoutcomes(), result.stdout.str()


def test_the_plugin_is_registered() -> None:
    """The plugin is found by the entry point of the installed package."""
    found = [entry.value for entry in entry_points(group="pytest11") if entry.name == "pincite"]
    assert found == ["pincite.pytest_plugin"]


def test_the_tool_of_the_page_passes(pytester: pytest.Pytester) -> None:
    """What the page shows keeps the contract."""
    counts, _ = outcomes(pytester, PAGE)
    assert counts == {"passed": 1}


def test_a_tool_that_presents_through_a_run_passes(pytester: pytest.Pytester) -> None:
    """A run of the fixture shares its store; its instruction is held against the payload, in every wire format."""
    counts, printed = outcomes(
        pytester,
        """
        import json
        import pytest

        @pytest.mark.parametrize("name", ["inline_url", "short_id", "ref", "evidence_id", "sup_numeric", "deferred"])
        def test_tool(citation_contract, name):
            run = citation_contract.run(wire_format=name)
            assert run.store is citation_contract.store
            rows = [run.present({"content": f"Words {n}.", "source_url": f"https://a.example/{n}"}) for n in range(3)]
            citation_contract.check(json.dumps(rows[:2]), rows[2], instructions=run.instructions())
        """,
    )
    assert counts == {"passed": 6}, printed


def test_a_tool_that_shows_what_it_did_not_register_fails(pytester: pytest.Pytester) -> None:
    """The failure lists every breach with its place."""
    counts, printed = outcomes(
        pytester,
        """
        def test_tool(citation_contract):
            citation_contract.check(
                {"results": [{"source_url": "https://no.example/1"}, {"source_url": "https://no.example/2"}]}
            )
        """,
    )
    assert counts == {"failed": 1}
    assert "`results[0].source_url` shows 'https://no.example/1', which is not registered" in printed
    assert "`results[1].source_url` shows 'https://no.example/2', which is not registered" in printed
    assert "pytest_plugin.py" not in printed


def test_a_tool_that_registers_without_showing_fails(pytester: pytest.Pytester) -> None:
    """At the end of the test every registered object must have been shown, also when nothing was checked."""
    tool = """
        def test_tool(citation_contract):
            citation_contract.store.register_hit("https://a.example/1", {"title": "A"}, None)
            citation_contract.store.register_hit("https://a.example/2", {"title": "B"}, None)
        """
    counts, printed = outcomes(pytester, tool)
    assert counts == {"passed": 1, "errors": 1}
    assert "broken in 2 places" in printed
    counts, printed = outcomes(
        pytester, tool + "    citation_contract.check({'source_url': 'https://a.example/2'})\n"
    )
    assert counts == {"passed": 1, "errors": 1}
    assert "'https://a.example/1' is registered and no payload shows it" in printed


def test_what_one_check_does_not_show_another_may(pytester: pytest.Pytester) -> None:
    """Several tools of one test share the store."""
    counts, printed = outcomes(
        pytester,
        """
        def test_tools(citation_contract):
            store = citation_contract.store
            for n in (1, 2):
                store.register_hit(f"https://a.example/{n}", {"title": "A"}, None)
            citation_contract.check({"source_url": "https://a.example/1"})
            citation_contract.check("source_url: https://a.example/2")

        def test_another(citation_contract):
            assert len(citation_contract.store) == 0
        """,
    )
    assert counts == {"passed": 2}, printed


def test_an_instruction_that_no_payload_carries_fails(pytester: pytest.Pytester) -> None:
    """An instruction is held against the payloads of the same check."""
    counts, printed = outcomes(
        pytester,
        """
        def test_tool(citation_contract):
            citation_contract.check({"title": "A"}, instructions="Cite each result by its `source_url`.")
        """,
    )
    assert counts == {"failed": 1}
    assert "The instruction names `source_url`, which no payload carries" in printed


def test_a_failed_test_has_one_fault(pytester: pytest.Pytester) -> None:
    """A test that fails by itself is not blamed for what it did not come to show."""
    counts, _ = outcomes(
        pytester,
        """
        def test_tool(citation_contract):
            citation_contract.store.register_hit("https://a.example/1", {"title": "A"}, None)
            assert False
        """,
    )
    assert counts == {"failed": 1}


def test_the_contract_by_itself() -> None:
    """The class works outside a fixture; its error is an AssertionError that holds the breaches."""
    contract = CitationContract("ref")
    run = contract.run()
    assert run.format.name == contract.wire_format == "ref"
    payload = run.present({"content": "Words.", "id": "note"})
    with pytest.raises(AssertionError) as caught:
        contract.finish()
    assert isinstance(caught.value, CitationContractError)
    assert [breach.key for breach in caught.value.breaches] == [payload["ref"]]
    contract.check(json.dumps(payload), instructions=run.instructions())
    contract.finish()


def test_the_plugin_costs_other_tests_nothing(tmp_path: Path) -> None:
    """Until a test asks for the fixture, no module of pincite's is loaded but the plugin and the package's face."""
    (tmp_path / "test_other.py").write_text(
        "import sys\n"
        "def test_other():\n"
        "    ours = {name for name in sys.modules if name.partition('.')[0] == 'pincite'}\n"
        "    assert ours == {'pincite', 'pincite._lazy', 'pincite._version', 'pincite.pytest_plugin'}\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *QUIET, "-W", "error", str(tmp_path)],
        check=False,
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stdout + done.stderr
