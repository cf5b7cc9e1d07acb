"""The checks that games, rounds and heats share: who is on the sheet and who may take part."""

from collections.abc import Container, Iterator, Sequence

from .faults import Faults, Path


def check_players(players: Sequence[str], faults: Faults) -> None:
    """Note players that are listed twice (`duplicate_player`)."""
    seen: set[str] = set()
    for index, player in enumerate(players):
        if player in seen:
            faults.add("duplicate_player", ("players", index, "id"), player=player)
        seen.add(player)


def check_enough(players: int, path: Path, faults: Faults) -> bool:
    """Note fewer than two players (`too_few_players`); true if there are enough."""
    if players >= 2:
        return True
    faults.add("too_few_players", path, count=players, least=2)
    return False


def check_number(number: int, index: int, path: Path, faults: Faults) -> None:
    """Note a number that does not go on from 1 (`bad_number`)."""
    if number != index + 1:
        faults.add("bad_number", (*path, "number"), found=number, expected=index + 1)


def check_named(player: str, path: Path, known: Container[str], seen: set[str], faults: Faults) -> bool:
    """Note a player who is not `known` or was named before (`unknown_player`, `duplicate_player`).

    Adds the player to `seen`; true if all is well.
    """
    if player in known and player not in seen:
        seen.add(player)
        return True
    faults.add("duplicate_player" if player in known else "unknown_player", path, player=player)
    return False


def check_each_named(
    players: Sequence[str], path: Path, known: Container[str], seen: set[str], faults: Faults
) -> Iterator[tuple[Path, str]]:
    """Yield each of the players listed at `path` without a fault from `check_named`, with their own path."""
    for index, player in enumerate(players):
        where = (*path, index)
        if check_named(player, where, known, seen, faults):
            yield where, player
