"""``ists serve``."""

import os
from contextlib import closing, suppress
from importlib.util import find_spec

import click

from ists.errors import IstsError

_DEFAULT_PORT = 8000
_LAST_PORT = 65535
_LOOPBACK = ("127.0.0.1", "localhost", "::1")
_SHORTEST_TOKEN = 16


@click.command(name="serve")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option(
    "--port",
    type=click.IntRange(0, _LAST_PORT),
    default=_DEFAULT_PORT,
    show_default=True,
    help="The port to listen on; 0 chooses a free one.",
)
@click.option(
    "--token",
    metavar="TOKEN",
    help="Require this token of every request (default: the variable ISTS_TOKEN); needed for any "
    "host but this machine.",
)
@click.option(
    "--allow-origin",
    "origins",
    metavar="ORIGIN",
    multiple=True,
    help="Let the pages of this origin, such as https://example.org, use the API; may be given "
    "more than once.",
)
@click.option(
    "--model",
    "models",
    metavar="NAME|DIR",
    multiple=True,
    help="Aligner model; the first is the default. May be given more than once (default: all "
    "shipped ones).",
)
@click.option(
    "--max-body",
    type=click.IntRange(min=1),
    default=8,
    show_default=True,
    metavar="MB",
    help="The size of a request body in megabytes.",
)
@click.option(
    "--max-pairs",
    type=click.IntRange(min=1),
    default=2_000,
    show_default=True,
    metavar="N",
    help="Pairs per request.",
)
@click.option(
    "--max-characters",
    type=click.IntRange(min=1),
    default=2_000,
    show_default=True,
    metavar="N",
    help="Characters per sentence.",
)
@click.option(
    "--max-seconds",
    type=click.FloatRange(min=0.1, max=3600),
    default=60.0,
    show_default=True,
    metavar="S",
    help="Time per request; for a stream, between two lines.",
)
@click.option(
    "--queue",
    type=click.IntRange(min=1),
    default=1_024,
    show_default=True,
    metavar="N",
    help="Pairs that may wait for a model; more are answered with 503.",
)
@click.option("--open", "open_", is_flag=True, help="Open the page in the browser.")
def command(
    host: str,
    port: int,
    token: str | None,
    origins: tuple[str, ...],
    models: tuple[str, ...],
    max_body: int,
    max_pairs: int,
    max_characters: int,
    max_seconds: float,
    queue: int,
    open_: bool,
) -> None:
    """Serve a page that compares two sentences as you type, and an HTTP API.

    The page is at the printed address, the API under /v1 and its documentation at /docs. Nothing
    that is sent to the server is logged or written to disk. Without a token, only this machine has
    access, and in a browser only the page itself. Ctrl-C stops the server after it has finished
    the requests that it accepted.

    \b
    Examples:
      ists serve
      ists serve --port 0 --open
      ISTS_TOKEN=$(openssl rand -hex 24) ists serve --host 0.0.0.0
      curl http://127.0.0.1:8000/v1/similarity -H 'Content-Type: application/json' \\
        -d '{"sentence1": "A cat sits.", "sentence2": "A dog sat."}'
    """
    token = token or os.environ.get("ISTS_TOKEN") or None
    _reject_misuse(host, token, origins)
    _reject_without_packages()
    from ists.serve.app import Application
    from ists.serve.guard import Access
    from ists.serve.limits import Limits
    from ists.serve.server import Server
    from ists.web import listen

    with closing(listen(host, port)) as listener:
        port = listener.getsockname()[1]
        limits = Limits(max_body << 20, max_pairs, max_characters, max_seconds, queue)
        app = Application(Access(port, token, origins), models, limits)
        server = Server(app, listener, max_seconds)
        address = _address(host, port)

        def ready() -> None:
            click.echo("press Ctrl-C to stop", err=True)
            if token is not None:
                click.echo(f"open the page with the token: {address}#token=TOKEN", err=True)
            click.echo(address)
            if open_:
                click.launch(address)

        # Raised by a signal, which the server has obeyed: this is how it is meant to end.
        with suppress(KeyboardInterrupt, SystemExit):
            server.run(ready)
        click.echo("stopped; all accepted requests were finished", err=True)


def _address(host: str, port: int) -> str:
    name = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104
    return f"http://[{name}]:{port}/" if ":" in name else f"http://{name}:{port}/"


def _reject_misuse(host: str, token: str | None, origins: tuple[str, ...]) -> None:
    if token is None and host not in _LOOPBACK:
        raise click.UsageError(
            f"--host {host} can be reached from other machines: set --token or ISTS_TOKEN"
        )
    if token is not None and (
        len(token) < _SHORTEST_TOKEN or not token.isascii() or not token.isprintable()
    ):
        raise click.UsageError(
            f"the token must have at least {_SHORTEST_TOKEN} characters, all printable ASCII"
        )
    for origin in origins:
        scheme, separator, name = origin.partition("://")
        if scheme not in ("http", "https") or not separator or not name or "/" in name:
            raise click.UsageError(
                f"--allow-origin is '{origin}', expected an origin such as https://example.org"
            )


def _reject_without_packages() -> None:
    needed = ("httptools", "pydantic", "starlette", "uvicorn")
    lacking = [name for name in needed if find_spec(name) is None]
    if lacking:
        raise IstsError(f"ists serve needs {' and '.join(lacking)}: pip install 'ists[serve]'")
