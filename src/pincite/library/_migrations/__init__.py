"""The steps by which a library of an older pincite becomes one of today.

Each step is a revision of alembic in `versions`, whose id is the number of the schema that it leads to, in four
digits. `library.database` looks at the number that a library has, and comes here only when it is not today's.
"""

from pincite.library._migrations.steps import upgrade

__all__ = ["upgrade"]
