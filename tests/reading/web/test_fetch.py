"""Pages come from the address that was judged, within their bounds, as the bytes that were sent."""

from __future__ import annotations

import gzip
import shutil
import socket
import ssl
import subprocess
import threading
import time
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from pincite.core.errors import AddressError, FetchError, TimedOutError, TooLargeError
from pincite.core.limits import DEFAULT
from pincite.reading.web import Fetcher
from web_site import HERE, PAGE, Site, serving

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def site() -> Iterator[Site]:
    """A server that is stopped afterwards."""
    with serving() as made:
        yield made


def test_a_page_and_its_name(site: Site) -> None:
    """The bytes as they were sent, the path's last part as a file's name, the ending of its media type."""
    site.gives("/docs/intro?x=1")
    page = Fetcher(allow=HERE).fetch(site.at("/docs/intro?x=1#part"))
    assert (page.data, page.name, page.media_type) == (PAGE, "intro.html", "text/html")
    assert page.address == site.at("/docs/intro?x=1#part")


def test_this_machine_is_not_opened_unless_it_is_allowed(site: Site) -> None:
    """Not one byte goes there."""
    with pytest.raises(AddressError) as caught:
        Fetcher().fetch(site.at("/"))
    assert site.asked == []
    assert caught.value.message == (
        "127.0.0.1 is not opened: it is not on the public network; `PINCITE_WEB_ALLOW` lists exceptions."
    )


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "LOCALHOST.",
        "127.1",
        "2130706433",
        "0x7f.0.0.1",
        "0177.0.0.1",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "[0:0:0:0:0:ffff:7f00:1]",
        "0",
        "0.0.0.0",  # noqa: S104 - an address to be refused
        "169.254.169.254",
        "[fd00:ec2::254]",
        "１２７.０.０.１",
        "127。0。0。1",
        "①②⑦.0.0.1",
    ],
)
def test_no_spelling_leads_inside(site: Site, host: str) -> None:
    """Neither names nor numbers, nor digits that only look like others."""
    with pytest.raises(FetchError):
        Fetcher().fetch(site.at("/", host))
    assert site.asked == []


@pytest.mark.parametrize(
    "address",
    [
        "ftp://example.org/",
        "file:///etc/passwd",
        "gopher://127.0.0.1:70/_x",
        "data:text/html,x",
        "javascript:alert(1)",
        "//example.org/",
        "example.org",
        "",
        "http://",
        "http:///path",
        "http://user:secret@example.org/",
        "http://user@example.org/",
        "http://example.org\\@127.0.0.1/",
        "http://example.org /",
        "http://exa\nmple.org/",
        "http://example.org:0/",
        "http://example.org:99999/",
        "http://example.org:22/",
        "http://example.org:6379/",
        "http://[::1/",
        "http://[fe80::1%25eth0]/",
        "http://-.example/",
        "h\u0442tp://example.org/",
        "http://" + "a" * 5000 + ".org/",
    ],
)
def test_other_addresses_are_refused_before_anything_is_looked_up(address: str) -> None:
    """Only http and https, to a host, at a port of a web server, without a password."""

    def never(_host: str, _port: int) -> list[str]:
        raise AssertionError

    with pytest.raises(AddressError):
        Fetcher(resolve=never).fetch(address)


def test_a_name_is_looked_up_once_and_that_address_is_opened(site: Site) -> None:
    """A name that leads elsewhere the second time is of no use to anybody."""
    answers = iter([["127.0.0.1"], ["169.254.169.254"]])
    site.gives("/")
    fetcher = Fetcher(allow=HERE, resolve=lambda _host, _port: next(answers))
    assert fetcher.fetch(site.at("/", "pages.example")).data == PAGE
    assert site.asked == [(f"pages.example:{site.port}", "/")]
    assert next(answers) == ["169.254.169.254"]


def test_a_name_with_one_address_inside_is_refused(site: Site) -> None:
    """Whichever of them would be opened."""
    fetcher = Fetcher(resolve=lambda _host, _port: ["8.8.8.8", "10.0.0.1"])
    with pytest.raises(AddressError):
        fetcher.fetch("http://pages.example/")


def test_every_redirect_is_judged(site: Site) -> None:
    """From a page outside to a host inside, by any of the statuses."""
    resolved = {"pages.example": ["127.0.0.1"], "inside.example": ["10.0.0.7"]}
    fetcher = Fetcher(allow=HERE, resolve=lambda host, _port: resolved[host])
    for status in (301, 302, 303, 307, 308):
        site.gives("/", b"", status, Location="http://inside.example/secret")
        with pytest.raises(AddressError):
            fetcher.fetch(site.at("/", "pages.example"))
    site.gives("/", b"", 302, Location="file:///etc/passwd")
    with pytest.raises(AddressError):
        fetcher.fetch(site.at("/", "pages.example"))


