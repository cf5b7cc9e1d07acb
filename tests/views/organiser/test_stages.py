"""One stage: its settings, start, finish, reopening, second looks."""

from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.factories import (
    Event,
    UserFactory,
    add_stage,
    event,
    recorded_heat,
    recorded_round,
    running_heats,
    running_match,
)
from tests.views.organiser.conftest import Browser, Forms, form_of
from tests.views.organiser.test_advancing import stage_page
from tests.views.organiser.test_events import text_of
from tests.views.organiser.test_second_look import looked_twice
from tournament import actions
from tournament.models import LedgerNote, LedgerRow, Play, Stage, User
from tournament.queries.stage_rules import rules_set

pytestmark = pytest.mark.django_db


@pytest.fixture
def match(organiser: User) -> Event:
    made = event("mattel-112", players=3, user=organiser, name="Evening")
    stage = uuid4()
    made.act(actions.plan_stage, stage=stage, kind="match", settings={"target": 300, "custom_cards": 1})
    made.stage = Stage.objects.get(uid=stage)
    return made.refresh()


def start(made: Event) -> None:
    made.act(actions.seat_table, stage=made.stage.uid, table=uuid4(), number=1, entries=made.uids)
    made.act(actions.start_stage, stage=made.stage.uid)
    made.refresh()


def test_settings_and_texts_are_changed_on_the_stages_page(browser: Browser, match: Event) -> None:
    page = reverse("organise-stage", args=[match.stage.uid])
    assert browser.send(page, page, target="250", custom_cards="1", card_text_1="Sing").status_code == 303
    match.refresh()
    assert (match.stage.settings["target"], match.stage.card_texts) == (250, ["Sing"])
    assert form_of(browser, page, "target")["card_text_1"] == "Sing"
    text = browser.get(page).content.decode()
    assert text.partition('<datalist id="card-ideas">')[2].partition("</datalist>")[0].count("<option>") == 10
    assert text.count('list="card-ideas"') == 3
    answer = browser.send(page, page, custom_cards="0")
    assert answer.status_code == 422
    assert 'id="id_card_text_1_error"' in answer.content.decode()
    start(match)
    assert browser.send(page, page, name="Renamed").status_code == 303
    match.refresh()
    assert (match.stage.name, match.stage.card_texts) == ("Renamed", ["Sing"])


def test_locked_settings_are_text_and_what_was_typed_before_is_refused(
    browser: Browser, match: Event
) -> None:
    page = reverse("organise-stage", args=[match.stage.uid])
    before = form_of(browser, page, "target")
    start(match)
    locked = browser.get(page)
    assert list(locked.context["form"].fields) == ["name"]
    assert f"Target {match.stage.settings['target']}" in text_of(locked)
    stale = browser.post(page, before | {"target": "250"})
    assert stale.status_code == 422
    assert "Play has started, so the settings are locked." in text_of(stale)
    assert stale.context["form"]["target"].value() == "250"


def test_start_takes_the_settings_that_are_typed(browser: Browser, organiser: User) -> None:
    """The target of a TiTe final, typed and not saved."""
    made = event("tite-2022", players=3, user=organiser)
    add_stage(made, "final", start=False)
    page = reverse("organise-stage", args=[made.stage.uid])
    typed = form_of(browser, page, "target")
    start = reverse("organise-stage-start", args=[made.stage.uid])
    assert f'form="settings" formaction="{start}"' in browser.get(page).content.decode()
    wrong = browser.post(start, typed | {"target": "1"})
    assert (wrong.status_code, wrong.context["form"]["target"].value()) == (422, "1")
    missing = browser.post(start, typed)
    assert (missing.status_code, "Choose the target first." in missing.content.decode()) == (422, True)
    for _twice in range(2):
        answer = browser.post(start, typed | {"target": "250"})
        assert answer["Location"].startswith(reverse("organise-board", args=[made.tournament.slug]))
    made.refresh()
    assert (made.stage.state, made.stage.settings["target"]) == ("running", 250)
    assert LedgerRow.objects.filter(action__in=["set_stage_settings", "start_stage"]).count() == 2


