"""Players of an event: list, walk-ins, edit."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Any
from uuid import UUID, uuid4

from cachetools import LRUCache, cached
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _, ngettext

from tournament import actions
from tournament.forms.fields import RIGHT, was_accepted
from tournament.forms.players import (
    EntryForm,
    WalkInForm,
    hidden_name_text,
    name_and_club,
    words_in_name,
)
from tournament.forms.seats import ApartForm
from tournament.models import (
    Apart,
    Entry,
    Incident,
    PastResult,
    Play,
    Result,
    Seat,
    Stage,
    Table,
    Tournament,
)
from tournament.pages.components import errors_context
from tournament.pages.organiser.attendance import (
    FIGURES,
    PAID,
    UNPAID,
    consent_missing,
    figures_of,
    rows_of,
    seats_of,
)
from tournament.permissions import may
from tournament.queries.incidents import lines_of, tallies
from tournament.queries.people import (
    KnownPerson,
    Pair,
    Somebody,
    among,
    between,
    by_name,
    fitting,
    in_the_way,
    not_here,
    pair_of,
    people_of,
    person_of,
    told_apart,
)
from tournament.queries.registration import places_left, questions_of, registration_of
from tournament.results import Fault, kind_of, uuid_or_none
from tournament.views import (
    Attempt,
    Role,
    attempt_action,
    attempt_form,
    by_fields,
    get_entry,
    get_row,
    get_tournament,
    new_uid,
    page,
    receipt_of,
    refused,
    saved,
    signed_in_form,
    signed_in_page,
    user_of,
)
from tournament.views.organiser.people import may_see_people
from tournament.words.faults import fault_text, table_text
from tournament.words.text import in_alphabet

# ---- Possible duplicates ----

State = Entry.State
MOST_SHOWN = 100  # pairs
CACHED_TOURNAMENTS = 50  # tournaments in cache


@signed_in_form
def duplicates(request: HttpRequest, slug: str) -> HttpResponse:
    """Suspected pairs, most alike first."""
    tournament = get_tournament(request, slug)
    url = reverse("organise-duplicates", args=[slug])
    attempt = _one(request, tournament)
    if attempt.receipt:
        return saved(url, attempt.receipt)
    entries = list(Entry.objects.filter(tournament=tournament).select_related("player"))
    pairs = _suspicions(tournament, entries)
    return page(
        request,
        "organiser/duplicates.html",
        tournament,
        status=attempt.status,
        section="events",
        pairs=pairs[:MOST_SHOWN],
        more=max(0, len(pairs) - MOST_SHOWN),
        at=receipt_of(request, tournament),
        **errors_context(attempt.faults, names_of(entries)),
    )


def count_of(tournament: Tournament, entries: Sequence[Entry]) -> int:
    """Number of unreviewed pairs; cached until a name changes."""
    within, before = _counted(tournament, entries, _here(entries))
    return len(_not_told_apart(tournament, entries, [*within, *before]))


def _one(request: HttpRequest, tournament: Tournament) -> Attempt:
    if request.method != "POST":
        return Attempt()
    keep, other, player = (uuid_or_none(request.POST.get(name, "")) for name in ("keep", "other", "player"))
    if keep and "different" in request.POST:
        return attempt_action(
            request, actions.different_people, tournament.uid, entry=keep, other=other, player=player
        )
    if keep and player:
        return attempt_action(request, actions.same_person, tournament.uid, entry=keep, player=player)
    if keep and other:
        return attempt_action(request, actions.merge_entries, tournament.uid, keep=keep, other=other)
    return refused(Fault("nobody_chosen"))


def _suspicions(tournament: Tournament, entries: Sequence[Entry]) -> list[dict[str, Any]]:
    """Each pair with `gone` (entry) or `earlier` (player); `swap`: either may stay; `refused`: why they cannot merge,
    perhaps for a `play`."""
    within, before = _pairs(tournament, entries, _here(entries))
    by_uid = {str(entry.uid): entry for entry in entries}
    earlier = _earlier(tournament)
    used = {  # with a seat or result
        uid
        for model in (Seat, Result, PastResult)
        for (uid,) in model.objects.filter(entry__tournament=tournament).values_list("entry__uid")
    }
    found = []
    pairs = _not_told_apart(tournament, entries, [*within, *before])
    for pair in sorted(pairs, key=lambda pair: -pair.likeness):
        suspicion: dict[str, Any] = {"kept": by_uid[str(pair.first)], "command": uuid4()}
        if pair in before:
            suspicion["earlier"] = earlier[UUID(str(pair.second))]
        else:
            kept, gone = sorted(
                [by_uid[str(pair.first)], by_uid[str(pair.second)]],
                key=lambda entry: (entry.state != State.DISQUALIFIED, entry.is_out, entry.uid not in used),
            )
            both = (kept.uid in used) == (gone.uid in used)
            fault = in_the_way(kept, gone) if both and gone.uid in used else None
            suspicion |= {
                "kept": kept,
                "gone": gone,
                "swap": both and kept.is_out == gone.is_out,
                "refused": fault and fault_text(fault),
                "play": fault and fault.path.startswith("/plays/") and fault.path.split("/")[2],
            }
        found.append(suspicion)
    return found


def _here(entries: Sequence[Entry]) -> list[Somebody]:
    return [person_of(entry) for entry in entries if entry.state != State.CANCELLED]


def _not_told_apart(tournament: Tournament, entries: Sequence[Entry], pairs: Sequence[Pair]) -> list[Pair]:
    apart = told_apart(tournament)
    players = {str(entry.uid): entry.player.uid for entry in entries}
    return [
        pair
        for pair in pairs
        if pair_of(players[str(pair.first)], players.get(str(pair.second), pair.second)) not in apart
    ]


def _pairs(
    tournament: Tournament, entries: Sequence[Entry], here: Sequence[Somebody]
) -> tuple[list[Pair], list[Pair]]:
    earlier = _earlier(tournament)
    players = {str(entry.uid): entry.player.uid for entry in entries}
    taken = set(players.values())
    new = [one for one in here if players[str(one.key)] not in earlier]
    others = [
        Somebody(str(uid), known.names, known.born) for uid, known in earlier.items() if uid not in taken
    ]
    return among(here), between(new, others)


_counted = cached(
    LRUCache(CACHED_TOURNAMENTS),
    key=lambda tournament, _entries, here: (
        tournament.uid,
        hash(tuple((one.key, one.names, one.born) for one in here)),
    ),
    lock=Lock(),
)(_pairs)


def _earlier(tournament: Tournament) -> dict[UUID, KnownPerson]:
    people = {} if tournament.rehearsal else people_of(tournament.organiser_id)
    return {uid: person for uid, person in people.items() if person.tournaments - {tournament.pk}}


LONGEST_SEARCH = 100  # characters


@dataclass(frozen=True, slots=True)
class FreeTable:
    """A table with room; `waits`: its running game is closed."""

    table: Table
    players: int
    game: str  # "": none, "open": can be joined, "closed"

    @property
    def waits(self) -> bool:
        return self.game == "closed"

    @property
    def order(self) -> tuple[bool, int, bool, int, int]:
        """Sort key: the best table first."""
        stage = self.table.stage
        planned = stage.state == Stage.State.PLANNED
        return planned, stage.number, self.waits, self.players, self.table.number

    @property
    def words(self) -> str:
        """Table, players, and when one more would play."""
        place = table_text(self.table.stage, self.table.number)
        players = ngettext("%(n)d player", "%(n)d players", self.players) % {"n": self.players}
        notes = {
            "": players,
            "open": _("%(players)s, a game is running and can still be joined") % {"players": players},
            "closed": _("%(players)s. A walk-in plays from the next game.") % {"players": players},
        }
        return f"{place}: {notes[self.game]}"


@signed_in_page
def players(request: HttpRequest, slug: str) -> HttpResponse:
    """List of players with search."""
    return players_page(request, get_tournament(request, slug, Role.HEAD_REFEREE), Attempt())


@signed_in_form
def player(request: HttpRequest, entry: UUID) -> HttpResponse:
    """A player; organisers may edit."""
    row = get_entry(request, entry, Role.ORGANISER if request.method == "POST" else Role.HEAD_REFEREE)
    organises = may(user_of(request), "edit_entry", row.tournament)
    form = EntryForm(questions_of(row.tournament), row, request.POST or None)
    attempt = attempt_form(
        request,
        form,
        actions.edit_entry,
        row.tournament.uid,
        lambda: {"entry": row.uid, **form.arguments()},
        fields=form.answer_fields,
    )
    if attempt.receipt:
        row.refresh_from_db()
        if hidden := hidden_name_text(form.cleaned_data["public_name"], row):
            messages.warning(request, hidden)
    return attempt.answer(
        reverse("organise-players", args=[row.tournament.slug]),
        lambda: page(
            request,
            "organiser/player.html",
            row.tournament,
            status=attempt.status,
            section="events",
            entry=row,
            organises=organises,
            form=form if organises else None,
            real_name="" if row.player.name == row.public_name else row.player.name,
            seats=seats_of(row),
            consent_missing=consent_missing(row),
            fees=fees_in(row.tournament),
            came_before=_came_before(row),
            tally=tallies(row.tournament, [row.uid]).get(str(row.uid)),
            lines=lines_of(row.tournament, Incident.objects.filter(entry=row)),
            command=uuid4(),
        ),
    )


@signed_in_form
def walk_in(request: HttpRequest, slug: str) -> HttpResponse:
    """Enter a player at the door, with a suggested seat."""
    tournament = get_tournament(request, slug, Role.HEAD_REFEREE)
    entries = list(Entry.objects.filter(tournament=tournament))
    again = was_accepted(request.POST, tournament=tournament)
    names = {} if again else {words_in_name(entry.public_name): entry for entry in entries}
    choices = [(str(free.table.uid), free.words) for free in free_tables(tournament)]
    form = WalkInForm(names, [*choices, ("none", _("No seat yet"))], request.POST or None)
    attempt = attempt_form(
        request,
        form,
        by_fields(request, actions.walk_in),
        tournament.uid,
        lambda: {
            "entry": new_uid(request, "walk-in"),
            **_who_walks_in(tournament, form.cleaned_data["name"], form.cleaned_data["club"]),
            "table": uuid_or_none(form.cleaned_data["table"]),
            **({"another": True} if form.cleaned_data["namesake"] else {}),
            **({RIGHT: True} if form.cleaned_data[RIGHT] else {}),
        },
        fields={"public_name": "name"},
    )
    if attempt.receipt:
        return saved(
            reverse("organise-walk-in", args=[slug]), attempt.receipt, entry=str(new_uid(request, "walk-in"))
        )
    registration = registration_of(tournament)
    came = next((entry for entry in entries if str(entry.uid) == request.GET.get("entry")), None)
    return page(
        request,
        "organiser/walk_in.html",
        tournament,
        status=attempt.status,
        section="events",
        form=form,
        alike=names.get(words_in_name(name_and_club(str(form.data.get("name", "")))[0]))
        if form.is_bound
        else None,
        came=came,
        came_before=came and _came_before(came),
        organises=may(user_of(request), "part_person", tournament),
        seats=seats_of(came) if came else [],
        full=registration.most if places_left(registration) == 0 else None,
        command=request.POST.get("command") or uuid4(),
        at=receipt_of(request, tournament),
    )


def _came_before(came: Entry) -> Entry | None:
    return (
        Entry.objects.filter(player=came.player_id)
        .exclude(pk=came.pk)
        .select_related("tournament")
        .order_by("-tournament__starts_on", "-pk")
        .first()
    )


def _who_walks_in(tournament: Tournament, name: str, club: str) -> dict[str, Any]:
    """The known person whom name and club fit exactly."""
    people = by_name(not_here(tournament, told_apart(tournament)))
    _all, same = fitting(people, name, club=club)
    if same is None:
        return {"name": name, "club": club}
    return {"player": same.uid, "name": same.public_name, "club": club or same.club, RIGHT: True}


def players_page(request: HttpRequest, tournament: Tournament, attempt: Attempt) -> HttpResponse:
    """The list by `?q=` and `?state=`, in a constant number of queries."""
    entries = list(
        Entry.objects.filter(tournament=tournament).select_related("player").order_by("start_number")
    )
    organises = may(user_of(request), "edit_entry", tournament)
    q, state = request.GET.get("q", "")[:LONGEST_SEARCH], request.GET.get("state", "")
    state = state if state in {*FIGURES, PAID, UNPAID} else ""
    fees = state in {PAID, UNPAID} or any(entry.paid for entry in entries)
    others = Entry.objects.filter(tournament__organiser=tournament.organiser_id, tournament__rehearsal=False)
    return page(
        request,
        "organiser/players.html",
        tournament,
        status=attempt.status,
        **counts_context(tournament, [(entry.state, entry.paid) for entry in entries], fees=fees),
        section="events",
        rows=rows_of(entries, q=q, figure=state, fees=fees),
        entered=len(entries),
        q=q,
        state=state,
        # from other events
        knows_people=organises
        and not tournament.rehearsal
        and others.exclude(tournament=tournament).exists()
        and may_see_people(user_of(request), tournament),
        organises=organises,
        duplicates=count_of(tournament, entries) if organises else 0,
        command=uuid4(),
        at=receipt_of(request, tournament),
        **attempt.context(names_of(entries)),
    )


def counts_context(
    tournament: Tournament, found: Sequence[tuple[str, bool]], *, fees: bool
) -> dict[str, Any]:
    """Figures, from (state, paid); `to_seat`: the first stage, once it can be seated."""
    states = [state for state, _paid in found]
    first = tournament.stages.filter(number=1, state=Stage.State.PLANNED, tables=None)
    return {
        "figures": figures_of(found, fees=fees),
        "fees": fees,
        "registered": states.count(Entry.State.REGISTERED),
        "late": states.count(Entry.State.LATE),
        "to_seat": Entry.State.CHECKED_IN in states and first.first(),
    }


def fees_in(tournament: Tournament) -> bool:
    """Whether payments are noted here."""
    return Entry.objects.filter(tournament=tournament, paid=True).exists()


def names_of(entries: list[Entry]) -> dict[str, str]:
    return {str(entry.uid): entry.shown_name for entry in entries}


def free_tables(tournament: Tournament) -> list[FreeTable]:
    """Tables with room, best first: running stages, soonest play, fewest players."""
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
    free = (
        FreeTable(table, seated[table.pk], games.get(table.pk, ""))
        for table in tables
        if kind_of(table.stage.kind).seats_change or table.pk not in begun
    )
    return sorted(free, key=lambda each: each.order)


# ---- Pairs who must not share a table ----


@signed_in_form
def apart(request: HttpRequest, slug: str) -> HttpResponse:
    """List pairs; POST adds one."""
    tournament = get_tournament(request, slug)
    people = _people(tournament)
    form = ApartForm(people, request.POST if request.method == "POST" else None)
    attempt = attempt_form(
        request,
        form,
        actions.keep_apart,
        tournament.uid,
        lambda: dict(zip(("first", "second"), form.pair(), strict=True)),
    )
    return attempt.answer(
        reverse("organise-apart", args=[slug]), lambda: _page(request, tournament, attempt, people, form)
    )


@signed_in_form
def no_more(request: HttpRequest, pair: UUID) -> HttpResponse:
    """Remove a pair."""
    tournament = get_row(request, Apart.objects.select_related("tournament"), uid=pair).tournament
    attempt = attempt_action(request, actions.no_longer_apart, tournament.uid, pair=pair)
    return attempt.answer_button(
        request,
        reverse("organise-apart", args=[tournament.slug]),
        lambda: _page(request, tournament, attempt, _people(tournament)),
    )


def _people(tournament: Tournament) -> list[Entry]:
    rows = Entry.objects.filter(tournament=tournament).to_seat().order_by("start_number")
    return sorted(rows, key=lambda row: in_alphabet(row.public_name, tournament.language))


def _page(
    request: HttpRequest,
    tournament: Tournament,
    attempt: Attempt,
    people: list[Entry],
    form: ApartForm | None = None,
) -> HttpResponse:
    pairs = Apart.objects.filter(tournament=tournament).select_related("first", "second")
    return page(
        request,
        "organiser/apart.html",
        tournament,
        status=attempt.status,
        section="events",
        pairs=[(pair, uuid4()) for pair in pairs],
        form=form or ApartForm(people),
        people=len(people),
        command=uuid4(),
        at=receipt_of(request, tournament),
        **attempt.context(),
    )
