"""Mail and saved pages are read as a person sees them, part by part."""

from __future__ import annotations

from email.message import EmailMessage
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.core.document import Flag
from pincite.core.errors import DamagedError, EncryptedError, ReadingError
from pincite.core.limits import DEFAULT
from pincite.reading.mail import MailReader, WebArchiveReader

if TYPE_CHECKING:
    from pincite.core.document import Document


def read(data: bytes, name: str = "budget.eml") -> Document:
    """Return the document of a message."""
    return MailReader().read(data, name=name, limits=DEFAULT)


def parts(document: Document) -> list[tuple[str, str | None]]:
    """Return the words of each region with its part."""
    return [(document.text[one.start : one.end], one.locator.part) for one in document.regions]


def message(text: str = "Hello Bob,\n\nthe limit is 100 €.\n\n> You wrote:\n> ok\n") -> EmailMessage:
    """Return a message."""
    made = EmailMessage()
    made["Subject"] = "Büdget – 2026"
    made["From"] = '"Müller, Anna" <anna@example.org>'
    made["To"] = "bob@example.org"
    made["Date"] = "Tue, 03 Mar 2026 23:30:00 -0500"
    made["X-Spam"] = "no reader sees this"
    made.set_content(text)
    return made


def test_headers_text_and_quotes() -> None:
    """The headers that a reader sees come first; quoted lines stay."""
    document = read(message().as_bytes())
    assert document.text == (
        "Subject: Büdget – 2026\nFrom: Müller, Anna <anna@example.org>\nTo: bob@example.org\n"
        "Date: Tue, 03 Mar 2026 23:30:00 -0500\n\nHello Bob,\n\nthe limit is 100 €.\n\n> You wrote:\n> ok"
    )
    assert (document.title, document.media_type) == ("Büdget – 2026", "message/rfc822")
    assert {part for _, part in parts(document)} == {"message"}


def test_bibliography() -> None:
    """Who wrote it, and on which day by the sender's own clock, are fields."""
    assert read(message().as_bytes()).bibliography.as_dict() == {
        "type": "personal_communication",
        "author": [{"family": "Müller", "given": "Anna"}],
        "issued": {"date-parts": [[2026, 3, 3]]},
    }


def test_plain_text_before_html() -> None:
    """Of two forms of one message the plain one is read; where it says nothing, the other."""
    both = message("plain words\n")
    both.add_alternative("<p>rich words</p>", subtype="html")
    assert "plain words" in read(both.as_bytes()).text
    assert "rich words" not in read(both.as_bytes()).text
    rich = message(" \n")
    rich.add_alternative('<h2>Rich</h2><p>words<img src="cid:x"></p><p hidden>secret</p>', subtype="html")
    document = read(rich.as_bytes())
    assert document.text.endswith("Rich\n\nwords")
    assert [one.title for one in document.outline] == ["Rich"]
    assert document.flags == (Flag(None, "text that a reader does not see was left out"),)


def test_attachments() -> None:
    """All are named; texts and messages are read as parts of their own, under their names."""
    inner = EmailMessage()
    inner["Subject"] = "The rules"
    inner["From"] = "carol@example.org"
    inner.set_content("inner words")
    outer = message("outer words\n")
    outer.add_attachment(b"%PDF-1.7", maintype="application", subtype="pdf", filename="Bericht – ü.pdf")
    outer.add_attachment(b"\x89PNG", maintype="image", subtype="png", filename="plan.png")
    outer.add_attachment("text words\n", filename="notes.txt")
    outer.add_attachment(inner)
    document = read(outer.as_bytes())
    assert "Attachments: Bericht – ü.pdf, plan.png, notes.txt, The rules" in document.text
    assert parts(document)[1:] == [
        ("outer words", "message"),
        ("text words", "notes.txt"),
        ("Subject: The rules\nFrom: carol@example.org", "The rules"),
        ("inner words", "The rules"),
    ]
    assert [(one.title, document.text[one.start :][:8]) for one in document.outline] == [
        ("notes.txt", "text wor"),
        ("The rules", "Subject:"),
    ]
    assert document.flags == (Flag(None, "attachments were not read: Bericht – ü.pdf"),)


@pytest.mark.parametrize(
    "kind",
    [
        b"multipart/mixed",
        b"multipart/alternative",
        b"multipart/mixed; boundary=never",
        b'multipart/related; boundary=""',
    ],
)
def test_a_multipart_without_its_boundary_is_read_as_it_was_sent(kind: bytes) -> None:
    """Its body is text of the mail all the same, with a flag."""
    document = read(b"Subject: S\nContent-Type: " + kind + b"\n\nFirst line.\n--x\nLast line.\n")
    assert document.text == "Subject: S\n\nFirst line.\n--x\nLast line."
    assert document.flags == (
        Flag(None, "the parts of a message cannot be told apart: it stands as it was sent"),
    )


