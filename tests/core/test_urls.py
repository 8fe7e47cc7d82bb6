"""Only http and https become links."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.core.urls import LINK_CODE_POINTS, safe_link, shown_source


@pytest.mark.parametrize(
    ("address", "link"),
    [
        ("https://example.org/a", "https://example.org/a"),
        ("HTTPS://example.org/a", "https://example.org/a"),
        ("http://example.org:8080/a?b=c#d", "http://example.org:8080/a?b=c#d"),
        ("https://example.org/Mercury_(planet)", "https://example.org/Mercury_%28planet%29"),
        ('https://example.org/"quoted"', "https://example.org/%22quoted%22"),
        ("https://bücher.example/ä", "https://xn--bcher-kva.example/%C3%A4"),
        ("https://[2001:db8::1]/x", "https://[2001:db8::1]/x"),
        ("http://localhost:8080/", "http://localhost:8080/"),
        ("https://example.org./", "https://example.org./"),
        ("https://a_b.c-d.example/", "https://a_b.c-d.example/"),
        ("https://192.0.2.7/", "https://192.0.2.7/"),
        ("https://example.org/" + "x" * (LINK_CODE_POINTS - 20), "https://example.org/" + "x" * 3_980),
    ],
)
def test_a_good_address_becomes_a_link(address: str, link: str) -> None:
    """Hosts are punycoded and the rest is percent-encoded."""
    assert safe_link(address) == link


@pytest.mark.parametrize(
    "address",
    [
        None,
        "",
        "javascript:alert(1)",
        "data:text/html,x",
        "//example.org/a",
        "/documents/1",
        "upload://handbook.pdf",
        "file:///etc/passwd",
        "https://user:pass@example.org/",
        "https://user@example.org/",
        "https://example.org:99999/",
        "https://exa mple.org/",
        "https://example.org\\@evil.example/",
        "https://example.org/\nSet-Cookie: x",
        "https:///nohost",
        "http://[::1",
        "https://example.org/\u202egnp.exe",
        "https://example.org/\u061ca",
        "https://example.org/\U000e0041",
        "http://host:0/",
        "http://host:00/",
        "https://-/",
        "https://-host/",
        "https://host-/",
        "https://host-.example.org/",
        "https://example.-org/",
        "https://./",
        "https://a..example/",
        "https://[:]/",
        "https://[v1.host]/",
        "https://host[::1]/",
        "https://[::1]host/",
        "https://example.org/" + "x" * (LINK_CODE_POINTS - 19),
        "https://example.org/" + "ä" * (LINK_CODE_POINTS // 3),
        "https://" + "a-" * (LINK_CODE_POINTS // 2 - 4),
    ],
)
def test_anything_else_is_text(address: str | None) -> None:
    """Other schemes, credentials, bad ports and hosts, controls, relative and endless addresses are no links."""
    assert safe_link(address) is None


@given(st.text(max_size=80))
def test_no_address_breaks_out(text: str) -> None:
    """Whatever comes out can stand in a Markdown link or an HTML attribute."""
    link = safe_link("https://example.org/" + text)
    assert link is None or not set(link) & set(" \n\"'<>()[]\\`")


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        (None, ""),
        ("upload://notes/a.md", "upload://notes/a.md"),
        ("acme-notes.md", "acme-notes.md"),
        ("https://example.org/a", "https://example.org/a"),
        ("s3://bucket/tenant/a.pdf", "upload://a.pdf"),
        ("/srv/secret/a.pdf", "upload://a.pdf"),
        ("C:\\secret\\a.pdf", "upload://a.pdf"),
        ("file:///srv/secret/a/", "upload://a"),
        ("https://user:pass@example.org/a?key=k", "upload://a"),
        ("https://user:pass@example.org", ""),
        ("s3://bucket", ""),
        ("me:secret@host", "upload://host"),
        ("/", ""),
    ],
)
def test_where_a_source_is_kept_is_not_shown(address: str | None, shown: str) -> None:
    """Folders, buckets, users, passwords and queries stay out of what a person sees of a source."""
    assert shown_source(address) == shown


@given(st.text(alphabet="/\\:@?#a.", max_size=40))
def test_no_secret_part_is_shown(text: str) -> None:
    """What comes before the last slash or `@` of an address that is no link is never a part of what is shown."""
    assert "secret" not in shown_source(f"s3://secret:secret@secret/{text}/z")
