"""The standings of clubs as everybody may see them."""

from collections.abc import Sequence

import pytest

from tests.support.factories import Event, recorded_heat, recorded_round, running_heats, running_match
from tournament import actions
from tournament.models import Entry, Stage
from tournament.queries.clubs import StageClubs, club_names, clubs_in, has_clubs
from tournament.queries.visible import shown, taking_part

pytestmark = pytest.mark.django_db


def of(made: Event, clubs: Sequence[str]) -> list[StageClubs]:
    """The clubs, once its players wrote these as theirs."""
    for uid, club in zip(made.uids, clubs, strict=True):
        Entry.objects.filter(uid=uid).update(club=club)
    stages = list(made.tournament.stages.order_by("number"))
    return clubs_in([shown(stage, stages) for stage in stages], taking_part(made.tournament, stages))


def test_a_match_ranks_clubs_by_the_points_of_their_players() -> None:
    made = running_match(players=4)
    recorded_round(made)
    (found,) = of(made, ["Noppa", "Vaasa", " noppa ", "Vaasa"])
    points = {
        str(line.player): line.points for each in shown(made.stage).results for line in each.answer.standings
    }
    mine = [sum(points[str(uid)] for uid in made.uids[at::2]) for at in (0, 1)]
    assert {found.names[line.club]: int(line.value) for line in found.lines} == dict(
        zip(("Noppa", "Vaasa"), mine, strict=True)
    )
    assert [line.place for line in found.lines] == [1, 2]


def test_one_club_in_two_spellings_has_no_standings() -> None:
    made = running_match(players=4)
    recorded_round(made)
    assert of(made, ["Noppa", "noppa", " NOPPA", ""]) == []


def test_a_club_is_called_as_most_of_its_players_write_it() -> None:
    made = running_match(players=4)
    of(made, ["noppa", "Noppa", "Noppa ", "Åbo"])
    assert club_names(taking_part(made.tournament)) == {"noppa": "Noppa", "åbo": "Åbo"}


def test_there_are_clubs_once_something_is_played_and_two_have_players() -> None:
    made = running_match(players=4)
    of(made, ["Noppa", "Åbo", "", ""])
    entries, stages = taking_part(made.tournament), list(made.tournament.stages.all())
    assert has_clubs(entries, stages)
    assert not has_clubs(entries, [Stage(state=Stage.State.PLANNED)])
    of(made, ["Noppa", "", "", ""])
    assert not has_clubs(taking_part(made.tournament), stages)


def test_nothing_of_a_frozen_stage_shows() -> None:
    made = running_match(players=4)
    recorded_round(made)
    clubs = ["Noppa", "Vaasa", "Noppa", "Vaasa"]
    before = [line.value for line in of(made, clubs)[0].lines]
    made.act(actions.freeze_standings, stage=made.stage.uid)
    recorded_round(made)
    assert [line.value for line in of(made, clubs)[0].lines] == before


def test_heats_count_who_goes_through() -> None:
    made = running_heats(players=6)
    for table in made.stage.tables.all():
        recorded_heat(made, table)
    (found,) = of(made, ["Noppa", "Vaasa"] * 3)
    assert sum(int(line.value) for line in found.lines) == len(shown(made.stage).results[0].answer.finalists)
    assert all(line.players for line in found.lines)


def test_an_event_without_stages_has_no_clubs() -> None:
    assert clubs_in([], {}) == []
