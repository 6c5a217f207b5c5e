"""Access control of the server.

Without a token the server listens on this machine only. It is used by the page that it serves, and
by programs on this machine; other web sites in the same browser must not reach it. Therefore the
Host header must be a loopback name (which excludes DNS rebinding), and a request from a browser
must come from the page's own origin or from one that was allowed.

With a token, every request but those for the page's own files must have it.
"""

import secrets
from collections.abc import Collection
from dataclasses import dataclass

from ists.serve.answers import error_answer
from ists.web import (
    SECURITY_HEADERS,
    App,
    Receive,
    Scope,
    Send,
    header_values,
    other_site,
    with_headers,
)

LOOPBACK_NAMES = ("127.0.0.1", "localhost", "[::1]")
_OPEN_PATHS = ("/", "/docs", "/openapi.json", "/healthz")
_HEADERS = {
    **SECURITY_HEADERS,
    # Pictures are made in the page: an SVG as a blob, drawn on a canvas.
    "Content-Security-Policy": SECURITY_HEADERS["Content-Security-Policy"].replace(
        "img-src 'self'", "img-src 'self' blob:"
    ),
}
_CORS = {
    "Access-Control-Allow-Methods": "GET, POST",
    "Access-Control-Allow-Headers": "authorization, content-type",
    "Access-Control-Expose-Headers": "retry-after",
    "Access-Control-Max-Age": "600",
}


@dataclass(frozen=True)
class Access:
    """Who may use the server."""

    port: int
    token: str | None = None
    origins: Collection[str] = ()
    """Other origins whose pages may use the API."""

    @property
    def hosts(self) -> set[bytes]:
        """Valid Host headers of a server without a token."""
        ports = {f":{self.port}", ""} if self.port == 80 else {f":{self.port}"}
        return {f"{name}{port}".encode() for name in LOOPBACK_NAMES for port in ports}


class Guard:
    """ASGI middleware that rejects requests without access, and adds security headers."""

    def __init__(self, app: App, access: Access) -> None:
        self._app = app
        self._access = access
        self._origins = {origin.encode() for origin in access.origins}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, answer a preflight request, or reject it."""
        if scope["type"] != "http":
            return
        origin = next(iter(header_values(scope, b"origin")), b"")
        shared = origin in self._origins
        headers = dict(_HEADERS)
        if self._origins:
            headers["Vary"] = "Origin"
        if shared:
            headers |= {"Access-Control-Allow-Origin": origin.decode(), **_CORS}
        send = with_headers(send, headers.items())
        if shared and scope["method"] == "OPTIONS":
            await send({"type": "http.response.start", "status": 204, "headers": []})
            await send({"type": "http.response.body", "body": b""})
            return
        rejection = self._rejection(scope, shared)
        if rejection is None:
            await self._app(scope, receive, send)
            return
        status, reason = rejection
        more = {"WWW-Authenticate": "Bearer"} if status == 401 else {}
        await error_answer(status, reason, {"Connection": "close", **more})(scope, receive, send)

    def _rejection(self, scope: Scope, shared: bool) -> tuple[int, str] | None:
        hosts = header_values(scope, b"host")
        token = self._access.token
        if token is None and (len(hosts) != 1 or hosts[0].lower() not in self._access.hosts):
            return 403, "another host name: only names of this machine are accepted"
        if scope["path"] in _OPEN_PATHS or scope["path"].startswith("/static/"):
            return None
        if not shared and other_site(scope, _own_origins(hosts)):
            return 403, "another origin: it is not among those of --allow-origin"
        if token is not None and not _has_token(scope, token):
            return 401, "no valid token, expected the header 'Authorization: Bearer TOKEN'"
        return None


def _own_origins(hosts: list[bytes]) -> set[bytes]:
    return {scheme + b"://" + host.lower() for scheme in (b"http", b"https") for host in hosts}


def _has_token(scope: Scope, token: str) -> bool:
    sent = header_values(scope, b"authorization")
    if len(sent) != 1:
        return False
    kind, _, value = sent[0].partition(b" ")
    return kind.lower() == b"bearer" and secrets.compare_digest(value.strip(), token.encode())
