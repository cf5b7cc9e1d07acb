"""How advancing from heats came about: the heats, people's decisions, and who sits in the stage after them."""

import pytest

from tests.support.championships import championship, heat, heats_of
from tests.support.factories import Event, running_match
from tournament import actions
from tournament.models import Entry, Stage
from tournament.pages.public.stage import StageBoard, goes_on, going_on, stage_board
from tournament.queries.visible import GoingOn, shown, taking_part

pytestmark = pytest.mark.django_db


def stages_of(made: Event) -> list[Stage]:
    return list(Stage.objects.filter(tournament=made.tournament).order_by("number"))


def found(made: Event) -> GoingOn | None:
    stages = stages_of(made)
    return goes_on(shown(stages[0], stages), stages)


def board(made: Event, stage: Stage) -> StageBoard:
    stages = stages_of(made)
    entries = taking_part(made.tournament, stages)
    return going_on(made.tournament, stage_board(made.tournament, stage, entries, stages), stages, entries)


def test_winners_of_the_heats_go_on() -> None:
    made = championship()
    winners = [str(heat(made, number)[0]) for number in (1, 2)]
    going = found(made)
    assert going is not None
    assert (going.stage, sorted(going.through), going.gone, going.instead) == (
        made.stage,
        sorted(winners),
        [],
        [],
    )
    names = {entry.public_name for entry in Entry.objects.filter(uid__in=winners)}
    shown_board = board(made, heats_of(made))
    assert {person.name for person in shown_board.through} == names
    assert {row.person.name for card in shown_board.heats for row in card.rows if row.through} == names


def test_who_was_let_in_for_one_who_left_is_named_so() -> None:
    made = championship(filled=False)
    left, instead = heat(made, 1)[:2]
    made.act(actions.player_leaves, entry=left)
    made.act(actions.fill_stage, stage=made.stage.uid, decided=[instead], reason="drawn by lot")
    going = found(made)
    assert going is not None
    assert (going.gone, going.instead) == ([str(left)], [str(instead)])
    assert str(instead) in going.through
    shown_board = board(made, heats_of(made))
    (out,) = shown_board.gone
    (comes,) = shown_board.instead
    names = dict(Entry.objects.values_list("uid", "public_name"))
    assert (out.name, comes.name) == (names[left], names[instead])


def test_no_other_stage_sends_anybody_on() -> None:
    made = running_match(players=3)
    assert found(made) is None
    plain = board(made, made.stage)
    assert (plain.heats, plain.through, plain.gone) == ((), (), ())
    final = championship()
    stages = stages_of(final)
    assert goes_on(shown(stages[-1], stages), stages) is None
