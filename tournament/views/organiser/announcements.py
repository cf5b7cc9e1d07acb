"""Announcements: current, new, past."""

import json
from dataclasses import dataclass
from uuid import UUID, uuid4

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _, override

from tournament import actions
from tournament.forms.announcements import AnnouncementForm
from tournament.models import Announcement, Tournament
from tournament.views import (
    Attempt,
    Role,
    attempt_action,
    attempt_form,
    get_row,
    get_tournament,
    new_uid,
    page,
    receipt_of,
    signed_in_form,
)

BEFORE = 20  # past ones
SAID_BEFORE = 4  # offered from other events
USUAL: tuple[Promise, ...] = (
    _("Food is served"),
    _("The next part starts in 5 minutes"),
    _("Go to your tables"),
)


@dataclass(frozen=True, slots=True)
class Usual:
    """A usual text; `fields`: JSON by language."""

    text: str
    fields: str

    @classmethod
    def of(cls, words: Promise) -> "Usual":
        said = {}
        for code, _name in settings.LANGUAGES:
            with override(code):
                said[f"id_{code}"] = str(words)
        return cls(str(words), json.dumps(said, ensure_ascii=False))

    @classmethod
    def before(cls, tournament: Tournament) -> "list[Usual]":
        """The last texts of the organiser's other events."""
        rows = Announcement.objects.filter(
            tournament__organiser=tournament.organiser_id, tournament__rehearsal=False
        ).exclude(tournament=tournament)
        texts = {row.text: row.words for row in rows.select_related("tournament").order_by("-at")[:BEFORE]}
        return [
            cls(text, json.dumps({f"id_{code}": said for code, said in words.items()}, ensure_ascii=False))
            for text, words in [*texts.items()][:SAID_BEFORE]
            if text
        ]


@signed_in_form
def announcements(request: HttpRequest, slug: str) -> HttpResponse:
    """List announcements; POST makes one."""
    tournament = get_tournament(request, slug, Role.HEAD_REFEREE)
    form = AnnouncementForm(tournament, request.POST if request.method == "POST" else None)
    attempt = attempt_form(
        request,
        form,
        actions.announce,
        tournament.uid,
        lambda: {"announcement": new_uid(request, "announcement"), **form.arguments()},
    )
    return attempt.answer(_address(tournament), lambda: _page(request, tournament, attempt, form))


@signed_in_form
def take_down(request: HttpRequest, announcement: UUID) -> HttpResponse:
    """Take it down; return to its page or the board."""
    rows = Announcement.objects.select_related("tournament__organiser")
    tournament = get_row(request, rows, Role.HEAD_REFEREE, uid=announcement).tournament
    attempt = attempt_action(request, actions.take_down, tournament.uid, announcement=announcement)
    back = (
        reverse("organise-board", args=[tournament.slug])
        if request.POST.get("back") == "board"
        else _address(tournament)
    )
    return attempt.answer_button(request, back, lambda: _page(request, tournament, attempt))


def _address(tournament: Tournament) -> str:
    return reverse("organise-announcements", args=[tournament.slug])


def _page(
    request: HttpRequest, tournament: Tournament, attempt: Attempt, form: AnnouncementForm | None = None
) -> HttpResponse:
    rows = Announcement.objects.filter(tournament=tournament).select_related("tournament")
    standing = list(rows.standing(timezone.now()))
    over = rows.exclude(pk__in=[row.pk for row in standing]).order_by("-at", "-pk")
    return page(
        request,
        "organiser/announcements.html",
        tournament,
        status=attempt.status,
        section="events",
        form=form or AnnouncementForm(tournament),
        usual=[*(Usual.of(words) for words in USUAL), *Usual.before(tournament)],
        standing=[(row, uuid4()) for row in standing],
        before=over[:BEFORE],
        command=uuid4(),
        at=receipt_of(request, tournament),
        **attempt.context(),
    )
