"""Stages are planned, set, started and finished by their actions; each kind has a list and a form of its own."""

from uuid import uuid4

import pytest
from django.test import Client

from tests.support.admin_forms import added, address, changed, last
from tests.support.factories import (
    Event,
    event,
    recorded_round,
)
from tournament import actions
from tournament.models import Final, Heats, Match, Session, Stage

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "target", ["", "[]", "-1", "NaN", "9" * 450, "x" * 5000, "249"], ids=lambda text: text[:5]
)
def test_setting_that_is_no_number_in_its_range_is_an_error_at_its_field(
    browser: Client, championship: Event, target: str
) -> None:
    planned = uuid4()
    championship.act(actions.plan_stage, stage=planned, kind="final", settings={"target": 300})
    answer = changed(browser, Stage.objects.get(uid=planned), target=target)
    if target:
        assert answer.status_code == 200
        assert answer.context["adminform"].form.errors["target"]
    else:  # left to be chosen later
        assert Stage.objects.get(uid=planned).settings == {}


def test_settings_are_fields_by_ruleset_with_help_until_the_stage_starts(
    browser: Client, championship: Event
) -> None:
    offered = {"final": {"target", "decks"}, "heats": {"advance"}}
    for kind, names in offered.items():
        planned = uuid4()
        championship.act(actions.plan_stage, stage=planned, kind=kind)
        form = (
            browser.get(address(Stage, "change", Stage.objects.get(uid=planned).pk)).context["adminform"].form
        )
        assert set(form.fields) == {"name", "command"} | names
        assert all(form.fields[name].help_text for name in names)
    started = browser.get(address(Stage, "change", championship.stage.pk)).context["adminform"].form
    assert set(started.fields) == {"name", "command"}


def test_stage_finishes_from_the_list(browser: Client, championship: Event) -> None:
    """The list asks first, with the tables that still play. A refusal is shown for the stage it belongs to; then the
    action is carried out."""
    selected = {"_selected_action": [championship.stage.pk], "action": "finish"}
    asked = " ".join(browser.post(address(Stage, "changelist"), selected).content.decode().split())
    assert f"<bdi>{championship.tournament}</bdi>: <strong>1 table still plays</strong>" in asked
    assert championship.refresh().stage.state == "running"
    selected["sure"] = "Finish"
    refused = browser.post(address(Stage, "changelist"), selected, follow=True)
    assert "The match is not over" in refused.content.decode()
    assert championship.refresh().stage.state == "running"
    recorded_round(championship)
    championship.act(actions.stop_match, table=championship.table.uid)
    browser.post(address(Stage, "changelist"), selected)
    assert championship.refresh().stage.state == "finished"
    assert last(championship.tournament) == "finish_stage"


def test_stage_is_planned_by_its_action(browser: Client, championship: Event) -> None:
    answer = added(
        browser,
        Stage,
        tournament=championship.tournament.pk,
        kind="final",
        name="",
    )
    assert answer.status_code == 302
    assert last(championship.tournament) == "plan_stage"


def test_final_is_planned_set_and_started_under_its_own_name(browser: Client, championship: Event) -> None:
    tournament = championship.tournament
    answer = added(browser, Final, tournament=tournament.pk, name="Last")
    assert answer.status_code == 302
    planned = Final.objects.get(name="Last")
    assert (planned.kind, planned.settings, last(tournament)) == ("final", {}, "plan_stage")
    assert changed(browser, planned, target="400").status_code == 302
    planned.refresh_from_db()
    assert (planned.settings, last(tournament)) == ({"target": 400}, "set_stage_settings")
    selected = {"_selected_action": [planned.pk], "action": "start"}
    refused = browser.post(address(Final, "changelist"), selected, follow=True)
    assert [str(message) for message in refused.context["messages"]]
    planned.refresh_from_db()
    assert planned.state == "planned"  # nobody sits there


def test_a_kind_lists_its_own_stages_and_is_offered_for_events_that_play_it(
    browser: Client, championship: Event
) -> None:
    kpgut = event("kpgut-2016").tournament
    for kind in (Session, Heats, Match, Final):
        rows = browser.get(address(kind, "changelist")).context["cl"].result_list
        assert {row.kind for row in rows} == {kind.__name__.lower()}
        offered = browser.get(address(kind, "add")).context["adminform"].form.fields["tournament"].queryset
        assert (kpgut in offered) is (kind is Session)
        assert (championship.tournament in offered) is (kind is not Session)


def test_list_counts_tables_and_the_results_that_count(browser: Client, championship: Event) -> None:
    (heats,) = browser.get(address(Heats, "changelist")).context["cl"].result_list
    assert (heats.tables_here, heats.results_here) == (2, 2)
    final = browser.get(address(Final, "changelist")).context["cl"].result_list[0]
    assert (final.tables_here, final.results_here) == (1, 0)  # its only round is void
    recorded_round(championship)
    final = browser.get(address(Final, "changelist")).context["cl"].result_list[0]
    assert final.results_here == 1
