"""The first key of a server that has none: made once, in a file that only its owner can read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pincite.core.errors import SettingError
from pincite.core.secret_file import write_once
from pincite.server.service import LOCAL

if TYPE_CHECKING:
    from pathlib import Path

    from pincite.server.service import Service

FIRST_KEY_FILE: Final = "first-key"
"""Name of the file with the first key in the library's folder; the name of another tenant follows."""


def first_key(service: Service, tenant: str) -> Path | None:
    """Make a key that opens everything where a tenant has no key at all; return the file that holds it, else None.

    Raises:
        SettingError: the file cannot be written; there is no key then.
    """
    desk = service.desk(tenant)
    if desk.keys.all():
        return None
    path = service.home / (FIRST_KEY_FILE if tenant == LOCAL else f"{FIRST_KEY_FILE}-{tenant}")
    made, key = desk.keys.create("first key", ["manage"])
    try:
        path.unlink(missing_ok=True)
        write_once(path, f"{key}\n")
    except OSError as error:
        desk.keys.revoke(made.key_id)
        msg = "The first key cannot be written into the library's folder; make the folder writable."
        raise SettingError(msg, field="PINCITE_HOME") from error
    return path
