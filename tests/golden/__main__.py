"""``make golden``."""

from tests.golden.outputs import renew

renew()
