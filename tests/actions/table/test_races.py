"""Races: games at changing tables, the bell, who misses a game, leaves or is removed, and corrections of all that."""

import json
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest

from tests.support.asking_actions import agrees, refusal, results, standings, state_of, version
from tests.support.factories import Event, running_match, running_race
from tournament import actions
from tournament.models import Entry, Play, Table
from tournament.queries.clubs import stage_clubs
from tournament.queries.visible import shown
from tournament.results import Refused, stage_results

pytestmark = pytest.mark.django_db

SHEETS = Path(__file__).resolve().parents[3] / "fixtures" / "sheets"
CASES = [
    case
    for path in sorted(SHEETS.glob("race-*.json"))
    if "errors" not in (case := json.loads(path.read_text()))["answer"]
]
Json = dict[str, Any]


def play_game(
    made: Event, winner: int | None, hands: dict[int, Json], *, table: Table | None = None, **more: Any
) -> UUID:
    """Record the next game at a table (the first); the winner and the hands by the entries' order, None at the bell."""
    play, table = uuid4(), table or made.table
    made.act(
        actions.record_round,
        table=table.uid,
        play=play,
        number=Play.objects.filter(table=table).count() + 1,
        winner=None if winner is None else made.uids[winner],
        hands={str(made.uids[index]): hand for index, hand in hands.items()},
        ended="time" if winner is None else "",
        **more,
    )
    return play


def correct(made: Event, play: UUID, winner: int | None, hands: dict[int, Json], **more: Any) -> None:
    made.act(
        actions.correct_round,
        play=play,
        version=version(made, play),
        reason="counted again",
        winner=None if winner is None else made.uids[winner],
        hands={str(made.uids[index]): hand for index, hand in hands.items()},
        ended="time" if winner is None else "",
        **more,
    )


def void(made: Event, play: UUID) -> None:
    made.act(actions.void_play, play=play, version=version(made, play), reason="misdealt")


def places(made: Event) -> dict[str, tuple[int | None, str]]:
    return {name: (place, status) for name, (place, status, _) in standings(made).items()}


@pytest.mark.parametrize("case", CASES, ids=[case["why"][:40] for case in CASES])
def test_a_sheet_of_the_description_played_as_a_stage_has_its_answer(case: Json) -> None:
    sheet = case["sheet"]
    made = running_race(len(sheet["players"]), **sheet["settings"])
    at = {player["id"]: index for index, player in enumerate(sheet["players"])}
    ids = {str(uid): player["id"] for uid, player in zip(made.uids, sheet["players"], strict=True)}
    for game in sheet["games"]:
        named: Json = {
            key: [made.uids[at[each]] for each in game.get(key, ())] for key in ("removed", "withdrawn")
        }
        winner = at[game["winner"]] if "winner" in game else None
        hands = {at[player]: hand for player, hand in game["hands"].items()}
        play_game(made, winner, hands, entries=[made.uids[at[each]] for each in game["players"]], **named)
    answer = results(made).answer.as_json()
    text = json.dumps(answer)
    for uid, player in ids.items():
        text = text.replace(uid, player)
    assert json.loads(text) == case["answer"]


def test_players_change_tables_between_games() -> None:
    made = running_race(4, tables=2)
    one, two = made.tables
    play_game(made, 1, {3: {"7": 1}}, table=two)
    play_game(made, 0, {2: {"9": 1}}, table=one)
    made.act(
        actions.seat_stage,
        stage=made.stage.uid,
        tables=[
            {"number": 1, "entries": [made.uids[0], made.uids[1]]},
            {"number": 2, "entries": [made.uids[2], made.uids[3]]},
        ],
    )
    play_game(made, 0, {1: {"5": 1}}, table=one)
    assert standings(made) == {
        "Aino": (1, "ranked", 0),
        "Börje": (2, "ranked", 5),
        "Dima": (3, "ranked", 7),
        "Cécile": (4, "ranked", 9),
    }
    numbers = [(play.table, play.number) for play in results(made).contest.in_order]
    assert numbers == [(two.uid, 1), (one.uid, 1), (one.uid, 2)]  # in the order of entry
    assert agrees(made)


def test_the_bell_ends_a_game_without_a_winner() -> None:
    made = running_race(3, scoring="winner_takes")
    held = {0: {"7": 1}, 1: {"1": 2}, 2: {"skip": 1}}
    arguments = {"table": made.table.uid, "play": uuid4(), "number": 1, "ended": "time"}
    hands = {str(made.uids[index]): held[index] for index in (1, 2)}
    refused = refusal(made, actions.record_round, **arguments, winner=made.uids[0], hands=hands)
    assert refused == [("wrong_ending", "/winner")]
    play = play_game(made, None, held)
    assert {place for place, *_ in standings(made).values()} == {1}
    assert made.play(play).ended == "time"


