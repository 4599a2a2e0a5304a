# Copyright The ctx-lsp authors. MIT licence.

"""Objects are the JSON objects of the daemon's answers, and the plain values of parameters."""

from __future__ import annotations

import base64
import dataclasses
import datetime
import enum
import pathlib
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, cast


class Object:
    """
    Object is a JSON object whose members are attributes, with the names of docs/protocol.md. A name that is a keyword
    of Python has an underscore after it: `last.in_`. A member that is absent is None.
    """

    _required: ClassVar[frozenset[str]] = frozenset()
    _optional: ClassVar[frozenset[str]] = frozenset()
    _nested: ClassVar[Mapping[str, type[Object]]] = {}

    def __init__(self, members: Mapping[str, Any]) -> None:
        self._members = members

    @classmethod
    def nest(cls, classes: Mapping[str, type[Object]]) -> None:
        """Sets the classes of members that are objects themselves."""
        cls._nested = classes

    @classmethod
    def fits(cls, members: Mapping[str, Any]) -> bool:
        """Reports whether a JSON object has all members that this class must have."""
        return cls._required <= members.keys()

    def as_dict(self) -> dict[str, Any]:
        """Returns the JSON object as it came, which must not be changed."""
        return self._members if isinstance(self._members, dict) else dict(self._members)

    def __getitem__(self, name: str) -> Any:
        """Returns a member by its name in JSON."""
        found = self._members[name]
        return _wrapped(self._nested[name], found) if name in self._nested else found

    if not TYPE_CHECKING:  # otherwise every name would be an attribute for a type checker

        def __getattr__(self, attribute: str) -> Any:
            name = attribute.rstrip("_")
            if not attribute.startswith("_"):
                if name in self._members:
                    return self[name]
                if name in self._optional:
                    return None
            raise AttributeError(f"a {type(self).__name__} has no {attribute!r}")

    def __dir__(self) -> Iterable[str]:
        return [*super().__dir__(), *self._required, *self._optional]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Object) and self.as_dict() == other.as_dict()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.as_dict()!r})"


def _wrapped(cls: type[Object], value: Any) -> Any:
    if isinstance(value, dict):
        return cls(cast("dict[str, Any]", value))
    if isinstance(value, list):
        return [_wrapped(cls, element) for element in cast("list[Any]", value)]
    return value


def plain(value: Any) -> Any:
    """
    Returns the JSON value of an object that is none itself: of an SDK's model (pydantic, attrs, a dataclass), an answer
    of the daemon, an iterable, bytes, a time or a path. Raises TypeError for any other.
    """
    dump = getattr(value, "model_dump", None)
    if callable(dump):  # pydantic
        return dump(mode="json", by_alias=True, exclude_none=True, warnings=False)
    fields: Any = getattr(value, "__attrs_attrs__", None)  # attrs
    if dataclasses.is_dataclass(value):
        fields = dataclasses.fields(value)
    if fields is not None and not isinstance(value, type):
        names: list[str] = [field.name for field in fields]
        return {name: found for name in names if (found := getattr(value, name, None)) is not None}
    for name in ("as_dict", "to_dict", "dict"):
        make = getattr(value, name, None)
        if callable(make) and not isinstance(value, type):
            return make()
    for classes, convert in _FORMS:
        if isinstance(value, classes):
            return convert(value)
    raise TypeError(f"a {type(value).__name__} cannot be sent to ctx-lsp, because it has no JSON form")


def _base64(value: Any) -> str:
    return base64.b64encode(value).decode()


_FORMS: tuple[tuple[tuple[type[Any], ...], Callable[[Any], Any]], ...] = (
    ((Mapping,), dict),
    ((bytes, bytearray, memoryview), _base64),
    ((datetime.datetime, datetime.date, datetime.time), lambda value: value.isoformat()),
    ((enum.Enum,), lambda value: value.value),
    ((pathlib.PurePath,), str),
    ((Iterable,), list),
)
"""The forms of values that json does not write itself."""
