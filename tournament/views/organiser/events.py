"""My tournaments; create from a template or copy; edit."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

from django.contrib import messages
from django.db.models import Count
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import get_language, gettext, gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_safe

from rulesets import RULESETS, Ruleset
from tournament import actions
from tournament.forms.details import EditForm
from tournament.forms.events import (
    CARD_TEXTS,
    ChampionshipForm,
    CopyForm,
    MatchForm,
    NewEventForm,
    RaceForm,
    SessionForm,
)
from tournament.forms.fields import add_faults
from tournament.forms.programme import LevelsForm, lines
from tournament.models import Entry, Membership, Registration, Table, Tournament
from tournament.pages.public.tournaments import with_past_below
from tournament.permissions import is_limited, may
from tournament.results import SHEET_KINDS, Refused, uuid_or_none
from tournament.server.exports import take_away_all
from tournament.server.venue import public_address, qr_svg
from tournament.views import (
    Attempt,
    attempt_action,
    attempt_call,
    attempt_form,
    command_of,
    get_tournament,
    page,
    refused,
    saved,
    signed_in_form,
    signed_in_page,
    site_page,
    user_of,
    with_account,
)
from tournament.views.organiser.checklist import no_phone_address
from tournament.words.faults import ruleset_name
from tournament.words.text import home_today, in_alphabet

WEEK = timedelta(weeks=1)


@dataclass(frozen=True, slots=True)
class Template:
    """A setup; `way`: text for other rulesets; `rules`: None for the form's own."""

    form: type[NewEventForm]
    name: str | Promise
    text: str | Promise
    way: str | Promise
    rules: Ruleset | None = None


AVERAGE, LEVELS = (
    _("Timed games over an evening. The lowest average wins."),
    _("Heats without points, then a final to a target."),
)
TEMPLATES: Mapping[str, Template] = {
    "session": Template(SessionForm, _("KPGUT session"), AVERAGE, AVERAGE),
    "match": Template(
        MatchForm,
        _("Mattel match"),
        _("Rounds for card points at one table, until someone reaches 500."),
        _("Rounds for card points at one table."),
    ),
    "race": Template(
        RaceForm,
        _("Race over many games"),
        _("Games of one hand in new company, or at each table for itself. Averages, points or wins decide."),
        _("Games of one hand in new company, or at each table for itself."),
    ),
    "championship": Template(ChampionshipForm, _("TiTe championship"), LEVELS, LEVELS),
}
FOUND = {**CARD_TEXTS, "ruleset": "name", "organiser": "organiser_name"}  # fault path to field


@with_account
@require_safe
def mine(request: HttpRequest) -> HttpResponse:
    """Tournaments that this user runs (superusers: all but practice)."""
    user = user_of(request)
    tournaments = Tournament.objects.without_practice().select_related("organiser")
    put_away = tournaments.filter(put_away=True)
    tournaments = tournaments.visible().with_asking()
    if not user.is_superuser:
        tournaments = tournaments.filter(
            memberships__user=user,
            memberships__role__in=[Membership.Role.ORGANISER, Membership.Role.HEAD_REFEREE],
        ).distinct()
        put_away = put_away.filter(memberships__user=user, memberships__role=Membership.Role.ORGANISER)
    listed: dict[str, Any] = with_past_below(tournaments.running_first(), lambda row: row)
    own = Tournament.objects.visible().filter(
        memberships__user=user,
        memberships__role=Membership.Role.ORGANISER,
        memberships__invite=None,
        rehearsal=False,
    )
    # each organiser's latest event
    latest = {row.organiser: row for row in own.select_related("organiser").order_by("starts_on", "pk")}
    return site_page(
        request,
        "organiser/events.html",
        section="events",
        no_phone=no_phone_address(request),
        **listed,
        put_away=[(row, uuid4()) for row in put_away],
        people_at=sorted(latest.values(), key=lambda row: in_alphabet(row.organiser.name, get_language())),
    )


