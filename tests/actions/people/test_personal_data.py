"""A person is erased in one action: the name is gone from everywhere, what was played stays, every chain holds."""

import json
from datetime import date, timedelta
from typing import Any
from uuid import uuid4, uuid5

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.support.arriving import opened, own, registered, token_of
from tests.support.factories import Event, add_stage, event, recorded_heat, running_match
from tests.support.models import stored_models
from tests.views.public.test_privacy import addresses_from
from tournament import actions
from tournament.actions.people.personal_data import erase_old_contacts, old_contacts
from tournament.ledger.verify import verify
from tournament.models import Entry, Incident, LedgerNote, LedgerRow, Player, Tournament
from tournament.queries.people import data_of
from tournament.results.answer import stage_results

pytestmark = pytest.mark.django_db

CANARY = "Xanthippe"


def two_events() -> tuple[Event, Event]:
    """Somebody in two events of one organiser, in each under a name of the canary's, with all that is kept."""
    first = event("tite-2022", players=5)
    given = {"entry": uuid4(), "name": f"{CANARY} I", "real_name": f"{CANARY} Real", "club": f"{CANARY} club"}
    given |= {"birth_date": date(1987, 7, 14), "contact": f"{CANARY}@a.example"}
    first.act(actions.enter_players, players=[given])
    first.entries = list(Entry.objects.filter(tournament=first.tournament))
    add_stage(first, "heats", tables=2)
    play = recorded_heat(first)
    at = next(table for table in first.tables if given["entry"] in first.at(table))
    warned = {"incident": uuid4(), "table": at.uid, "entry": given["entry"], "text": f"{CANARY} shouted"}
    first.act(actions.warn_player, **warned)
    asked = {"play": play, "version": first.play(play).version, "reason": f"not {CANARY.lower()} i but Aino"}
    first.act(actions.correct_heat, finish_order=first.at(first.table)[1:2], **asked)
    player = Player.objects.get(name=f"{CANARY} Real")
    second = event("tite-2022", user=first.user, organiser=first.tournament.organiser.uid, players=3)
    again = {"entry": uuid4(), "name": f"{CANARY} II", "player": player.uid}
    second.act(actions.enter_players, players=[again])
    second.entries = list(Entry.objects.filter(tournament=second.tournament))
    second.act(actions.remove_player, entry=again["entry"], reason=f"{CANARY} again")
    return first, second


def rows_with(text: str) -> list[str]:
    """The models of ours with a row that holds the text."""
    return [
        model.__name__
        for model in stored_models()
        if any(text.lower() in str(row).lower() for row in model._default_manager.values())
    ]


@pytest.mark.sweep
def test_a_person_is_erased_from_every_event_and_page_and_scores_stay(client: Client) -> None:
    first, second = two_events()
    entry = Entry.objects.get(public_name=f"{CANARY} I")
    player = entry.player
    before = [each.answer.as_json() for each in stage_results(first.refresh().stage)]
    pages = [reverse("tournament", args=[made.tournament.slug]) for made in (first, second)]
    pages.append(reverse("entry", args=[first.tournament.slug, entry.uid]))
    assert all(CANARY in client.get(path).content.decode() for path in pages)
    versions = [made.tournament.version for made in (first.refresh(), second)]
    first.act(actions.erase_person, entry=entry.uid)
    here, there = LedgerRow.objects.filter(action="erase_person").order_by("tournament_id")
    assert (here.tournament, there.tournament) == (first.tournament, second.tournament)
    assert there.command == uuid5(here.command, str(second.tournament.uid))
    assert (there.actor, there.content, there.payload.keys()) == (here.actor, here.content, {"entry"})
    assert rows_with(CANARY) == []
    assert rows_with("1987-07-14") == []
    seen = addresses_from("/en/", *pages)
    assert [path for path, text in seen.items() if CANARY in text] == []
    assert f"Player {entry.start_number}" in seen[pages[0]]
    for made, version in zip((first, second), versions, strict=True):
        made.tournament.refresh_from_db()
        assert made.tournament.version > version  # so that pages in every cache are rendered again
        assert verify(made.tournament) == []
    after = json.loads(
        json.dumps([each.answer.as_json() for each in stage_results(first.refresh().stage)], default=str)
    )
    named = json.dumps(before, default=str).replace(f"{CANARY} I", f"Player {entry.start_number}")
    assert after == json.loads(named)
    erased = Entry.objects.filter(player=player).order_by("pk")
    assert list(erased.values_list("public_name", "club", "link_number")) == [
        (f"Player {entry.start_number}", "", 1),
        ("Player 4", "", 1),
    ]
    player.refresh_from_db()
    assert (player.name, player.contact, player.birth_date) == (f"Player {entry.start_number}", "", None)
    told = Incident.objects.filter(entry__in=erased)
    assert list(told.values_list("text", "ruling")) == [("", "")] * 2
    assert first.stage.version == first.tournament.version
    assert LedgerNote.objects.get(text__contains="Aino").text == f"not Player {entry.start_number} but Aino"


