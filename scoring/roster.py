"""Player checks shared by games, rounds and heats."""

from collections.abc import Container, Iterator, Sequence

from .faults import Faults, Path


def check_players(players: Sequence[str], faults: Faults) -> None:
    """Record duplicates (`duplicate_player`)."""
    seen: set[str] = set()
    for index, player in enumerate(players):
        if player in seen:
            faults.add("duplicate_player", ("players", index, "id"), player=player)
        seen.add(player)


def check_enough(players: int, path: Path, faults: Faults) -> bool:
    """Whether there are two players; else record `too_few_players`."""
    if players >= 2:
        return True
    faults.add("too_few_players", path, count=players, least=2)
    return False


def check_number(number: int, index: int, path: Path, faults: Faults) -> None:
    """Record `bad_number` unless numbers run 1, 2, 3..."""
    if number != index + 1:
        faults.add("bad_number", (*path, "number"), found=number, expected=index + 1)


def check_named(player: str, path: Path, known: Container[str], seen: set[str], faults: Faults) -> bool:
    """Add the player to `seen`; else record `unknown_player` or `duplicate_player` and return false."""
    if player in known and player not in seen:
        seen.add(player)
        return True
    faults.add("duplicate_player" if player in known else "unknown_player", path, player=player)
    return False


def check_each_named(
    players: Sequence[str], path: Path, known: Container[str], seen: set[str], faults: Faults
) -> Iterator[tuple[Path, str]]:
    """Yield (path, player) for those that pass `check_named`."""
    for index, player in enumerate(players):
        where = (*path, index)
        if check_named(player, where, known, seen, faults):
            yield where, player
