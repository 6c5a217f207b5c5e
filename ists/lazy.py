"""Attributes that are computed on first access."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

Value = TypeVar("Value")


class lazy(Generic[Value]):  # noqa: N801 (used as a decorator, like property)
    """A property whose value is stored in the instance on first access.

    `functools.cached_property` takes a lock in Python 3.11, which costs more than most of the
    values of the labeller's phrases. Two threads may compute the same value twice.
    """

    def __init__(self, compute: Callable[[Any], Value]) -> None:
        self._compute = compute
        self._name = compute.__name__
        self.__doc__ = compute.__doc__

    @overload
    def __get__(self, instance: None, owner: type) -> "lazy[Value]": ...

    @overload
    def __get__(self, instance: object, owner: type) -> Value: ...

    def __get__(self, instance: object | None, owner: type) -> "lazy[Value] | Value":
        if instance is None:
            return self
        value = instance.__dict__[self._name] = self._compute(instance)
        return value
