"""What the server answers, and above all what it rejects."""

import json
import re
import socket
from contextlib import closing
from importlib.resources import files
from threading import Thread

import pytest

pytest.importorskip("starlette", reason="the page's packages are not installed")

from starlette.testclient import TestClient

from ists.annotate.app import Work, application, pages
from ists.annotate.guard import MAX_BODY
from ists.annotate.server import Server, listen
from ists.annotate.source import two_files
from ists.annotate.suggestions import Suggester, uncertain_first
from ists.annotate.workbook import Workbook
from ists.errors import IstsError, ModelError
from ists.pairs import Alignment, Chunk, Evidence, Relation, Sentence, SentencePair
from tests.samples import CAT_PAIR, CAT_WA

PORT = 8765
HOME = f"http://127.0.0.1:{PORT}"
TOKEN = "the-token"  # noqa: S105
CUT = {"do": "cut", "side": 1, "before": 4, "version": 0}


@pytest.fixture
def book(tmp_path):
    one, two = tmp_path / "s1.txt", tmp_path / "s2.txt"
    one.write_text("A tabby cat sleeps .\nSnow closes roads\n")
    two.write_text("A cat is sleeping .\nRoads are closed\n")
    with closing(Workbook.open(tmp_path / "gold.wa", two_files(one, two))) as opened:
        yield opened


def client_of(book, suggester=None) -> TestClient:
    return TestClient(application(Work(book, suggester), TOKEN, PORT), base_url=HOME)


@pytest.fixture
def client(book) -> TestClient:
    return client_of(book)


def post(client, place, record, **headers):
    headers = {"Origin": HOME, "Content-Type": "application/json", **headers}
    sent = {name.replace("_", "-"): value for name, value in headers.items() if value is not None}
    return client.post(f"/{TOKEN}/pairs/{place}", content=json.dumps(record), headers=sent)


def test_the_page_and_its_files_are_there(client):
    page = client.get(f"/{TOKEN}/")
    assert page.status_code == 200
    assert "gold.wa" in page.text
    assert "<script>" not in page.text
    assert " style=" not in page.text
    assert " onclick=" not in page.text
    styles = re.findall(r'"(static/[^"]*\.css)"', page.text)
    assert styles == ["static/colours.css", "static/page.css", "static/relations.css"]
    for style in styles:
        assert client.get(f"/{TOKEN}/{style}").headers["Content-Type"].startswith("text/css")
    for file in files("ists.annotate").joinpath("static").iterdir():
        answer = client.get(f"/{TOKEN}/static/{file.name}")
        assert answer.content == file.read_bytes()
        assert not re.search(
            r"innerHTML|outerHTML|insertAdjacent|eval\(|https?://(?!www.w3)", answer.text
        )


def test_every_answer_carries_the_headers_of_a_careful_server(client):
    for path in (f"/{TOKEN}/", f"/{TOKEN}/pairs", f"/{TOKEN}/static/page.js", "/", "/wrong/"):
        headers = client.get(path).headers
        policy = headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self';" in policy
        assert "unsafe" not in policy
        assert "http" not in policy
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "no-referrer"
        assert headers["Cache-Control"] == "no-store"
        assert headers["X-Frame-Options"] == "DENY"
        assert "server" not in headers
        assert "access-control-allow-origin" not in headers


@pytest.mark.parametrize(
    "path",
    ["/", "/pairs", "/static/page.js", f"/{TOKEN}", f"/{TOKEN}x/", "/the-toke/pairs", "//", "/é/"],
)
def test_without_the_token_nothing_is_answered(client, path):
    answer = client.get(path)
    assert answer.status_code == 403
    assert "no token" in answer.text


@pytest.mark.parametrize(
    "host", ["localhost:8765", "127.0.0.1", "127.0.0.1:80", "evil.example:8765", "[::1]:8765", ""]
)
def test_another_host_name_is_rejected(client, host):
    answer = client.get(f"/{TOKEN}/", headers={"Host": host})
    assert (answer.status_code, answer.text) == (403, "rejected: another host name\n")


