"""The map of a site gives its pages: those of that site, each once, as far as it lets us read them."""

from __future__ import annotations

import gzip
from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from pincite.core.errors import AddressError, FetchError, PinciteError
from pincite.core.limits import DEFAULT
from pincite.reading.web import Fetcher, WebPage, addresses_of, sitemap
from web_site import HERE, Site, serving

if TYPE_CHECKING:
    from collections.abc import Iterator

MAPS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'


@pytest.fixture
def site() -> Iterator[Site]:
    """A server that is stopped afterwards."""
    with serving() as made:
        yield made


def urls(*addresses: str) -> bytes:
    """Return a map."""
    listed = "".join(f"<url><loc>{one}</loc><lastmod>2026-11-01</lastmod></url>" for one in addresses)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset {MAPS}>{listed}</urlset>'.encode()


def index(*addresses: str) -> bytes:
    """Return an index of maps."""
    listed = "".join(f"<sitemap><loc>{one}</loc></sitemap>" for one in addresses)
    return f"<sitemapindex {MAPS}>{listed}</sitemapindex>".encode()


def test_pages_of_the_site_in_order_and_once(site: Site) -> None:
    """Those of another host are none of its business, and what may not be opened is no page."""
    own, other = site.at("/a?x=1&amp;y=2"), site.at("/b")
    site.gives(
        "/map.xml", urls(own, other, own, "https://other.example/c", "javascript:alert(1)", "/relative")
    )
    assert addresses_of(Fetcher(allow=HERE), site.at("/map.xml")) == [site.at("/a?x=1&y=2"), other]


def test_an_index_of_maps_is_followed(site: Site) -> None:
    """Packed ones too; one that is not there is told, and the others go on."""
    site.gives(
        "/index.xml",
        index(site.at("/1.xml.gz"), site.at("/gone.xml"), site.at("/2.xml"), site.at("/index.xml")),
    )
    site.gives("/1.xml.gz", gzip.compress(urls(site.at("/a"))), Content_Type="application/gzip")
    site.gives("/2.xml", urls(site.at("/b")))
    problems: list[tuple[str, PinciteError]] = []
    found = addresses_of(
        Fetcher(allow=HERE),
        site.at("/index.xml"),
        on_problem=lambda address, error: problems.append((address, error)),
    )
    assert found == [site.at("/a"), site.at("/b")]
    assert [(address, error.code) for address, error in problems] == [(site.at("/gone.xml"), "not_fetched")]


def test_a_map_of_plain_text(site: Site) -> None:
    """One address a line, a byte order mark before them."""
    site.gives("/sitemap.txt", f"\ufeff{site.at('/a')}\r\n\r\n{site.at('/b')}\r\n".encode())
    assert addresses_of(Fetcher(allow=HERE), site.at("/sitemap.txt")) == [site.at("/a"), site.at("/b")]


@pytest.mark.parametrize(
    "body", [b"", b"<html>no map</html>", b"words\nof a file", b"<feed><loc>http://a/</loc></feed>"]
)
def test_what_is_no_map(site: Site, body: bytes) -> None:
    """It is a page like any other."""
    site.gives("/x.xml", body)
    assert addresses_of(Fetcher(allow=HERE), site.at("/x.xml")) is None


def test_what_the_site_keeps_from_us_is_left_out(site: Site) -> None:
    """`robots.txt` is asked once; one for everybody counts for us, one of our own name goes before it."""
    site.gives("/map.xml", urls(site.at("/open"), site.at("/private/x")))
    site.gives("/robots.txt", b"User-agent: *\nDisallow: /private/\n", Content_Type="text/plain")
    fetcher = Fetcher(allow=HERE)
    assert addresses_of(fetcher, site.at("/map.xml")) == [site.at("/open")]
    site.gives("/robots.txt", b"User-agent: *\nDisallow: /\n\nUser-agent: pincite\nAllow: /\n")
    assert addresses_of(fetcher, site.at("/map.xml")) == [site.at("/open"), site.at("/private/x")]


def test_a_map_has_a_bound(site: Site) -> None:
    """Also an index that leads to ever more maps."""
    site.gives("/map.xml", urls(*(site.at(f"/{number}") for number in range(50))))
    limits = replace(DEFAULT, web_pages=7, web_maps=7)
    assert len(addresses_of(Fetcher(allow=HERE), site.at("/map.xml"), limits=limits) or ()) == 7
    for number in range(30):
        site.gives(f"/{number}.xml", index(*(site.at(f"/{number * 2 + more}.xml") for more in (1, 2))))
    assert addresses_of(Fetcher(allow=HERE), site.at("/0.xml"), limits=limits) == []
    assert len(site.asked) < 20


def test_a_packed_map_is_bounded_unpacked(site: Site) -> None:
    """A bomb is told, not unpacked."""
    site.gives("/map.xml.gz", gzip.compress(bytes(5_000_000)), Content_Type="application/gzip")
    with pytest.raises(FetchError, match="more than 1,000,000 bytes"):
        addresses_of(
            Fetcher(allow=HERE), site.at("/map.xml.gz"), limits=replace(DEFAULT, web_bytes=1_000_000)
        )


