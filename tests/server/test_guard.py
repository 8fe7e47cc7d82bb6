"""What stands in front of the routes: sizes, numbers, deadlines, headers, and what is not told."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest
from starlette.requests import Request

from pincite.core.errors import StoreError
from pincite.core.limits import Limits
from pincite.server import LOCAL, operating
from pincite.server.peers import believed, peer_of

if TYPE_CHECKING:
    from server_parts import Served


def _slow(_: object) -> int:
    """Take longer than anybody waits."""
    time.sleep(1.0)
    return 0


class TestSizes:
    """What is too large is refused before a route sees it."""

    @pytest.fixture
    def limits(self) -> Limits:
        """Small ones."""
        return Limits(request_bytes=1_000, upload_bytes=2_000, file_bytes=500)

    def test_a_body_whose_length_says_too_much_is_413(self, served: Served) -> None:
        """A body whose length says too much is 413."""
        reply = served.client.post(
            "/api/manage/search", json={"query": "a" * 1_100}, headers=served.key("manage")
        )
        assert reply.status_code == 413
        assert reply.json()["error"]["code"] == "too_large"

    def test_a_body_that_says_no_length_and_does_not_end_is_413(self, served: Served) -> None:
        """A body that says no length and does not end is 413."""

        def pieces() -> Any:
            for _ in range(100):
                yield b"a" * 100

        reply = served.client.post("/api/manage/search", content=pieces(), headers=served.key("manage"))
        assert reply.status_code == 413

    def test_a_file_over_its_limit_is_413_and_leaves_nothing(self, served: Served) -> None:
        """A file over its limit is 413 and leaves nothing."""
        headers = served.key("manage")
        collection = served.collection(headers)
        reply = served.upload(headers, collection, "long.txt", b"words " * 100)
        assert reply.status_code == 413
        assert served.client.get("/api/manage/jobs", headers=headers).json()["jobs"] == []
        files = served.service.home / "files"
        assert [path for path in files.rglob("*") if path.is_file()] == []


class TestNumbers:
    """Who asks too often waits."""

    @pytest.fixture
    def limits(self) -> Limits:
        """Few requests."""
        return Limits(key_requests=5, visitor_requests=3, session_requests=4)

    def test_a_key_has_so_many_requests_a_minute_and_another_key_its_own(self, served: Served) -> None:
        """A key has so many requests a minute and another key its own."""
        one, other = served.key("read"), served.key("read")
        statuses = [served.client.get("/api/manage/agents", headers=one).status_code for _ in range(7)]
        assert statuses == [200] * 5 + [429] * 2
        reply = served.client.get("/api/manage/agents", headers=one)
        assert int(reply.headers["retry-after"]) > 0
        assert served.client.get("/api/manage/agents", headers=other).status_code == 200

    def test_an_address_begins_so_many_sessions(self, served: Served) -> None:
        """An address begins so many sessions."""
        key = served.embed()
        statuses = [served.client.post("/embed/v1/session", json={"key": key}).status_code for _ in range(6)]
        assert statuses == [200] * 4 + [429] * 2


class TestTime:
    """An answer that does not begin is given up."""

    @pytest.fixture
    def limits(self) -> Limits:
        """Little time."""
        return Limits(request_seconds=0.2)

    def test_a_request_that_takes_too_long_is_503(
        self, served: Served, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A request that takes too long is 503."""
        monkeypatch.setattr(type(served.service.root), "head", _slow)
        reply = served.client.get("/readyz")
        assert reply.status_code == 503
        assert "given up" in reply.json()["error"]["message"]


