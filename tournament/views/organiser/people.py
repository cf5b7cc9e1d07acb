"""An organiser's people."""

from collections.abc import Sequence
from uuid import UUID, uuid4

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse

from tournament import actions
from tournament.forms.players import PersonForm
from tournament.models import Entry, Tournament, User
from tournament.pages.components import errors_context
from tournament.permissions import organisers_of
from tournament.queries.people import KnownPerson, alike, joined_players, people_of, told_apart
from tournament.results import Fault, number_or_none, uuid_or_none
from tournament.views import (
    Attempt,
    attempt_action,
    attempt_before,
    attempt_form,
    by_fields,
    get_entry,
    get_tournament,
    new_uid,
    page,
    receipt_of,
    refused,
    row_of,
    saved,
    signed_in_form,
    user_of,
)
from tournament.views.organiser.events import refused_page
from tournament.words.text import in_alphabet


@signed_in_form
def people(request: HttpRequest, slug: str) -> HttpResponse:
    """The people of this event's organiser. POST enters the ticked ones (`here`: checked in), or makes them one person
    (`join`), or each ticked group that looks alike (`same`)."""
    tournament = _organised(request, slug)
    known = people_of(tournament.organiser_id)
    attempt = _act(request, tournament, known)
    if attempt.receipt:
        to = "organise-people" if {"join", "same"} & request.POST.keys() else "organise-players"
        return saved(reverse(to, args=[slug]), attempt.receipt)
    ordered = sorted(known.values(), key=lambda one: in_alphabet(one.shown_name, tournament.language))
    row = row_of(request, tournament)
    return page(
        request,
        "organiser/people.html",
        tournament,
        status=attempt.status,
        section="events",
        people=[(one, tournament.pk in one.tournaments) for one in ordered if not one.left_out],
        left_out=[one for one in ordered if one.left_out],
        groups=alike(known.values(), told_apart(tournament)),
        ticked=set(request.POST.getlist("person")),
        enters=tournament.state != Tournament.State.FINISHED,
        joined=row.sequence if row and row.action == "join_people" else None,
        command=uuid4(),
        at=receipt_of(request, tournament),
        **errors_context(attempt.faults, {str(one.uid): one.shown_name for one in ordered}),
    )


def _act(request: HttpRequest, tournament: Tournament, known: dict[UUID, KnownPerson]) -> Attempt:
    if request.method != "POST":
        return Attempt()
    ticked = [known[uid] for uid in _uids(request.POST.getlist("person")) if uid in known]
    if {"same", "join"} & request.POST.keys():
        groups = (
            [_uids(text.split()) for text in request.POST.getlist("group")]
            if "same" in request.POST
            else [[one.uid for one in sorted(ticked, key=lambda one: -one.events)]]
        )
        return attempt_action(request, actions.join_people, tournament.uid, groups=groups)
    if not ticked:
        return refused(Fault("nobody_chosen", "/person"))
    here = "here" in request.POST
    found = Entry.objects.filter(tournament=tournament, player__uid__in=[one.uid for one in ticked])
    before = {  # without those that this form has made
        player: entry
        for player, entry in found.order_by("pk").values_list("player__uid", "uid")
        if entry != new_uid(request, str(player))
    }
    players = [
        {
            "entry": new_uid(request, str(one.uid)),
            "player": one.uid,
            "name": one.public_name,
            "club": one.club,
            "public_name_is_right": True,
            **({"here": True} if here else {}),
        }
        for one in ticked
        if one.uid not in before
    ]
    if here and before:
        attempt = attempt_before if players else attempt_action
        checked_in = attempt(request, actions.check_in, tournament.uid, entries=[*before.values()])
        if not players or checked_in.faults:
            return checked_in
    return attempt_action(request, by_fields(request, actions.enter_players), tournament.uid, players=players)


def _uids(texts: Sequence[str]) -> list[UUID]:
    return [uid for text in texts if (uid := uuid_or_none(text))]


@signed_in_form
def part(request: HttpRequest, slug: str) -> HttpResponse:
    """Take back a join."""
    tournament = _organised(request, slug)
    attempt = attempt_action(
        request,
        actions.part_people,
        tournament.uid,
        row=number_or_none(request.POST.get("row", ""), longest=9) or 0,
    )
    return attempt.answer_button(
        request, reverse("organise-people", args=[slug]), lambda: refused_page(request, tournament, attempt)
    )


@signed_in_form
def person(request: HttpRequest, slug: str, player: UUID) -> HttpResponse:
    """A person's name and events. POST renames, or leaves out (`left_out` 1) and in again (0)."""
    tournament = _organised(request, slug)
    one = people_of(tournament.organiser_id).get(player)
    if one is None:
        raise Http404
    form = PersonForm(request.POST if "name" in request.POST else None, initial={"name": one.real_name})
    if "left_out" in request.POST:
        attempt = attempt_action(
            request,
            actions.leave_out_person,
            tournament.uid,
            player=player,
            left_out=request.POST["left_out"] == "1",
        )
    else:
        attempt = attempt_form(
            request,
            form,
            actions.rename_person,
            tournament.uid,
            lambda: {"player": player, **form.cleaned_data},
            fields={"public_name": "name"},
        )
    entries = Entry.objects.filter(player__uid=one.uid).select_related("tournament")
    return attempt.answer(
        reverse("organise-person", args=[slug, player]),
        lambda: page(
            request,
            "organiser/person.html",
            tournament,
            status=attempt.status,
            section="events",
            person=one,
            form=form,
            entries=[(entry, uuid4()) for entry in entries.order_by("-tournament__starts_on", "-pk")],
            joined=[each.name for entry in entries[:1] for each in joined_players(entry.player)],
            command=uuid4(),
            at=receipt_of(request, tournament),
            **attempt.context(),
        ),
    )


@signed_in_form
def another(request: HttpRequest, entry: UUID) -> HttpResponse:
    """Tell a player apart from their other events."""
    row = get_entry(request, entry)
    attempt = attempt_action(request, actions.part_person, row.tournament.uid, entry=row.uid)
    return attempt.answer_button(
        request,
        reverse("organise-player", args=[row.uid]),
        lambda: refused_page(request, row.tournament, attempt),
    )


def _organised(request: HttpRequest, slug: str) -> Tournament:
    tournament = get_tournament(request, slug)
    if not may_see_people(user_of(request), tournament):
        raise PermissionDenied
    return tournament


def may_see_people(user: User, tournament: Tournament) -> bool:
    """Whether the user organises for this organiser, not just one event."""
    return user.is_superuser or organisers_of(user).filter(pk=tournament.organiser_id).exists()
