"""Which sheets there are, and where everything stands in them."""

from collections.abc import Callable
from itertools import pairwise

import pytest

from tests.files.workbook.conftest import Opened
from tests.support.factories import add_stage, event
from tests.support.workbook_events import close_calls, generated
from tournament.files.workbook.layout import FIRST, Layout

Open = Callable[..., Opened]


@pytest.mark.django_db
def test_a_planned_final_without_its_target_has_no_standings_yet(opened: Open) -> None:
    made = add_stage(event("tite-2022", 4), "final", start=False)
    assert opened(made).titles == ["Event", "Players"]


@pytest.mark.parametrize("seed", [13, 61, 105, 135, 145])
def test_plays_stand_below_one_another_and_their_hands_in_the_same_order(seed: int) -> None:
    layout = Layout(generated(seed), str)
    for plays in (layout.games_played, layout.rounds_played, layout.heats_played):
        assert not plays or plays[0].rows.first == FIRST
        assert all(after.rows.first == before.rows.last + 1 for before, after in pairwise(plays))
        for placed in plays:
            assert placed.rows.last - placed.rows.first + 1 == len(placed.one.play.results)
            block = layout.of_contest[placed.one.key]
            assert block.first <= placed.rows.first <= placed.rows.last <= block.last
            assert layout.of_play[placed.one.play.uid] is placed
    hands = [placed.hands for placed in (*layout.games_played, *layout.rounds_played) if placed.hands]
    assert not hands or hands[0].first == FIRST
    assert all(after.first == before.last + 1 for before, after in pairwise(hands))
    assert all(placed.hands is None for placed in layout.heats_played)
    results = [len(placed.one.play.results) for placed in layout.of_play.values()]
    assert layout.row_count == sum(results) + sum(block.last - block.first + 1 for block in hands) + len(
        layout.of_standing
    )


@pytest.mark.parametrize("seed", [13, 61, 135])
def test_a_player_is_found_in_the_standings_and_in_the_play_before(seed: int) -> None:
    made = generated(seed)
    layout = Layout(made, str)
    for read in made.stages:
        listed = [line.player for contest in read.results for line in contest.answer.lines]
        assert [layout.of_standing[read.stage.uid, player] for player in listed] == [
            *range(FIRST, FIRST + len(listed))
        ]
    for player, rows in layout.of_player.items():
        assert [layout.before.get((player, row)) for row in rows] == [None, *rows[:-1]]


def test_titles_number_the_stages_where_there_are_several() -> None:
    (only,) = Layout(close_calls(), str).standings.values()
    several = [sheet.title for sheet in Layout(generated(135), str).standings.values()]
    assert only.title == "Standings"
    assert [title.partition(" ")[0] for title in several] == ["1", "2"][: len(several)]


def test_a_setting_is_named_by_its_cell() -> None:
    made = close_calls()
    layout = Layout(made, str)
    rows = list(layout.setting_rows())
    (settings,) = layout.settings_of.values()
    assert [row[1:] for row in rows] == [[each.words, each.value] for each in settings]
    at = [each.key for each in settings].index("base") + FIRST
    assert layout.setting(made.stages[0].stage, "base") == f"'Settings'!$C${at}"