def test_a_lost_database_is_said_and_is_no_crash(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """A lost database is said and is no crash."""
    headers = served.key("read")

    def lost(_: object) -> int:
        msg = "The library's database does not answer; check its address and try again."
        raise StoreError(msg)

    monkeypatch.setattr(type(served.service.root), "head", lost)
    monkeypatch.setattr(type(served.service.root), "collections", lost)
    reply = served.client.get("/readyz")
    assert (reply.status_code, reply.json()["parts"]["database"]) == (503, "failed")
    busy = served.client.get("/api/manage/collections", headers=headers)
    assert busy.status_code == 503
    assert int(busy.headers["retry-after"]) > 0


def test_a_failure_of_ours_tells_nothing_of_itself(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """A failure of ours tells nothing of itself."""

    def crash(_: object) -> int:
        msg = "/secret/path and a text"
        raise RuntimeError(msg)

    headers = served.key("read")
    monkeypatch.setattr(type(served.service.root), "collections", crash)
    reply = served.client.get("/api/manage/collections", headers=headers)
    assert reply.status_code == 500
    assert reply.json()["error"]["code"] == "failed"
    assert "secret" not in reply.text


def test_every_answer_has_a_request_id_and_safe_headers(served: Served) -> None:
    """Every answer has a request id and safe headers."""
    reply = served.client.get("/healthz", headers={"X-Request-Id": "from-a-proxy.1"})
    assert reply.headers["x-request-id"] == "from-a-proxy.1"
    odd = served.client.get("/nowhere", headers={"X-Request-Id": "a b\tc"})
    assert odd.headers["x-request-id"] != "a b\tc"
    for one in (reply, odd):
        assert one.headers["x-content-type-options"] == "nosniff"
        assert one.headers["content-security-policy"].startswith("default-src 'none'")
        assert one.headers["cache-control"] == "no-store"
    assert odd.json() == {"error": {"code": "not_found", "message": "Not Found.", "field": None}}


def test_pages_of_other_sites_may_ask_for_citations_and_for_nothing_else(served: Served) -> None:
    """Pages of other sites may ask for citations and for nothing else."""
    asked = {"Origin": "https://www.example.org", "Access-Control-Request-Method": "GET"}
    path = "/api/manage/citations/00000000-0000-4000-8000-000000000000/preview"
    allowed = served.client.options(path, headers=asked)
    assert (allowed.status_code, allowed.headers["access-control-allow-origin"]) == (204, "*")
    for path in ("/api/manage/collections", "/api/manage/search", "/api/manage/keys"):
        assert "access-control-allow-origin" not in served.client.options(path, headers=asked).headers


def test_a_site_that_the_embed_does_not_name_is_refused(served: Served) -> None:
    """A site that the embed does not name is refused."""
    key = served.embed(allowed_origins=["https://www.example.org"])
    good, bad = {"Origin": "https://www.example.org"}, {"Origin": "https://evil.example"}
    assert served.client.post("/embed/v1/session", json={"key": key}, headers=bad).status_code == 403
    visitor = served.visitor(key, **good)
    path = "/api/conversations"
    assert served.client.get(path, headers={**visitor, **good}).status_code == 200
    assert served.client.get(path, headers={**visitor, **bad}).status_code == 403
    config = served.client.get("/embed/v1/config", headers={"Authorization": f"Bearer {key}", **good})
    assert list(config.json()) == ["name", "greeting", "theme", "highlight", "previews"]


def test_figures_name_routes_and_nothing_that_was_asked_for(served: Served) -> None:
    """Figures name routes and nothing that was asked for."""
    headers = served.key("manage")
    served.client.get("/api/manage/documents/a-secret-name", headers=headers)
    served.client.get("/a-secret-path", headers=headers)
    text = served.client.get("/metrics", headers=headers).text
    assert 'route="/api/manage/documents/{document_id}"' in text
    assert "secret" not in text


def test_the_log_has_no_question_and_no_key(served: Served, capsys: pytest.CaptureFixture[str]) -> None:
    """The log has no question and no key."""
    headers = served.key("manage")
    served.client.post("/api/manage/search", json={"query": "a very private question"}, headers=headers)
    said = "".join(capsys.readouterr())
    assert "private" not in said
    assert headers["Authorization"][-20:] not in said


def test_a_first_key_is_made_once_and_only_its_owner_reads_it(served: Served) -> None:
    """A first key is made once and only its owner reads it."""
    from pincite.server import first_key

    path = first_key(served.service, LOCAL)
    assert path is not None
    assert path.stat().st_mode & 0o777 == 0o600
    key = path.read_text(encoding="ascii").strip()
    assert key.startswith("pck_")
    reply = served.client.get("/api/manage/keys", headers={"Authorization": f"Bearer {key}"})
    assert [one["name"] for one in reply.json()["keys"]] == ["first key"]
    assert key not in reply.text
    assert first_key(served.service, LOCAL) is None


def test_the_health_of_the_server_is_told_to_everybody(served: Served) -> None:
    """The health of the server is told to everybody."""
    assert served.client.get("/healthz").json()["status"] == "ok"
    assert served.client.get("/readyz").json() == {
        "status": "ready",
        "parts": {"database": "ok", "files": "ok"},
    }
    assert operating.Health().version


class TestCrowds:
    """Many at a time are told to come again, and nobody is kept from knowing that the server lives."""

    @pytest.fixture
    def limits(self) -> Limits:
        """One search at a time, and one that waits."""
        return Limits(searches_at_once=1, searches_waiting=1, request_seconds=4.0)

    def test_searches_wait_for_their_turn_and_a_crowd_is_told_to_come_again(self, served: Served) -> None:
        """One works, one waits; the third is told so at once, and nobody is lost."""
        headers = served.key("search")
        with served.service.turns.one(), ThreadPoolExecutor(3) as threads:
            asked = [
                threads.submit(served.client.post, "/api/manage/search", json={"query": "a"}, headers=headers)
                for _ in range(3)
            ]
            statuses = sorted(one.result().status_code for one in asked)
        assert statuses == [429, 429, 429]
        assert (
            served.client.post("/api/manage/search", json={"query": "a"}, headers=headers).status_code == 200
        )


def test_what_a_request_says_of_its_type_makes_it_no_upload(served: Served) -> None:
    """The route decides how large a body may be: a form that is sent elsewhere is no larger than another body."""
    data = b"a" * (served.service.limits.request_bytes + 1)
    kind = {"Content-Type": "multipart/form-data; boundary=x"}
    assert served.client.post("/embed/v1/session", content=data, headers=kind).status_code == 413


def test_half_a_character_in_a_setting_is_mended_and_breaks_no_list(served: Served) -> None:
    """Half a character in a theme would be stored, and every list of embeds would fail from then on."""
    headers = {**served.key("manage"), "Content-Type": "application/json"}
    agent = served.client.post("/api/manage/agents", content=b'{"name": "a"}', headers=headers).json()[
        "agent_id"
    ]
    body = b'{"name": "a", "theme": {"a\\ud800": "\\udfff"}}'
    made = served.client.post(f"/api/manage/agents/{agent}/embeds", content=body, headers=headers)
    assert made.status_code == 201
    assert served.client.get(f"/api/manage/agents/{agent}/embeds", headers=headers).status_code == 200


def test_a_failure_has_a_request_id_a_line_and_a_figure(
    served: Served, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A failure of ours carries what every answer carries, is counted, and is in the log with its place."""

    def crash(_: object) -> int:
        msg = "a text that nobody should read"
        raise RuntimeError(msg)

    headers = served.key("manage")
    monkeypatch.setattr(type(served.service.root), "collections", crash)
    reply = served.client.get("/api/manage/collections", headers=headers)
    assert (reply.status_code, reply.headers["x-content-type-options"]) == (500, "nosniff")
    assert reply.headers["x-request-id"]
    said = "".join(capsys.readouterr())
    assert "RuntimeError" in said
    assert "nobody should read" not in said
    assert 'status="500"' in served.client.get("/metrics", headers=headers).text


def test_a_method_that_nobody_knows_makes_no_new_figure(served: Served) -> None:
    """A method that somebody made up is counted as another one."""
    served.client.request("EVIL1", "/healthz")
    assert "EVIL1" not in served.client.get("/metrics", headers=served.key("manage")).text


# The part that did not end leaves its temporary file to be closed when it is forgotten.
@pytest.mark.filterwarnings(
    "ignore::pytest.PytestUnraisableExceptionWarning", "ignore:Unclosed:ResourceWarning"
)
def test_a_form_that_is_cut_off_is_refused(served: Served) -> None:
    """A form whose last boundary is missing has lost a part: it is not taken for what did arrive."""
    headers = served.key("manage")
    collection = served.collection(headers)
    part = b'--x\r\nContent-Disposition: form-data; name="files"; filename="%s"\r\n\r\nSome words.\r\n'
    reply = served.client.post(
        f"/api/manage/collections/{collection}/documents",
        content=part % b"a.txt" + part % b"b.txt",
        headers={**headers, "Content-Type": "multipart/form-data; boundary=x"},
    )
    assert (reply.status_code, reply.json()["error"]["code"]) == (400, "bad_request")
    assert served.client.get("/api/manage/jobs", headers=headers).json()["jobs"] == []


def test_an_address_with_a_slash_behind_it_leads_nowhere_else(served: Served) -> None:
    """No redirect is made of the name of a host that a request says."""
    reply = served.client.get(
        "/api/manage/collections/",
        headers={**served.key("read"), "Host": "evil.example"},
        follow_redirects=False,
    )
    assert reply.status_code in (404, 405)


@pytest.mark.parametrize(
    ("client", "said", "peer"),
    [
        ("10.0.0.1", "203.0.113.7", "203.0.113.7"),
        ("10.0.0.1", "198.51.100.1, 203.0.113.7, 10.0.0.2", "203.0.113.7"),
        ("203.0.113.9", "198.51.100.1", "203.0.113.9"),
        ("10.0.0.1", "", "10.0.0.1"),
        ("10.0.0.1", "nonsense", "nonsense"),
        ("testclient", "198.51.100.1", "testclient"),
    ],
)
def test_only_believed_proxies_say_whom_they_ask_for(client: str, said: str, peer: str) -> None:
    """Only believed proxies say whom they ask for, and of a chain the last address that is none of them counts."""
    headers = [(b"x-forwarded-for", said.encode())] if said else []
    request = Request({"type": "http", "client": (client, 1), "headers": headers})
    assert peer_of(request, believed("10.0.0.0/8")) == peer
