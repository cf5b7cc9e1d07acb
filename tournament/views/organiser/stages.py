"""A stage: page, settings, start, finish, reopen."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from rulesets import RULESETS
from tournament import actions
from tournament.forms.events import CARD_TEXTS, EveningForm, StageForm
from tournament.forms.fields import add_faults
from tournament.forms.programme import ProgrammeForm
from tournament.forms.seats import FillForm, read_reserves, reserve_rows
from tournament.forms.sources import NewStageForm, SourceForm
from tournament.links import token_for
from tournament.models import LedgerNote, LedgerRow, Stage, Table, Tournament
from tournament.pages.components import names_in, problems
from tournament.pages.organiser.next_step import freeze_of, revealing, true_board
from tournament.pages.organiser.tiles import Watch, hall_panel, stage_view
from tournament.pages.public.scenes import ResultRow, result_row
from tournament.pages.public.stage import play_label
from tournament.pages.public.standings import Person
from tournament.permissions import may
from tournament.queries.advancing import difference_lines, level_of
from tournament.queries.chain import Chain
from tournament.queries.incidents import waiting_in
from tournament.queries.programme import Late, late, programme as programme_of
from tournament.queries.stage_rules import rules_set, target_open
from tournament.results import COUNTS, Fault, Typed, kind_of, kinds_in, stage_results, uuid_or_none
from tournament.views import (
    Attempt,
    Role,
    asks_for_part,
    attempt_action,
    attempt_before,
    attempt_call,
    attempt_form,
    command_of,
    get_stage,
    get_tournament,
    new_uid,
    page,
    reason_of,
    receipt_of,
    refused,
    signed_in_form,
    unchanged,
    user_of,
)
from tournament.words.sources import source_text

NUMBER = re.compile(r"[0-9]{1,4}", re.ASCII)


@signed_in_form
def stage(request: HttpRequest, stage: UUID) -> HttpResponse:
    """A stage's page; POST sets name and settings."""
    row = get_stage(request, stage, Role.ORGANISER if request.method == "POST" else Role.HEAD_REFEREE)
    form = StageForm(row, request.POST if request.method == "POST" else None)
    attempt = attempt_form(
        request,
        form,
        actions.set_stage_settings,
        row.tournament.uid,
        lambda: _settings_typed(row, form),
        fields=CARD_TEXTS,
    )
    return attempt.answer(
        reverse("organise-stage", args=[row.uid]), lambda: stage_page(request, row, attempt, form=form)
    )


@signed_in_form
def start(request: HttpRequest, stage: UUID) -> HttpResponse:
    """Start play, after saving typed settings by their own command."""
    row = get_stage(request, stage, Role.HEAD_REFEREE)
    if "name" not in request.POST or not may(user_of(request), "set_stage_settings", row.tournament):
        return change_stage(request, row, actions.start_stage)
    form = StageForm(row, request.POST)
    valid = form.is_valid()
    attempt = Attempt()
    if valid and form.has_changed():
        attempt = attempt_before(
            request,
            actions.set_stage_settings,
            row.tournament.uid,
            **form.changes(_settings_typed(row, form)),
        )
        add_faults(form, attempt.faults, fields=CARD_TEXTS)
    if not valid or attempt.faults:
        return stage_page(request, row, refused(), form=form)
    row.refresh_from_db()
    return change_stage(request, row, actions.start_stage)


def _settings_typed(row: Stage, form: StageForm) -> dict[str, Any]:
    settings = {"settings": form.settings(), "card_texts": form.card_texts()} if form.open else {}
    return {"stage": row.uid, "name": form.cleaned_data["name"], **settings}


@signed_in_form
def finish(request: HttpRequest, stage: UUID) -> HttpResponse:
    """Finish: results become official. `without`: tables of heats without result."""
    without = [int(number) for number in request.POST.getlist("without") if NUMBER.fullmatch(number)]
    return change_stage(
        request,
        get_stage(request, stage, Role.HEAD_REFEREE),
        actions.finish_stage,
        without=without,
        reason=reason_of(request) if without else "",
    )


@signed_in_form
def second_look(request: HttpRequest, stage: UUID) -> HttpResponse:
    """Second look per result: on (`wanted`), or off with a reason."""
    return change_stage(
        request,
        get_stage(request, stage),
        actions.ask_second_look,
        wanted=request.POST.get("wanted") == "1",
        reason=reason_of(request),
    )


