"""The columns of the sheets with formulas: a key by which formulas and programs know each, and its heading.

The program's values come first; the columns whose keys end in `_f` compute the same by formula, `check` compares the
two, and the intermediate steps follow. `id`, the last one, is hidden.
"""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from rulesets import CARDS, Ruleset
from tournament.results.kinds import kind_of
from tournament.words.faults import card_name

Columns = dict[str, str]


def games(zone: str) -> Columns:
    """The sheet of games; times are in this zone."""
    return {
        **_play(_("Game")),
        "started": _("Started (%(zone)s)") % {"zone": zone},
        "ended": _("Ended (%(zone)s)") % {"zone": zone},
        "duration": _("Duration"),
        "ending": _("How it ended"),
        **_player(),
        "outcome": _("Outcome"),
        "out_after": _("Out after"),
        "cards": _("Cards left"),
        "place": _("Place"),
        "points": _("Points"),
        "written": _("Last entry (%(zone)s)") % {"zone": zone},
        "place_f": _("Place by formula"),
        "points_f": _("Points by formula"),
        "check": _("Check"),
        "counts": _("Counts"),
        "ejected_before": _("Ejected earlier"),
        "seconds": _("Seconds"),
        "stayed": _("Points of players who did not give up"),
        "total": _("Total so far"),
        "played": _("Games so far"),
        "id": _("Id"),
    }


def rounds(zone: str) -> Columns:
    """The sheet of rounds; times are in this zone."""
    return {
        **_play(_("Round")),
        **_player(),
        "outcome": _("Outcome"),
        "cards": _("Cards left"),
        "points": _("Points"),
        "last_cards": _("Last cards played"),
        "drew": _("Drew for the last cards"),
        "written": _("Last entry (%(zone)s)") % {"zone": zone},
        "points_f": _("Points by formula"),
        "check": _("Check"),
        "counts": _("Counts"),
        "total": _("Total so far"),
        "over_before": _("Already over"),
        "gone": _("Gone"),
        "id": _("Id"),
    }


def heats(zone: str) -> Columns:
    """The sheet of heats; times are in this zone."""
    return {
        **_play(_("Heat")),
        **_player(),
        "outcome": _("Outcome"),
        "finish": _("Finishing order"),
        "place": _("Place"),
        "through": _("Goes through"),
        "written": _("Last entry (%(zone)s)") % {"zone": zone},
        "place_f": _("Place by formula"),
        "through_f": _("Goes through by formula"),
        "check": _("Check"),
        "advance": _("How many go through"),
        "out": _("Out before the heat"),
        "id": _("Id"),
    }


def clubs() -> Columns:
    """The sheet of clubs."""
    return {
        "stage": _("Stage"),
        "place": _("Place"),
        "club": _("Club or group"),
        "players": _("Players"),
        "value": _("Result"),
        "counted": _("Players who count"),
        "rule": _("How it is counted"),
        "place_f": _("Place by formula"),
        "players_f": _("Players by formula"),
        "best_f": _("How many count"),
        "value_f": _("Result by formula"),
        "check": _("Check"),
    }


def of_clubs(*, everybody: bool) -> Columns:
    """The columns of the standings for the sheet of clubs; no rank where `everybody` counts."""
    return {"club_as": _("For the club"), **({} if everybody else {"club_rank": _("Place in the club")})}


def hands(ruleset: Ruleset) -> Columns:
    """The sheet of hands: a column for each kind of card in the deck, whose key is the card's id."""
    return {
        **_play(_("Game or round")),
        **_player(),
        **hand(ruleset),
        "count": _("Cards in total"),
        "worth": _("Points in total"),
        **(
            {"order": _("Order of players still in"), "order_2": _("If tied")}
            if any(kind_of(kind).by_average for kind in ruleset.kinds)
            else {}
        ),
        "id": _("Id"),
    }


def kinds(ruleset: Ruleset) -> Sequence[str]:
    """The kinds of cards in the deck, in the order of the score sheet."""
    return [card for card in CARDS if card in ruleset.deck]


def cards(ruleset: Ruleset) -> Columns:
    """The sheet of card values."""
    return {"what": _("Card"), **hand(ruleset)}


def hand(ruleset: Ruleset) -> Columns:
    """A column for each kind of card in the deck, by its id."""
    return {card: card_name(card, ruleset) for card in kinds(ruleset)}


def _play(number: str) -> Columns:
    return {"stage": _("Stage"), "table": _("Table"), "play": number, "state": _("State")}


def _player() -> Columns:
    return {"number": _("Start number"), "player": _("Player")}
