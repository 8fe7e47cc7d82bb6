"""A secret in a file that only its owner can read, made once, however many processes ask for it at the same moment."""

from __future__ import annotations

import os
import secrets
from typing import TYPE_CHECKING, Final

from pincite.core.errors import SettingError

if TYPE_CHECKING:
    from pathlib import Path

SHORTEST_SECRET: Final = 32
"""Characters of a secret."""


def kept_secret(folder: Path, name: str, *, setting: str) -> str:
    """Return the secret in the file `name` of `folder`, made when there is none; only its owner can read the file.

    `setting` is what may be set in its place: an error names it.

    Raises:
        SettingError: the folder cannot be written, or the file is damaged.
    """
    path = folder / name
    try:
        if not path.exists():
            write_once(path, secrets.token_urlsafe(SHORTEST_SECRET))
        secret = path.read_text(encoding="ascii").strip()
    except (OSError, ValueError) as error:
        msg = f"A secret cannot be kept in the library's folder; set {setting}."
        raise SettingError(msg, field=setting) from error
    if len(secret) < SHORTEST_SECRET:
        msg = f"The file `{name}` in the library's folder is damaged; delete it, and a new secret is made."
        raise SettingError(msg, field=setting)
    return secret


def write_once(path: Path, text: str) -> bool:
    """Write a file that only its owner can read, unless it is there; say whether it was written.

    It is written whole under another name and then linked: another process sees all of it or nothing.

    Raises:
        OSError: the folder cannot be written.
    """
    made = path.with_name(f".{path.name}-{secrets.token_hex(8)}")
    with os.fdopen(os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    try:
        os.link(made, path)
    except FileExistsError:
        return False  # another process was quicker; its file counts
    finally:
        made.unlink()
    return True
