"""The rules set for a stage, by whom, and since when they are locked."""

from dataclasses import replace
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from rulesets import RULESETS, put_away, take_in
from tests.support.factories import Event, UserFactory, event, running_match
from tournament import actions
from tournament.models import LedgerRow, Stage, Tournament
from tournament.queries.stage_rules import chooses_target, rules_set, settings_in_words

pytestmark = pytest.mark.django_db


@pytest.fixture
def match() -> Event:
    made = event("mattel-112", players=3)
    stage = uuid4()
    made.act(actions.plan_stage, stage=stage, kind="match", settings={"target": 300, "custom_cards": 1})
    made.stage = Stage.objects.get(uid=stage)
    return made.refresh()


def test_settings_are_locked_from_the_start_until_the_stage_is_planned_again(match: Event) -> None:
    planned = rules_set(match.tournament, [match.stage])[match.stage.uid]
    assert (planned.by, planned.at, planned.locked_at) == (
        match.user.display_name(),
        LedgerRow.objects.get(action="plan_stage").at,
        None,
    )
    match.act(actions.seat_table, stage=match.stage.uid, table=uuid4(), number=1, entries=match.uids)
    match.act(actions.start_stage, stage=match.stage.uid)
    locked = rules_set(match.tournament, [match.refresh().stage])[match.stage.uid]
    assert locked.locked_at == LedgerRow.objects.get(action="start_stage").at
    assert locked.at == planned.at


def test_settings_are_worded_in_the_order_in_which_they_are_asked(match: Event) -> None:
    words = [(str(each.name), str(each.value)) for each in settings_in_words(match.stage)]
    assert words == [("Target", "300"), ("Customizable cards in each deck", "1")]
    match.stage.settings = {"scoring": "own_hand"}
    words = [(str(each.name), str(each.value)) for each in settings_in_words(match.stage)]
    assert words == [("Target", "500"), ("Scoring method", "alternative scoring")]


def test_who_set_the_texts_of_the_cards(match: Event) -> None:
    """The ledger does not hold the texts: whoever saved the settings last saved them too."""
    head = UserFactory(first_name="Henna")
    match.act(actions.grant_role, membership=uuid4(), user=head.uid, role="organiser")
    Event(match.tournament, head).act(
        actions.set_stage_settings, stage=match.stage.uid, settings=match.stage.settings, card_texts=["Sing"]
    )
    assert rules_set(match.tournament, [match.refresh().stage])[match.stage.uid].by == "Henna"


def test_rules_are_read_in_as_many_queries_for_many_stages_as_for_one() -> None:
    asked = []
    for stages in (1, 3):
        made = event("tite-2022", players=4)
        for _number in range(stages):
            made.act(actions.plan_stage, stage=uuid4(), kind="heats")
        rows = list(made.tournament.stages.select_related("tournament"))
        with CaptureQueriesContext(connection) as queries:
            rules_set(made.tournament, rows)
        asked.append(len(queries))
    assert asked == [2, 2]


def test_referees_choose_the_target_of_a_match_whose_ruleset_fixes_none() -> None:
    house = replace(RULESETS["mattel-108"], id="house-2026", default_target=None)
    take_in(house)
    try:
        chosen = [
            (ruleset, kind)
            for ruleset in ("tite-2022", "mattel-108", house.id)
            for kind in ("heats", "match", "final")
            if chooses_target(Stage(kind=kind, tournament=Tournament(ruleset=ruleset)))
        ]
    finally:
        put_away(house.id)
    rulesets = ("tite-2022", house.id)
    assert chosen == [(ruleset, kind) for ruleset in rulesets for kind in ("match", "final")]


def test_no_lock_is_said_of_a_target_that_the_first_round_locks() -> None:
    made = running_match(players=3, ruleset="tite-2022", kind="final")
    head = made.referee()
    made.user, asked = head, {"stage": made.stage.uid, "target": 250}
    chosen_at = LedgerRow.objects.get(sequence=made.act(actions.choose_target, **asked).sequence).at
    rules = rules_set(made.tournament, [made.refresh().stage])[made.stage.uid]
    assert (rules.by, rules.at, rules.locked_at) == (head.display_name(), chosen_at, None)
