"""The settings: one turns both halves on; the page's two names work, and one without the other warns."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

from pincite.citing import CitationRun, CitationStore
from pincite.citing.configuration import CitationConfiguration, CitationSettingsWarning
from pincite.citing.instructions import CITABLE_RESOURCES
from pincite.core.errors import InputError, SettingError

INSTRUCTION = "citation_instruction_source_configuration"
PROCESSOR = "citation_processor_configuration"


def halves(configuration: CitationConfiguration) -> tuple[bool, bool]:
    """Return whether instruction and resolution are on."""
    run = CitationRun(configuration.strategy)
    return configuration.instruction_source() is not None, configuration.processor(run) is not None


@pytest.mark.parametrize(
    ("settings", "on"),
    [
        ({}, False),
        ({"citations": False}, False),
        ({"citations": {"enabled": False}}, False),
        ({"citations": True}, True),
        ({"citations": {}}, True),
        ({"citations": {"citable_resources": ["context"]}}, True),
        ({INSTRUCTION: {"enabled": True}, PROCESSOR: {"enabled": True}}, True),
        ({INSTRUCTION: {}, PROCESSOR: {}}, True),
        ({INSTRUCTION: {"citable_resources": ["search_results"]}, PROCESSOR: {}}, True),
        ({INSTRUCTION: {"enabled": False}, PROCESSOR: {"enabled": False}}, False),
        ({INSTRUCTION: {"enabled": False}}, False),
        ({PROCESSOR: {"enabled": False}}, False),
    ],
)
def test_both_halves_go_on_and_off_together(settings: dict[str, Any], on: bool) -> None:  # noqa: FBT001 - a column
    """One setting, or the page's two told alike; a setting that is there is on unless it says otherwise."""
    configuration = CitationConfiguration.of(settings)
    assert configuration.enabled is on
    assert halves(configuration) == (on, on)


@pytest.mark.parametrize(
    ("settings", "expected", "said"),
    [
        ({INSTRUCTION: {}}, (True, False), "nothing resolves what it writes"),
        ({INSTRUCTION: {}, PROCESSOR: {"enabled": False}}, (True, False), "nothing resolves what it writes"),
        ({PROCESSOR: {}}, (False, True), "not told to cite"),
        ({INSTRUCTION: {"enabled": False}, PROCESSOR: {}}, (False, True), "not told to cite"),
    ],
)
def test_one_half_without_the_other_warns(
    settings: dict[str, Any], expected: tuple[bool, bool], said: str
) -> None:
    """Two separate switches, section 1: what was undetected is said at set-up, and done as told."""
    with pytest.warns(CitationSettingsWarning, match=said) as caught:
        configuration = CitationConfiguration.of(settings)
    assert halves(configuration) == expected
    # It points to whoever set this up.
    assert caught[0].filename == __file__


def test_what_agrees_does_not_warn() -> None:
    """No warning where both are on, both off, or the one setting is used."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        CitationConfiguration.of({INSTRUCTION: {}, PROCESSOR: {}})
        CitationConfiguration.of({INSTRUCTION: {"enabled": False}})
        CitationConfiguration.of({"citations": True})


def test_the_strategy_is_inline_url_unless_named() -> None:
    """As on the page; it may be named inside or beside the setting, under either word."""
    assert CitationConfiguration().strategy == "inline_url"
    assert CitationConfiguration.of({"citations": True}).strategy == "inline_url"
    named: list[dict[str, Any]] = [
        {"citations": {"strategy": "ref"}},
        {"citations": {"wire_format": "ref"}},
        {"citations": True, "strategy": "ref"},
        {INSTRUCTION: {}, PROCESSOR: {}, "wire_format": "ref"},
        {"citations": {"strategy": "ref"}, "wire_format": "ref"},
    ]
    for settings in named:
        assert CitationConfiguration.of(settings).strategy == "ref"


def test_the_resources_reach_the_instruction() -> None:
    """Those that are chosen are taught, in one order, and `search_results` alone by default."""
    assert CitationConfiguration.of({"citations": True}).citable_resources == ("search_results",)
    chosen = CitationConfiguration.of(
        {INSTRUCTION: {"citable_resources": ["tags", "context", "search_results"]}, PROCESSOR: {}}
    )
    source = chosen.instruction_source()
    assert source is not None
    assert chosen.citable_resources == source.citable_resources == ("search_results", "context", "tags")
    assert CitationConfiguration(citable_resources=CITABLE_RESOURCES).citable_resources == CITABLE_RESOURCES


@pytest.mark.parametrize(
    ("settings", "field"),
    [
        ({"citation": True}, "citation"),
        ({"citations": {"enable": True}}, "enable"),
        ({PROCESSOR: {"citable_resources": []}}, "citable_resources"),
        ({INSTRUCTION: {"strategy": "ref"}, PROCESSOR: {}}, "strategy"),
        ({"citations": "yes"}, "citations"),
        ({"citations": None}, "citations"),
        ({"citations": 1}, "citations"),
        ({INSTRUCTION: True, PROCESSOR: {}}, INSTRUCTION),
        ({INSTRUCTION: {}, PROCESSOR: None}, PROCESSOR),
        ({"citations": {"enabled": "true"}}, "enabled"),
        ({INSTRUCTION: {"enabled": 1}, PROCESSOR: {}}, "enabled"),
        ({"citations": True, PROCESSOR: {}}, "citations"),
        ({"citations": {"strategy": "ref", "wire_format": "short_id"}}, "strategy"),
        ({"citations": {"strategy": "ref"}, "strategy": "short_id"}, "strategy"),
        ({5: True}, "5"),
        ([], "settings"),
        ("citations", "settings"),
    ],
)
def test_what_cannot_be_read_is_a_typed_error(settings: Any, field: str) -> None:
    """An unknown key, a value of another kind, two settings for one thing: each names itself."""
    with pytest.raises(SettingError) as caught:
        CitationConfiguration.of(settings)
    assert caught.value.field == field


@pytest.mark.parametrize(
    ("settings", "field"),
    [
        ({"citations": {"citable_resources": "search_results"}}, "citable_resources"),
        ({"citations": {"citable_resources": ["notes"]}}, "citable_resources"),
        ({"citations": {"strategy": "deferred", "citable_resources": ["tags"]}}, "citable_resources"),
        ({"citations": {"strategy": "roman"}}, "wire_format"),
        ({"citations": {"strategy": None}}, "wire_format"),
    ],
)
def test_what_cannot_be_carried_is_an_error_at_set_up(settings: dict[str, Any], field: str) -> None:
    """A format without a place for a resource is found out before the first prompt, not by an empty one."""
    with pytest.raises(InputError) as caught:
        CitationConfiguration.of(settings)
    assert caught.value.field == field


def test_half_of_nothing_is_an_error() -> None:
    """`only` names the half that is on; of what is off, none is."""
    wrong: list[dict[str, Any]] = [{"enabled": False, "only": "instruction"}, {"only": "both"}]
    for fields in wrong:
        with pytest.raises(SettingError, match="`only`"):
            CitationConfiguration(**fields)


def test_a_processor_reads_the_strategy() -> None:
    """Over a store alone it writes the configured format; over a run of another format it is refused."""
    processor = CitationConfiguration(strategy="short_id").processor(CitationStore())
    assert processor is not None
    assert processor.run.format.name == "short_id"
    with pytest.raises(InputError, match="'ref'"):
        CitationConfiguration(strategy="short_id").processor(CitationRun("ref"))
