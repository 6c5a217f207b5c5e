"""The command as a process: it finishes what it accepted, survives kills, and keeps nothing."""

import json
import signal
import socket
from pathlib import Path

import httpx

from tests.serve.serving import CATS, SNOW, Process

SECRET = "zebrafinch"  # noqa: S105
NDJSON = {"Content-Type": "application/x-ndjson"}


def lines(count: int) -> str:
    return "".join(json.dumps(SNOW if n % 2 else CATS) + "\n" for n in range(count))


def test_answers_are_sent_without_delay():
    from ists.web import LOOPBACK, listen

    with listen(LOOPBACK, 0) as listener:
        # The condition on which asyncio disables Nagle's algorithm for accepted connections.
        assert (listener.type, listener.proto) == (socket.SOCK_STREAM, socket.IPPROTO_TCP)


def test_sigterm_finishes_the_accepted_stream_and_a_killed_server_starts_again():
    server = Process()
    with httpx.stream(
        "POST", f"{server.address}v1/align", content=lines(100), headers=NDJSON, timeout=120
    ) as answer:
        found = answer.iter_lines()
        assert "alignments" in json.loads(next(found))
        server.signal(signal.SIGTERM)
        rest = [json.loads(line) for line in found]
    assert len(rest) == 99
    assert all("alignments" in record for record in rest)
    code, printed = server.end()
    assert code == 0
    assert "all accepted requests were finished" in printed

    port = server.address.rstrip("/").rpartition(":")[2]
    server = Process("--port", port)
    assert httpx.get(f"{server.address}healthz").json()["status"] == "ok"
    with socket.create_connection(("127.0.0.1", int(port))) as half:
        half.sendall(b"POST /v1/align HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{")
        server.signal(signal.SIGKILL)
        assert server.end()[0] == -signal.SIGKILL


def test_nothing_that_is_typed_is_printed_or_written(tmp_path: Path):
    (tmp_path / "home").mkdir()
    environment = {"TMPDIR": str(tmp_path), "HOME": str(tmp_path / "home")}
    server = Process("--token", "a-token-of-some-length", **environment)
    own = {"Authorization": "Bearer a-token-of-some-length"}
    pair = {"sentence1": f"A {SECRET} sings.", "sentence2": f"The {SECRET} is silent."}
    for path in ("align", "explain?details=true", f"align?model={SECRET}", f"{SECRET}"):
        httpx.post(f"{server.address}v1/{path}", json=pair, headers=own, timeout=120)
    httpx.post(f"{server.address}v1/align", content=f"{{{SECRET}", headers=own)
    gold = f'<sentence id="1" status="">\n// {SECRET}\n' * 1000
    httpx.post(f"{server.address}v1/score", files={"gold": gold, "system": gold}, headers=own)
    server.signal(signal.SIGINT)
    code, printed = server.end()
    assert code == 0
    assert SECRET not in printed
    written = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert not [file for file in written if SECRET.encode() in file.read_bytes()]
