"""An event as a form: each template's stages, and what a ruleset leaves open."""

from datetime import date
from typing import Any

import pytest

from rulesets import RULESETS
from rulesets.ruleset import WINNER_TAKES
from tests.support.factories import StaffFactory, UserFactory, add_stage, event
from tournament.actions import PlannedStage
from tournament.forms.details import EditForm, zone_choices
from tournament.forms.events import (
    ChampionshipForm,
    MatchForm,
    NewEventForm,
    SessionForm,
    StageForm,
)
from tournament.models import Stage, Tournament
from tournament.permissions import organisers_of

pytestmark = pytest.mark.django_db
DETAILS = {
    "name": "Club night",
    "starts_on": "9.5.2026",
    "place": "Helsinki",
    "language": "en",
    "time_zone": "Europe/Helsinki",
    "listed": "on",
}


def stages(form: NewEventForm) -> list[PlannedStage]:
    assert form.is_valid(), form.errors
    return form.stages()


def test_session_leaves_empty_settings_to_the_ruleset() -> None:
    user = UserFactory()
    assert stages(SessionForm(user, DETAILS)) == [PlannedStage("session")]
    assert stages(SessionForm(user, DETAILS | {"min_games": "3"})) == [
        PlannedStage("session", settings={"min_games": 3})
    ]


@pytest.mark.parametrize(
    ("ruleset", "settings"),
    [
        ("mattel-112", {"target": 300, "scoring": WINNER_TAKES, "custom_cards": 2}),
        ("mattel-108", {"target": 300, "scoring": WINNER_TAKES}),  # a deck without Customizable cards
    ],
)
def test_match_is_by_the_chosen_deck(ruleset: str, settings: dict[str, Any]) -> None:
    typed = {"target": "300", "scoring": WINNER_TAKES, "custom_cards": "2", "card_text_1": "Sing"}
    form = MatchForm(UserFactory(), DETAILS | typed | {"ruleset": ruleset})
    [stage] = stages(form)
    assert (form.played().id, stage.kind, stage.settings) == (ruleset, "match", settings)
    assert list(stage.card_texts) == ["Sing", "", ""]


def test_match_by_other_rules_asks_for_no_deck() -> None:
    rules = RULESETS["tite-2022"]
    form = MatchForm(UserFactory(), DETAILS, rules=rules)
    assert ("ruleset" in form.fields, form.played()) == (False, rules)
    assert "From" in str(form.fields["target"].help_text)


def test_championship_plans_its_levels() -> None:
    typed = {"expected": "24", "most_at_table": "6", "advance": "2", "target": "300"}
    heats, *_between, final = stages(ChampionshipForm(UserFactory(), DETAILS | typed))
    assert (heats.kind, heats.settings, heats.plan) == (
        "heats",
        {"advance": 2},
        {"players": 24, "tables": 4, "most": 6},
    )
    assert (final.kind, final.settings["target"], "most" in final.plan) == ("final", 300, False)


def test_newcomer_makes_an_organiser_and_lists_nothing() -> None:
    user = UserFactory()
    form = SessionForm(user, DETAILS | {"organiser_name": "Card club"})
    assert form.is_valid()
    assert {"organiser", "listed"}.isdisjoint(form.fields)
    details = form.details()
    assert (details["organiser"], details["organiser_name"], details["listed"]) == (None, "Card club", False)
    assert (details["starts_on"], details["ruleset"]) == (date(2026, 5, 9), "kpgut-2016")


def test_who_organises_lists_an_event_of_their_own_organiser() -> None:
    made = event()
    organiser = made.tournament.organiser
    assert list(organisers_of(made.user)) == [organiser]
    assert list(organisers_of(made.referee())) == []
    for chosen, listed in ((str(organiser.uid), True), ("", made.user.is_staff)):
        form = SessionForm(made.user, DETAILS | {"organiser": chosen})
        assert form.is_valid()
        assert (form.details()["listed"], str(form.details()["organiser"] or "")) == (listed, chosen)
        assert form.details()["organiser_name"] == ("" if chosen else made.user.display_name())
    assert form.fields["organiser"].initial == str(organiser.uid)
    assert "listed" in SessionForm(StaffFactory(), DETAILS).fields


def test_a_new_event_is_not_the_demos_unless_chosen() -> None:
    made = event()
    Tournament.objects.filter(pk=made.tournament.pk).update(slug="demo-mattel")
    form = SessionForm(made.user, DETAILS)
    assert form.fields["organiser"].initial == ""
    own = event(organiser=made.tournament.organiser.uid, organiser_name="", user=made.user)
    assert SessionForm(made.user, DETAILS).fields["organiser"].initial == str(own.tournament.organiser.uid)
    assert str(made.tournament.organiser.uid) in str(form["organiser"])


def test_rehearsal_is_never_listed() -> None:
    tournament = event().tournament
    assert EditForm(tournament, limited=False).initial["name"] == tournament.name
    Tournament.objects.filter(pk=tournament.pk).update(rehearsal=True)
    tournament.refresh_from_db()
    form = EditForm(tournament, DETAILS | {"slug": "club-night"}, limited=False)
    assert form.is_valid()
    assert (form.details()["listed"], form.details()["slug"]) == (False, "club-night")


@pytest.mark.parametrize(
    ("ruleset", "kind", "names"),
    [
        ("tite-2022", "heats", ["name", "advance"]),
        ("kpgut-2016", "session", ["name", "min_games", "decks"]),
        ("mattel-108", "match", ["name", "target", "scoring", "decks"]),
    ],
)
def test_stage_asks_for_what_its_kind_leaves_open(ruleset: str, kind: str, names: list[str]) -> None:
    made = add_stage(event(ruleset, players=4), kind, start=False)
    assert list(StageForm(made.stage).fields) == names


def test_settings_that_were_typed_before_the_start_are_not_lost() -> None:
    made = add_stage(event("mattel-112", players=4), "match", start=False)
    Stage.objects.filter(pk=made.stage.pk).update(state=Stage.State.RUNNING)
    stage = made.refresh().stage
    assert list(StageForm(stage, {"name": "Final"}).fields) == ["name"]
    late = StageForm(stage, {"target": "300", "scoring": WINNER_TAKES, "card_text_2": "Sing"})
    assert late.is_valid(), late.errors
    assert (late.open, late.card_texts()) == (True, ["", "Sing", ""])
    assert late.settings() == {"target": 300, "scoring": WINNER_TAKES, "custom_cards": 3}


def test_zones_have_a_place_in_their_name() -> None:
    zones = dict(zone_choices())
    assert zones["America/New_York"] == "America/New York"
    assert "UTC" not in zones
