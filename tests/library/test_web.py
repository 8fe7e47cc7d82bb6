"""Pages of the web in a library: fetched, kept as they were, cited by their address."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pincite.core.errors import InputError
from pincite.library.ingest import add_paths
from pincite.library.plan import is_address
from pincite.reading import ReadingPool
from pincite.reading.web import Fetcher
from web_site import HERE, PAGE, Site, serving

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pincite.library import Collection, Library


@pytest.fixture(scope="module")
def pool() -> Iterator[ReadingPool]:
    """Workers that read files."""
    with ReadingPool() as opened:
        yield opened


@pytest.fixture
def site() -> Iterator[Site]:
    """A server that is stopped afterwards."""
    with serving() as made:
        yield made


def test_a_page_is_kept_under_its_address(
    library: Library, collection: Collection, pool: ReadingPool, site: Site
) -> None:
    """The bytes as they were; where its redirects led is its home; the same again changes nothing."""
    site.gives("/a", b"", 302, Location="/b")
    site.gives("/b")
    fetcher = Fetcher(allow=HERE)
    (result,) = add_paths(library, collection, [site.at("/a#part")], pool=pool, fetcher=fetcher)
    assert (result.status, result.file) == ("ready", site.at("/a"))
    (document,) = library.documents()
    assert (document.source_key, document.source_uri) == (site.at("/a"), site.at("/b"))
    assert (document.title, document.media_type) == ("T", "text/html")
    assert library.source_file(document.document_id).path.read_bytes() == PAGE
    (again,) = add_paths(library, collection, [site.at("/a")], pool=pool, fetcher=fetcher)
    assert again.status == "unchanged"


def test_a_page_that_changed_is_a_new_version(
    library: Library, collection: Collection, pool: ReadingPool, site: Site
) -> None:
    """Under the same id."""
    fetcher = Fetcher(allow=HERE)
    site.gives("/a")
    (first,) = add_paths(library, collection, [site.at("/a")], pool=pool, fetcher=fetcher)
    site.gives("/a", PAGE.replace(b"Words", b"Other words"))
    (second,) = add_paths(library, collection, [site.at("/a")], pool=pool, fetcher=fetcher)
    assert (second.document_id, second.status) == (first.document_id, "ready")
    assert library.document_text(str(second.document_id)) == "Other words."


def test_files_and_pages_and_maps_together(
    library: Library, collection: Collection, pool: ReadingPool, site: Site, tmp_path: Path
) -> None:
    """One result each, in order; one that cannot be fetched keeps none of the others away."""
    (tmp_path / "a.txt").write_text("Some text of a file.")
    site.gives("/a")
    listed = f"<urlset><url><loc>{site.at('/a')}</loc></url><url><loc>{site.at('/gone')}</loc></url></urlset>"
    site.gives("/sitemap.xml", listed.encode(), Content_Type="application/xml")
    paths = [str(tmp_path / "a.txt"), site.at("/sitemap.xml"), site.at("/a"), "http://127.0.0.2/"]
    results = list(add_paths(library, collection, paths, pool=pool, fetcher=Fetcher(allow=HERE)))
    assert [(result.file, result.status, result.reason) for result in results] == [
        ("a.txt", "ready", None),
        (site.at("/a"), "ready", None),
        (site.at("/gone"), "failed", "not_fetched"),
        ("http://127.0.0.2/", "failed", "address_refused"),
    ]


def test_a_page_has_its_address_already(library: Library, collection: Collection, pool: ReadingPool) -> None:
    """Another one would make the citation lead elsewhere."""
    with pytest.raises(InputError, match="has its address already"):
        add_paths(library, collection, ["https://example.org/"], pool=pool, source_uri="https://example.net/")


@pytest.mark.parametrize(
    ("written", "is_one"),
    [
        ("https://example.org/", True),
        ("HTTP://example.org", True),
        ("ftp://example.org", True),
        ("folder/file.txt", False),
        ("C:/folder", False),
        ("c://folder", False),
        ("https:/example.org", False),
        ("://x", False),
        ("", False),
    ],
)
def test_what_is_an_address(written: str, *, is_one: bool) -> None:
    """What names a scheme; anything else is a path."""
    assert is_address(written) is is_one
