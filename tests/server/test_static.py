"""The console's page and files: what is served of them, with which headers, and what never is."""

from __future__ import annotations

import re
from importlib.resources import files
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from server_parts import Served

# What the page names: linear, one class in quotation marks.
ASSET = re.compile(r'(?:src|href)="(/assets/[^"]+)"')


@pytest.mark.parametrize("path", ["/", "/console", "/console/library", "/console/collections/a/settings"])
def test_every_screen_is_the_page_with_a_strict_policy(served: Served, path: str) -> None:
    """The page is the same at each address; it may load what this server serves, and nothing inline."""
    reply = served.client.get(path)
    assert reply.status_code == 200
    assert reply.headers["content-type"] == "text/html; charset=utf-8"
    policy = dict(part.strip().split(" ", 1) for part in reply.headers["content-security-policy"].split(";"))
    assert policy == {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": "'self'",
        "img-src": "'self' blob:",
        "connect-src": "'self'",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
        "require-trusted-types-for": "'script'",
        "trusted-types": "lit-html",
    }
    assert reply.headers["cache-control"] == "no-cache"
    assert reply.headers["x-content-type-options"] == "nosniff"
    assert re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=", reply.text) is None


def test_the_page_that_a_browser_has_is_not_sent_again(served: Served) -> None:
    """With its tag it is 304, under the same policy: a browser takes over the headers of that answer."""
    first = served.client.get("/")
    again = served.client.get("/console/agents", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["content-security-policy"] == first.headers["content-security-policy"]


def test_what_the_page_names_is_there_and_may_be_kept(served: Served) -> None:
    """Each file is served as what it is, and a browser may keep it for good: a changed one has another name."""
    names = ASSET.findall(served.client.get("/").text)
    kinds = {name.rpartition(".")[2] for name in names}
    assert kinds == {"js", "css", "svg"}
    for name in names:
        reply = served.client.get(name)
        assert reply.status_code == 200, name
        assert reply.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert reply.headers["content-type"].partition(";")[0] in {
            "text/javascript",
            "text/css",
            "image/svg+xml",
        }


def test_a_browser_that_unpacks_gets_less(served: Served) -> None:
    """Packed and unpacked it is the same file, in under half of the bytes."""
    (script,) = [
        name for name in ASSET.findall(served.client.get("/").text) if name.rpartition(".")[2] == "js"
    ]
    packed = served.client.get(script, headers={"Accept-Encoding": "br, gzip"})
    plain = served.client.get(script, headers={"Accept-Encoding": "identity"})
    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert packed.content == plain.content
    assert int(packed.headers["content-length"]) < len(plain.content) / 2
    assert packed.headers["vary"] == plain.headers["vary"] == "accept-encoding"


@pytest.mark.parametrize(
    "path",
    [
        "/assets/nothing.js",
        "/assets/..%2Findex.html",
        "/assets/%2e%2e%2findex.html",
        "/assets/..%5C..%5Capp.py",
        "/assets/%2Fetc%2Fpasswd",
        "/assets/",
        "/index.html",
        "/static/index.html",
    ],
)
def test_no_other_file_is_served(served: Served, path: str) -> None:
    """Whatever else is asked for is 404 in the one shape of errors."""
    reply = served.client.get(path)
    assert reply.status_code == 404
    assert set(reply.json()["error"]) == {"code", "message", "field"}


def test_the_build_holds_no_address_of_another_host() -> None:
    """What was built leads nowhere by itself: the only addresses in it are names of namespaces and an example."""
    # The last one stands in the words of an error of marked's, which nothing follows.
    known = {"http://www.w3.org", "https://www.example.org", "https://github.com"}
    folder = files("pincite.server").joinpath("static")
    texts = [folder.joinpath("index.html"), *folder.joinpath("assets").iterdir()]
    # The scheme and the host of an address: bounded by what no host has.
    found = {
        address
        for text in texts
        for address in re.findall(r"https?://[\w.-]+", text.read_text(encoding="utf-8"))
    }
    assert found <= known


@pytest.mark.parametrize("path", ["/", "/console/library", "/widget.js", "/healthz", "/openapi.json"])
def test_head_is_get_without_its_body(served: Served, path: str) -> None:
    """Whoever asks for the head alone gets the status and headers of GET, and no byte of the body."""
    whole, head = served.client.get(path), served.client.head(path)
    assert (head.status_code, head.content) == (200, b"")
    for name in ("content-type", "content-length", "etag", "cache-control", "cross-origin-resource-policy"):
        assert head.headers.get(name) == whole.headers.get(name)


def test_head_of_a_file_that_is_not_there_is_404(served: Served) -> None:
    """It is answered as GET is; an address whose answer is a stream, or changes something, has no head."""
    assert served.client.head("/assets/none.js").status_code == 404
    assert served.client.head("/api/manage/citations/none/preview").status_code == 401
    assert served.client.head("/api/check").status_code == 405
    assert served.client.head("/api/manage/jobs/none/events").status_code == 405