def test_a_match_is_not_ended_by_the_bell() -> None:
    made = running_match(3)
    held = {str(uid): {"7": 1} for uid in made.uids}
    arguments = {"table": made.table.uid, "play": uuid4(), "number": 1, "winner": None, "hands": held}
    assert refusal(made, actions.record_round, **arguments, ended="time") == [("malformed", "/ended")]


def test_everyone_seated_plays_unless_the_game_names_its_players() -> None:
    made = running_race(3)
    hands = {str(made.uids[1]): {"7": 1}}
    arguments = {
        "table": made.table.uid,
        "play": uuid4(),
        "number": 1,
        "winner": made.uids[0],
        "hands": hands,
    }
    assert refusal(made, actions.record_round, **arguments) == [("missing_hand", f"/hands/{made.uids[2]}")]
    assert refusal(made, actions.record_round, **arguments, entries=[made.uids[0], made.uids[0], uuid4()])
    play = play_game(made, 0, {1: {"7": 1}}, entries=made.uids[:2])
    assert places(made) == {"Aino": (1, "ranked"), "Börje": (2, "ranked"), "Cécile": (None, "not_played")}
    correct(made, play, 1, {0: {"9": 1}})  # the stored players
    assert places(made)["Cécile"] == (None, "not_played")
    correct(made, play, 1, {0: {"9": 1}, 2: {"5": 1}}, entries=made.uids)
    assert places(made)["Cécile"] == (2, "ranked")
    assert agrees(made)


def test_nobody_plays_more_games_than_allowed() -> None:
    made = running_race(2, max_games=1)
    first = play_game(made, 0, {1: {"7": 1}})
    with pytest.raises(Refused) as refused:
        play_game(made, 0, {1: {"7": 1}})
    assert {(fault.code, fault.path) for fault in refused.value.faults} == {
        ("too_many_games", f"/players/{uid}") for uid in made.uids
    }
    void(made, first)
    second = play_game(made, 0, {1: {"5": 1}})
    correct(made, first, 1, {0: {"9": 1}})  # counts again, so that the second is one too many
    assert [made.play(play).state for play in (first, second)] == ["entered", "set_aside"]
    void(made, first)
    assert made.play(second).state == "entered"


def test_who_leaves_during_a_game_has_no_place_and_no_part_in_it() -> None:
    made = running_race(3)
    play_game(made, 0, {1: {"7": 1}, 2: {"9": 1}})
    play = play_game(made, 0, {1: {"5": 1}}, withdrawn=[made.uids[2]])
    assert standings(made) == {
        "Aino": (1, "ranked", 0),
        "Börje": (2, "ranked", 12),
        "Cécile": (None, "withdrawn", 9),
    }
    assert state_of(made.uids[2]) == "left"
    with pytest.raises(Refused):
        play_game(made, 0, {1: {"5": 1}, 2: {"5": 1}}, entries=made.uids)
    correct(made, play, 0, {1: {"5": 1}, 2: {"1": 1}}, removed=[], withdrawn=[], entries=made.uids)
    assert places(made)["Cécile"] == (2, "ranked")
    assert state_of(made.uids[2]) == "checked_in"
    assert agrees(made)


def test_who_leaves_between_games_keeps_the_place() -> None:
    made = running_race(3, min_games=1)
    play_game(made, 0, {1: {"7": 1}, 2: {"9": 1}})
    made.act(actions.player_leaves, entry=made.uids[2])
    play_game(made, 0, {1: {"5": 1}})
    assert places(made)["Cécile"] == (3, "ranked")
    assert results(made).sheet.data["withdrawn"] == [str(made.uids[2])]
    made.act(actions.readmit_player, entry=made.uids[2])
    assert "withdrawn" not in results(made).sheet.data


def test_a_removal_in_a_void_game_stands() -> None:
    made = running_race(3)
    play = play_game(made, 0, {1: {"7": 1}}, removed=[made.uids[2]])
    void(made, play)
    assert places(made) == {
        "Aino": (None, "not_played"),
        "Börje": (None, "not_played"),
        "Cécile": (None, "disqualified"),
    }
    assert agrees(made)


def test_with_fewer_than_two_left_the_game_counts_for_nobody() -> None:
    made = running_race(3)
    play_game(made, 0, {1: {"7": 1}, 2: {"9": 1}})
    made.act(
        actions.record_round,
        table=made.table.uid,
        play=uuid4(),
        number=2,
        winner=None,
        hands={},
        removed=[made.uids[1]],
        withdrawn=[made.uids[2]],
    )
    assert standings(made) == {
        "Aino": (1, "ranked", 0),
        "Cécile": (None, "withdrawn", 9),
        "Börje": (None, "disqualified", 7),
    }


