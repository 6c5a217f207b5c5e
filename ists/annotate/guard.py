"""Access control of the page's server: only the page opened from the printed address has access.

The server listens only on this machine, but any web site in the same browser can send requests to
it. A request is accepted only if its path begins with the token, if its Host header is this host
and port (which excludes DNS rebinding), and if it does not come from another origin.
"""

import secrets
from collections.abc import Mapping

from starlette.responses import PlainTextResponse

from ists.web import (
    LOOPBACK,
    SECURITY_HEADERS,
    App,
    Receive,
    Scope,
    Send,
    header_values,
    limited_body,
    other_site,
    replayed,
    with_headers,
)

MAX_BODY = 1 << 20
_OTHER_SITE = {
    "origin": "another origin",
    "site": "another site; copy the address into the browser's address bar",
}


class Guard:
    """ASGI middleware that rejects requests that do not come from the app's own page.

    Each token gives access to one app.
    """

    def __init__(self, apps: Mapping[str, App], port: int) -> None:
        self._apps = {token.encode(): app for token, app in apps.items()}
        self._host = f"{LOOPBACK}:{port}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on with the token removed from its path, or reject it."""
        if scope["type"] != "http":
            return
        send = with_headers(send, SECURITY_HEADERS.items())
        rejection = self._rejection(scope)
        if rejection is None:
            body = await limited_body(scope, receive, MAX_BODY)
            if body is not None:
                app = self._app_at(scope["path"])
                if app is not None:
                    await app(_without_token(scope), replayed(body, receive), send)
                return
            rejection = 413, "more than 1 MB"
        status, reason = rejection
        response = PlainTextResponse(f"rejected: {reason}\n", status, {"Connection": "close"})
        await response(scope, receive, send)

    def _rejection(self, scope: Scope) -> tuple[int, str] | None:
        if header_values(scope, b"host") != [self._host]:
            return 403, "another host name"
        if self._app_at(scope["path"]) is None:
            return 403, "no token; open the address that ists annotate has printed"
        sign = other_site(scope, (b"http://" + self._host,))
        if sign is not None:
            return 403, _OTHER_SITE[sign]
        if scope["method"] not in ("GET", "HEAD"):
            if not header_values(scope, b"origin"):
                return 403, "no origin"
            if header_values(scope, b"content-type") != [b"application/json"]:
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