@with_account
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """Create a tournament from a template."""
    chosen = request.POST.get("template") or request.GET.get("template", "")
    templates = {**TEMPLATES, **dict(_others())}
    chosen = chosen if chosen in templates else "session"
    form_class, rules = templates[chosen].form, templates[chosen].rules
    attempt = Attempt()
    if "look" in request.POST:
        form = form_class(user_of(request), rules=rules, initial=_typed(request, form_class, chosen))
    elif request.method == "POST":
        form = form_class(user_of(request), request.POST, rules=rules)
        attempt = _found(
            form, lambda: actions.plan_event(command_of(request), form.details(), form.stages()), FOUND
        )
    else:
        form = form_class(user_of(request), rules=rules, initial={"language": request.LANGUAGE_CODE})
    if attempt.receipt:
        return _to_board(request, attempt.receipt)
    return site_page(
        request,
        "organiser/new.html",
        status=attempt.status,
        section="events",
        form=form,
        own=[form[name] for name in form_class.own_fields if name in form.fields],
        levels=_levels(form),
        chosen=chosen,
        templates=[(key, template.name, template.text) for key, template in templates.items()],
        command=uuid_or_none(request.POST.get("command", "")) or uuid4(),
    )


@signed_in_form
def copy(request: HttpRequest, slug: str) -> HttpResponse:
    """Copy this event."""
    source = get_tournament(request, slug)
    attempt, form = Attempt(), CopyForm(source, initial=_next_time(source))
    if request.method == "POST":
        form = CopyForm(source, request.POST)
        attempt = _found(
            form,
            lambda: actions.copy_event(command_of(request), source.uid, **form.cleaned_data),
        )
    if attempt.receipt:
        return _to_board(request, attempt.receipt)
    return page(
        request,
        "organiser/copy.html",
        source,
        status=attempt.status,
        section="events",
        form=form,
        differs=[*_differences(source)],
        command=uuid4(),
    )


def _differences(source: Tournament) -> Iterator[str]:
    """What a copy lacks or has otherwise."""
    roles = Membership.objects.filter(tournament=source)
    if Registration.objects.filter(tournament=source).exists():
        yield gettext("Registration is closed until you open it.")
    if any(stage.first_plan for stage in source.stages.all()):
        yield gettext("The programme moves with the date and is not published yet.")
    if roles.filter(table__isnull=False).exists():
        yield gettext("Referees of one table may enter results at all tables until you assign them again.")
    if roles.filter(role=Membership.Role.ORGANISER, invite__isnull=False).exists():
        yield gettext("Organisers by an invite need a new one.")


def _found(
    form: Form, call: Callable[[], actions.Receipt], fields: Mapping[str, str] | None = None
) -> Attempt:
    if not form.is_valid():
        return refused()
    attempt = attempt_call(call)
    add_faults(form, attempt.faults, fields=fields)
    return attempt


def _to_board(request: HttpRequest, receipt: actions.Receipt) -> HttpResponse:
    made = Tournament.objects.get(uid=command_of(request).id)
    same = Tournament.objects.visible().filter(
        organiser=made.organiser_id, name=made.name, starts_on=made.starts_on, rehearsal=made.rehearsal
    )
    if same.count() > 1:
        messages.warning(request, gettext("There is another event of this name on this day."))
    return saved(reverse("organise-board", args=[made.slug]), receipt)


def _next_time(source: Tournament) -> dict[str, object]:
    """The next such weekday, at least a week on and not past. A year in the name follows, and a number at its end
    ("Evening 7" becomes 8)."""
    day = source.starts_on + WEEK
    while day < home_today():
        day += WEEK
    name = re.sub(rf"(?<!\d){source.starts_on.year}(?!\d)", str(day.year), source.name)
    return {
        "name": re.sub(r"(?<=\s)\d{1,3}$", lambda number: str(int(number[0]) + 1), name),
        "starts_on": day,
    }