def test_who_set_the_rules_and_when_they_were_locked(browser: Browser, match: Event) -> None:
    head = UserFactory(first_name="Henna")
    match.act(actions.grant_role, membership=uuid4(), user=head.uid, role="organiser")
    first = rules_set(match.tournament, [match.stage])[match.stage.uid]
    assert (first.by, first.locked_at) == ("Outi Organiser", None)
    assert [(str(each.name), str(each.value)) for each in first.settings] == [
        ("Target", "300"),
        ("Customizable cards in each deck", "1"),
    ]
    other = Event(match.tournament, head)
    other.act(actions.set_stage_settings, stage=match.stage.uid, settings={"target": 200})
    match.act(actions.set_stage_settings, stage=match.stage.uid, settings={"target": 200}, name="Renamed")
    start(match)
    match.act(actions.set_stage_settings, stage=match.stage.uid, settings={"target": 200}, name="Again")
    rules = rules_set(match.tournament, [match.refresh().stage])[match.stage.uid]
    changed = LedgerRow.objects.filter(action="set_stage_settings").earliest("id")
    assert (rules.by, rules.at) == ("Henna", changed.at)
    assert rules.locked_at == LedgerRow.objects.get(action="start_stage").at
    own = text_of(browser.get(reverse("organise-stage", args=[match.stage.uid])))
    assert "Target 200" in own
    assert "Set by Henna" in own
    assert "Locked when play started" in own
    slug = match.tournament.slug
    for page in (reverse("stage", args=[slug, match.stage.uid]), reverse("tournament", args=[slug])):
        public = text_of(Client().get(page))
        assert "Target 200" in public
        assert "Locked when play started" in public
        assert "Henna" not in public


def test_open_target_leads_to_the_page_where_referees_choose_it(browser: Browser, organiser: User) -> None:
    made = add_stage(event("tite-2022", players=3, user=organiser), "final", target=300, start=False)
    page = reverse("organise-stage", args=[made.stage.uid])
    choose = f'href="{reverse("table-target", args=[made.table.uid])}"'
    assert choose in browser.get(page).content.decode()
    made.act(actions.start_stage, stage=made.stage.uid)
    begun = browser.get(page).content.decode()
    assert choose in begun
    assert "Only the name and, until the first round is entered, the target can be changed." in begun
    recorded_round(made)
    assert choose not in browser.get(page).content.decode()


def test_card_texts_are_on_the_public_page_and_at_the_table(browser: Browser, match: Event) -> None:
    match.act(
        actions.set_stage_settings,
        stage=match.stage.uid,
        settings=match.stage.settings,
        card_texts=["<b>Sing</b>"],
    )
    start(match)
    stage = reverse("stage", args=[match.tournament.slug, match.stage.uid])
    for page in (stage, reverse("table", args=[match.table.uid])):
        html = browser.get(page).content.decode()
        assert "<q><bdi>&lt;b&gt;Sing&lt;/b&gt;</bdi></q>" in html


def test_a_heat_without_a_result_is_finished_on_the_page(browser: Browser, organiser: User) -> None:
    made = add_stage(event("tite-2022", players=6, user=organiser), "heats", tables=2)
    recorded_heat(made, made.tables[0])
    assert browser.send(stage_page(made), "/finish/").status_code == 422
    assert browser.send(stage_page(made), "/finish/", without="2").status_code == 422
    assert browser.send(stage_page(made), "/finish/", without="2", reason="no time").status_code == 303
    assert made.refresh().stage.state == "finished"