@signed_in_form
def players_clock(request: HttpRequest, stage: UUID) -> HttpResponse:
    """Players run the clock of a session's tables (`wanted`), or not."""
    return change_stage(
        request, get_stage(request, stage), actions.let_players_time, wanted=request.POST.get("wanted") == "1"
    )


@signed_in_form
def open_tables(request: HttpRequest, stage: UUID) -> HttpResponse:
    """Open the tables (`wanted`), or close them."""
    row = get_stage(request, stage)
    closed = {name: value for name, value in row.source.items() if name != "open"}
    source = closed | {"open": True} if request.POST.get("wanted") == "1" else closed
    return change_stage(request, row, actions.set_stage_settings, source=source)


@signed_in_form
def reopen(request: HttpRequest, stage: UUID) -> HttpResponse:
    """Reopen a finished stage, with a reason."""
    return change_stage(request, get_stage(request, stage), actions.reopen_stage, reason=reason_of(request))


def change_stage(
    request: HttpRequest, row: Stage, action: Callable[..., actions.Receipt], **arguments: Any
) -> HttpResponse:
    """Call an action; answer by `stage_answer`."""
    return stage_answer(
        request, row, attempt_action(request, action, row.tournament.uid, stage=row.uid, **arguments)
    )


def stage_answer(
    request: HttpRequest, row: Stage, attempt: Attempt, fill: FillForm | None = None
) -> HttpResponse:
    """Redirect to the button's page, or show the stage with the refusal."""
    url = reverse("organise-stage", args=[row.uid])
    if attempt.receipt and request.POST.get("back") == "board":
        url = reverse("organise-board", args=[row.tournament.slug])
    elif attempt.receipt and (back := uuid_or_none(request.POST.get("back", ""))):
        url = reverse("table", args=[back]) if row.tables.filter(uid=back).exists() else url
    return attempt.answer_button(request, url, lambda: stage_page(request, row, attempt, fill=fill))


def stage_page(
    request: HttpRequest,
    row: Stage,
    attempt: Attempt,
    *,
    form: StageForm | None = None,
    fill: FillForm | None = None,
) -> HttpResponse:
    """The stage's page; `fill`: form of advancing players."""
    level = fill.level if fill else level_of(row)
    with timezone.override(row.tournament.zone):
        view = stage_view(row, Watch.of(row.tournament, user_of(request)))
    missing = heats_missing(row)
    freeze = freeze_of(row)
    unaccepted = _unaccepted(row)
    before = _finished_before(row) if missing and "reason" not in request.POST else Unfinished()
    fed = Chain(row.tournament).fed(row.number)
    typed = "reserves" in request.POST
    filled = (each for each in fed if each.state == Stage.State.PLANNED)  # by the players who go through
    return page(
        request,
        "organiser/stage.html",
        row.tournament,
        status=attempt.status,
        section="events",
        stage=row,
        organises=may(user_of(request), "plan_stage", row.tournament),
        view=view,
        source=source_text(row, {each.number: each for each in row.tournament.stages.all()}),
        tie_breaks=any(kind_of(kind).one_play for kind in kinds_in(row.tournament.ruleset)),
        form=form or StageForm(row),
        rules=rules_set(row.tournament, [row])[row.uid],
        target_open=target_open(row),
        last=not row.tournament.stages.exclude(pk=row.pk).exclude(state=Stage.State.FINISHED).exists(),
        followed=bool(fed),
        reopened_before=_seated_after(row, fed),
        missing=missing,
        through_next=next(filled, None) if row.state == Stage.State.FINISHED else None,
        finish_bar=row.state == Stage.State.RUNNING and view.over and not unaccepted and not missing,
        freeze=freeze,
        hall=hall_panel(row.tournament, row.tournament.stages.order_by("number")),
        true_board=true_board(row) if freeze else None,
        sits=token_for("stage", row.uid) if "open" in row.source else "",
        unaccepted=unaccepted,
        without=set(request.POST.getlist("without")) or {str(number) for number in before.without},
        reason=request.POST.get("reason", before.reason),
        command=uuid4(),
        at=receipt_of(request, row.tournament),
        errors=problems(attempt.faults, names_in(row.tournament)) if attempt.faults else [],
        apart_asked=any(fault.code == "cannot_keep_apart" for fault in attempt.faults),
        level=level,
        fill=fill or (FillForm(level) if level else None),
        lines=difference_lines(level) if level else [],
        reserve_rows=reserve_rows(level, request.POST.dict() if typed else None) if level else [],
        reserves_typed=typed,
    )