@pytest.mark.parametrize(
    "origin",
    [
        "null",
        "http://evil.example",
        "http://localhost:8765",
        "http://127.0.0.1:1",
        "https" + HOME[4:],
    ],
)
def test_another_origin_is_rejected(client, book, origin):
    assert client.get(f"/{TOKEN}/pairs", headers={"Origin": origin}).status_code == 403
    assert post(client, 0, CUT, Origin=origin).status_code == 403
    assert book[0].version == 0


def test_a_change_needs_an_origin_and_json(client, book):
    assert post(client, 0, CUT, Origin=None).status_code == 403
    assert post(client, 0, CUT, Content_Type="text/plain").status_code == 415
    assert post(client, 0, CUT, Sec_Fetch_Site="cross-site").status_code == 403
    assert book[0].version == 0


def test_other_methods_are_rejected(client):
    headers = {"Origin": HOME, "Content-Type": "application/json"}
    for method in ("PUT", "DELETE", "PATCH", "OPTIONS"):
        answer = client.request(method, f"/{TOKEN}/pairs/0", headers=headers)
        assert answer.status_code == 405


def test_more_than_a_megabyte_is_rejected(client, book):
    note = {"do": "note", "text": "x" * MAX_BODY, "version": 0}
    assert post(client, 0, note).status_code == 413
    assert book[0].note == ""
    headers = {"Origin": HOME, "Content-Type": "application/json"}

    def in_pieces():
        for _ in range(17):
            yield b" " * (1 << 16)

    answer = client.post(f"/{TOKEN}/pairs/0", content=in_pieces(), headers=headers)
    assert answer.status_code == 413
    assert client.request("GET", f"/{TOKEN}/pairs", content=in_pieces()).status_code == 413


@pytest.mark.parametrize(
    "name", ["../app.py", "..%2Fapp.py", "%2e%2e/app.py", "/etc/passwd", "page.html", "nope.js"]
)
def test_only_known_files_are_served(client, name):
    assert client.get(f"/{TOKEN}/static/{name}").status_code == 404


def test_a_pair_is_shown_as_it_is(client):
    view = client.get(f"/{TOKEN}/pairs/0").json()
    assert view["sentences"][0]["words"] == ["A", "tabby", "cat", "sleeps", "."]
    assert view["sentences"][1] is None
    assert view["step"] == "chunks1"
    first, second = client.get(f"/{TOKEN}/pairs").json()
    assert first == {
        "id": "1",
        "state": "new",
        "version": 0,
        "note": False,
        "text": ["A tabby cat sleeps ."],
    }
    assert second["text"] == ["Snow closes roads"], "the other sentence is hidden here as well"


def test_nothing_of_the_hidden_sentence_is_sent(client):
    assert "sleeping" not in client.get(f"/{TOKEN}/pairs/0").text
    answer = post(client, 0, {"do": "advance", "version": 0})
    assert "tabby" not in answer.text
    assert "sleeping" in answer.text


def test_actions_undo_redo_and_notes(client, book):
    assert post(client, 0, CUT).json()["sentences"][0]["starts"] == [1, 4]
    assert post(client, 0, {"do": "undo", "version": 1}).json()["redo"] is True
    assert post(client, 0, {"do": "redo", "version": 2}).json()["undo"] is True
    view = post(client, 0, {"do": "note", "text": "odd: \ud800", "version": 3}).json()
    assert view["note"] == "odd: \ud800"
    assert (view["version"], view["state"]) == (4, "begun")
    assert client.get(f"/{TOKEN}/pairs").json()[0]["state"] == "begun"
    assert book[0].draft.starts[0] == (1, 4)


def test_an_old_version_is_a_conflict_and_the_new_one_comes_with_it(client, book):
    post(client, 0, CUT)
    answer = post(client, 0, {"do": "cut", "side": 1, "before": 2, "version": 0})
    assert answer.status_code == 409
    assert answer.json()["view"]["version"] == 1
    assert book[0].draft.starts[0] == (1, 4)


