"""Access control of the page's server: only the page opened from the printed address has access.

The server listens only on this machine, but any web site in the same browser can send requests to
it. A request is accepted only if its path begins with the token, if its Host header is this host
and port (which excludes DNS rebinding), and if it does not come from another origin.
"""

import secrets
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any

from starlette.responses import PlainTextResponse

MAX_BODY = 1 << 20
HOST = "127.0.0.1"

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

_HEADERS = {
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
_RAW_HEADERS = [(name.lower().encode(), value.encode()) for name, value in _HEADERS.items()]


class Guard:
    """ASGI middleware that rejects requests that do not come from the app's own page.

    Each token gives access to one app.
    """

    def __init__(self, apps: Mapping[str, App], port: int) -> None:
        self._apps = {token.encode(): app for token, app in apps.items()}
        self._host = f"{HOST}:{port}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on with the token removed from its path, or reject it."""
        if scope["type"] != "http":
            return

        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message.get("headers", []), *_RAW_HEADERS]}
            await send(message)

        rejection = self._rejection(scope)
        if rejection is None:
            body = await _limited_body(scope, receive)
            if body is not None:
                app = self._app_at(scope["path"])
                if app is not None:
                    await app(_without_token(scope), _replay(body, receive), send_safely)
                return
            rejection = 413, "more than 1 MB"
        status, reason = rejection
        response = PlainTextResponse(f"rejected: {reason}\n", status, {"Connection": "close"})
        await response(scope, receive, send_safely)

    def _rejection(self, scope: Scope) -> tuple[int, str] | None:
        headers: list[tuple[bytes, bytes]] = scope["headers"]

        def sent(name: bytes) -> list[bytes]:
            return [value for key, value in headers if key == name]

        if sent(b"host") != [self._host]:
            return 403, "another host name"
        if self._app_at(scope["path"]) is None:
            return 403, "no token; open the address that ists annotate has printed"
        origins = sent(b"origin")
        if any(origin != b"http://" + self._host for origin in origins):
            return 403, "another origin"
        if any(site not in (b"same-origin", b"none") for site in sent(b"sec-fetch-site")):
            return 403, "another site; copy the address into the browser's address bar"
        if scope["method"] not in ("GET", "HEAD"):
            if not origins:
                return 403, "no origin"
            if sent(b"content-type") != [b"application/json"]:
                return 415, "expected application/json"
        return None

    def _app_at(self, path: str) -> App | None:
        """Return the app of the token in a path; the time does not depend on the token sent."""
        given, found = _token_in(path), None
        for token, app in self._apps.items():
            if secrets.compare_digest(given, token):
                found = app
        return found


def _token_in(path: str) -> bytes:
    return path.split("/")[1].encode() if path.count("/") > 1 else b""


def _without_token(scope: Scope) -> Scope:
    path = "/" + scope["path"].split("/", 2)[2]
    return {**scope, "path": path, "raw_path": path.encode(), "root_path": ""}


async def _limited_body(scope: Scope, receive: Receive) -> bytes | None:
    """Read the whole body; None if it is longer than `MAX_BODY`, with or without Content-Length."""
    for key, value in scope["headers"]:
        if key == b"content-length" and int(value) > MAX_BODY:
            return None
    body = bytearray()
    while True:
        message = await receive()
        body += message.get("body", b"")
        if len(body) > MAX_BODY:
            return None
        if not message.get("more_body", False):
            return bytes(body)


def _replay(body: bytes, receive: Receive) -> Receive:
    given = False

    async def again() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again