def _unaccepted(row: Stage) -> list[tuple[UUID, ResultRow, str]]:
    found = stage_results(row)
    waiting = waiting_in([results.contest for results in found])
    if not waiting:
        return []
    people = {uid: Person(name=name) for uid, name in names_in(row.tournament).items()}
    labels = {play.uid: play_label(contest, play) for contest, play in waiting}
    rows = {
        play.uid: result_row(results, play, answered, people, label=labels[play.uid])
        for results in found
        for play, answered in results.counted
        if play.uid in labels
    }
    return [
        (play.uid, rows.get(play.uid) or ResultRow(label=labels[play.uid], people=()), play.second_look)
        for _contest, play in waiting
    ]


def _seated_after(row: Stage, fed: Iterable[Stage]) -> Stage | None:
    if row.state != Stage.State.RUNNING:
        return None
    seated = next((each for each in fed if each.tables.filter(seats__isnull=False).exists()), None)
    opened = LedgerRow.objects.filter(
        tournament=row.tournament, action="reopen_stage", payload__stage__has_key=str(row.uid)
    )
    return seated if seated and opened.exists() else None


@dataclass(frozen=True, slots=True)
class Unfinished:
    """Tables left out at the finish, and why."""

    without: frozenset[int] = frozenset()
    reason: str = ""


def _finished_before(row: Stage) -> Unfinished:
    """Tables left out at the last finish: its row holds all other heats."""
    finish = (
        LedgerRow.objects.filter(
            tournament=row.tournament, action="finish_stage", payload__stage__has_key=str(row.uid)
        )
        .order_by("-sequence")
        .first()
    )
    if finish is None:
        return Unfinished()
    tables = Table.objects.filter(stage=row).exclude(
        uid__in={facts["table"] for facts in finish.payload.get("play", {}).values()}
    )
    note = LedgerNote.objects.filter(row=finish).first()
    return Unfinished(frozenset(tables.values_list("number", flat=True)), note.text if note else "")


def heats_missing(row: Stage) -> list[int]:
    """Table numbers of running heats without result."""
    if not kind_of(row.kind).one_play or row.state != Stage.State.RUNNING:
        return []
    return [
        number
        for results in stage_results(row)
        for table, number in sorted(results.contest.table_numbers.items(), key=lambda item: item[1])
        if not any(play.state in COUNTS for play in results.contest.plays if play.table == table)
    ]


# ---- Freeze a stage's public standings ----

MOST_REVEAL_STEPS = 30_000  # steps
REVEAL_EVERY_S, USUAL = (5, 8, 10, 15, 20, 30, 60), 10  # seconds


FREEZING = {"freeze": actions.freeze_standings, "begin": actions.begin_reveal, "lift": actions.lift_freeze}


@signed_in_form
def freeze(request: HttpRequest, stage: UUID, what: str) -> HttpResponse:
    """Freeze this stage and later ones for the public, begin the reveal, or unfreeze."""
    row = get_stage(request, stage)
    attempt = attempt_action(request, FREEZING[what], row.tournament.uid, stage=row.uid)
    if request.POST.get("back") != "reveal":
        return stage_answer(request, row, attempt)
    return attempt.answer(reverse("organise-reveal", args=[row.uid]), lambda: _page(request, row, attempt))


@signed_in_form
def reveal(request: HttpRequest, stage: UUID) -> HttpResponse:
    """Remote for the reveal. POST reveals the next step; `left`: steps left on the phone (optimistic lock)."""
    row = get_stage(request, stage)
    typed = Typed(request.POST.dict())
    attempt = attempt_action(
        request,
        actions.reveal_next,
        row.tournament.uid,
        typed=typed,
        stage=row.uid,
        left=typed.whole("left", "/left", most=MOST_REVEAL_STEPS, least=1),
    )
    return attempt.answer(reverse("organise-reveal", args=[row.uid]), lambda: _page(request, row, attempt))


def _page(request: HttpRequest, row: Stage, attempt: Attempt) -> HttpResponse:
    return page(
        request,
        "organiser/reveal.html",
        row.tournament,
        status=attempt.status,
        section="events",
        scope=str(row.tournament.uid),
        version=row.tournament.version,
        stage=row,
        freeze=freeze_of(row),
        revealing=revealing(row),
        every=REVEAL_EVERY_S,
        usual=USUAL,
        command=uuid4(),
        at=receipt_of(request, row.tournament),
        **attempt.context(),
    )


# ---- Advancing ----

NO_HEATS = Fault("no_heats", "/stage")


