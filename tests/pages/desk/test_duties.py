"""Who has which duty at a table now, by each sheet (`duties_at`)."""

from datetime import date

import pytest

from tests.support.factories import Event, recorded_round, running_match, running_session, started_game
from tournament import actions
from tournament.models import Entry, Table, Tournament
from tournament.pages.desk.table import duties_at, scene_of

pytestmark = pytest.mark.django_db

SUSPECTS = "Is shown the hand if a draw seems needless (§14)"
SHUFFLES = "Shuffles if the draw pile is empty or a player gives up"


def duties(made: Event) -> dict[str, str]:
    scene = scene_of(Table.objects.select_related("stage__tournament", *Table.ROLES).get(pk=made.table.pk))
    return {duty.what: duty.who for duty in duties_at(scene)}


def born(made: Event) -> None:
    """The first player is the oldest, the last one the youngest."""
    for number, entry in enumerate(Entry.objects.select_related("player").order_by("start_number")):
        entry.player.birth_date = date(1990 + number, 1, 1)
        entry.player.save()


def test_before_a_game_of_kpgut_the_oldest_deals_and_the_youngest_opens() -> None:
    made = running_session(players=3)
    assert duties(made) == {
        "Deals and keeps the time": "the oldest player",
        "Opens the discard pile": "the youngest player",
    }
    born(made)
    assert duties(made) == {"Deals and keeps the time": "Aino", "Opens the discard pile": "Cécile"}


@pytest.mark.parametrize(
    ("language", "shuffles", "suspects"),
    [
        ("en", "the oldest spectator, or Aino if there is none", "the player who suspects it"),
        ("fi", "any spectator, or Aino if there is none", "Aino, or Cécile if Aino is suspected"),
    ],
)
def test_in_a_game_the_sheet_of_the_event_says_who_shuffles_and_sees_a_hand(
    language: str, shuffles: str, suspects: str
) -> None:
    made = running_session(players=3)
    Tournament.objects.update(language=language)
    born(made)
    play = started_game(made)
    assert duties(made) == {
        "Keeps the time": "Aino",
        SHUFFLES: shuffles,
        "Decides a tied vote": "Aino",
        "Gives warnings": "Aino, or Cécile if Aino is at fault",
        SUSPECTS: suspects,
    }
    made.act(actions.record_out, play=play, entry=made.uids[1], elapsed_s=60)
    assert duties(made)[SHUFFLES] == "Börje"


def test_the_oldest_who_is_out_shuffles_and_keeps_the_time() -> None:
    made = running_session(players=5)
    made.act(actions.name_roles, table=made.table.uid, oldest=made.uids[0], youngest=made.uids[3])
    play = started_game(made, elapsed_s=600)
    for player in (2, 1):
        made.act(actions.record_out, play=play, entry=made.uids[player], elapsed_s=300 + player)
    assert duties(made)[SHUFFLES] == "the oldest player who is out"
    made.act(actions.record_out, play=play, entry=made.uids[0], elapsed_s=400)
    assert duties(made)[SHUFFLES] == duties(made)["Keeps the time"] == "Aino"


def test_the_deal_of_mattel_passes_to_the_left_and_skips_who_left() -> None:
    made = running_match(players=3)
    assert list(duties(made)) == [""]
    assert duties(made)[""].startswith("Everyone draws a card. The highest number deals")
    made.act(actions.name_roles, table=made.table.uid, starter=made.uids[1])
    assert duties(made) == {"Deals": "Aino", "Starts": "Börje"}
    recorded_round(made)
    assert duties(made) == {"Deals": "Börje", "Starts": "Cécile"}
    made.act(actions.player_leaves, entry=made.uids[0])
    assert duties(made) == {"Deals": "Börje", "Starts": "Cécile"}


def test_without_a_named_starter_later_rounds_go_to_the_left() -> None:
    made = running_match(players=3)
    recorded_round(made)
    assert duties(made) == {"Deals": "the player to the left of the last dealer"}


def test_in_tite_the_starter_or_a_referee_deals() -> None:
    made = running_match(3, "tite-2022", kind="final")
    made.act(actions.name_roles, table=made.table.uid, starter=made.uids[2])
    assert duties(made) == {"Deals": "Cécile or a referee", "Starts": "Cécile"}
    recorded_round(made)
    assert duties(made) == {"Deals": "Aino or a referee", "Starts": "Aino"}


def test_nothing_is_to_be_done_before_the_stage_starts() -> None:
    made = running_match(players=3)
    made.stage.state = "planned"
    made.stage.save()
    assert duties(made) == {}
