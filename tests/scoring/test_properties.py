"""Properties that always hold: those at the end of the score sheets' description, for generated sheets.

Each is compared with the rule sheet, or with a second sheet that differs in one thing.
"""

from __future__ import annotations

import json
from copy import deepcopy
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import assume, given, strategies as st

from scoring import SheetInvalid, score

from .planted import Planted, planted_fault
from .sheets import heats, matches, sessions, sheets, worth

Json = dict[str, Any]


def answer_to(sheet: Json) -> Json:
    return score(sheet).as_json()


def answer_if_valid(sheet: Json) -> Json | None:
    try:
        return answer_to(sheet)
    except SheetInvalid:
        return None


def points_of(game: Json) -> dict[str, Any]:
    return {row["player"]: row["points"] for row in game["results"]}


def games_with_answers(sheet: Json) -> list[tuple[Json, Json]]:
    """The games that were scored, each with its answer."""
    pairs = zip(sheet["games"], answer_to(sheet)["rounds"], strict=True)
    return [(game, answer) for game, answer in pairs if game["ended"] != "void"]


def totals(answer: Json) -> dict[str, int]:
    return {standing["player"]: standing["points"] for standing in answer["standings"]}


def places(answer: Json) -> dict[str, int | None]:
    return {standing["player"]: standing["place"] for standing in answer["standings"]}


@given(sessions())
def test_1_session_totals_and_averages_follow_from_the_games(sheet: Json) -> None:
    answer = answer_to(sheet)
    for standing in answer["standings"]:
        scores = [points_of(game).get(standing["player"]) for game in answer["rounds"]]
        scored = [points for points in scores if points is not None]
        assert (standing["games"], standing["points"]) == (len(scored), sum(scored))
        average = standing["average"]
        assert average == (str(Fraction(sum(scored), len(scored))) if scored else None)


@given(sessions())
def test_2_session_place_counts_the_strictly_lower_averages(sheet: Json) -> None:
    answer = answer_to(sheet)
    ranked = [standing for standing in answer["standings"] if standing["status"] == "ranked"]
    averages = [Fraction(standing["average"]) for standing in ranked]
    for standing, average in zip(ranked, averages, strict=True):
        assert standing["place"] == 1 + sum(other < average for other in averages)
    assert all(line["place"] is None for line in answer["standings"] if line not in ranked)
    assert answer["winners"] == [line["player"] for line in ranked if line["place"] == 1]
    assert [line["place"] for line in ranked] == sorted(line["place"] for line in ranked)


