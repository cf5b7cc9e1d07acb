"""Hands of cards in a form: `hand-<entry uid>-<card id>` is how many of that card the player holds."""

from collections.abc import Iterable, Mapping
from uuid import UUID

from rulesets import Ruleset
from tournament.forms.reading import Typed, uuid_or_none
from tournament.results.facts import Hand
from tournament.results.faults import Fault

MOST = 999  # of one kind; scoring knows how many the decks hold
UID_LENGTH = 36  # characters


def read_hands(
    typed: Typed, players: Iterable[UUID], ruleset: Ruleset, *, of: Iterable[UUID] | None = None
) -> dict[str, dict[str, int]]:
    """The hands typed for those in `of` (all players where None), by the entry's uid as text.

    A hand with nothing typed is left out, so that scoring asks for it. Faults: `unknown_player` and `unknown_card` for
    fields of nobody here, `not_a_number`, `number_too_large`.
    """
    players = list(players)
    wanted = set(players if of is None else of)
    hands: dict[str, dict[str, int]] = {}
    for name in typed.data:
        if not name.startswith("hand-") or not typed.text(name):
            continue
        uid, card = name[5 : 5 + UID_LENGTH], name[6 + UID_LENGTH :]
        entry = uuid_or_none(uid)
        if entry not in players:
            typed.faults.append(Fault("unknown_player", f"/hands/{uid[:UID_LENGTH]}"))
        elif card not in ruleset.points:
            typed.faults.append(Fault("unknown_card", f"/hands/{entry}/{card[:20]}"))
        elif entry in wanted:
            count = typed.whole(name, f"/hands/{entry}/{card}", most=MOST)
            if count is not None:
                hands.setdefault(str(entry), {})[card] = count
    return hands


def typed_hands(hands: Mapping[UUID, Hand]) -> dict[str, str]:
    """Hands as a form would send them."""
    return {
        hand_field(str(entry), card): str(count)
        for entry, hand in hands.items()
        for card, count in hand.items()
    }


def hand_field(player: str, kind: str) -> str:
    """The form field for how many cards of `kind` the player (an entry's uid) still holds."""
    return f"hand-{player}-{kind}"