def test_finished_again_the_same_heats_have_no_result(browser: Browser, organiser: User) -> None:
    made = add_stage(event("tite-2022", players=9, user=organiser), "heats", tables=3)
    recorded_heat(made, made.tables[0])
    played = recorded_heat(made, made.tables[1])
    assert 'value="no time"' not in browser.get(stage_page(made)).content.decode()
    made.act(actions.finish_stage, stage=made.stage.uid, without=[3], reason="no time")
    made.act(actions.reopen_stage, stage=made.stage.uid, reason="misread")
    version = Play.objects.get(uid=played).version
    made.act(actions.void_play, play=played, version=version, reason="never played")
    form = next(
        form
        for form in Forms(browser.get(stage_page(made)).content.decode()).forms
        if form["action"].endswith("/finish/")
    )
    assert (form["data"]["without"], form["data"]["reason"]) == ("3", "no time")
    refused = browser.send(stage_page(made), "/finish/")
    assert "Table 2 has no result yet." in refused.content.decode()
    assert browser.send(stage_page(made), "/finish/", without=["2", "3"]).status_code == 303
    assert list(LedgerNote.objects.order_by("-row__sequence").values_list("text", flat=True)[:1]) == [
        "no time"
    ]


def test_the_finish_names_what_waits_and_leads_to_switching_it_off(browser: Browser) -> None:
    made = looked_twice(running_match(players=3))
    recorded_round(made)
    browser.force_login(made.user)
    own = reverse("organise-stage", args=[made.stage.uid])
    page = browser.get(own).content.decode()
    assert "1 result is waiting for confirmation" in page
    assert browser.send(own, "second-look/", reason="one referee").status_code == 303
    assert "waiting for confirmation" not in browser.get(own).content.decode()
    assert not Stage.objects.get(pk=made.stage.pk).second_look
    assert browser.send(own, "second-look/").status_code == 303
    assert Stage.objects.get(pk=made.stage.pk).second_look


def test_head_referees_start_and_finish_but_change_no_settings() -> None:
    made = running_heats(players=6, tables=2)
    head = Browser()
    head.force_login(made.referee("head_referee"))
    own = reverse("organise-stage", args=[made.stage.uid])
    page = head.get(own).content.decode()
    assert "/finish/" in page
    assert "/reopen/" not in page
    assert 'name="advance"' not in page
    assert head.post(own, {"command": str(uuid4()), "name": "Mine"}).status_code == 403
    for table in made.tables:
        recorded_heat(made, table=table)
    board = reverse("organise-board", args=[made.tournament.slug])
    assert head.send(own, "/finish/")["Location"].startswith(board)  # nothing follows
    assert Stage.objects.get(pk=made.stage.pk).state == "finished"


def test_what_is_over_is_finished_at_the_foot_and_leads_to_who_goes_through(
    browser: Browser, organiser: User
) -> None:
    made = add_stage(event("tite-2022", 8, user=organiser), "heats", tables=2)
    final = uuid4()
    made.act(actions.plan_stage, stage=final, kind="final", settings={"target": 300})
    page = reverse("organise-stage", args=[made.stage.uid])
    assert "action-bar" not in browser.get(page).content.decode()
    for table in made.tables:
        recorded_heat(made, table)
    shown = browser.get(page).content.decode()
    assert 'form="finish-form"' in shown.partition('class="action-bar"')[2]
    answer = browser.send(page, "/finish/")
    assert answer.status_code == 303
    shown = browser.get(answer.url).content.decode()
    assert f'href="{reverse("organise-stage", args=[final])}">Players going through' in shown


def test_an_organiser_lets_players_run_the_clock_of_a_session(browser: Browser, organiser: User) -> None:
    made = add_stage(event("kpgut-2016", players=3, user=organiser), "session")
    url = reverse("organise-stage", args=[made.stage.uid])
    assert "Players run the clock" in browser.get(url).content.decode()
    browser.send(url, "/players-clock/")
    assert made.refresh().stage.players_clock
    assert "Referees run the clock" in browser.get(url).content.decode()
