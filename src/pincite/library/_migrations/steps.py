"""Runs the revisions that a library lacks, in the transaction that it is handed."""

from __future__ import annotations

from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

from alembic.config import Config
from alembic.runtime.environment import EnvironmentContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError

from pincite.core.errors import StoreError

if TYPE_CHECKING:
    import sqlalchemy as sa

HERE = Path(__file__).parent
# What revisions call is alembic's own, one for the process: two libraries are brought up one after the other.
_ONE: Final = Lock()


def upgrade(connection: sa.Connection) -> None:
    """Bring the tables under `connection` from the revision that `alembic_version` names to the last one.

    Nothing is committed here, so what fails leaves the library as it was.

    Raises:
        StoreError: nobody knows the revision that it has.
        sqlalchemy.exc.SQLAlchemyError: the database refuses a step.
    """
    # Without a configuration file, and without the program that alembic would run: neither has a place in a wheel.
    script = ScriptDirectory(str(HERE))

    def lacking(revision: Any, _context: Any) -> Any:  # noqa: ANN401 - alembic's own
        return script._upgrade_revs("head", revision)  # noqa: SLF001 # pyright: ignore[reportPrivateUsage] - as its own command does

    try:
        with _ONE, EnvironmentContext(Config(), script, fn=lacking) as environment:
            environment.configure(connection=connection, transactional_ddl=True)
            environment.run_migrations()
    except CommandError as error:
        msg = "The library's database is damaged: nobody knows the revision that it says it has."
        raise StoreError(msg) from error
