"""Limits are settings."""

from __future__ import annotations

import pytest

from pincite.core.errors import SettingError
from pincite.core.limits import Limits, limits_table
from pincite.core.settings import Settings


def test_a_limit_is_read_from_the_environment() -> None:
    """The kind of the number is that of the default."""
    limits = Limits.from_env(
        {"PINCITE_LIMIT_PAGES": "7", "PINCITE_LIMIT_READ_PAGE_SECONDS": "1.5", "HOME": "x"}
    )
    assert limits.pages == 7
    assert limits.read_page_seconds == 1.5
    assert limits.results == Limits().results


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PAGES", "many"),
        ("PAGES", "-1"),
        ("PAGES", "1.5"),
        ("PAGES", "0"),
        ("CANDIDATES", "0"),
        ("FILE_BYTES", "99999999999999999999"),
        ("READ_PAGE_SECONDS", "nan"),
        ("READ_CPU_SECONDS", "1e300"),
        ("BUSY_SECONDS", "inf"),
        ("PAGE", "7"),
    ],
)
def test_a_bad_limit_is_a_typed_error(name: str, value: str) -> None:
    """A word, a number too small or too large, a wrong kind or an unknown name is refused by name."""
    with pytest.raises(SettingError, match=f"PINCITE_LIMIT_{name}"):
        Limits.from_env({f"PINCITE_LIMIT_{name}": value})


def test_what_may_be_nothing_may_be_zero() -> None:
    """Workers (one a core then) and seconds may be zero, and the largest values are usable numbers."""
    names = {"WORKERS": "0", "BUSY_SECONDS": "0", "FILE_BYTES": "1000000000000000", "READ_CPU_SECONDS": "1e6"}
    limits = Limits.from_env({f"PINCITE_LIMIT_{name}": value for name, value in names.items()})
    assert (limits.workers, limits.busy_seconds) == (0, 0.0)
    assert (limits.file_bytes, limits.read_cpu_seconds) == (10**15, 10.0**6)


def test_every_limit_says_what_it_bounds() -> None:
    """The table that the docs print has a sentence for each."""
    assert all(doc.endswith(".") and setting.isupper() for setting, _, doc in limits_table())


def test_settings_come_from_the_environment() -> None:
    """Unset settings keep their defaults, set ones are taken as they are."""
    settings = Settings.from_env({"PINCITE_HOME": "/data", "PINCITE_LIMIT_PAGES": "7"})
    assert (settings.home, settings.collection, settings.model) == ("/data", "default", None)


def test_an_empty_setting_is_an_error() -> None:
    """A setting that is there but empty is a slip, not a default."""
    with pytest.raises(SettingError, match="PINCITE_HOME"):
        Settings.from_env({"PINCITE_HOME": " "})