def test_pages_say_whose_data_were_erased_and_of_nobody_else(client: Client) -> None:
    first, _second = two_events()
    entry = Entry.objects.get(public_name=f"{CANARY} I")
    other = first.entries[1] if first.entries[0].pk == entry.pk else first.entries[0]
    first.act(actions.renew_link, entry=other.uid)  # ends links too
    slug = first.tournament.slug
    pages = [
        reverse("tournament", args=[slug]),
        reverse("stage", args=[slug, first.stage.uid]),
        reverse("players", args=[slug]),
        reverse("entry", args=[slug, entry.uid]),
    ]
    assert not [page for page in pages if "data-erased" in client.get(page).content.decode()]
    first.act(actions.erase_person, entry=entry.uid)
    for page in pages:
        assert f' data-erased="{entry.uid}"' in client.get(page).content.decode(), page
    assert "data-me-set" not in client.get(pages[-1]).content.decode()
    assert "data-erased" not in client.get(reverse("entry", args=[slug, other.uid])).content.decode()
    unerased = reverse("own", args=[f"{token_of(other.uid)[:-3]}AAA"])
    assert client.get(unerased, {"erased": "1"}).status_code == 404


@pytest.mark.beside
def test_contacts_go_90_days_after_the_last_event(capsys: pytest.CaptureFixture[str]) -> None:
    first, _ = two_events()
    Tournament.objects.update(starts_on=timezone.now().date() - timedelta(days=1))
    assert erase_old_contacts(timezone.now()) == 0
    later = timezone.now() + timedelta(days=92)
    first.act(actions.enter_players, players=[{"entry": uuid4(), "name": "New", "contact": "new@a.example"}])
    coming = event(user=first.user, organiser=first.tournament.organiser.uid, starts_on=later.date())
    new = Player.objects.get(contact="new@a.example")
    coming.act(actions.enter_players, players=[{"entry": uuid4(), "name": "New", "player": new.uid}])
    assert erase_old_contacts(later) == 1
    assert list(Player.objects.exclude(contact="").values_list("name", flat=True)) == ["New"]
    assert Player.objects.get(name=f"{CANARY} Real").birth_date is not None
    call_command("forget_contacts", "--dry-run")
    call_command("forget_contacts")
    assert capsys.readouterr().out == "0 contacts would be erased\n0 contacts erased\n"


@pytest.mark.beside
def test_contacts_stay_while_an_event_of_the_past_goes_on_and_go_once_it_is_finished() -> None:
    now = timezone.now()
    made = event(starts_on=(now - timedelta(days=100)).date())
    made.act(actions.enter_players, players=[{"entry": uuid4(), "name": "Aino", "contact": "040"}])
    assert old_contacts(now) == []
    Tournament.objects.update(state=Tournament.State.FINISHED)
    assert old_contacts(now) == [Player.objects.get().pk]


@pytest.mark.beside
def test_answers_go_with_the_contacts_with_the_person_and_are_in_the_persons_own_file() -> None:
    made = opened(event())
    diet = str(uuid4())
    made.act(actions.set_questions, questions=[{"id": diet, "kind": "text", "labels": {"en": "Diet?"}}])
    late, erased = (registered(made, name, answers={diet: f"{CANARY} vegan"}) for name in ("Late", "Erased"))
    data = data_of(Entry.objects.get(uid=late).player, all_results=True)
    assert data["events"][0]["answers"] == [{"question": "Diet?", "answer": f"{CANARY} vegan"}]
    made.act(actions.erase_person, entry=erased)
    assert Entry.objects.get(uid=erased).answers == {}
    Tournament.objects.update(state=Tournament.State.FINISHED)
    assert erase_old_contacts(timezone.now() - timedelta(days=3650)) == 0
    assert erase_old_contacts(timezone.now() + timedelta(days=3650)) == 1
    assert Entry.objects.get(uid=late).answers == {}
    assert erase_old_contacts(timezone.now() + timedelta(days=3650)) == 0


def test_a_minor_without_a_nickname_is_a_number_for_everybody() -> None:
    made = opened(event(starts_on=date(2026, 5, 9)))
    young, old = date(2012, 1, 1), date(1990, 1, 1)
    rows: list[dict[str, Any]] = [
        {"entry": uuid4(), "name": "Young Real", "birth_date": young},
        {"entry": uuid4(), "name": "Nick", "real_name": "Young Other", "birth_date": young},
        {"entry": uuid4(), "name": "Old Real", "birth_date": old},
        {"entry": uuid4(), "name": "With Guardian", "guardian": True},
    ]
    made.act(actions.enter_players, players=rows)
    shown = [Entry.objects.get(uid=row["entry"]).public_name for row in rows]
    assert shown == ["Player 1", "Nick", "Old Real", "Player 4"]
    assert Entry.objects.get(uid=rows[0]["entry"]).player.name == "Young Real"
    guarded = {"minor": True, "guardian": True}
    same = registered(made, "Self Real", real_name="self  real", **guarded)
    own = registered(made, "Shadow", real_name="Self Other", **guarded)
    assert Entry.objects.get(uid=same).public_name == "Player 5"
    assert Entry.objects.get(uid=own).public_name == "Shadow"