def _others() -> Iterator[tuple[str, Template]]:
    made_for = {ruleset for template in TEMPLATES.values() for ruleset in template.form.rulesets}
    for rules in RULESETS.values():
        for key, made in TEMPLATES.items():
            if rules.id not in made_for and all(map(rules.scores, made.form.kinds)):
                yield (
                    f"{key}.{rules.id}",
                    Template(made.form, ruleset_name(rules.id), made.way, made.way, rules),
                )


def _typed(request: HttpRequest, form_class: type[NewEventForm], chosen: str) -> dict[str, str | bool]:
    own = form_class.own_fields if request.POST.get("shown") != chosen else ()
    typed = {name: value for name, value in request.POST.dict().items() if name not in own}
    return {**typed, "listed": "listed" in typed}


def _levels(form: NewEventForm) -> list[tuple[str, str]]:
    if not isinstance(form, LevelsForm):
        return []
    return lines(LevelsForm({name: form[name].value() for name in LevelsForm.base_fields}))


@signed_in_form
def edit(request: HttpRequest, slug: str) -> HttpResponse:
    """Edit name, time, place."""
    tournament = get_tournament(request, slug)
    form = EditForm(
        tournament,
        request.POST or None,
        request.FILES or None,
        limited=is_limited(user_of(request), tournament),
    )
    attempt = attempt_form(request, form, actions.edit_tournament, tournament.uid, form.details)
    now = form.cleaned_data.get("slug", slug) if form.is_valid() else slug
    return attempt.answer(
        reverse("organise-board", args=[now]),
        lambda: page(
            request,
            "organiser/edit.html",
            tournament,
            status=attempt.status,
            section="events",
            form=form,
            command=uuid4(),
            away_command=uuid4(),
            was_played=tournament.was_played(),
        ),
    )


@signed_in_form
def replan(request: HttpRequest, slug: str) -> HttpResponse:
    """Edit what an unplayed event plays, after a preview."""
    tournament = get_tournament(request, slug)
    templates = {**TEMPLATES, **dict(_others())}
    chosen = request.POST.get("template", "")
    chosen = chosen if chosen in templates else _played_now(tournament, templates)
    form_class, rules = templates[chosen].form, templates[chosen].rules
    looks = "look" in request.POST
    sent = request.POST if request.method == "POST" and not looks else None
    typed = _typed(request, form_class, chosen) if looks else None
    form = form_class(user_of(request), sent, rules=rules, initial=typed)
    for name in form.fields.keys() - set(form_class.own_fields):
        del form.fields[name]  # already set
    attempt = Attempt()
    if sent is not None:
        attempt = _found(form, lambda: _replan(request, tournament, form), CARD_TEXTS)
    if attempt.receipt:
        return saved(reverse("organise-board", args=[slug]), attempt.receipt)
    return page(
        request,
        "organiser/replan.html",
        tournament,
        status=attempt.status,
        section="events",
        form=form,
        own=[form[name] for name in form_class.own_fields if name in form.fields],
        levels=_levels(form),
        chosen=chosen,
        templates=[(key, template.name, template.text) for key, template in templates.items()],
        look=reverse("organise-replan", args=[slug]),
        was_played=tournament.was_played(),
        goes=list(tournament.stages.order_by("number").annotate(at=Count("tables"))),
        stays=Entry.objects.filter(tournament=tournament).taking_part().count(),
        command=uuid_or_none(request.POST.get("command", "")) or uuid4(),
    )


def _replan(request: HttpRequest, tournament: Tournament, form: NewEventForm) -> actions.Receipt:
    form.cleaned_data["language"] = tournament.language
    return actions.replan_event(
        command_of(request),
        tournament.uid,
        ruleset=form.played().id,
        stages=[stage.as_planned() for stage in form.stages()],
    )