def test_a_removal_by_correction_sets_later_games_aside() -> None:
    made = running_race(3)
    first = play_game(made, 0, {1: {"7": 1}, 2: {"9": 1}})
    second = play_game(made, 0, {1: {"7": 1}, 2: {"9": 1}})
    correct(made, first, 0, {1: {"7": 1}}, removed=[made.uids[2]], withdrawn=[])
    assert made.play(second).state == "set_aside"
    correct(made, first, 0, {1: {"7": 1}, 2: {"9": 1}}, removed=[], withdrawn=[], entries=made.uids)
    assert made.play(second).state == "entered"
    assert agrees(made)


def test_an_earlier_version_comes_back_with_its_players_and_departures() -> None:
    made = running_race(3)
    play = play_game(made, 0, {1: {"7": 1}}, withdrawn=[made.uids[2]])
    row = made.play(play).version
    correct(
        made, play, None, {0: {"1": 1}, 1: {"7": 1}, 2: {"9": 1}}, removed=[], withdrawn=[], entries=made.uids
    )
    made.act(actions.revert_play, play=play, version=version(made, play), to=row)
    assert places(made)["Cécile"] == (None, "withdrawn")
    assert made.play(play).ended == ""
    assert agrees(made)


def test_each_table_has_a_race_of_its_own() -> None:
    made = running_race(4, kind="races", tables=2)
    play_game(made, 0, {2: {"7": 1}})
    play_game(made, 3, {1: {"9": 1}}, table=made.tables[1])
    assert [results.answer.winners for results in stage_results(made.stage)] == [
        (str(made.uids[0]),),
        (str(made.uids[3]),),
    ]
    assert refusal(made, actions.stop_match, table=made.table.uid)[0][0] == "wrong_kind_of_stage"
    made.act(actions.finish_stage, stage=made.stage.uid)
    assert agrees(made)


def test_a_race_is_frozen_and_revealed_place_by_place() -> None:
    made = running_race(3)
    play_game(made, 0, {1: {"7": 1}, 2: {"9": 1}})
    made.act(actions.freeze_standings, stage=made.stage.uid)
    play_game(made, 2, {0: {"5": 1}, 1: {"5": 1}})
    seen = shown(made.refresh().stage)
    assert [row.points for row in seen.results[0].answer.standings] == [0, 7, 9]
    made.act(actions.finish_stage, stage=made.stage.uid)
    made.act(actions.begin_reveal, stage=made.stage.uid)
    made.act(actions.reveal_next, stage=made.stage.uid, left=4)
    frozen = shown(made.refresh().stage).frozen
    assert frozen
    assert frozen.unveiled
    (part,) = frozen.unveiled
    assert [(row.player, row.place) for row in part.standings] == [(str(made.uids[1]), 3)]


def test_clubs_are_ranked_by_what_decides_the_race() -> None:
    made = running_race(4, rank=["wins", "total"])
    for entry, club in zip(made.entries, "aabb", strict=True):
        Entry.objects.filter(pk=entry.pk).update(club=club)
    play_game(made, 0, {1: {"7": 1}, 2: {"9": 1}, 3: {"9": 1}})
    play_game(made, 2, {0: {"7": 1}, 1: {"9": 1}, 3: {"9": 1}})
    play_game(made, 1, {0: {"7": 1}, 2: {"9": 1}, 3: {"9": 1}})
    clubs = stage_clubs(
        made.stage, stage_results(made.stage), (), {str(row.uid): row for row in Entry.objects.all()}
    )
    assert clubs
    assert (clubs.decided_by, [(line.club, line.place, int(line.value)) for line in clubs.lines]) == (
        "wins",
        [("a", 1, 2), ("b", 2, 1)],
    )


def test_who_is_removed_while_sitting_out_has_no_place() -> None:
    made = running_race(4)
    play_game(made, 0, {1: {"7": 1}, 2: {"9": 1}, 3: {"9": 1}})
    made.act(actions.seat_stage, stage=made.stage.uid, tables=[{"number": 1, "entries": made.uids[:3]}])
    made.act(actions.remove_player, entry=made.uids[3], reason="cheated")
    assert places(made)["Dima"] == (None, "disqualified")
    play_game(made, 0, {1: {"7": 1}, 2: {"9": 1}})
    made.act(actions.readmit_player, entry=made.uids[3])
    assert places(made)["Dima"] == (3, "ranked")