@given(sessions(), st.integers(0, 59))
def test_3_seconds_within_the_minute_change_no_points(sheet: Json, second: int) -> None:
    moved = deepcopy(sheet)
    for game in moved["games"]:
        somebody_left = any(row["outcome"] in ("gave_up", "ejected") for row in game["results"])
        if "duration_s" in game and not somebody_left:
            del game["duration_s"]
        elif "duration_s" in game:
            game["duration_s"] = min(3600, game["duration_s"] // 60 * 60 + 59)
        for row in game["results"]:
            if "elapsed_s" in row:
                row["elapsed_s"] = min(3600, row["elapsed_s"] // 60 * 60 + second)
    for game, answer in games_with_answers(sheet):
        for row, result in zip(game["results"], answer["results"], strict=True):
            if row["outcome"] == "out":
                assert result["points"] == row["elapsed_s"] // 60
                assert 0 <= result["points"] <= 60
    assert totals(answer_to(moved)) == totals(answer_to(sheet))


def is_better(hand: dict[str, int], other: dict[str, int]) -> bool:
    """Special situation 6, rule by rule."""
    if sum(hand.values()) != sum(other.values()):
        return sum(hand.values()) < sum(other.values())
    numbers = [sum(held.get(card, 0) for card in "0123456789") for held in (hand, other)]
    if numbers[0] != numbers[1]:
        return numbers[0] < numbers[1]
    for card in "0123456789":
        if hand.get(card, 0) != other.get(card, 0):
            return hand.get(card, 0) > other.get(card, 0)
    return False


@given(sessions())
def test_4_remaining_have_the_ladder_and_level_hands_level_points(sheet: Json) -> None:
    for game, answer in games_with_answers(sheet):
        hands = {row["player"]: row["hand"] for row in game["results"] if row["outcome"] == "remaining"}
        out = sum(row["outcome"] == "out" for row in game["results"])
        for result in answer["results"]:
            if result["player"] in hands:
                hand = hands[result["player"]]
                rank = 1 + sum(is_better(other, hand) for other in hands.values())
                assert (result["place"], result["points"]) == (out + rank, 60 + 5 * rank)


@given(sessions())
def test_5_a_better_place_never_has_more_points(sheet: Json) -> None:
    for _, answer in games_with_answers(sheet):
        placed = [row for row in answer["results"] if row["place"] is not None]
        for row in placed:
            worse = [other for other in placed if other["place"] > row["place"]]
            assert all(row["points"] <= other["points"] for other in worse)


@given(sessions(), st.data())
def test_6_giving_up_is_strictly_worst_and_never_pays(sheet: Json, data: st.DataObject) -> None:
    for game, answer in games_with_answers(sheet):
        how = {row["player"]: row["outcome"] for row in game["results"]}
        points = points_of(answer)
        stayed = [points[player] for player in how if how[player] in ("out", "last", "remaining")]
        for player, outcome in how.items():
            if outcome == "gave_up":
                assert points[player] == max(60, max(stayed) + 30)
                assert points[player] > max(stayed)
    changed, index, player = with_one_more_give_up(sheet, data)
    after = points_of(answer_to(changed)["rounds"][index])[player]
    before = points_of(answer_to(sheet)["rounds"][index])[player]
    assert after >= max(before, 60)


def with_one_more_give_up(sheet: Json, data: st.DataObject) -> tuple[Json, int, str]:
    """The sheet with one who finished a game giving up instead, the game's index, and who it was."""
    chances = [
        (index, at)
        for index, game in enumerate(sheet["games"])
        for at, row in enumerate(game["results"])
        if game["ended"] != "void" and row["outcome"] in ("out", "remaining")
    ]
    assume(chances)
    index, at = data.draw(st.sampled_from(chances))
    changed = deepcopy(sheet)
    game = changed["games"][index]
    if game["ended"] == "last" and "duration_s" not in game:
        game["duration_s"] = max(row.get("elapsed_s", 0) for row in game["results"])
    player = game["results"][at]["player"]
    game["results"][at] = {"player": player, "outcome": "gave_up"}
    assume(answer_if_valid(changed) is not None)
    return changed, index, player


@given(sessions(), st.data())
def test_7_a_rival_giving_up_never_worsens_who_finished(sheet: Json, data: st.DataObject) -> None:
    changed, index, rival = with_one_more_give_up(sheet, data)
    before = points_of(answer_to(sheet)["rounds"][index])
    after = points_of(answer_to(changed)["rounds"][index])
    for row in changed["games"][index]["results"]:
        if row["outcome"] in ("out", "last", "remaining") and row["player"] != rival:
            assert after[row["player"]] <= before[row["player"]]


@given(sessions())
def test_8_an_ejected_row_makes_no_difference_to_the_others(sheet: Json) -> None:
    for index, game in enumerate(sheet["games"]):
        rows = [row for row in game["results"] if row["outcome"] != "ejected"]
        dropped = deepcopy(sheet)
        dropped["games"] = dropped["games"][: index + 1]
        dropped["games"][index]["results"] = rows
        answer = answer_if_valid(dropped)
        if answer is not None:
            before = points_of(answer_to(sheet)["rounds"][index])
            assert points_of(answer["rounds"][index]) == {
                row["player"]: before[row["player"]] for row in rows
            }


@given(st.one_of(sessions(), matches()), st.integers(0, 5))
def test_9_later_games_and_rounds_never_change_earlier_ones(sheet: Json, length: int) -> None:
    key = "games" if sheet["kind"] == "session" else "rounds"
    earlier = answer_to({**sheet, key: sheet[key][:length]})
    assert earlier["rounds"] == answer_to(sheet)["rounds"][:length]


@given(matches())
def test_10_only_the_right_side_gains_what_was_held(sheet: Json) -> None:
    own_hand = sheet["settings"].get("scoring") == "own_hand"
    for round_, answer in zip(sheet["rounds"], answer_to(sheet)["rounds"], strict=True):
        held = {player: worth(hand) for player, hand in round_.get("hands", {}).items()}
        gained = held if own_hand else {round_.get("winner"): sum(held.values())}
        for player, points in points_of(answer).items():
            assert points == gained.get(player, 0)


@given(matches(rulesets=("mattel-108", "mattel-112")))
def test_11_both_counts_have_the_same_grand_total(sheet: Json) -> None:
    grand_totals = {
        sum(totals(answer_to({**sheet, "settings": {"target": 10**6, "scoring": scoring}})).values())
        for scoring in ("winner_takes", "own_hand")
    }
    assert len(grand_totals) == 1


@given(matches(), st.integers(1, 250))
def test_12_a_match_ends_when_somebody_is_at_the_target(sheet: Json, more: int) -> None:
    target = sheet["settings"]["target"]
    answer = answer_to(sheet)
    before = answer_to({**sheet, "rounds": sheet["rounds"][:-1], "stopped": False})
    assert max(totals(before).values()) < target
    in_play = [line for line in answer["standings"] if line["status"] == "ranked"]
    stopped = sheet.get("stopped", False) and bool(sheet["rounds"])
    at_target = max(totals(answer).values()) >= target
    assert answer["complete"] == (at_target or stopped or len(in_play) <= 1)
    assert answer["complete"] or answer["winners"] == []
    higher = answer_if_valid({**sheet, "settings": {**sheet["settings"], "target": target + more}})
    assert higher is None or answer["complete"] or not higher["complete"]


@given(matches())
def test_13_the_winner_of_a_match(sheet: Json) -> None:
    answer = answer_to(sheet)
    assume(answer["complete"])
    ranked = {line["player"]: line["points"] for line in answer["standings"] if line["status"] == "ranked"}
    own_hand = sheet["settings"].get("scoring") == "own_hand"
    best = (min if own_hand else max)(ranked.values(), default=None)
    assert answer["winners"] == [
        player for player in ids_of(sheet) if player in ranked and ranked[player] == best
    ]
    if not own_hand and not sheet.get("stopped") and len(ranked) > 1:
        assert answer["winners"] == [sheet["rounds"][-1]["winner"]]


@given(matches(), st.sampled_from(("removed", "withdrawn")), st.data())
def test_who_leaves_after_the_round_that_ended_a_match_changes_nothing(
    sheet: Json, how: str, data: st.DataObject
) -> None:
    sheet.pop("stopped", None)
    answer = answer_to(sheet)
    here = [line["player"] for line in answer["standings"] if line["status"] == "ranked"]
    assume(answer["complete"] and here)
    gone = data.draw(st.lists(st.sampled_from(here), min_size=1, unique=True))
    assert answer_to({**sheet, how: gone}) == answer


def ids_of(sheet: Json) -> list[str]:
    return [player["id"] for player in sheet["players"]]


@given(heats(), st.integers(1, 3))
def test_14_who_goes_through_the_heats(sheet: Json, more: int) -> None:
    finalists = answer_to(sheet)["finalists"]
    assert len(set(finalists)) == len(finalists)
    wanted = 0
    for heat in sheet["heats"]:
        assert not set(heat.get("removed", ())) & set(finalists)
        advance = heat.get("advance", sheet["settings"].get("advance", 1))
        through = [player for player in heat["finish_order"] if player in finalists]
        assert through == heat["finish_order"][:advance]
        wanted += min(advance, len(heat["finish_order"]))
    assert len(finalists) == wanted
    higher = deepcopy(sheet)
    for heat in higher["heats"]:
        heat["advance"] = heat.get("advance", sheet["settings"].get("advance", 1)) + more
    answer = answer_if_valid(higher)
    assert answer is None or set(answer["finalists"]) >= set(finalists)


@given(sheets(), st.randoms(use_true_random=False))
def test_15_no_order_changes_anybodys_place(sheet: Json, random: Any) -> None:
    shuffled = deepcopy(sheet)
    random.shuffle(shuffled["players"])
    for game in shuffled.get("games", ()):
        random.shuffle(game["results"])
    for round_ in shuffled.get("rounds", ()):
        if "hands" in round_:
            round_["hands"] = dict(sorted(round_["hands"].items(), key=lambda _: random.random()))
    for heat in shuffled.get("heats", ()):
        random.shuffle(heat["players"])
    random.shuffle(shuffled.get("heats", []))
    if random.random() < 0.5:
        for index, heat in enumerate(shuffled.get("heats", ())):
            heat["number"] = index + 1
    before, after = answer_to(sheet), answer_to(shuffled)
    if sheet["kind"] == "heats":
        assert set(before["finalists"]) == set(after["finalists"])
    else:
        assert places(before) == places(after)
        assert totals(before) == totals(after)
        for round_, again in zip(before["rounds"], after["rounds"], strict=True):
            assert points_of(round_) == points_of(again)


@given(planted_fault())
def test_a_planted_fault_is_found_where_it_is(planted: Planted) -> None:
    sheet, code, path = planted
    with pytest.raises(SheetInvalid) as refusal:
        score(sheet)
    assert [(error.code, error.path) for error in refusal.value.errors] == [(code, path)]


ODD: st.SearchStrategy[Any] = st.sampled_from(
    (None, True, False, -1, 0, 1, 10**30, 0.5, "", "p1", "1", [], {}, [[]], {"p1": {}}, "wild4")
)


@given(sheets(), st.data())
def test_whatever_stands_on_a_sheet_it_is_answered_or_refused(sheet: Json, data: st.DataObject) -> None:
    broken = deepcopy(sheet)
    node: Any = broken
    while True:
        key = data.draw(st.sampled_from(sorted(node) if isinstance(node, dict) else range(len(node))))
        below = node[key]
        if not isinstance(below, (dict, list)) or not below or data.draw(st.integers(0, 3)) == 0:
            break
        node = below
    node[key] = data.draw(ODD)
    try:
        answer = answer_to(broken)
    except SheetInvalid as refusal:
        answer = refusal.as_json()
        assert answer["errors"]
    json.dumps(answer)
