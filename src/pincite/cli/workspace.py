"""Everything a command works on, opened when it is first asked for: settings, library, reading pool, search."""

from __future__ import annotations

from contextlib import ExitStack
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Self

from pincite.core.errors import NotFoundError, SettingError
from pincite.core.limits import Limits
from pincite.core.settings import Settings

if TYPE_CHECKING:
    from types import TracebackType

    from pincite.citing import CitationRun, ConversationState
    from pincite.core.scope import Scope
    from pincite.library import Collection, Library
    from pincite.reading import ReadingPool
    from pincite.search import Search

TERMINAL = "terminal"
"""The conversation of a terminal that names none."""


class Workspace:
    """The library of `PINCITE_HOME` and what stands on it; close it, or use it as a context manager."""

    def __init__(self, collection: str | None = None, library: Path | None = None) -> None:
        """`collection` is a name, `library` a folder; the settings `PINCITE_COLLECTION` and `PINCITE_HOME` when None.

        Raises:
            SettingError: a setting or limit cannot be read.
        """
        self.settings = Settings.from_env()
        self.limits = Limits.from_env()
        self.collection_name = collection if collection is not None else self.settings.collection
        self._library = library
        self._open = ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close what was opened, last first."""
        self._open.close()

    @cached_property
    def home(self) -> Path:
        """The folder of the library."""
        if self._library is not None:
            return self._library.expanduser()
        if self.settings.home is not None:
            return Path(self.settings.home).expanduser()
        import platformdirs

        return platformdirs.user_data_path("pincite", appauthor=False)

    @cached_property
    def library(self) -> Library:
        """The library, made when it is not there yet."""
        from pincite.library import Library

        try:
            # The library is its owner's alone, as `Library.open` makes it.
            self.home.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            name = "PINCITE_HOME" if self._library is None else "--library"
            msg = f"The folder that `{name}` names cannot be made or written."
            raise SettingError(msg, field=name) from error
        return self._open.enter_context(
            Library.open(
                self.home,
                database=self.settings.database,
                files=self.settings.files,
                limits=self.limits,
            )
        )

    @cached_property
    def pool(self) -> ReadingPool:
        """The guarded workers that read and draw files."""
        from pincite.reading import ReadingPool

        return self._open.enter_context(ReadingPool(self.limits))

    @cached_property
    def search(self) -> Search:
        """The search over the library."""
        from pincite.search import open_search

        return open_search(self.library, self.home)

    def collection(self) -> Collection:
        """Return the collection, made when it is not there yet."""
        return self.library.collection(self.collection_name, create=True)

    def filled_collection(self) -> Collection:
        """Return the collection when it holds a document.

        Raises:
            NotFoundError: there is none of that name, or it is empty.
        """
        found = next((one for one in self.library.collections() if one.name == self.collection_name), None)
        if found is None or not self.library.documents(found.collection_id):
            msg = f"The collection `{self.collection_name}` holds no documents yet; `pincite add PATH` adds some."
            raise NotFoundError(msg, field="collection")
        return found

    def run(
        self,
        conversation: str,
        *,
        wire_format: str | None = None,
        new: bool = False,
        scope: Scope | None = None,
    ) -> CitationRun:
        """Return a run of the conversation kept under that name; of an empty one when there is none or `new`.

        Raises:
            InputError: there is no such wire format.
        """
        from pincite.citing import CitationRun, ConversationState

        kept = None if new else self.library.load_conversation(conversation)
        state = ConversationState() if kept is None else ConversationState.load(kept)
        return CitationRun(wire_format, conversation=state, scope=scope, limits=self.limits)

    def keep(self, conversation: str, state: ConversationState) -> None:
        """Keep the state of a conversation, so that its refs mean the same in the next command."""
        self.library.save_conversation(conversation, state.export())