def test_redirects_are_followed_to_their_end(site: Site) -> None:
    """Also relative ones; the page knows where it came from."""
    site.gives("/a", b"", 302, Location="b/c")
    site.gives("/b/c", b"", 301, Location=f"//127.0.0.1:{site.port}/end")
    site.gives("/end")
    page = Fetcher(allow=HERE).fetch(site.at("/a"))
    assert (page.address, page.final, page.data) == (site.at("/a"), site.at("/end"), PAGE)


@pytest.mark.parametrize("place", ["http://[", "//[", "http://[::1", "file:///etc/passwd", "http://a b/"])
def test_a_redirect_to_what_is_no_address(site: Site, place: str) -> None:
    """It is refused at once, by the client or by us."""
    site.gives("/", b"", 302, Location=place)
    with pytest.raises(FetchError):
        Fetcher(allow=HERE).fetch(site.at("/"))


def test_redirects_that_never_end_are_given_up(site: Site) -> None:
    """After as many as are allowed."""
    site.gives("/", b"", 302, Location="/")
    with pytest.raises(FetchError, match="more than 3 times"):
        Fetcher(allow=HERE, limits=replace(DEFAULT, web_redirects=3)).fetch(site.at("/"))
    assert len(site.asked) == 4


@pytest.mark.parametrize("status", [204 - 4, 400, 401, 403, 404, 410, 429, 500, 503, 304, 999])
def test_only_a_page_is_a_page(site: Site, status: int) -> None:
    """An error page of a server is nothing to cite."""
    site.gives("/", PAGE, status)
    if status == 200:
        assert Fetcher(allow=HERE).fetch(site.at("/")).data == PAGE
    else:
        with pytest.raises(FetchError, match=str(status)):
            Fetcher(allow=HERE).fetch(site.at("/"))


def test_bytes_are_counted_unpacked(site: Site) -> None:
    """A few packed ones that unpack to many are many."""
    site.gives("/", gzip.compress(bytes(10_000_000)), Content_Encoding="gzip")
    with pytest.raises(TooLargeError):
        Fetcher(allow=HERE, limits=replace(DEFAULT, web_bytes=1_000_000)).fetch(site.at("/"))
    site.gives("/", gzip.compress(PAGE), Content_Encoding="gzip")
    assert Fetcher(allow=HERE).fetch(site.at("/")).data == PAGE


def test_a_length_that_lies_is_an_error(site: Site) -> None:
    """Half a page is none."""
    site.gives("/", PAGE, Content_Length=str(len(PAGE) + 1))
    fetcher = Fetcher(allow=HERE, limits=replace(DEFAULT, web_seconds=1.0))
    with pytest.raises((FetchError, TimedOutError)):
        fetcher.fetch(site.at("/"))


def test_a_page_that_drips_is_given_up(site: Site) -> None:
    """Each byte comes soon after the last, and the whole never."""
    site.gives("/")
    site.dripping = 0.2
    start = time.monotonic()
    with pytest.raises(TimedOutError):
        Fetcher(allow=HERE, limits=replace(DEFAULT, web_seconds=1.0)).fetch(site.at("/"))
    assert time.monotonic() - start < 30


def test_a_server_that_says_nothing_is_given_up() -> None:
    """It takes the connection, and the headers never end."""
    with socket.create_server(("127.0.0.1", 0)) as quiet:
        port = quiet.getsockname()[1]
        with pytest.raises(TimedOutError):
            Fetcher(allow=HERE, limits=replace(DEFAULT, web_seconds=0.5)).fetch(f"http://127.0.0.1:{port}/")


def test_a_look_up_that_hangs_is_given_up() -> None:
    """No name server is waited for longer than a page."""
    free = threading.Event()

    def slow(_host: str, _port: int) -> list[str]:
        free.wait(60)
        return []

    with pytest.raises(TimedOutError):
        Fetcher(resolve=slow, limits=replace(DEFAULT, web_seconds=0.2)).fetch("http://pages.example/")
    free.set()


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"\0" * 100,
        b"SSH-2.0-x\r\n",
        b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 100_000,
        b"HTTP/9.9 abc\r\n\r\n",
    ],
)
def test_what_is_no_web_server_is_an_error(answer: bytes) -> None:
    """Whatever it says, and however much."""
    with socket.create_server(("127.0.0.1", 0)) as odd:
        port = odd.getsockname()[1]

        def speak() -> None:
            connection, _ = odd.accept()
            with connection:
                connection.recv(4096)
                try:
                    connection.sendall(answer)
                except OSError:
                    return

        thread = threading.Thread(target=speak, daemon=True)
        thread.start()
        with pytest.raises(FetchError):
            Fetcher(allow=HERE).fetch(f"http://127.0.0.1:{port}/")
        thread.join(5)