@pytest.mark.parametrize("kind", ["text/markdown", "text/x-markdown", "text/enriched"])
def test_an_alternative_that_holds_no_known_form_is_read_as_text(kind: str) -> None:
    """The last of several texts is the one that is read; a calendar is none."""
    source = (
        "Subject: S\nContent-Type: multipart/alternative; boundary=b\n\n"
        f"--b\nContent-Type: {kind}\n\nThe body.\n--b\nContent-Type: text/calendar\n\nBEGIN:VCALENDAR\n--b--\n"
    )
    document = read(source.encode())
    assert document.text == "Subject: S\nAttachments: a part of type text/calendar\n\nThe body."
    assert document.flags == (Flag(None, "attachments were not read: a part of type text/calendar"),)


def test_an_alternative_of_what_is_not_read_is_flagged() -> None:
    """Nothing of it is lost in silence."""
    source = (
        b"Subject: S\nContent-Type: multipart/alternative; boundary=b\n\n"
        b"--b\nContent-Type: application/x-note\n\nwords\n--b--\n"
    )
    assert read(source).flags == (Flag(None, "attachments were not read: a part of type application/x-note"),)


def test_a_part_that_cannot_be_read_loses_no_other() -> None:
    """HTML that is nested too deep is told of, and the rest is read."""
    source = (
        b"Subject: S\nContent-Type: multipart/mixed; boundary=b\n\n"
        b"--b\nContent-Type: text/html\n\n" + b"<div>" * 2_000 + b"x\n--b\n\nThe rest.\n--b--\n"
    )
    document = read(source)
    assert document.text == "Subject: S\n\nThe rest."
    assert document.flags == (Flag(None, "message could not be read"),)


def test_a_subject_in_capitals_stays_whole() -> None:
    """`NICS: NOTES` is no `NOTES`."""
    assert read(b"From: a@example.org\nSubject: NICS: NOTES\n\nx").title == "NICS: NOTES"


@pytest.mark.parametrize(
    ("head", "part", "url"),
    [
        ("Snapshot-Content-Location: https://example.org/a", "cid:x", "https://example.org/a"),
        ("Snapshot-Content-Location: https://example.org/\n long/path", "", "https://example.org/long/path"),
        ("X: y", "https://example.org/b", "https://example.org/b"),
        ("Content-Location: https://example.org/c", "page.html", "https://example.org/c"),
        ("Content-Location: file:///C:/page.html", "", "https://example.org/canonical"),
    ],
)
def test_the_address_of_a_saved_page(head: str, part: str, url: str) -> None:
    """What the browser noted of the file or of the page in it, else what the page says; nothing but http and https."""
    source = (
        f"{head}\nContent-Type: multipart/related; boundary=b\n\n--b\nContent-Type: text/html\n"
        f"Content-Location: {part}\n\n<link rel=canonical href=https://example.org/canonical><p>x\n--b--\n"
    )
    document = WebArchiveReader().read(source.encode(), name="page.mhtml", limits=DEFAULT)
    assert document.url == url


@pytest.mark.parametrize(
    ("head", "body", "text"),
    [
        (b"Content-Type: text/plain; charset=iso-8859-1", b"caf\xe9", "café"),
        (b"Content-Type: text/plain; charset=koi8-r", b"\xd7\xcf\xd4", "вот"),
        (b"Content-Type: text/plain; charset=nonsense", b"caf\xc3\xa9", "café"),
        (b"Content-Transfer-Encoding: base64", b"Y2Fmw6k", "café"),
        (b"Content-Transfer-Encoding: quoted-printable", b"caf=C3=A9 a=\r\nb", "café ab"),
        (b"Content-Type: text/plain; format=flowed", b"one \ntwo\n-- \nname", "one two\n-- \nname"),
        (b"", b"caf\xc3\xa9", "café"),
    ],
)
def test_encodings(head: bytes, body: bytes, text: str) -> None:
    """Bytes are read as the message says, and by their own look where it does not say or is wrong."""
    assert read(b"Subject: x\r\n" + head + b"\r\n\r\n" + body).text == f"Subject: x\n\n{text}"