def test_what_the_guidelines_forbid_is_said_in_words(client):
    answer = post(client, 0, {"do": "return", "step": "links", "version": 0})
    assert answer.json()["error"] == "finish the steps before it first"
    assert answer.json()["view"]["step"] == "chunks1"


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b'{"do": "cut"}',
        b'{"version": "0", "do": "advance"}',
        b'{"version": true, "do": "advance"}',
        b'{"version": 0}',
        b'{"version": 0, "do": "note", "text": 5}',
        b'{"version": 0, "do": "cut", "side": 1, "before": 1e99}',
        b"\xff\xfe",
        b"[" * 100_000,
    ],
)
def test_what_is_no_action_is_not_understood(client, book, body):
    headers = {"Origin": HOME, "Content-Type": "application/json"}
    answer = client.post(f"/{TOKEN}/pairs/0", content=body, headers=headers)
    assert answer.status_code == 400
    assert "invalid request" in answer.json()["error"]
    assert book[0].version == 0


@pytest.mark.parametrize("place", ["2", "99999999999999999999"])
def test_there_is_no_such_pair(client, place):
    assert client.get(f"/{TOKEN}/pairs/{place}").status_code == 404
    assert post(client, place, CUT).status_code == 404
    assert client.get(f"/{TOKEN}/pairs/{place}/suggestions").status_code == 404


@pytest.mark.parametrize("place", ["-1", "x", "1.5", "gold.wa"])
def test_pairs_have_numbers_and_no_names(client, place):
    assert client.get(f"/{TOKEN}/pairs/{place}").status_code == 404


