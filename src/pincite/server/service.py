"""What the routes stand on: opened once a process, shared by every request, closed at the end."""

from __future__ import annotations

import os
import time
from collections import OrderedDict
from contextlib import ExitStack, suppress
from functools import cached_property
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, Final, Self

from fastapi import Request

from pincite.core.errors import PinciteError, SettingError
from pincite.core.limits import Limits
from pincite.core.secret_file import SHORTEST_SECRET, kept_secret
from pincite.core.settings import Settings
from pincite.library import (
    ApiKeys,
    Audit,
    Directory,
    Embeds,
    Grants,
    Jobs,
    Library,
    StoredAgents,
    Tenants,
    Uploads,
    Worker,
)
from pincite.server.moca import Packages
from pincite.server.peers import believed
from pincite.server.rates import Rates
from pincite.server.score_log import ScoreLog
from pincite.server.trail import Trail
from pincite.server.turns import Streams, Turns
from pincite.showing import ImageCache

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from types import TracebackType

    from pincite.core.protocols import Embedder, TokenCounter
    from pincite.reading import ReadingPool
    from pincite.search import Search
    from pincite.server.access import VisitorTokens

SECRET_FILE: Final = "server-secret"  # noqa: S105 - the name of the file, not what is in it
"""Name of the file with the server's secret in the library's folder."""
LOCAL: Final = "local"
"""The tenant of the command line, and of a server that has no other."""


class _Indexes:
    """The search index of each tenant, for workers."""

    def __init__(self, service: Service) -> None:
        self._service = service

    def sync(self, library: Library) -> None:
        """Take in what is new."""
        self._service.desk(library.database.tenant).search.index.sync()

    def compact(self, library: Library) -> float | None:
        """Let go of what was erased."""
        return self._service.desk(library.database.tenant).search.index.compact()


class Desk:
    """What a server has of one tenant: its library, its search, and who may do what in it."""

    __slots__ = ("__dict__", "_lock", "_service", "library", "tenant")

    def __init__(self, service: Service, tenant: str) -> None:
        self.tenant = tenant
        self.library = service.root if tenant == LOCAL else service.root.of_tenant(tenant)
        self._service = service
        self._lock = Lock()

    @cached_property
    def keys(self) -> ApiKeys:
        """The tenant's API keys."""
        return ApiKeys(self.library, self._service.pepper)

    @cached_property
    def embeds(self) -> Embeds:
        """The tenant's embeds."""
        return Embeds(self.library, self._service.pepper)

    @cached_property
    def grants(self) -> Grants:
        """What the tenant's visitors may open."""
        return Grants(self.library, self._service.clock)

    @cached_property
    def agents(self) -> StoredAgents:
        """The tenant's agents and workflows."""
        return StoredAgents(self.library)

    @cached_property
    def jobs(self) -> Jobs:
        """The tenant's jobs."""
        return Jobs(self.library, self._service.clock)

    @cached_property
    def uploads(self) -> Uploads:
        """Where uploaded bytes go."""
        return Uploads(self.library)

    @cached_property
    def audit(self) -> Audit:
        """Who read what."""
        return Audit(self.library)

    @cached_property
    def scores(self) -> ScoreLog:
        """What the tenant's searches scored lately, as this process saw it."""
        return ScoreLog(self._service.limits.scores_kept)

    @property
    def search(self) -> Search:
        """The search over the tenant's library, opened when it is first asked for."""
        with self._lock:
            return self._search

    @cached_property
    def _search(self) -> Search:
        from pincite.search import open_search

        return open_search(self.library, self._service.home, embedder=self._service.embedder)

    def close(self) -> None:
        """Let go of what the search holds open."""
        with self._lock:
            found = self.__dict__.pop("_search", None)
        if found is not None:
            found.index.close()


