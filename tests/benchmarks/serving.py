"""`ists serve` on the loopback interface, against `Aligner.align_many` on the same pairs."""

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import quantiles

from ists.pipeline import Aligner
from tests.benchmarks.material import corpus
from tests.conftest import ROOT

_PAIRS = 512
_SINGLE = 100
_ROUNDS = 3
_CLIENTS = (1, 8, 64)


def run() -> None:
    pairs = corpus(_PAIRS)
    aligner = Aligner.load()
    list(aligner.align_many(pairs))
    with _server() as port:
        asyncio.run(_seconds_of_each(port, pairs, 32))  # all words are known to both
        _latency(port, pairs)
        _throughput(port, pairs, aligner)


@contextmanager
def _server() -> Iterator[int]:
    process = subprocess.Popen(
        [sys.executable, "-m", "ists", "serve", "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        cwd=ROOT,
    )
    try:
        assert process.stdout is not None
        yield int(process.stdout.readline().rstrip("/\n").rpartition(":")[2])
    finally:
        process.terminate()
        process.communicate()


def _latency(port: int, pairs: list[tuple[str, str]]) -> None:
    """One pair at a time, with nothing else to do."""
    for path in ("align", "similarity", "explain?details=true"):
        times = sorted(asyncio.run(_seconds_of_each(port, pairs[:_SINGLE], 1, path)))
        cuts = quantiles(times, n=100)
        print(f"one pair, /v1/{path}: p50 {1000 * cuts[49]:.1f} ms, p99 {1000 * cuts[98]:.1f} ms")


def _throughput(port: int, pairs: list[tuple[str, str]], aligner: Aligner) -> None:
    """In turns, so that whatever else the machine does hits all alike."""
    direct: list[float] = []
    served: dict[int, list[float]] = {clients: [] for clients in _CLIENTS}
    for _ in range(_ROUNDS):
        direct.append(_rate(pairs, lambda: list(aligner.align_many(pairs))))
        for clients in _CLIENTS:
            some = pairs if clients > 1 else pairs[:_SINGLE]

            def ask(some: list[tuple[str, str]] = some, clients: int = clients) -> object:
                return asyncio.run(_seconds_of_each(port, some, clients))

            served[clients].append(_rate(some, ask))
    best = max(direct)
    print(f"align_many: {best:.0f} pairs/s")
    for clients, rates in served.items():
        rate = max(rates)
        print(f"{clients:>3} clients: {rate:.0f} pairs/s, ratio {rate / best:.2f}")


def _rate(pairs: list[tuple[str, str]], work) -> float:
    begin = time.perf_counter()
    work()
    return len(pairs) / (time.perf_counter() - begin)


async def _seconds_of_each(
    port: int, pairs: list[tuple[str, str]], clients: int, path: str = "align"
) -> list[float]:
    """What each request takes: one pair a request, one request at a time and client."""
    requests = iter([_request(port, path, pair) for pair in pairs])
    times: list[float] = []

    async def client() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for request in requests:
            begin = time.perf_counter()
            writer.write(request)
            head = await reader.readuntil(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 200"), head
            length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
            await reader.readexactly(length)
            times.append(time.perf_counter() - begin)
        writer.close()

    await asyncio.gather(*(client() for _ in range(clients)))
    return times


def _request(port: int, path: str, pair: tuple[str, str]) -> bytes:
    body = json.dumps({"sentence1": pair[0], "sentence2": pair[1]}).encode()
    head = (
        f"POST /v1/{path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body