def test_a_disk_that_is_full_is_said_and_nothing_is_changed(client, book, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("ists.annotate.journal.os.fsync", full)
    answer = post(client, 0, CUT)
    assert answer.status_code == 500
    assert "not saved: " in answer.json()["error"]
    assert "No space left" in answer.json()["error"]
    assert answer.json()["view"]["version"] == 0


def cat_model(sentence1, sentence2) -> SentencePair:
    """Stands for an aligner: its chunks are ours, its links are weak and strong."""
    noun = Alignment(
        Chunk((1, 2, 3)),
        Chunk((1, 2)),
        Relation.SPE1,
        4.4,
        evidence=Evidence(0.9, 0.8, ("a kind of",)),
    )
    verb = Alignment(Chunk((4,)), Chunk((3, 4)), Relation.EQUI, 5.0, evidence=Evidence(0.7, 0.9))
    rest = (
        Alignment(Chunk((5,)), None, Relation.NOALI),
        Alignment(None, Chunk((5,)), Relation.ALIC),
    )
    return SentencePair("1", Sentence(), Sentence(), (noun, verb, *rest))


def test_suggestions_follow_the_step_and_come_strongest_first(book):
    client = client_of(book, Suggester(cat_model))
    path = f"/{TOKEN}/pairs/0/suggestions"
    assert client.get(path).json() == {"starts": [1, 4, 5]}
    post(client, 0, {"do": "recut", "side": 1, "starts": [1, 4, 5], "version": 0})
    post(client, 0, {"do": "advance", "version": 1})
    assert client.get(path).json() == {"starts": [1, 3, 5]}
    post(client, 0, {"do": "recut", "side": 2, "starts": [1, 3, 5], "version": 2})
    post(client, 0, {"do": "advance", "version": 3})
    found = client.get(path).json()
    links = [(one["firsts"], one["relation"]) for one in found["links"]]
    assert links == [([4], "EQUI"), ([1], "SPE1")]
    assert found["links"][1]["score"] == 4
    assert found["links"][1]["why"] == "a kind of"
    assert [(one["side"], one["start"], one["relation"]) for one in found["alone"]] == [
        (1, 5, "NOALI"),
        (2, 5, "ALIC"),
    ]
    wanted = {
        key: found["links"][1][key] for key in ("firsts", "seconds", "score", "relation", "flags")
    }
    view = post(client, 0, {"do": "accept", "version": 4, **wanted}).json()
    assert view["links"][0] == {**wanted, "score": 4.0}


def test_a_model_that_cannot_is_quoted(book):
    def too_long(*_):
        raise ModelError("more than 512 word pieces")

    client = client_of(book, Suggester(too_long))
    assert client.get(f"/{TOKEN}/pairs/0/suggestions").json() == {
        "error": "more than 512 word pieces"
    }


def test_without_a_model_there_are_no_suggestions(client):
    assert client.get(f"/{TOKEN}/pairs/0/suggestions").status_code == 404


def test_a_port_in_use_is_one_clear_line_and_0_takes_a_free_one():
    with closing(listen(0)) as taken:
        assert taken.getsockname()[0] == "127.0.0.1"
        port = taken.getsockname()[1]
        with pytest.raises(IstsError, match=f"port {port} is in use; --port 0 chooses a free"):
            listen(port)


@pytest.fixture
def live(book):
    """A server on a real socket, which other programs on this machine can reach."""
    with closing(listen(0)) as listener:
        server = Server(listener, pages(Work(book)))
        thread = Thread(target=server.run)
        thread.start()
        yield server.addresses[0]
        server.stop()
        thread.join()


def raw(address: str, *parts: bytes) -> bytes:
    """What the server says to these very bytes."""
    port = int(address.split(":")[2].split("/")[0])
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        try:
            for part in parts:
                connection.sendall(part)
        except (BrokenPipeError, ConnectionResetError):
            pass  # it has answered and hung up before all was sent
        answer = b""
        try:
            while piece := connection.recv(1 << 16):
                answer += piece
        except ConnectionResetError:
            pass
        return answer


def request_of(address: str, method: str, path: str, *headers: str) -> bytes:
    host = address.split("/")[2]
    token = address.split("/")[3]
    lines = [f"{method} /{token}/{path} HTTP/1.1", f"Host: {host}", "Connection: close", *headers]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def test_a_real_server_answers_and_rejects(live, book):
    origin = f"Origin: http://{live.split('/')[2]}"
    assert raw(live, request_of(live, "GET", "pairs")).startswith(b"HTTP/1.1 200")
    kind = "Content-Type: application/json"
    long = request_of(live, "POST", "pairs/0", origin, kind, f"Content-Length: {MAX_BODY + 1}")
    assert raw(live, long).startswith(b"HTTP/1.1 413")
    chunked = request_of(live, "POST", "pairs/0", origin, kind, "Transfer-Encoding: chunked")
    piece = b"10000\r\n" + b" " * (1 << 16) + b"\r\n"
    assert raw(live, chunked, *[piece] * 17).startswith(b"HTTP/1.1 413")
    without = request_of(live, "GET", "pairs").replace(b"Host: 127.0.0.1", b"Host: localhost")
    assert raw(live, without).startswith(b"HTTP/1.1 403")
    assert raw(live, b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").startswith(
        b"HTTP/1.1 403"
    )
    assert raw(live, b"GET / HTTP/1.1\r\n\r\n").startswith(b"HTTP/1.1 400")
    assert book[0].version == 0


def test_tokens_are_long_and_never_the_same(book):
    tokens = set()
    for _ in range(20):
        with closing(listen(0)) as listener:
            tokens.add(Server(listener, pages(Work(book))).addresses[0].split("/")[3])
    assert len(tokens) == 20
    assert all(len(token) >= 32 for token in tokens)


def post_paths(client, record):
    headers = {"Origin": HOME, "Content-Type": "application/json"}
    return client.post(f"/{TOKEN}/paths", content=json.dumps(record), headers=headers)


def test_curves_are_led_through_the_gaps_between_boxes(client):
    row1 = [[24, 100, 0, 50], [118, 200, 0, 50], [24, 180, 76, 126]]
    row2 = [[24, 100, 226, 276]]
    answer = post_paths(client, {"boxes": [row1, row2], "links": [[0, 0], [2, 0]]})
    passing, direct = answer.json()
    assert passing.startswith("M62 50")
    assert "V126" in passing, "it passes the second row straight"
    column = float(passing.split("V126")[0].rsplit(" ", 2)[1])
    assert not 24 <= column <= 180
    assert direct.startswith("M102 126C")


@pytest.mark.parametrize(
    "record",
    [
        [],
        {"boxes": [[]], "links": []},
        {"boxes": [[], []], "links": [[0, 0]]},
        {"boxes": [[[0, 1, 2]], []], "links": []},
        {"boxes": [[[0, 1, 2, "x"]], []], "links": []},
        {"boxes": [[[0, 1, 2, 1e999]], []], "links": []},
        {"boxes": [[[0, 1, 2, 3]] * 2001, []], "links": []},
        {"boxes": [[[0, 1, 2, 3]], [[0, 1, 2, 3]]], "links": [[-1, 0]]},
    ],
)
def test_what_is_no_layout_is_rejected(client, record):
    assert post_paths(client, record).status_code == 400


def test_undo_says_what_it_undid_without_words_of_the_hidden_sentence(client, book):
    assert post(client, 0, CUT).json()["said"] == ""
    said = post(client, 0, {"do": "undo", "version": 1}).json()["said"]
    assert said == "Undone: cut between ‘cat’ and ‘sleeps’."
    said = post(client, 0, {"do": "undo", "version": 2}).json()["said"]
    assert said == "There is nothing to undo."
    post(client, 0, {"do": "advance", "version": 2})
    post(client, 0, {"do": "cut", "side": 2, "before": 3, "version": 3})
    post(client, 0, {"do": "advance", "version": 4})
    post(client, 0, {"do": "connect", "first": 1, "second": 3, "version": 5})
    post(client, 0, {"do": "return", "step": "chunks1", "version": 6})
    said = post(client, 0, {**CUT, "version": 7}).json()["said"]
    assert said.startswith("Removed the link of ‘A tabby cat sleeps .’. Undo")
    said = post(client, 0, {"do": "undo", "version": 8}).json()["said"]
    assert "sleeping" not in said


def test_only_suggestions_can_be_accepted_at_once(client, book):
    for accepted in ([{"do": "advance"}], "recut", [1], [{"do": "accept-all", "accepted": []}]):
        record = {"do": "accept-all", "accepted": accepted, "version": 0}
        assert post(client, 0, record).status_code == 400
    assert book[0].version == 0


def test_the_page_may_have_another_order_than_the_file(book):
    app = application(Work(book, order=[1, 0]), TOKEN, PORT)
    client = TestClient(app, base_url=HOME)
    assert [pair["id"] for pair in client.get(f"/{TOKEN}/pairs").json()] == ["2", "1"]
    view = client.get(f"/{TOKEN}/pairs/0").json()
    assert (view["id"], view["place"]) == ("2", 0)
    post(client, 0, {**CUT, "before": 2})
    assert book[1].version == 1
    assert book[0].version == 0


def certainty(words: tuple[str, ...]) -> float:
    return 0.2 if "Snow" in words else 0.9


def test_what_the_model_is_least_sure_of_comes_first(book):
    def align(one, two):
        sentences = Sentence.of(one.tokens), Sentence.of(two.tokens)
        evidence = Evidence(certainty(one.tokens), 0.9)
        link = Alignment(Chunk((1,)), Chunk((1,)), Relation.SIMI, 3.0, evidence=evidence)
        return SentencePair("1", *sentences, (link,))

    drafts = [book[place].draft for place in range(len(book))]
    assert uncertain_first(drafts, Suggester(align)) == [1, 0]


def test_a_finished_pair_differs_from_the_model_by_links_or_labels(tmp_path):
    gold = tmp_path / "gold.wa"
    gold.write_text(CAT_WA)

    def client_with(*alignments) -> TestClient:
        def align(one, two):
            words = (tuple(w for chunk in side.chunks for w in chunk) for side in (one, two))
            return SentencePair("1", *map(Sentence.of, words), alignments)

        return client_of(book, Suggester(align))

    with closing(Workbook.open(gold)) as book:
        same = client_with(*CAT_PAIR.alignments)
        assert same.get(f"/{TOKEN}/pairs/0/difference").json() == {"differs": False}
        other = client_with(*CAT_PAIR.alignments[1:])
        assert other.get(f"/{TOKEN}/pairs/0/difference").json() == {"differs": True}