def _played_now(tournament: Tournament, templates: Mapping[str, Template]) -> str:
    kinds = {SHEET_KINDS[stage.kind] for stage in tournament.stages.all()}
    of_rules = [
        key
        for key, made in templates.items()
        if tournament.ruleset in ((made.rules.id,) if made.rules else made.form.rulesets)
    ]
    return next((key for key in of_rules if templates[key].form.kinds <= kinds), (of_rules or ["session"])[0])


@signed_in_page
def share(request: HttpRequest, slug: str) -> HttpResponse:
    """Public address and QR code."""
    tournament = get_tournament(request, slug)
    address = public_address(request, reverse("tournament", args=[slug]))
    return page(
        request,
        "organiser/share.html",
        tournament,
        section="events",
        address=address,
        qr=qr_svg(address),
        table=Table.objects.filter(stage__tournament=tournament).order_by("stage__number", "number").first(),
    )


# ---- Put events away, bring back, delete ----


@signed_in_form
def rehearse(request: HttpRequest, slug: str) -> HttpResponse:
    """Rehearse a copy with its people."""
    source = get_tournament(request, slug)
    if request.method != "POST":
        return _to_event(source)
    attempt = attempt_call(
        lambda: actions.copy_event(
            command_of(request),
            source.uid,
            name=source.name,
            starts_on=source.starts_on,
            players=True,
            roles=True,
            rehearsal=True,
        )
    )
    if attempt.receipt:
        made = Tournament.objects.get(uid=command_of(request).id)
        return saved(reverse("organise-board", args=[made.slug]), attempt.receipt)
    return refused_page(request, source, attempt)


@signed_in_form
def put_away(request: HttpRequest, tournament: UUID) -> HttpResponse:
    """Put away: listed below my events."""
    row = _own(request, tournament)
    if request.method != "POST":
        return _to_event(row)
    attempt = attempt_action(request, actions.put_away, row.uid)
    if attempt.receipt:
        return redirect(reverse("organise") + "#put-away")
    return refused_page(request, row, attempt)


@signed_in_form
def bring_back(request: HttpRequest, tournament: UUID) -> HttpResponse:
    row = _own(request, tournament)
    if request.method != "POST":
        return _to_event(row)
    attempt = attempt_action(request, actions.bring_back, row.uid)
    row.refresh_from_db()
    return attempt.answer(
        reverse("organise-board", args=[row.slug]), lambda: refused_page(request, row, attempt)
    )


@signed_in_form
def delete(request: HttpRequest, tournament: UUID) -> HttpResponse:
    """Preview; POST deletes an unplayed event. A deleted one redirects."""
    row = Tournament.objects.filter(uid=tournament).first()
    if row is None:
        return redirect("organise")
    if not may(user_of(request), "put_away", row):
        raise Http404
    if request.method == "POST":
        try:
            actions.delete_event(command_of(request), row)
        except Refused as played:
            return refused_page(request, row, refused(*played.faults))
        take_away_all(row.uid)
        return redirect("organise")
    return page(
        request,
        "organiser/delete.html",
        row,
        section="events",
        command=uuid4(),
        was_played=row.was_played(),
        goes={
            "players": row.entries.count(),
            "stages": row.stages.count(),
            "roles": row.memberships.exclude(user=user_of(request)).count(),
        },
    )


def _own(request: HttpRequest, uid: UUID) -> Tournament:
    row = get_object_or_404(Tournament, uid=uid)
    if not may(user_of(request), "bring_back", row):
        raise Http404
    return row


def _to_event(row: Tournament) -> HttpResponse:
    return redirect("organise") if row.put_away else redirect("organise-board", slug=row.slug)


def refused_page(request: HttpRequest, tournament: Tournament, attempt: Attempt) -> HttpResponse:
    """Why a button of another page did nothing."""
    return page(
        request,
        "organiser/put_away_refused.html",
        tournament,
        status=attempt.status,
        section="events",
        command=uuid4(),
        **attempt.context(),
    )
