"""One loaded model for all tests of the API."""

import pytest

pytest.importorskip("starlette", reason="the packages of ists serve are not installed")

from tests.serve.serving import HOME, application


@pytest.fixture(scope="session")
def app():
    made = application()
    yield made
    made.engine.stop()


@pytest.fixture
def client(app):
    from starlette.testclient import TestClient

    return TestClient(app, base_url=HOME)
