"""Incidents of a table; rulings of the event, searchable."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext_lazy as _

from rulesets import Penalty, disputes_by_vote, ejects_after_warning, penalties_of
from tournament import actions
from tournament.actions.table.incidents import MOST_CARDS
from tournament.models import Incident, Membership, Result, Seat, Stage
from tournament.pages.desk.incident_choices import ELSE, Text, choices_of, incident_kind
from tournament.pages.desk.table import Roles, Scene, duties_at, roles_at
from tournament.permissions import RANK, rank
from tournament.queries.incidents import Tally, lines_of, tallies
from tournament.results import Fault, Typed, uuid_or_none
from tournament.views import (
    Attempt,
    attempt_action,
    get_refereed,
    get_table,
    page,
    reason_of,
    receipt_of,
    refuse_below,
    refused,
    saved,
    scene_at,
    see_other,
    signed_in_desk,
    signed_in_form,
    signed_in_page,
    user_of,
)
from tournament.words.penalties import penalty_texts
from tournament.words.text import as_read, clean

Kind = Incident.Kind

WHO: dict[str, Text] = {
    "player": _("Who was it?"),
    "challenger": _("Who challenged?"),
    "suspecting": _("Who suspected it?"),
    "spectator": _("Who did the spectator help?"),
    "nobody": _("Is it about someone?"),
}


def sheet_lines(ruleset: str) -> list[tuple[str, str]]:
    """(code, title) of the ruleset's penalty sheet."""
    return [(row.code, penalty_texts(ruleset, row.code)[0]) for row in penalties_of(ruleset)]


@dataclass(frozen=True)
class IncidentForm:
    """An incident's form."""

    scene: Scene
    what: str
    kind: Incident.Kind
    title: Text
    rule: str
    code: str
    preset: Penalty | None
    data: Mapping[str, str]

    @classmethod
    def of(cls, scene: Scene, what: str, data: Mapping[str, str]) -> "IncidentForm | None":
        """The form for `what`, or None."""
        ruleset = scene.tournament.ruleset
        for row in penalties_of(ruleset):
            if row.code == what:
                title, rule = penalty_texts(ruleset, what)
                return cls(scene, what, incident_kind(row), title, rule, what, row, data)
        if what not in ELSE:
            return None
        kind, text = ELSE[what]
        return cls(scene, what, kind, text, "", "", None, data)

    @property
    def who(self) -> Text:
        who = self.preset.who if self.preset else "player" if self.needs_player else "nobody"
        votes = disputes_by_vote(self.scene.tournament.ruleset)  # KPGUT, whose sheet speaks of suspicion
        return WHO["suspecting" if who == "challenger" and votes else who]

    @property
    def asks_player(self) -> bool:
        return self.kind in {Kind.PENALTY, Kind.WARNING, Kind.EJECTION}

    @property
    def needs_player(self) -> bool:
        return self.kind in {Kind.WARNING, Kind.EJECTION} or (
            self.preset is not None and self.preset.who not in {"nobody", "spectator"}
        )

    @property
    def needs_text(self) -> bool:
        """Whether a text is required."""
        return self.kind in {Kind.DISPUTE, Kind.RULING} or not self.code

    @property
    def by_vote(self) -> bool:
        return self.kind == Kind.DISPUTE and disputes_by_vote(self.scene.tournament.ruleset)

    @property
    def asks_ruling(self) -> bool:
        return self.needs_ruling or self.what == "other"

    @property
    def needs_ruling(self) -> bool:
        left_to_referees = self.preset is not None and self.preset.kind == "referees"
        return (
            self.kind == Kind.RULING
            or (self.kind == Kind.DISPUTE and not self.by_vote)
            or (self.kind == Kind.PENALTY and left_to_referees)
        )

    @property
    def asks_cards(self) -> bool:
        """Whether the referee enters cards to draw."""
        return self.kind == Kind.PENALTY and self.asks_ruling

    @property
    def roles(self) -> Roles | None:
        """Oldest and youngest, if the sheet gives them duties."""
        return roles_at(self.scene) if disputes_by_vote(self.scene.tournament.ruleset) else None

    @property
    def lines(self) -> list[tuple[str, str]]:
        """The sheet's rows that a ruling can cite."""
        return sheet_lines(self.scene.tournament.ruleset)

    @property
    def keep(self) -> str:
        """Browser key of the draft."""
        count = Incident.objects.filter(table=self.scene.table).count()
        return f"incident:{self.scene.table.uid}:{self.what}:{count}"

    def attempt(self, request: HttpRequest) -> Attempt:
        """Store the incident."""
        typed = Typed(self.data)
        table = self.scene.table
        arguments: dict[str, Any] = {"table": table.uid, "incident": typed.uid("incident", "/incident")}
        if arguments["incident"] is None:
            return refused(Fault("malformed", "/incident"))
        arguments["text"] = typed.text("text")
        if self.asks_player:
            arguments["entry"] = typed.uid("entry", "/entry")
            if arguments["entry"] is None and self.needs_player:
                typed.faults.append(Fault("nobody_chosen", "/entry"))
        if self.kind in {Kind.PENALTY, Kind.WARNING}:
            arguments["code"] = self.code
        if self.kind == Kind.RULING:
            arguments["code"] = typed.text("code")
        if self.kind == Kind.DISPUTE or self.asks_ruling:
            arguments["ruling"] = typed.text("ruling")
        if self.asks_cards:
            arguments["cards"] = typed.whole("cards", "/cards", most=MOST_CARDS)
        if self.by_vote:
            seats = Seat.objects.filter(table=table).count()
            arguments["votes_yes"] = typed.whole("votes_yes", "/votes_yes", most=seats)
            arguments["votes_no"] = typed.whole("votes_no", "/votes_no", most=seats)
            arguments["oldest_yes"] = {"yes": True, "no": False}.get(typed.text("oldest_yes"))
        return attempt_action(
            request, ACTIONS[self.kind], self.scene.tournament.uid, typed=typed, **arguments
        )