@signed_in_form
def fill(request: HttpRequest, stage: UUID) -> HttpResponse:
    """Seat the advancing players."""
    row = get_stage(request, stage)
    level = level_of(row)
    if level is None:
        return stage_answer(request, row, refused(NO_HEATS))
    form = FillForm.read(level, request.POST)
    if form.faults:
        return stage_answer(request, row, refused(*form.faults), form)
    attempt = attempt_action(request, actions.fill_stage, row.tournament.uid, stage=row.uid, **form.arguments)
    form.faults = list(attempt.faults)
    return stage_answer(request, row, attempt, form)


@signed_in_form
def choose(request: HttpRequest, stage: UUID) -> HttpResponse:
    """Resolve a correction. `choice`: `keep`, `swap:<out>:<in>` or `anew:<out>:<in>` (entry uids)."""
    row, reason = get_stage(request, stage), reason_of(request)
    what, *who = request.POST.get("choice", "").split(":")
    uids = [uuid_or_none(text) if text else None for text in who]
    if what == "keep":
        return change_stage(request, row, actions.keep_finalists, reason=reason)
    if what in {"swap", "anew"} and len(uids) == 2 and uids[0]:
        out, enters = uids
        return change_stage(
            request, row, actions.swap_finalist, out=out, enters=enters, reason=reason, anew=what == "anew"
        )
    return stage_answer(request, row, refused(Fault("malformed", "/choice")))


@signed_in_form
def call(request: HttpRequest, stage: UUID) -> HttpResponse:
    row = get_stage(request, stage)
    entry = uuid_or_none(request.POST.get("entry", ""))
    if entry is None:
        return stage_answer(request, row, refused(Fault("nobody_chosen", "/entry")))
    return change_stage(request, row, actions.call_reserve, entry=entry, reason=reason_of(request))


@signed_in_form
def reserves(request: HttpRequest, stage: UUID) -> HttpResponse:
    """Store reserves in the typed order."""
    row = get_stage(request, stage)
    level = level_of(row)
    if level is None:
        return stage_answer(request, row, refused(NO_HEATS))
    typed = Typed(request.POST.dict())
    attempt = attempt_action(
        request,
        actions.name_reserves,
        row.tournament.uid,
        stage=row.uid,
        entries=read_reserves(level, typed),
        reason=reason_of(request),
        typed=typed,
    )
    return stage_answer(request, row, attempt)


# ---- Chains of stages ----


@signed_in_form
def add_stage(request: HttpRequest, slug: str) -> HttpResponse:
    """Add a stage to the chain."""
    tournament = get_tournament(request, slug)
    uid = new_uid(request, "stage")
    form = NewStageForm(tournament, _others(tournament), request.POST if request.method == "POST" else None)
    attempt = attempt_form(
        request,
        form,
        actions.plan_stage,
        tournament.uid,
        lambda: {
            "stage": uid,
            "kind": form.cleaned_data["kind"],
            "name": form.cleaned_data["name"],
            "settings": form.settings(),
            "source": form.source(),
        },
        fields=form.places,
    )
    return attempt.answer(
        reverse("organise-stage", args=[uid]),
        lambda: _source_page(request, tournament, attempt, form, title=_("Add a stage")),
    )


@signed_in_form
def source(request: HttpRequest, stage: UUID) -> HttpResponse:
    """Where a stage's players come from, until it starts."""
    row = get_stage(request, stage)
    form = SourceForm(
        [other for other in _others(row.tournament) if other != row],
        row.source,
        request.POST if request.method == "POST" else None,
    )
    attempt = attempt_form(
        request,
        form,
        actions.set_stage_settings,
        row.tournament.uid,
        lambda: {"stage": row.uid, "source": form.source()},
        fields=form.places,
    )
    return attempt.answer(
        reverse("organise-stage", args=[row.uid]),
        lambda: _source_page(request, row.tournament, attempt, form, title=_("Who plays"), stage=row),
    )


@signed_in_form
def tie_break(request: HttpRequest, stage: UUID) -> HttpResponse:
    """Let players who share a place at the cut play a hand."""
    row, uid = get_stage(request, stage), new_uid(request, "tie-break")
    attempt = attempt_action(
        request, actions.plan_tie_break, row.tournament.uid, stage=row.uid, tie_break=uid
    )
    if attempt.receipt:
        return attempt.answer(reverse("organise-stage", args=[uid]), HttpResponse)
    return stage_answer(request, row, attempt)