def test_a_map_with_entities_and_a_million_brackets(site: Site) -> None:
    """Nothing in it is expanded, and odd bytes cost no more than others."""
    entities = b'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>'
    site.gives("/map.xml", entities + urls("&b;", site.at("/a")) + b"<loc>" * 200_000 + b"<" * 1_000_000)
    assert addresses_of(Fetcher(allow=HERE), site.at("/map.xml")) == [site.at("/a")]


@pytest.mark.parametrize(
    "rules",
    [
        b"Disallow: //[",
        b"Disallow: http://[",
        b"Crawl-delay: \xc2\xb2",
        b"Request-rate: 1/\xc2\xb2",
        b"Crawl-delay: 1" + b"0" * 5000,
    ],
)
def test_rules_that_cannot_be_read_are_none(site: Site, rules: bytes) -> None:
    """The others of the same file hold."""
    site.gives("/map.xml", urls(site.at("/a"), site.at("/b")))
    site.gives("/robots.txt", b"User-agent: *\n" + rules + b"\nDisallow: /b\n", Content_Type="text/plain")
    assert addresses_of(Fetcher(allow=HERE), site.at("/map.xml")) == [site.at("/a")]


@pytest.mark.parametrize(
    "address", ["http://[/a.xml", "http://[::1/sitemap.txt", "ftp://a.example/map.xml", ""]
)
def test_an_address_that_is_none(address: str) -> None:
    """It is told as one."""
    with pytest.raises(AddressError):
        addresses_of(Fetcher(), address)


def told(site: Site, path: str, **limits: float) -> tuple[list[str], list[tuple[str, str, str]]]:
    """Return the addresses of a map, and what was told: path, code, and what its sentence begins with."""
    problems: list[tuple[str, PinciteError]] = []
    found = addresses_of(
        Fetcher(allow=HERE),
        site.at(path),
        limits=replace(DEFAULT, **limits),
        on_problem=lambda address, error: problems.append((address, error)),
    )
    assert found is not None
    return found, [
        (one.removeprefix(site.at("")), e.code, e.message.partition(";")[0]) for one, e in problems
    ]


def test_five_million_addresses_are_cut_off(site: Site) -> None:
    """Looked at are the first 50,000, as the protocol allows; those of other hosts count, and the cut is told."""
    site.gives("/map.xml", urls(site.at("/a")) + b"<loc>x</loc>" * 2_600_000)
    found, problems = told(site, "/map.xml")
    assert found == [site.at("/a")]
    assert problems == [("/map.xml", "too_large", "Only the first 50,000 addresses of this map were taken")]


def test_a_text_of_a_million_lines_is_cut_off(site: Site) -> None:
    """As one in XML is."""
    site.gives("/sitemap.txt", f"{site.at('/a')}\n".encode() + b"http://b.example/\n" * 1_000_000)
    found, problems = told(site, "/sitemap.txt")
    assert found == [site.at("/a")]
    assert problems == [
        ("/sitemap.txt", "too_large", "Only the first 50,000 addresses of this map were taken")
    ]


def test_pages_and_maps_that_are_left_out_are_told(site: Site) -> None:
    """With the number that were taken, and the setting that allows more."""
    site.gives("/map.xml", urls(*(site.at(f"/{number}") for number in range(5))))
    found, problems = told(site, "/map.xml", web_pages=3)
    assert found == [site.at("/0"), site.at("/1"), site.at("/2")]
    assert problems == [("/map.xml", "too_large", "Only the first 3 pages were taken")]
    site.gives("/index.xml", index(site.at("/map.xml"), site.at("/2.xml"), site.at("/3.xml")))
    site.gives("/2.xml", urls(site.at("/x")))
    found, problems = told(site, "/index.xml", web_maps=2)
    assert found == [*(site.at(f"/{number}") for number in range(5)), site.at("/x")]
    assert problems == [("/index.xml", "too_large", "Only the first 2 maps were taken")]
    assert told(site, "/map.xml", web_pages=5)[1] == []


def test_an_index_of_indexes_without_end_has_one_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many maps there are, and however long each takes: here ten seconds, of which a minute has six."""
    now = 0.0
    asked: list[tuple[str, float]] = []

    class Endless(Fetcher):
        def fetch(self, address: str, *, seconds: float | None = None) -> WebPage:
            nonlocal now
            assert seconds is not None
            now += 10
            asked.append((address.rpartition("/")[2], seconds))
            return WebPage(
                address, address, "map.xml", "text/xml", index(f"http://a.example/{len(asked)}.xml")
            )

    monkeypatch.setattr(sitemap, "time", SimpleNamespace(monotonic=lambda: now))
    problems: list[tuple[str, PinciteError]] = []
    found = addresses_of(
        Endless(),
        "http://a.example/map.xml",
        limits=replace(DEFAULT, web_map_seconds=60.0),
        on_problem=lambda address, error: problems.append((address, error)),
    )
    assert found == []
    left = [60.0, 50.0, 40.0, 30.0, 20.0, 10.0]
    assert asked == list(
        zip(["map.xml", "robots.txt", "1.xml", "3.xml", "4.xml", "5.xml"], left, strict=True)
    )
    ((address, error),) = problems
    assert (address, error.code) == ("http://a.example/map.xml", "timed_out")
    assert error.message.startswith("Not all maps of the site were read within 60 seconds")
