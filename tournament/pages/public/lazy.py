"""Lazy sequence and mapping: values are built on access."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Generic, TypeVar, overload

Of = TypeVar("Of")
Row = TypeVar("Row")
Value = TypeVar("Value")


class LazySequence(Sequence[Row], Generic[Of, Row]):
    """Sequence of `make(item)` over `of`, built on access; slices are lists. Equal to a list of the same rows."""

    def __init__(self, of: Sequence[Of], make: Callable[[Of], Row]) -> None:
        self._of, self._make = of, make

    def __len__(self) -> int:
        return len(self._of)

    @overload
    def __getitem__(self, at: int) -> Row: ...
    @overload
    def __getitem__(self, at: slice) -> list[Row]: ...
    def __getitem__(self, at: int | slice) -> Row | list[Row]:
        return (
            [self._make(each) for each in self._of[at]] if isinstance(at, slice) else self._make(self._of[at])
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]  # as a list's


class LazyMapping(Mapping[str, Value]):
    """Mapping of `make(key)`, built on access and cached."""

    def __init__(self, keys: Mapping[str, object], make: Callable[[str], Value]) -> None:
        self._keys, self._make = keys, make
        self._made: dict[str, Value] = {}

    def __getitem__(self, key: str) -> Value:
        if key not in self._made:
            if key not in self._keys:
                raise KeyError(key)
            self._made[key] = self._make(key)
        return self._made[key]

    def __contains__(self, key: object) -> bool:
        return key in self._keys

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)