def _others(tournament: Tournament) -> list[Stage]:
    return list(Stage.objects.filter(tournament=tournament).order_by("number"))


def _source_page(
    request: HttpRequest, tournament: Tournament, attempt: Attempt, form: SourceForm, **more: Any
) -> HttpResponse:
    return page(
        request,
        "organiser/source.html",
        tournament,
        status=attempt.status,
        section="events",
        form=form,
        command=uuid4(),
        **more,
    )


# ---- The programme ----


@signed_in_form
def programme(request: HttpRequest, slug: str) -> HttpResponse:
    """The programme; POST stores changes."""
    tournament = get_tournament(request, slug)
    if request.method != "POST":
        return _programme_page(request, tournament, Attempt())
    form = ProgrammeForm.read(programme_of(tournament).parts, tournament.zone, request.POST.dict())
    if not form.valid:
        return _programme_page(request, tournament, refused(), form)
    if not form.plans:
        return unchanged(request).answer(_address(tournament), HttpResponse)
    attempt = attempt_action(request, actions.set_programme, tournament.uid, stages=form.plans)
    return attempt.answer(_address(tournament), lambda: _programme_page(request, tournament, attempt, form))


@signed_in_form
def publish(request: HttpRequest, slug: str) -> HttpResponse:
    tournament = get_tournament(request, slug)
    attempt = attempt_action(request, actions.publish_programme, tournament.uid)
    return attempt.answer(_address(tournament), lambda: _programme_page(request, tournament, attempt))


@signed_in_form
def levels(request: HttpRequest, slug: str) -> HttpResponse:
    """Preview levels and times, as typed (POST `look`) or in the address; another POST stores."""
    tournament = get_tournament(request, slug)
    if not plays_levels(tournament):
        return page(request, "organiser/levels_none.html", tournament, section="events")
    form = EveningForm(tournament, (request.POST if request.method == "POST" else request.GET).dict())
    valid = form.is_valid()  # sets `planned`, also on a GET
    if chain := form.chains.get(request.POST.get("use", "")):
        stages = [planned.as_planned() for planned in chain]
        attempt = attempt_call(
            lambda: actions.replan_event(
                command_of(request), tournament.uid, ruleset=tournament.ruleset, stages=stages
            )
        )
    elif request.method != "POST" or "look" in request.POST:
        attempt = Attempt()
    elif not valid:
        attempt = refused()
    else:
        attempt = attempt_call(
            lambda: actions.set_levels(
                command_of(request), tournament.uid, levels=form.arguments(command_of(request).id)
            )
        )
    return attempt.answer(
        _address(tournament),
        lambda: page(
            request,
            "organiser/_levels_plan.html" if asks_for_part(request) else "organiser/levels.html",
            tournament,
            status=attempt.status,
            section="events",
            form=form,
            planned=form.planned,
            was_played=tournament.was_played(),
            errors=problems(attempt.faults, {}),
            command=uuid4(),
        ),
    )


def plays_levels(tournament: Tournament) -> bool:
    """Whether the ruleset has heats."""
    return "heats" in RULESETS[tournament.ruleset].kinds


def _address(tournament: Tournament) -> str:
    return reverse("organise-programme", args=[tournament.slug])


def _programme_page(
    request: HttpRequest, tournament: Tournament, attempt: Attempt, form: ProgrammeForm | None = None
) -> HttpResponse:
    now = programme_of(tournament)
    runs = late(now.parts, timezone.now())
    return page(
        request,
        "organiser/programme.html",
        tournament,
        status=attempt.status,
        section="events",
        programme=now,
        form=form or ProgrammeForm.read(now.parts, tournament.zone, {}),
        along=request.method != "POST" or "along" in request.POST,
        late=runs,
        over=all(part.stage.state == Stage.State.FINISHED for part in now.parts),
        moves=moves_of(runs) if runs else [],
        levels=plays_levels(tournament),
        errors=problems(attempt.faults, {}),
        command=uuid4(),
        at=receipt_of(request, tournament),
    )


def moves_of(runs: Late) -> list[tuple[str, str]]:
    """Form fields that move late parts."""
    fields: list[tuple[str, str]] = []
    for part, plan in runs.moves:
        assert plan.starts_at  # only timed parts are late
        fields.append((f"starts_at-{part.stage.uid}", plan.starts_at.isoformat(timespec="seconds")))
        if plan.minutes is not None:
            fields.append((f"minutes-{part.stage.uid}", str(plan.minutes)))
    return fields