class Service:
    """The library of `PINCITE_HOME` for many callers at a time; close it, or use it as a context manager."""

    def __init__(
        self,
        home: Path,
        *,
        settings: Settings | None = None,
        limits: Limits | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """`settings` and `limits` are those of the environment when None; `clock` tells Unix time.

        Raises:
            SettingError: a setting or limit cannot be read, or the secret is too short.
            StoreError: the library cannot be opened.
        """
        self.settings = Settings.from_env() if settings is None else settings
        self.limits = Limits.from_env() if limits is None else limits
        self.home = home
        self.clock = clock
        self._open = ExitStack()
        self._desks: OrderedDict[str, Desk] = OrderedDict()
        self._lock = Lock()
        self._stop = Event()
        self._threads: list[Thread] = []
        self.root = self._open.enter_context(
            Library.open(
                home,
                database=self.settings.database,
                files=self.settings.files,
                reads=self.settings.database_reads,
                limits=self.limits,
            )
        )
        secret = self.settings.secret
        if secret is None:
            secret = kept_secret(home, SECRET_FILE, setting="PINCITE_SECRET")
        elif len(secret) < SHORTEST_SECRET:
            msg = f"The server's secret has {SHORTEST_SECRET} characters or more."
            raise SettingError(msg, field="PINCITE_SECRET")
        self.pepper = secret.encode("utf-8", "surrogateescape")
        self._secret = secret
        self.directory = Directory(self.root, self.pepper)
        self.tenants = Tenants(self.root.database)
        self.images = ImageCache(self.limits)
        self.trail = Trail(self.limits.audit_waiting)
        self.streams = Streams(self.limits.answers_at_once)
        # Whoever waits longer than half of what a request may take could not be answered in time any more.
        self.turns = Turns(
            self.limits.searches_at_once or os.cpu_count() or 1,
            self.limits.searches_waiting,
            self.limits.request_seconds / 2,
        )
        self.packages = Packages.of(self.settings, self.limits, self.turns, clock)
        self.rates = Rates(self.settings.rates, seconds=self.limits.rates_seconds)
        self.proxies = believed(self.settings.proxies)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @cached_property
    def tokens(self) -> VisitorTokens:
        """What makes and reads visitors' tokens."""
        from pincite.server.access import VisitorTokens

        return VisitorTokens(self._secret, seconds=self.limits.visitor_token_seconds, clock=self.clock)

    @cached_property
    def pool(self) -> ReadingPool:
        """The guarded workers that read and draw files."""
        from pincite.reading import ReadingPool

        return self._open.enter_context(ReadingPool(self.limits))

    @cached_property
    def embedder(self) -> Embedder:
        """The embedder of questions and passages, one for all tenants."""
        from pincite.search import MiniLM

        return MiniLM()

    def desk(self, tenant: str) -> Desk:
        """Return what there is of a tenant; of those that are open, who was quiet longest makes room."""
        with self._lock:
            found = self._desks.get(tenant)
            if found is None:
                found = self._desks[tenant] = Desk(self, tenant)
            self._desks.move_to_end(tenant)
            quiet = [
                self._desks.popitem(last=False)[1] for _ in range(len(self._desks) - self.limits.tenants_open)
            ]
        for one in quiet:
            one.close()
        return found

    # -- work in the background ------------------------------------------------------------------

    def start(self) -> None:
        """Begin to work on jobs, in as many threads as `PINCITE_WORKERS` says, one a core when it says nothing."""
        count = _workers(self.settings.workers)
        Thread(target=self._warm, name="pincite-warm", daemon=True).start()
        for number in range(count):
            thread = Thread(target=self._work, name=f"pincite-worker-{number}", daemon=True)
            thread.start()
            self._threads.append(thread)

    def work_once(self) -> bool:
        """Do one job that waits, in this thread; say whether there was one."""
        return self._worker().step()

    def close(self) -> None:
        """Stop the work, let what has begun end, and close what was opened, last first."""
        self._stop.set()
        for thread in self._threads:
            while thread.is_alive():
                thread.join(0.1)
        self.trail.close()
        with self._lock:
            desks = list(self._desks.values())
            self._desks.clear()
        for desk in desks:
            desk.close()
        self._open.close()

    def _worker(self) -> Worker:
        return Worker(
            self.root,
            self.pool,
            embed=self._embed,
            index=_Indexes(self),
            counter=self._counter,
            tenants=lambda tenant: self.desk(tenant).library,
            clock=self.clock,
        )

    @cached_property
    def _counter(self) -> TokenCounter | None:
        """What counts tokens; reading goes on without the model, and so does searching by words."""
        from pincite.search import MiniLM

        return self.embedder if isinstance(self.embedder, MiniLM) else None

    def _embed(
        self, library: Library, *, on_progress: Callable[[int, int], None] | None, stop: Event | None
    ) -> int:
        from pincite.search import embed_pending

        return embed_pending(library, self.embedder, on_progress=on_progress, stop=stop)

    def _warm(self) -> None:
        """Load the model and open the index before the first question asks for them."""
        with suppress(PinciteError):
            self.embedder.embed(["ready"])
            self.desk(LOCAL).search.index.sync()
        if self.packages is not None:
            self.packages.told  # noqa: B018 - what asks for it first opens them

    def _work(self) -> None:
        self._worker().run(self._stop)


def _workers(said: str | None) -> int:
    if said is None:
        return os.cpu_count() or 1
    if not (said.isascii() and said.isdecimal() and len(said) < 4):  # noqa: PLR2004 - far more than there are cores
        msg = "`PINCITE_WORKERS` is a whole number, 0 or more."
        raise SettingError(msg, field="PINCITE_WORKERS")
    return int(said)


def service_of(request: Request) -> Service:
    """Return what the application that got the request stands on."""
    found: Service = request.app.state.service
    return found