ACTIONS: dict[Incident.Kind, Callable[..., actions.Receipt]] = {
    Kind.PENALTY: actions.record_penalty,
    Kind.WARNING: actions.warn_player,
    Kind.DISPUTE: actions.record_dispute,
    Kind.RULING: actions.record_ruling,
}


ROWS = 50  # per page
MOST_SEARCHED = 60  # characters


@signed_in_page
def incidents(request: HttpRequest, table: UUID) -> HttpResponse:
    """Choose an incident; list this table's."""
    scene = scene_at(request, table)
    if scene.stage.state == Stage.State.PLANNED:
        return HttpResponseRedirect(scene.url)
    lines = lines_of(scene.tournament, Incident.objects.filter(table=scene.table))
    at = receipt_of(request, scene.tournament)
    return page(
        request,
        "desk/incidents.html",
        scene.tournament,
        **scene.context(),
        duties=duties_at(scene),
        choices=choices_of(scene.tournament.ruleset),
        lines=lines,
        earlier=lines[1:] if at else lines,  # the new one is on top
        at=at,
        warned=_warned(request, scene),
        joins="helped" in request.GET
        and (game := scene.running)
        and not game.with_outcome(Result.Outcome.OUT),
    )


@signed_in_desk
def incident(request: HttpRequest, table: UUID, what: str) -> HttpResponse:
    """Enter an incident; ejections redirect to their own page."""
    scene = scene_at(request, table)
    data = request.POST.dict() or {
        name: request.GET[name] for name in ("entry", "text") if name in request.GET
    }
    form = IncidentForm.of(scene, what, data)
    if scene.stage.state == Stage.State.PLANNED:
        return HttpResponseRedirect(scene.url)
    if form is None:
        raise Http404
    if form.kind == Kind.EJECTION and (entry := uuid_or_none(request.GET.get("entry", ""))):
        return _to_ejection(scene, entry, form.code)
    tried = request.method == "POST" and form.kind != Kind.EJECTION
    attempt = form.attempt(request) if tried else Attempt()
    return attempt.answer(
        reverse("table-incidents", args=[scene.table.uid]),
        lambda: page(
            request,
            "desk/incident.html",
            scene.tournament,
            status=attempt.status,
            **scene.context(),
            **attempt.context(scene.names),
            form=form,
            players=_players(scene),
            ejects=ejects_after_warning(scene.tournament.ruleset),
            data=data,
            incident=uuid_or_none(data.get("incident", "")) or uuid4(),
            command=data.get("command") or uuid4(),
        ),
        **({"warned": data.get("entry", "")} if form.kind == Kind.WARNING else {}),
        **({"helped": data.get("entry", "")} if form.preset and form.preset.who == "spectator" else {}),
    )


