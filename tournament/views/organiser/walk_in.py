"""Somebody comes to the door while the others play: a name, Enter, and they are entered, here and seated."""

from collections import Counter
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4, uuid5

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from tournament import actions
from tournament.forms.fields import add_faults
from tournament.forms.players import WalkInForm, words_in_name
from tournament.models import Entry, Play, Result, Seat, Stage, Table, Tournament
from tournament.pages.organiser.attendance import seats_of
from tournament.queries.registration import places_left, registration_of
from tournament.results.kinds import kind_of
from tournament.results.typed import uuid_or_none
from tournament.views._access import get_tournament, signed_in
from tournament.views._answer import OK, UNPROCESSABLE, attempt_action, page, receipt_of, saved
from tournament.views.organiser.players import sent_before
from tournament.words.faults import table_text


@dataclass(frozen=True, slots=True)
class FreeTable:
    """A table at which somebody more can sit down. `waits`: a game runs that nobody can join any more."""

    table: Table
    players: int
    game: str  # "": none runs, "open": anybody may still join, "closed"

    @property
    def waits(self) -> bool:
        return self.game == "closed"

    @property
    def words(self) -> str:
        """The table with how many sit there, and when one more would play."""
        place = table_text(self.table.stage, self.table.number)
        players = ngettext("%(n)d player", "%(n)d players", self.players) % {"n": self.players}
        notes = {
            "": players,
            "open": _("%(players)s; a game runs, and may still be joined") % {"players": players},
            "closed": _("%(players)s; plays from the next game on") % {"players": players},
        }
        return f"{place}: {notes[self.game]}"


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def walk_in(request: HttpRequest, slug: str) -> HttpResponse:
    """Type a name and press Enter; the seat is chosen already, and may be another."""
    tournament = get_tournament(request, slug)
    entries = list(Entry.objects.filter(tournament=tournament))
    command = request.POST.get("command", "")
    again = request.method == "POST" and sent_before(tournament, command)
    names = {} if again else {words_in_name(entry.public_name): entry for entry in entries}
    choices = [(str(free.table.uid), free.words) for free in free_tables(tournament)]
    form = WalkInForm(names, [*choices, ("none", _("No seat yet"))], request.POST or None)
    status = OK
    if request.method == "POST":
        status = UNPROCESSABLE
        if form.is_valid():
            uid = uuid5(uuid_or_none(command) or uuid4(), "walk-in")
            attempt = attempt_action(
                request, actions.walk_in, tournament.uid, entry=uid, **_arguments(form.cleaned_data)
            )
            if attempt.receipt:
                address = reverse("organise-walk-in", args=[slug])
                return saved(address, attempt.receipt, entry=str(uid))
            add_faults(form, attempt.faults, fields={"public_name": "name"})
            status = attempt.status
    came = next((entry for entry in entries if str(entry.uid) == request.GET.get("entry")), None)
    context = {
        "section": "events",
        "form": form,
        "alike": names.get(words_in_name(str(form.data.get("name", "")))) if form.is_bound else None,
        "came": came,
        "seats": seats_of(came) if came else [],
        "full": _full(tournament),
        "command": request.POST.get("command") or uuid4(),
        "at": receipt_of(request, tournament),
    }
    return page(request, "organiser/walk_in.html", context, tournament, status=status)


def free_tables(tournament: Tournament) -> list[FreeTable]:
    """The tables at which somebody more can sit down, the best first: of a stage that is played before one that is only
    planned, where they play soonest, where the fewest sit. A stage that heats fill is none for who was in no heat."""
    stages = list(Stage.objects.filter(tournament=tournament).order_by("number"))
    heats = {stage.number for stage in stages if kind_of(stage.kind).one_play}
    open_stages = [
        stage for stage in stages if stage.state != Stage.State.FINISHED and stage.number - 1 not in heats
    ]
    tables = Table.objects.filter(stage__in=open_stages).select_related("stage").order_by("number")
    seats = Seat.objects.playing_on().filter(table__stage__in=open_stages)
    seated = Counter(seats.values_list("table_id", flat=True))
    plays = Play.objects.filter(table__stage__in=open_stages).order_by()
    begun = set(plays.values_list("table_id", flat=True))
    games = dict.fromkeys(plays.filter(state=Play.State.RUNNING).values_list("table_id", flat=True), "open")
    gone = Result.objects.filter(play__in=plays.filter(state=Play.State.RUNNING), outcome=Result.Outcome.OUT)
    games |= dict.fromkeys(gone.values_list("play__table_id", flat=True), "closed")
    free = [
        FreeTable(table, seated[table.pk], games.get(table.pk, ""))
        for table in tables
        if kind_of(table.stage.kind).seats_change or table.pk not in begun
    ]
    return sorted(free, key=_soonest)


def _soonest(free: FreeTable) -> tuple[bool, int, bool, int, int]:
    stage = free.table.stage
    return (
        stage.state == Stage.State.PLANNED,
        stage.number,
        free.waits,
        free.players,
        free.table.number,
    )


def _arguments(cleaned: dict[str, Any]) -> dict[str, Any]:
    table: UUID | None = uuid_or_none(cleaned["table"])
    return {"name": cleaned["name"], "club": cleaned["club"], "table": table}


def _full(tournament: Tournament) -> int | None:
    """The limit of the registration where it is reached; an organiser may let in more."""
    registration = registration_of(tournament)
    return registration.most if places_left(registration) == 0 else None
