"""The settings of citing: one turns instruction and resolution on together; the page's two names are taken too."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, cast

from pincite.citing.instructions import CitationInstructionSource
from pincite.core.errors import SettingError

if TYPE_CHECKING:
    from pincite.citing.processor import CitationProcessor
    from pincite.citing.run import CitationRun
    from pincite.citing.store import CitationStore

SETTING = "citations"
"""The one setting: true, false, or a mapping with any of the keys of `SETTING_KEYS`."""

SETTING_KEYS = ("enabled", "strategy", "wire_format", "citable_resources")
"""The keys of the one setting; `wire_format` and `strategy` are two words for one thing."""

INSTRUCTION_SETTING = "citation_instruction_source_configuration"
"""The page's name for the instruction's settings: `enabled` and `citable_resources`."""

PROCESSOR_SETTING = "citation_processor_configuration"
"""The page's name for the resolution's setting: `enabled`."""

_DEFAULT_STRATEGY = "inline_url"
_DEFAULT_RESOURCES = ("search_results",)


class CitationSettingsWarning(UserWarning):
    """Instruction or resolution is on without the other."""


@dataclass(frozen=True, slots=True)
class CitationConfiguration:
    """How an agent cites: in which wire format (`strategy`), what, and whether at all.

    `enabled` turns the instruction and the resolution on together. `only` is for the page's two separate settings,
    where one half is on without the other; it names that half.

    Raises:
        InputError: there is no such wire format or resource, or the format cannot carry one of them.
        SettingError: one half is told to be on of what is off.
    """

    strategy: str = _DEFAULT_STRATEGY
    enabled: bool = True
    citable_resources: tuple[str, ...] = _DEFAULT_RESOURCES
    only: Literal["instruction", "resolution"] | None = None

    def __post_init__(self) -> None:
        # What the source keeps is checked, and each name once.
        source = CitationInstructionSource(self.strategy, self.citable_resources)
        object.__setattr__(self, "citable_resources", source.citable_resources)
        if self.only not in (None, "instruction", "resolution") or (
            self.only is not None and not self.enabled
        ):
            msg = "`only` is 'instruction' or 'resolution', of a configuration that is enabled."
            raise SettingError(msg, field="only")

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> CitationConfiguration:
        """Return the configuration that an agent's settings describe.

        Either `{"citations": true}` or `{"citations": {...}}`, or the page's two names beside each other; the wire
        format may also stand outside, as `strategy` or `wire_format`. A setting that is there is on unless its
        `enabled` says otherwise; without any, nothing is. One of the page's two without the other warns.

        Raises:
            InputError: there is no such wire format or resource, or the format cannot carry one of them.
            SettingError: a key is unknown, a value of the wrong kind, or two settings say the same thing twice.
        """
        given = _mapping(settings, "settings", (SETTING, INSTRUCTION_SETTING, PROCESSOR_SETTING, *_STRATEGY))
        halves = [name for name in (INSTRUCTION_SETTING, PROCESSOR_SETTING) if name in given]
        if SETTING in given and halves:
            msg = f"`{SETTING}` stands for `{halves[0]}`; give one of them."
            raise SettingError(msg, field=SETTING)
        if halves:
            return cls._of_two(given)
        one = given.get(SETTING, False)
        inner: Mapping[str, Any] = (
            {"enabled": one} if isinstance(one, bool) else _mapping(one, SETTING, SETTING_KEYS)
        )
        return cls(
            strategy=_strategy(given, inner),
            enabled=_enabled(inner, SETTING),
            citable_resources=inner.get("citable_resources", _DEFAULT_RESOURCES),
        )

    @classmethod
    def _of_two(cls, given: Mapping[str, Any]) -> CitationConfiguration:
        told = _mapping(
            given.get(INSTRUCTION_SETTING, _OFF), INSTRUCTION_SETTING, ("enabled", "citable_resources")
        )
        resolved = _mapping(given.get(PROCESSOR_SETTING, _OFF), PROCESSOR_SETTING, ("enabled",))
        instructs, resolves = _enabled(told, INSTRUCTION_SETTING), _enabled(resolved, PROCESSOR_SETTING)
        if instructs is not resolves:
            _warn(instructs=instructs)
        return cls(
            strategy=_strategy(given),
            enabled=instructs or resolves,
            citable_resources=told.get("citable_resources", _DEFAULT_RESOURCES),
            only=None if instructs is resolves else "instruction" if instructs else "resolution",
        )

    def instruction_source(self) -> CitationInstructionSource | None:
        """Return what tells the model how to cite, or None where that is off."""
        if not self.enabled or self.only == "resolution":
            return None
        return CitationInstructionSource(self.strategy, self.citable_resources)

    def processor(self, source: CitationRun | CitationStore) -> CitationProcessor | None:
        """Return what resolves messages from a run or a store, or None where that is off."""
        if not self.enabled or self.only == "instruction":
            return None
        from pincite.citing.processor import (
            CitationProcessor,
        )  # it is large, and who only instructs needs none

        return CitationProcessor(source, wire_format=self.strategy)


_STRATEGY = ("strategy", "wire_format")
_OFF: Mapping[str, Any] = {"enabled": False}


def _mapping(value: object, name: str, keys: tuple[str, ...]) -> Mapping[str, Any]:
    """Return `value` as a mapping that has no keys but `keys`."""
    if not isinstance(value, Mapping):
        msg = f"`{name}` is a mapping{' or true or false' if name == SETTING else ''}, not {type(value).__name__}."
        raise SettingError(msg, field=name)
    given = cast("Mapping[str, Any]", value)
    for key in given:
        if key not in keys:
            msg = f"`{name}` has no key {str(key)[:60]!r}; it has {', '.join(keys)}."
            raise SettingError(msg, field=str(key)[:60])
    return given


def _enabled(given: Mapping[str, Any], name: str) -> bool:
    value = given.get("enabled", True)
    if not isinstance(value, bool):
        msg = f"`enabled` of `{name}` is true or false, not {str(value)[:60]!r}."
        raise SettingError(msg, field="enabled")
    return value


def _strategy(*places: Mapping[str, Any]) -> str:
    """Return the one wire format that is named in any of the places."""
    named = [place[word] for place in places for word in _STRATEGY if word in place]
    if any(other != named[0] for other in named):
        msg = "The settings name two wire formats; name one."
        raise SettingError(msg, field="strategy")
    return named[0] if named else _DEFAULT_STRATEGY


def _warn(*, instructs: bool) -> None:
    import warnings  # a set-up without fault needs none

    on, off = INSTRUCTION_SETTING, PROCESSOR_SETTING
    said = "the model is told to cite and nothing resolves what it writes"
    if not instructs:
        on, off = off, on
        said = "answers are resolved and the model is not told to cite"
    # To the line that calls `CitationConfiguration.of`.
    warnings.warn(f"`{on}` is enabled without `{off}`: {said}.", CitationSettingsWarning, stacklevel=4)
