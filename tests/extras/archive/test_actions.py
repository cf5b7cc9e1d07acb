"""An archive comes back: what is here already stays as it is, and nothing is overwritten."""

from datetime import date

import pytest

from tests.ledger.test_purge import whole
from tests.support.archives import (
    archived,
    brought,
    forget,
    forget_everything,
)
from tests.support.factories import (
    StaffFactory,
    add_stage,
    event,
    recorded_round,
    running_match,
)
from tournament import actions
from tournament.extras.archive.files.schema import NotImported, refusal_text
from tournament.models import LedgerRow, Player, Tournament, User

pytestmark = [pytest.mark.django_db, pytest.mark.both]


def test_an_account_that_is_here_stays_as_it_is() -> None:
    made = running_match(players=4)
    archive, uid = archived(made.tournament), made.user.uid
    forget_everything()
    here = User.objects.create(uid=uid, username="outi", first_name="Outi", email="outi@example.org")
    brought(archive)
    after = User.objects.get(uid=uid)
    assert (after.pk, after.username, after.first_name, after.email) == (
        here.pk, "outi", "Outi", "outi@example.org",
    )  # fmt: skip
    assert LedgerRow.objects.filter(actor=here).exists()


def test_players_who_are_here_keep_what_is_known_of_them() -> None:
    made = event("mattel-108", players=2)
    player = Player.objects.filter(entries__tournament=made.tournament).first()
    assert player
    archive = archived(made.tournament)
    other = event("mattel-108", organiser=made.tournament.organiser.uid, user=made.user)
    Player.objects.filter(pk=player.pk).update(name="Aino Virtanen", birth_date=date(1990, 1, 2))
    forget(made.tournament)
    brought(archive)
    player.refresh_from_db()
    assert (player.name, player.birth_date) == ("Aino Virtanen", date(1990, 1, 2))
    assert other.tournament.organiser_id == Tournament.objects.get(uid=made.tournament.uid).organiser_id


def test_an_event_that_is_here_just_so_is_left_as_it_is() -> None:
    made = whole()
    archive = archived(made.tournament)
    rows = LedgerRow.objects.count()
    again = brought(archive)
    assert (again.already, again.slug) == (True, made.tournament.slug)
    assert LedgerRow.objects.count() == rows


def test_an_event_that_went_on_since_is_not_overwritten() -> None:
    made = running_match(players=4)
    archive = archived(made.tournament)
    recorded_round(made)
    with pytest.raises(NotImported, match="event_differs") as refusal:
        brought(archive)
    assert made.tournament.name in refusal_text(refusal.value)
    assert made.tournament.stages.get().tables.get().plays.count() == 1


def test_an_event_that_went_on_elsewhere_is_not_what_is_here() -> None:
    made = add_stage(event("mattel-108", players=3), "match", start=False)
    before = archived(made.tournament)
    made.act(actions.start_stage, stage=made.stage.uid)
    recorded_round(made.refresh())
    after = archived(made.refresh().tournament)
    forget_everything()
    brought(before)
    with pytest.raises(NotImported, match="event_differs"):
        brought(after)


def test_a_rehearsal_whose_address_is_taken_is_one_by_its_address_too() -> None:
    made = event("mattel-108", name="Cup", rehearsal=True)
    archive = archived(made.tournament)
    forget_everything()
    event("mattel-108", slug=made.tournament.slug)
    assert brought(archive).slug == "rehearsal-cup-2026-2"


def test_an_event_whose_address_is_taken_gets_another_one() -> None:
    made = running_match(players=4)
    archive, slug = archived(made.tournament), made.tournament.slug
    forget_everything()
    event("mattel-108", slug=slug)
    imported = brought(archive)
    assert imported.moved
    assert imported.slug != slug
    assert brought(archive).already


def test_staff_bring_no_event_back_under_an_organiser_that_others_run() -> None:
    """Its role would show them the organiser's other players."""
    made = event("mattel-108", players=2)
    archive = archived(made.tournament)
    event("mattel-108", organiser=made.tournament.organiser.uid, user=made.user)
    forget(made.tournament)
    for by, brings in ((StaffFactory(), False), (made.user, True)):
        if not brings:
            with pytest.raises(NotImported, match="organiser_elsewhere"):
                brought(archive, by)
        else:
            assert not brought(archive, by).already
