"""Who may use the server, and what every answer carries."""

import pytest
from starlette.testclient import TestClient

from tests.serve.serving import HOME, application

TOKEN = "a-token-of-some-length"  # noqa: S105
FRIEND = "https://friend.example"


def client_of(**access) -> TestClient:
    return TestClient(application(**access), base_url=HOME)


@pytest.mark.parametrize(
    "host", ["127.0.0.1:8000", "localhost:8000", "[::1]:8000", "LOCALHOST:8000"]
)
def test_names_of_this_machine_are_accepted(client, host):
    assert client.get("/v1/models", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host", ["evil.example:8000", "127.0.0.1", "127.0.0.1:80", "127.0.0.1.evil.example:8000", ""]
)
@pytest.mark.parametrize("path", ["/", "/v1/models", "/healthz", "/metrics", "/static/page.js"])
def test_another_host_name_is_rejected(client, host, path):
    answer = client.get(path, headers={"Host": host})
    assert answer.status_code == 403
    assert "another host name" in answer.json()["error"]


@pytest.mark.parametrize("origin", ["null", "http://evil.example", "http://127.0.0.1:1", FRIEND])
def test_another_origin_is_rejected(client, origin):
    for method, path in (("POST", "/v1/align"), ("GET", "/v1/models"), ("GET", "/metrics")):
        answer = client.request(method, path, headers={"Origin": origin})
        assert answer.status_code == 403
        assert "another origin" in answer.json()["error"]
        assert "access-control-allow-origin" not in answer.headers


def test_the_own_origin_and_programs_are_accepted(client):
    assert client.get("/v1/models", headers={"Origin": HOME}).status_code == 200
    assert client.get("/v1/models").status_code == 200


def test_other_sites_cannot_embed_an_answer_but_may_link_to_the_page(client):
    cross = {"Sec-Fetch-Site": "cross-site"}
    assert client.get("/v1/models", headers=cross).status_code == 403
    assert client.get("/", headers=cross).status_code == 200
    assert client.get("/", headers=cross).headers["Cross-Origin-Resource-Policy"] == "same-origin"


def test_every_answer_has_security_headers(client):
    for path in ("/", "/docs", "/v1/models", "/static/page.js", "/nothing", "/healthz"):
        headers = client.get(path).headers
        policy = headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self';" in policy
        assert "connect-src 'self';" in policy
        assert "unsafe" not in policy
        assert "http" not in policy
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["X-Frame-Options"] == "DENY"
        assert headers["Cache-Control"] == "no-store"
        assert headers["Referrer-Policy"] == "no-referrer"
        assert "access-control-allow-origin" not in headers


def test_with_a_token_all_but_the_pages_files_needs_it():
    client = client_of(token=TOKEN)
    for path in ("/", "/docs", "/openapi.json", "/static/page.js", "/healthz"):
        assert client.get(path).status_code == 200
    for path in ("/v1/models", "/metrics"):
        answer = client.get(path)
        assert answer.status_code == 401
        assert answer.headers["WWW-Authenticate"] == "Bearer"
        assert client.get(path, headers={"Authorization": f"Bearer {TOKEN}"}).status_code == 200
    for wrong in (f"Bearer {TOKEN}x", f"Basic {TOKEN}", "Bearer", TOKEN, "Bearer é"):
        sent = {"Authorization": wrong.encode()}
        assert client.get("/v1/models", headers=sent).status_code == 401


def test_with_a_token_the_host_may_have_any_name_but_another_origin_is_rejected():
    client = client_of(token=TOKEN)
    own = {"Authorization": f"Bearer {TOKEN}", "Host": "ists.example"}
    assert client.get("/v1/models", headers=own).status_code == 200
    assert (
        client.get("/v1/models", headers={**own, "Origin": "https://ists.example"}).status_code
        == 200
    )
    assert client.get("/v1/models", headers={**own, "Origin": FRIEND}).status_code == 403


def test_an_allowed_origin_gets_cors_headers():
    client = client_of(origins=(FRIEND,))
    answer = client.get("/v1/models", headers={"Origin": FRIEND, "Sec-Fetch-Site": "cross-site"})
    assert answer.status_code == 200
    assert answer.headers["Access-Control-Allow-Origin"] == FRIEND
    assert answer.headers["Vary"] == "Origin"
    asked = {"Origin": FRIEND, "Access-Control-Request-Method": "POST"}
    preflight = client.options("/v1/align", headers=asked)
    assert preflight.status_code == 204
    assert "content-type" in preflight.headers["Access-Control-Allow-Headers"]
    other = client.options("/v1/align", headers={**asked, "Origin": "https://evil.example"})
    assert other.status_code == 403
    assert "access-control-allow-origin" not in other.headers


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--host", "0.0.0.0"), "set --token or ISTS_TOKEN"),  # noqa: S104
        (("--token", "short"), "at least 16 characters"),
        (("--allow-origin", "*"), "expected an origin such as"),
        (("--allow-origin", "https://a.example/path"), "expected an origin such as"),
        (("--queue", "0"), "0 is not in the range"),
    ],
)
def test_unsafe_options_are_usage_errors(ists, monkeypatch, arguments, reason):
    monkeypatch.delenv("ISTS_TOKEN", raising=False)
    outcome = ists("serve", *arguments)
    assert outcome.code == 2
    assert reason in outcome.err


def test_a_model_that_does_not_exist_is_one_clear_line(ists):
    outcome = ists("serve", "--port", "0", "--model", "nonsense")
    assert outcome.code == 1
    assert outcome.err.startswith("no model 'nonsense'")