@signed_in_desk
def withdraw(request: HttpRequest, incident: UUID) -> HttpResponse:
    """Withdraw an incident."""
    row = get_object_or_404(Incident.objects.select_related("tournament", "table"), uid=incident)
    if row.table is None:
        refuse_below(user_of(request), row.tournament, Membership.Role.HEAD_REFEREE)
        url = reverse("rulings", args=[row.tournament.slug])
    else:
        get_table(request, row.table.uid)
        url = reverse("table-incidents", args=[row.table.uid])
    attempt = attempt_action(
        request, actions.withdraw_incident, row.tournament.uid, incident=row.uid, reason=reason_of(request)
    )
    # refused: withdrawn already, or an ejection
    return attempt.answer_button(request, url, lambda: see_other(url))


def _players(scene: Scene) -> list[dict[str, Any]]:
    seats = Seat.objects.filter(table=scene.table).select_related("entry").order_by("position")
    found = tallies(scene.tournament, [seat.entry.uid for seat in seats])
    here = [(str(seat.entry.uid), seat.entry.shown_name) for seat in seats]
    return [
        {"uid": uid, "name": name, "tally": found.get(uid), "warned": found.get(uid, Tally()).warned}
        for uid, name in here
    ]


def _warned(request: HttpRequest, scene: Scene) -> dict[str, Any] | None:
    entry = uuid_or_none(request.GET.get("warned", ""))
    if entry is None or not ejects_after_warning(scene.tournament.ruleset):
        return None
    tally = tallies(scene.tournament, [entry]).get(str(entry))
    name = scene.names.get(str(entry))
    return {"name": name, "again": tally.warnings > 1, "uid": entry} if tally and name else None


def _to_ejection(scene: Scene, entry: UUID, code: str) -> HttpResponse:
    """Redirect to an ejection from the running game, else to a removal from the event."""
    running = scene.running
    result = running.result_of(entry) if running else None
    if running and result and result.outcome == Result.Outcome.PLAYING:
        return HttpResponseRedirect(f"{reverse('play-eject', args=[running.uid])}?entry={entry}&code={code}")
    return HttpResponseRedirect(f"{reverse('player-remove', args=[scene.table.uid, entry])}?code={code}")


@signed_in_form
def rulings(request: HttpRequest, slug: str) -> HttpResponse:
    """All standing incidents; a head referee rules for the event."""
    tournament = get_refereed(request, slug)
    data = request.POST.dict()
    attempt = attempt_action(
        request,
        actions.record_ruling,
        tournament.uid,
        incident=uuid_or_none(data.get("incident", "")) or uuid4(),
        text=clean(data.get("text", "")),
        ruling=clean(data.get("ruling", "")),
        code=clean(data.get("code", "")),
    )
    if attempt.receipt:
        return saved(reverse("rulings", args=[slug]), attempt.receipt)
    q = clean(request.GET.get("q", ""))[:MOST_SEARCHED]
    words = as_read(q).split()
    standing = Incident.objects.filter(withdrawn=False)
    found = [line for line in lines_of(tournament, standing) if all(map(line.says, words))]
    shown = Paginator(found, ROWS).get_page(request.GET.get("page"))
    return page(
        request,
        "desk/rulings.html",
        tournament,
        status=attempt.status,
        **attempt.context(),
        section="desk",
        q=q,
        query=f"&{urlencode({'q': q})}" if q else "",
        shown=shown,
        lines=list(shown),
        count=shown.paginator.count,
        at=receipt_of(request, tournament),
        rules=rank(user_of(request), tournament) >= RANK[Membership.Role.HEAD_REFEREE],
        sheet=sheet_lines(tournament.ruleset),
        data=data,
        kept=Incident.objects.filter(tournament=tournament, table=None).count(),
        incident=uuid_or_none(data.get("incident", "")) or uuid4(),
        command=data.get("command") or uuid4(),
    )
