"""Fixtures of the tests of training."""

import pytest

from ists.errors import ModelError


@pytest.fixture(scope="session")
def base_model() -> None:
    """Skip a test that needs the base model's weights where they are not installed."""
    from ists.train.base import base_folder

    try:
        base_folder()
    except ModelError as error:
        pytest.skip(str(error))