def test_who_turns_out_to_be_a_minor_is_hidden_until_somebody_names_them() -> None:
    made = event(starts_on=date(2026, 5, 9), players=1)
    young = {"entry": made.uids[0], "start_number": 1, "birth_date": date(2012, 1, 1)}
    made.act(actions.edit_entry, public_name="Aino", **young)
    assert Entry.objects.get().public_name == "Player 1"
    for _time in range(2):  # and it stays so where something else is changed
        made.act(actions.edit_entry, public_name="Aino", **young)
        assert Entry.objects.get().public_name == "Aino"


def test_a_minor_whose_name_is_typed_with_the_birth_date_is_shown_by_that_name() -> None:
    made = event(starts_on=date(2026, 5, 9), players=1)
    named = {"public_name": "Aino A", "real_name": "Aino A", "birth_date": date(2012, 1, 1)}
    made.act(actions.edit_entry, entry=made.uids[0], start_number=1, **named)
    assert Entry.objects.get().public_name == "Aino A"


def test_registering_says_first_what_will_be_public(client: Client) -> None:
    made = opened()
    said = client.get(reverse("join", args=[made.tournament.slug])).content.decode()
    form = said[: said.index('name="terms"')]
    for words in (
        "Everyone will see",
        "Your nickname, club or group, table and results stay on the event’s pages.",
        "erased 90 days after the event",
        "a number instead",
    ):
        assert words in form


def test_the_longest_of_the_names_goes_first_and_only_in_the_events_of_the_organiser() -> None:
    elsewhere, made = event(players=1), event(players=2)
    elsewhere.act(actions.remove_player, entry=elsewhere.uids[0], reason="Ann Lee shouted")
    rows = [{"entry": uuid4(), "name": "ann", "real_name": "Ann Lee"}]
    made.act(actions.enter_players, players=rows)
    one, other = made.uids
    made.act(actions.remove_player, entry=one, reason="hit Ann Lee, and ANN hit back")
    made.act(actions.remove_player, entry=other, reason=f"Ann {'x' * 496}")
    made.act(actions.erase_person, entry=rows[0]["entry"])
    expected = ["Ann Lee shouted", "hit Player 3, and Player 3 hit back", f"Player 3 {'x' * 491}"]
    for model in (LedgerNote, Incident):
        assert list(model.objects.order_by("pk").values_list("text", flat=True)) == expected
    assert Player.objects.filter(name="Player 3").exists()


def test_what_was_written_about_others_stays_word_for_word() -> None:
    made = event("tite-2022", players=2)
    made.act(actions.enter_players, players=[{"entry": uuid4(), "name": "Jo"}])
    jo = Entry.objects.get(public_name="Jo")
    for uid, text in zip(made.uids, ("Jo-Jo broke", "a card of Jo bent"), strict=True):
        made.act(actions.remove_player, entry=uid, reason=text)
    before = [list(model.objects.order_by("pk").values("text")) for model in (LedgerNote, Incident)]
    assert len(before[0]) == 2
    made.act(actions.erase_person, entry=jo.uid)
    assert Entry.objects.get(pk=jo.pk).public_name == "Player 3"
    # A name of two letters is a part of too many words, so that nobody looks for it.
    assert [list(model.objects.order_by("pk").values("text")) for model in (LedgerNote, Incident)] == before
    made.act(actions.erase_person, entry=made.uids[0])
    assert [note.text for note in LedgerNote.objects.order_by("pk")] == ["", "a card of Jo bent"]


@pytest.mark.parametrize("state", ["registered", "late", "checked_in", "applied"])
def test_who_is_erased_before_play_frees_the_place_for_the_waiting_list(state: str) -> None:
    made = opened(most=1, approval=state == "applied")
    first, second = registered(made, "Aino"), registered(made, "Börje")
    if state == "late":
        own(made, actions.come_late, first)
    if state == "checked_in":
        made.act(actions.check_in, entries=[first])
    own(made, actions.erase_self, first)
    states = dict(Entry.objects.values_list("uid", "state"))
    assert states == {first: "cancelled", second: "applied" if state == "applied" else "registered"}
    assert verify(Tournament.objects.get()) == []


def test_who_is_erased_after_play_began_keeps_scores_and_places() -> None:
    made = running_match(players=3)
    made.act(actions.erase_person, entry=made.uids[0])
    assert Entry.objects.get(uid=made.uids[0]).state == "registered"
