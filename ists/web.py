"""What the servers of pages share: the socket, security headers, the check of origins, bodies."""

import errno
import socket
from collections.abc import Awaitable, Callable, Collection, Iterable, MutableMapping
from typing import Any

from ists.errors import IstsError

LOOPBACK = "127.0.0.1"

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

SECURITY_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
        "require-trusted-types-for 'script'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


def listen(host: str, port: int) -> socket.socket:
    """Open a listening socket; port 0 is any free one."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)
    except OSError as error:
        raise IstsError(f"host '{host}' is unknown: {error.strerror or error}") from None
    family, kind, protocol, _, address = found[0]
    # With its protocol, else asyncio does not disable Nagle's algorithm: 40 ms for each answer.
    listener = socket.socket(family, kind, protocol)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(address)
        listener.listen()
    except OSError as error:
        listener.close()
        reason = "is in use" if error.errno == errno.EADDRINUSE else f"cannot be used: {error}"
        raise IstsError(f"port {port} {reason}; --port 0 chooses a free one") from None
    return listener


def with_headers(send: Send, headers: Iterable[tuple[str, str]]) -> Send:
    """Return a `send` that adds headers to the response, except those that it has already."""
    raw = [(name.lower().encode(), value.encode()) for name, value in headers]

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            own = list(message.get("headers", []))
            names = {name for name, _ in own}
            message = {**message, "headers": [*own, *(one for one in raw if one[0] not in names)]}
        await send(message)

    return sending


def header_values(scope: Scope, name: bytes) -> list[bytes]:
    """Return all values of a request header; its name is in lower case."""
    return [value for key, value in scope["headers"] if key == name]


def other_site(scope: Scope, own: Collection[bytes]) -> str | None:
    """Return which header shows that a request comes from the page of another site, if one does.

    `own` are the origins of the server itself, in lower case. Programs send neither header.
    """
    if any(origin.lower() not in own for origin in header_values(scope, b"origin")):
        return "origin"
    sites = header_values(scope, b"sec-fetch-site")
    return "site" if any(site not in (b"same-origin", b"none") for site in sites) else None


async def limited_body(scope: Scope, receive: Receive, limit: int) -> bytes | None:
    """Read the whole body; None if it is longer than the limit, with or without Content-Length."""
    for value in header_values(scope, b"content-length"):
        if int(value) > limit:
            return None
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return bytes(body)
        body += message.get("body", b"")
        if len(body) > limit:
            return None
        if not message.get("more_body", False):
            return bytes(body)


def replayed(body: bytes, receive: Receive) -> Receive:
    """Return a `receive` that gives a body that was read already."""
    given = False

    async def again() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again
