"""Settings: `PINCITE_<NAME>`, one table. Limits stand apart, in `core.limits`."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pincite.core.errors import SettingError

if TYPE_CHECKING:
    from collections.abc import Mapping

PREFIX = "PINCITE_"

SETTINGS: dict[str, str] = {
    "PINCITE_HOME": "Folder of the library; the platform's data folder when unset.",
    "PINCITE_DATABASE": "Address of the database; SQLite in the library's folder when unset.",
    "PINCITE_DATABASE_READS": "Address of a copy that follows the database (PostgreSQL), which a server reads "
    "documents from while the copy lacks nothing; the database itself is read when unset.",
    "PINCITE_FILES": "Address of the file store (a folder or s3://...); a folder in the library when unset.",
    "PINCITE_INDEX": "Address of a search index that several machines share, as `lance:/folder` or "
    "`lance:s3://bucket/prefix`; an index of this machine in the library's folder when unset.",
    "PINCITE_COLLECTION": "Name of the collection that the command line uses; `default` when unset.",
    "PINCITE_WEB_ALLOW": "Networks that pages may be fetched from although they are not public, as "
    "`10.1.0.0/16, ::1`; none when unset.",
    "PINCITE_MODEL": "Name of the pydantic-ai model that answers; the offline model when unset.",
    "PINCITE_SECRET": "What API keys are hashed with and visitors' tokens are signed with, 32 characters or more, the "
    "same for every node; a file in the library's folder when unset.",
    "PINCITE_RATES": "Where requests are counted (Redis or Valkey), as `redis://host:6379`, when several nodes share "
    "the limits; each node counts for itself when unset, and while it does not answer.",
    "PINCITE_PUBLIC_URL": "The address under which readers reach the server, as `https://cite.example.org`: pages from "
    "there may use every embed.",
    "PINCITE_PROXIES": "Networks of proxies that are believed when they say whom they ask for (`X-Forwarded-For`), as "
    "`10.0.0.0/8, ::1`; none when unset.",
    "PINCITE_WORKERS": "Documents that a server reads at a time in its own process; one a core when unset, `0` where "
    "other processes read.",
    "PINCITE_MOCA": "Folder with MOCA packages (`.moca` archives, or folders with a `moca.json`), which agents of a "
    "server may search; none when unset.",
    "PINCITE_MOCA_TRUST": "File with the trust root of these packages, as JSON: whose signatures count, and for what; "
    "nothing counts as signed when unset.",
    "PINCITE_MOCA_AUDIENCES": "Labels of an audience that readers may be shown of these packages, as "
    "`public, internal`; `public` when unset.",
    "PINCITE_MCP_SECRET": "What the MCP server's sessions are signed with, 32 characters or more, the same for every "
    "node; a file in the library's folder when unset.",
    "PINCITE_MCP_TOKEN": "What a client of the MCP server must send over HTTP as its bearer token; no token is asked "
    "for on this machine when unset.",
}
"""Every setting and what it does, for the docs."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of one process; None means the default that `SETTINGS` names."""

    home: str | None = None
    database: str | None = None
    database_reads: str | None = field(default=None, repr=False)
    files: str | None = None
    index: str | None = None
    collection: str = "default"
    web_allow: str | None = None
    model: str | None = None
    secret: str | None = field(default=None, repr=False)
    rates: str | None = field(default=None, repr=False)
    public_url: str | None = None
    proxies: str | None = None
    workers: str | None = None
    moca: str | None = None
    moca_trust: str | None = None
    moca_audiences: str = "public"
    mcp_secret: str | None = field(default=None, repr=False)
    mcp_token: str | None = field(default=None, repr=False)

    @classmethod
    def from_env(cls, environ: Mapping[str, str] | None = None) -> Settings:
        """Read the settings from `environ` (default: the process's own).

        Raises:
            SettingError: a setting is empty.
        """
        given = os.environ if environ is None else environ
        values: dict[str, str] = {}
        for key in SETTINGS:
            value = given.get(key)
            if value is None:
                continue
            if not value.strip():
                msg = f"`{key}` is set but empty; unset it or give it a value."
                raise SettingError(msg, field=key)
            values[key.removeprefix(PREFIX).lower()] = value
        return cls(**values)