@pytest.mark.parametrize(
    ("subject", "shown"),
    [
        (b"=?utf-8?B?w6Ri?= =?utf-8?Q?_c?=", "äb c"),
        (b"=?iso-8859-1?Q?caf=E9?=\r\n more", "café more"),
        (b"=?nonsense?Q?caf=C3=A9?=", "café"),
        (b"=?utf-8?B?###?= x", None),
        (b"caf\xc3\xa9 \xe2\x80\xae", "café"),
    ],
)
def test_encoded_names(subject: bytes, shown: str | None) -> None:
    """Encoded words are read (RFC 2047), marks that turn text around are not shown, rubbish is no error."""
    document = read(b"From: a@example.org\r\nSubject: " + subject + b"\r\n\r\nwords")
    assert document.title == shown or (shown is None and document.title)


def test_mbox() -> None:
    """Each message of an mbox is a section under its subject; a line that only looks like a beginning is text."""
    data = (
        b"From a@b Tue Mar  3 10:00:00 2026\nSubject: One\n\nHi\n>From here on\n\n"
        b"From c@d Tue Mar  3 11:00:00 2026\nSubject: Two\n\nHo\n"
    )
    document = read(data, "box.mbox")
    assert document.text == "Subject: One\n\nHi\nFrom here on\n\nSubject: Two\n\nHo"
    assert [one.title for one in document.outline] == ["One", "Two"]
    assert document.title == "box"


def test_encrypted() -> None:
    """A message of which nothing can be read says so."""
    data = b"Subject: x\nContent-Type: multipart/encrypted; boundary=b\n\n--b\n\nVersion: 1\n--b--\n"
    with pytest.raises(EncryptedError, match=r"budget\.eml"):
        read(data)


def nested(depth: int) -> bytes:
    """Return a message of parts inside one another."""
    head = b"".join(
        b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (level, level) for level in range(depth)
    )
    return b"Subject: deep\n" + head + b"\nwords"


@pytest.mark.parametrize(
    "data",
    [
        nested(5_000),
        b"Subject: x\nContent-Type: multipart/mixed; boundary=b\n\n" + b"--b\n\nx\n" * 20_000,
        b"Subject: x\nContent-Type: multipart/mixed; boundary=\n\nwords",
        b"Subject: x\nContent-Type: text/plain; " + b';"' * 100_000 + b"\n\nwords",
        b"Subject: " + b"=?utf-8?Q?a?= " * 50_000 + b"\n\nwords",
        b"Subject: x\n" + b" y\n" * 100_000 + b"\nwords",
        b"To: " + b"(" * 100_000 + b"\nSubject: x\n\nwords",
        b"From: " + b"<" * 100_000 + b"\nSubject: x\n\nwords",
        b"Subject: x\nDate: " + b"9" * 5_000 + b"\n\nwords",
        b"Subject: x\nContent-Transfer-Encoding: base64\n\n" + b"=" * 100_000 + b"d29yZHM=",
    ],
)
def test_hostile(data: bytes) -> None:
    """Depth, numbers of parts and long headers are bounded; what can be read is."""
    assert read(data).text.startswith(("Subject: ", "To: ", "From: "))


@pytest.mark.parametrize("data", [b"", b"no mail at all", b"\n\n\n", b"a: b\n\ntext"])
def test_no_mail(data: bytes) -> None:
    """A file without a header of mail is none."""
    with pytest.raises(DamagedError, match=r"budget\.eml"):
        read(data)


ARCHIVE = (
    b"From: <Saved by Blink>\r\nSnapshot-Content-Location: https://example.org/a\r\nMIME-Version: 1.0\r\n"
    b'Content-Type: multipart/related;\r\n\ttype="text/html";\r\n\tboundary="----Boundary--x----"\r\n\r\n\r\n'
    b"------Boundary--x----\r\nContent-Type: text/css\r\n\r\np {}\r\n"
    b"------Boundary--x----\r\nContent-Type: text/html\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n"
    b"<title>The page</title><h1>Caf=C3=A9</h1><p>long=\r\n line</p>\r\n------Boundary--x------\r\n"
)


def test_saved_page() -> None:
    """A page that a browser saved as one file reads as the page."""
    document = WebArchiveReader().read(ARCHIVE, name="page.mhtml", limits=DEFAULT)
    assert (document.text, document.title) == ("Café\n\nlong line", "Café")
    assert (document.media_type, document.reader) == ("multipart/related", "mhtml/1")
    with pytest.raises(DamagedError, match=r"page\.mht"):
        WebArchiveReader().read(message().as_bytes(), name="page.mht", limits=DEFAULT)


@given(st.binary(max_size=200), st.sampled_from(["a.eml", "a.mbox"]))
def test_anything(tail: bytes, name: str) -> None:
    """Any bytes behind a head give a document or a typed error."""
    head = b"Subject: x\nContent-Type: multipart/mixed; boundary=b\n\n--b\n"
    try:
        document = read(head + tail, name)
    except ReadingError:
        return
    assert document.text.startswith("Subject: x")