def test_a_host_that_is_not_there(site: Site) -> None:
    """Nothing listens, or there is no such name."""
    with socket.create_server(("127.0.0.1", 0)) as gone:
        port = gone.getsockname()[1]
    with pytest.raises(FetchError, match="cannot be reached"):
        Fetcher(allow=HERE).fetch(f"http://127.0.0.1:{port}/")
    with pytest.raises(FetchError, match="There is no host"):
        Fetcher(resolve=lambda _host, _port: []).fetch("http://pages.example/")


def test_no_proxy_of_the_environment_is_asked(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """It would look the name up by itself, and open what it likes."""
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:1")
    site.gives("/")
    assert Fetcher(allow=HERE).fetch(site.at("/")).data == PAGE


@pytest.mark.parametrize(
    ("body", "header", "kept"),
    [
        ("ü".encode(), "text/html; charset=utf-8", "ü".encode()),
        ("ü".encode("latin-1"), "text/html; charset=ISO-8859-1", "\ufeffü".encode()),
        ("ü".encode("latin-1"), 'text/html;charset="iso-8859-1"', "\ufeffü".encode()),
        (b'<meta charset="latin-1">\xfc', "text/html; charset=latin-1", b'<meta charset="latin-1">\xfc'),
        ("語".encode("shift_jis"), "text/plain; charset=Shift_JIS", "\ufeff語".encode()),
        (b"\xfc", "text/html; charset=nonsense", b"\xfc"),
        (b"\xfc", "text/html", b"\xfc"),
        (b"\xfc", "application/pdf; charset=latin-1", b"\xfc"),
        ("\ufeffü".encode("utf-16"), "text/html; charset=utf-16", "\ufeffü".encode("utf-16")),
    ],
)
def test_bytes_tell_their_encoding_themselves(site: Site, body: bytes, header: str, kept: bytes) -> None:
    """What only the header said would be lost with it, so the text is kept in UTF-8; all else as it came."""
    site.gives("/", body, Content_Type=header)
    assert Fetcher(allow=HERE).fetch(site.at("/")).data == kept


@pytest.mark.parametrize(
    ("path", "media_type", "name"),
    [
        ("/", "text/html", "127.0.0.1.html"),
        ("/a/", "text/html", "a.html"),
        ("/a.html", "text/html", "a.html"),
        ("/report.pdf", "application/pdf", "report.pdf"),
        ("/get.php", "application/pdf", "get.php.pdf"),
        ("/v1.2", "text/html", "v1.2.html"),
        ("/%E4%BE%8B", "text/html", "例.html"),
        ("/a%2Fb", "text/html", "b.html"),
        ("/data.csv", "application/octet-stream", "data.csv"),
        ("/x", "application/unknown", "x"),
    ],
)
def test_a_page_is_called_as_a_file(site: Site, path: str, media_type: str, name: str) -> None:
    """So that the same readers are for it, and a person knows it."""
    site.gives(path, b"x", Content_Type=media_type)
    assert Fetcher(allow=HERE).fetch(site.at(path)).name == name


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl makes the certificate of this test")
def test_a_certificate_is_that_of_the_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The connection goes to a number, and the certificate is still asked for the name."""
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    command = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-days",
        "2",
        "-subj",
        "/CN=pages.example",
    ]
    command += ["-addext", "subjectAltName=DNS:pages.example", "-keyout", str(key), "-out", str(certificate)]
    subprocess.run(command, check=True, capture_output=True)
    site = Site()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    site.server.socket = context.wrap_socket(site.server.socket, server_side=True)
    site.thread.start()
    try:
        site.gives("/")
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        fetcher = Fetcher(allow=HERE, resolve=lambda _host, _port: ["127.0.0.1"])
        assert fetcher.fetch(f"https://pages.example:{site.port}/").data == PAGE
        with pytest.raises(FetchError):
            fetcher.fetch(f"https://other.example:{site.port}/")
        monkeypatch.delenv("SSL_CERT_FILE")
        with pytest.raises(FetchError):
            Fetcher(allow=HERE, resolve=lambda _host, _port: ["127.0.0.1"]).fetch(
                f"https://pages.example:{site.port}/"
            )
    finally:
        site.server.shutdown()
        site.server.server_close()


def test_many_at_once(site: Site) -> None:
    """One fetcher serves any number of threads."""
    for number in range(20):
        site.gives(f"/{number}", str(number).encode())
    fetcher = Fetcher(allow=HERE)
    found: dict[int, bytes] = {}

    def one(number: int) -> None:
        found[number] = fetcher.fetch(site.at(f"/{number}")).data

    threads = [threading.Thread(target=one, args=(number,)) for number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {number: str(number).encode() for number in range(20)}
