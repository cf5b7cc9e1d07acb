"""Faults of a score sheet, and checks that all kinds share. `path` is a JSON Pointer (RFC 6901), for missing entries
to where they belong; `parameters` serve translated messages."""

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

Step = str | int
Path = tuple[Step, ...]

# Braces name parameters.
MESSAGES: Mapping[str, str] = {
    "malformed": "Here stands {found}; it should be {expected}.",
    "unknown_ruleset": "There is no ruleset {ruleset}; choose one of {allowed}.",
    "ruleset_not_for_kind": "The ruleset {ruleset} is not played as a {kind}; choose one of {allowed}.",
    "duplicate_player": "{player} is named twice; each player is named once.",
    "unknown_player": "{player} is not one of the players here; use the id of one who is.",
    "too_few_players": "{count} of the {least} players needed are here; add the others.",
    "bad_number": "The number is {found}; numbering goes 1, 2, 3 and so on, so it should be {expected}.",
    "unknown_card": "There is no card {card}; use one of {allowed}.",
    "card_not_in_deck": "The deck of this ruleset has no card {card} in play; take it out.",
    "negative_count": "A player cannot hold {count} cards {card}; write 0 or more.",
    "deck_exceeded": "{count} cards {card} are more than the {available} there can be; count again.",
    "missing_hand": "The cards left in the hand of {player} are missing; write them down.",
    "empty_hand": "{player} has no cards left, but did not go out; write down at least one card.",
    "elapsed_over_limit": "{player} went out at {found} s; write 0 to {most} s, nobody goes out later.",
    "duration_too_short": "The game took {found} s; it should be at least {least} s.",
    "duration_too_long": "The game took {found} s; it should be at most {most} s.",
    "missing_duration": "Somebody gave up or was ejected, so the seconds until the game ended are needed.",
    "two_losers": "{player} is a second loser; only one player can be the last one left.",
    "wrong_ending": "The outcomes do not fit a game that ended as {ended}: {expected}.",
    "disqualified_plays": "{player} was ejected before; leave them out of the rest of the session.",
    "too_many_games": "{player} has played the {most} games that count at most; leave them out of this one.",
    "removed_plays": "{player} was removed or left before; leave them out from then on.",
    "winner_has_cards": "{player} won the round and yet has {count} cards; the winner has none.",
    "missing_winner": "{count} players are left, so somebody won the round; name the winner.",
    "match_over": "Round {number} follows the round that ended the match; leave it out.",
    "walkover": "{count} players are left, so nothing was played; leave out the winner and the hands.",
    "last_cards_invalid": "The last cards are {count} of {kinds} kinds; write {expected} of one kind.",
    "last_card_forbidden": "The last card must not be {card}; who has no other card left draws one instead.",
    "missing_drew": "The last card made the next player draw; name who drew, other than the winner.",
    "drawn_cards_missing": "{player} drew and holds {count} cards; they should be at least {least}.",
    "missing_target": "The target is missing; it is chosen before the start, {least} points or more.",
    "target_out_of_range": "The target is {found} points; it should be {expected}.",
    "scoring_not_allowed": "The count {scoring} is not used with this ruleset; choose one of {allowed}.",
    "incomplete_order": "The finishing order names {count} of the {least} who go through; name them all.",
}

ERROR_CODES: frozenset[str] = frozenset(MESSAGES)

MOST_FAULTS = 100  # a short sheet can have millions


def pointer(path: Path) -> str:
    """Path as JSON Pointer (RFC 6901)."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in path)


@dataclass(frozen=True, slots=True)
class SheetError:
    """One fault: `code` from ERROR_CODES, `path` a JSON Pointer, `message` in English."""

    code: str
    path: str
    message: str
    parameters: Mapping[str, Step] = field(default_factory=dict)

    def as_json(self) -> dict[str, object]:
        return {
            "code": self.code,
            "path": self.path,
            "message": self.message,
            "parameters": dict(self.parameters),
        }


class SheetInvalid(Exception):
    """The sheet breaks rules; `errors` is never empty."""

    def __init__(self, errors: tuple[SheetError, ...]) -> None:
        super().__init__("; ".join(f"{error.code} at {error.path or '/'}" for error in errors))
        self.errors = errors

    def as_json(self) -> dict[str, object]:
        """`{"errors": [...]}`."""
        return {"errors": [error.as_json() for error in self.errors]}


class Faults:
    """Collects a sheet's faults, up to MOST_FAULTS."""

    __slots__ = ("errors",)

    def __init__(self) -> None:
        self.errors: list[SheetError] = []

    def add(self, code: str, path: Path, **parameters: Step) -> None:
        """Record a fault; SheetInvalid at MOST_FAULTS."""
        self.errors.append(SheetError(code, pointer(path), MESSAGES[code].format(**parameters), parameters))
        if len(self.errors) == MOST_FAULTS:
            self.stop()

    def stop(self) -> None:
        if self.errors:
            raise SheetInvalid(tuple(self.errors))


# ---- Player checks shared by games, rounds and heats ----


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
    """Add the player to `seen`; else record `unknown_player` or `duplicate_player`, and return false."""
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
