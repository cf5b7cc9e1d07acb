"""Create or copy a tournament by composing actions, all or nothing. Ids derive from the command's: a form sent twice
makes one."""

from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any
from uuid import UUID, uuid5

from django.utils.translation import gettext_lazy as _

from rulesets import RULESETS
from tournament.actions.event.checklist import set_decks
from tournament.actions.event.events import create_tournament
from tournament.actions.event.programme import plan_given, remove_stage, set_programme
from tournament.actions.event.registration import set_questions, set_registration
from tournament.actions.event.screens import AT_FIRST, add_screen, set_screen
from tournament.actions.event.seats import keep_apart
from tournament.actions.event.stages import check_planned, let_players_time, plan_stage, set_stage_settings
from tournament.actions.kernel import (
    Command,
    Faults,
    Receipt,
    Work,
    action,
    do_within,
    refuse,
    refuse_if,
    writing,
)
from tournament.actions.people.players import DETAILS, MOST_AT_ONCE, different_people, enter_players
from tournament.actions.people.roles import grant_role
from tournament.ledger.purge import take_back
from tournament.models import (
    Apart,
    Entry,
    Incident,
    Invite,
    Logo,
    Membership,
    PastResult,
    PublicModel,
    Registration,
    Screen,
    Stage,
    Table,
    Tournament,
    User,
)
from tournament.permissions import may, runs_organiser
from tournament.queries.people import pair_of, told_apart
from tournament.queries.programme import Plan, on_event_days
from tournament.queries.registration import as_given
from tournament.results import CommandReused, Fault, Forbidden, same_time
from tournament.server.clock import now
from tournament.server.extras import modules

__all__ = [
    "PlannedStage",
    "bring_in_results",
    "copy_event",
    "plan_event",
    "replan_event",
]

LATER = frozenset({"plan", "source"})  # set once all stages exist: a source may name a later one


@dataclass(frozen=True, slots=True)
class PlannedStage:
    """A stage to plan, as arguments of `plan_stage`."""

    kind: str
    name: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)
    card_texts: Sequence[str] = ()
    plan: Mapping[str, Any] = field(default_factory=dict)  # see set_programme
    second_look: bool | None = None  # None: default of the kind
    source: Mapping[str, Any] = field(default_factory=dict)

    @property
    def looked_at_twice(self) -> bool:
        """Whether its results need a second person; by default a final's do."""
        return self.kind == Stage.Kind.FINAL if self.second_look is None else self.second_look

    def as_planned(self) -> dict[str, Any]:
        """An element of `replan_event`'s `stages`."""
        return {
            "kind": self.kind,
            "name": self.name,
            "settings": dict(self.settings),
            "card_texts": list(self.card_texts),
            "second_look": self.looked_at_twice,
            "source": dict(self.source),
            "plan": dict(self.plan),
        }

    @classmethod
    def copied(cls, stage: Stage, old: Tournament, starts_on: date) -> "PlannedStage":
        """A stage of `old` for an event on another day."""
        plan = Plan.of(stage.plan)
        if plan.starts_at:
            starts_at = same_time(plan.starts_at, old.zone, old.zone, starts_on - old.starts_on)
            plan = replace(plan, starts_at=starts_at if on_event_days(plan.starts_at, old) else None)
        return cls(**_copied(stage, "players_clock") | {"plan": plan.as_json()})


@dataclass(frozen=True, slots=True)
class _Plan:
    command: Command

    @property
    def tournament(self) -> UUID:
        return self.command.id

    def uid(self, *what: object) -> UUID:
        return uuid5(self.tournament, " ".join(str(word) for word in what))

    def call(self, do: Callable[..., Receipt], *what: object, **arguments: Any) -> Receipt:
        return do(replace(self.command, id=self.uid(*what)), self.tournament, **arguments)

    def stages(self, stages: Sequence[PlannedStage]) -> None:
        _add_stages(self.command.id, [stage.as_planned() for stage in stages], Faults(), self.call)


def _add_stages(
    command: UUID, stages: Sequence[Mapping[str, Any]], faults: Faults, call: Callable[..., object]
) -> None:
    numbered = [(number, uuid5(command, f"stage {number}"), said) for number, said in enumerate(stages, 1)]
    for number, uid, said in numbered:
        given = {name: value for name, value in said.items() if name not in LATER}
        call(plan_stage, "plan", number, stage=uid, **given)
    for number, uid, said in numbered:
        if source := said.get("source"):
            with faults.at(f"/stages/{number - 1}"):
                call(set_stage_settings, "source", number, stage=uid, source=dict(source))
    refuse(faults.at(""))
    if plans := [{"stage": uid, "plan": said["plan"]} for _number, uid, said in numbered if said.get("plan")]:
        call(set_programme, "programme", stages=plans)


def plan_event(command: Command, details: Mapping[str, Any], stages: Sequence[PlannedStage]) -> Receipt:
    """Create a tournament with its stages; `details` and errors as in `create_tournament`, errors also as in
    `plan_stage`."""
    plan, faults = _Plan(command), Faults()
    event = Tournament(starts_on=details["starts_on"], ruleset=details["ruleset"])
    event.time_zone = details.get("time_zone", event.time_zone)
    with writing():
        with faults:
            receipt = plan.call(create_tournament, "create", **details)
        _check_stages(event, [stage.as_planned() for stage in stages], faults)
        refuse(faults)
        plan.stages(stages)
    return receipt


def _check_stages(event: Tournament, stages: Sequence[Mapping[str, Any]], faults: Faults) -> None:
    """Add the faults of these stages, but for their sources, which may name each other."""
    for index, said in enumerate(stages if event.ruleset in RULESETS else ()):
        row = Stage(tournament=event, kind=said["kind"], settings=said["settings"])
        with faults.at(f"/stages/{index}"):
            check_planned(row, faults, name=said["name"], card_texts=said["card_texts"])
        with faults:
            plan_given(said["plan"], "/plan", event)


def copy_event(
    command: Command,
    source: UUID,
    *,
    name: str,
    starts_on: date,
    players: bool,
    roles: bool,
    rehearsal: bool = False,
) -> Receipt:
    """Copy a tournament with stages, screens and the registration's terms and questions; unless a `rehearsal`, into
    the seasons that last until then.

    `players`: all who played and are not out (before play: can be seated), in a rehearsal as copies. `roles`:
    organisers with an account, and all referees, for all tables. A retry resumes.

    Raises, storing nothing, Forbidden unless an organiser of the source, Tournament.DoesNotExist, errors of the
    actions.
    """
    plan = _Plan(command)
    with writing():
        old = Tournament.objects.select_for_update(of=("self",)).select_related("organiser").get(uid=source)
        if not may(command.actor, "plan_stage", old):
            raise Forbidden("copy_event")
        receipt = plan.call(
            create_tournament,
            "create",
            name=name,
            starts_on=starts_on,
            ruleset=old.ruleset,
            organiser=old.organiser.uid,
            place=old.place,
            time_zone=old.time_zone,
            language=old.language,
            listed=old.listed,
            rehearsal=rehearsal,
            **_face(old),
        )
        if not receipt.replayed:
            _copy_plan(plan, old, starts_on)
            if roles:
                _copy_roles(plan, old)
            extra = next((each for each in modules("actions") if hasattr(each, "put_in_season")), None)
            if extra and not rehearsal and runs_organiser(command.actor, old.organiser):
                for season in old.seasons.lasting(starts_on):
                    plan.call(extra.put_in_season, "season", season.uid, season=season.uid, belongs=True)
    try:
        if players:
            _copy_players(plan, old, rehearsal=rehearsal)
    except CommandReused:
        pass  # copied before; the source changed since
    except Exception:
        if not receipt.replayed:
            with writing():
                take_back(plan.tournament, keep=command.actor)
        raise
    return receipt


def _face(old: Tournament) -> dict[str, str]:
    said = {name: getattr(old, name) for name in ("description", "fee", "bring", "colour")}
    said |= {name: at.strftime("%H:%M") for name in ("doors_at", "starts_at") if (at := getattr(old, name))}
    if picture := Logo.objects.filter(tournament=old).first():
        said["logo"] = b64encode(picture.content).decode()
    return {name: text for name, text in said.items() if text}


def _copy_plan(plan: _Plan, old: Tournament, starts_on: date) -> None:
    """Copy stages, registration and screens. Registration starts closed, without times."""
    stages = list(old.stages.order_by("number"))
    plan.stages([PlannedStage.copied(stage, old, starts_on) for stage in stages])
    for number, stage in enumerate(stages, 1):
        if stage.players_clock:
            plan.call(let_players_time, "clock", number, stage=plan.uid("stage", number), wanted=True)
    if row := Registration.objects.filter(tournament=old).first():
        plan.call(set_registration, "registration", **_copied(row, "questions"))
        if row.questions:
            plan.call(set_questions, "questions", questions=[as_given(each) for each in row.questions])
    numbers = {stage.pk: number for number, stage in enumerate(stages, 1)}
    for screen in Screen.objects.filter(tournament=old).order_by("pk"):
        uid = plan.uid("screen", screen.uid)
        plan.call(add_screen, "hang", screen.uid, screen=uid, name=screen.name)
        plan.call(
            set_screen,
            "show",
            screen.uid,
            screen=uid,
            scenes=[scene for scene in screen.scenes if scene in Screen.Scene.values] or AT_FIRST,
            seconds=screen.seconds,
            stage=plan.uid("stage", numbers[screen.stage_id]) if screen.stage_id else None,
        )
    if old.decks:
        plan.call(set_decks, "decks", decks=old.decks)


def _copied(row: PublicModel, *but: str) -> dict[str, Any]:
    return {
        line.name: getattr(row, line.name) for line in row.FIELDS.fields if line.copy and line.name not in but
    }


def _copy_roles(plan: _Plan, old: Tournament) -> None:
    """Referees keep their role without a table; an invite to organise ends with its event."""
    roles = Membership.objects.filter(tournament=old, user__is_active=True)
    roles = roles.exclude(role=Membership.Role.ORGANISER, invite__isnull=False)
    given: set[tuple[User, str]] = {(plan.command.actor, Membership.Role.ORGANISER)}
    for membership in roles.select_related("user").order_by("pk"):
        if (role := (membership.user, membership.role)) not in given:
            given.add(role)
            plan.call(
                grant_role,
                "role",
                membership.uid,
                membership=plan.uid("membership", membership.uid),
                user=membership.user.uid,
                role=membership.role,
            )


def _copy_players(plan: _Plan, old: Tournament, *, rehearsal: bool) -> None:
    """A guardian's consent covers one event and its rehearsals. A rehearsal has its own players, to protect data."""
    entries = list(Entry.objects.who_played(old).select_related("player").order_by("start_number"))
    rows = [
        {
            "entry": plan.uid("entry", entry.uid),
            **(
                {"real_name": entry.player.name, **{name: getattr(entry.player, name) for name in DETAILS}}
                if rehearsal
                else {"player": entry.player.uid}
            ),
            "name": entry.public_name,
            "club": entry.club,
            "division": entry.division,
            "start_number": entry.start_number,
            "guardian": entry.guardian and rehearsal,
            "public_name_is_right": True,
        }
        for entry in entries
    ]
    for first in range(0, len(rows), MOST_AT_ONCE):
        plan.call(enter_players, "enter", first, players=rows[first : first + MOST_AT_ONCE])
    here = {entry.uid for entry in entries}
    for pair in Apart.objects.filter(tournament=old).select_related("first", "second"):
        if {pair.first.uid, pair.second.uid} <= here:
            plan.call(
                keep_apart,
                "apart",
                pair.uid,
                first=plan.uid("entry", pair.first.uid),
                second=plan.uid("entry", pair.second.uid),
            )

    entry_of = {str(entry.player.uid): entry.uid for entry in entries} if rehearsal else {}
    for one, other in sorted(told_apart(old)):
        if one in entry_of and other in entry_of:
            plan.call(
                different_people,
                "different",
                *pair_of(one, other),
                entry=plan.uid("entry", entry_of[one]),
                other=plan.uid("entry", entry_of[other]),
            )


# ---- Change the ruleset and stages of an event in which nothing was played ----


@action(least="organiser", says=_("changed what is played"), undo="again", bulk=True)
def replan_event(work: Work, *, ruleset: str, stages: Sequence[Mapping[str, Any]]) -> None:
    """Replace ruleset and stages (`PlannedStage.as_planned`). Old stages, even begun, go with seats, draws, decisions
    and programme; all else stays. Refused `unknown_ruleset`, `played_already` (a play or incident), as `plan_stage`."""
    event, faults = work.tournament, Faults()
    refuse_if(
        event.was_played() or Incident.objects.filter(tournament=event).exists(), Fault("played_already")
    )
    faults.add_if(ruleset not in RULESETS, Fault("unknown_ruleset", "/ruleset", {"ruleset": ruleset}))
    event.ruleset = ruleset
    _check_stages(event, stages, faults)
    refuse(faults)
    _free_referees(work)
    for stage in Stage.objects.filter(tournament=event):
        remove_stage(work, stage)
    work.update(
        event,
        ruleset=ruleset,
        ruleset_revision=RULESETS[ruleset].revision,
        state=Tournament.State.PLANNED,
    )
    _add_stages(
        work.command.id, stages, work.faults, lambda do, *_what, **arguments: do_within(work, do, **arguments)
    )


def _free_referees(work: Work) -> None:
    """Table referees and open table invites cover all tables from now on."""
    event = work.tournament
    whole = set(Membership.objects.filter(tournament=event, table=None).values_list("user", "role"))
    for membership in Membership.objects.filter(tournament=event).order_by("pk"):
        if (key := (membership.user_id, membership.role)) not in whole:
            whole.add(key)
            work.update(membership, table=None)
    tables = {str(uid) for uid in Table.objects.filter(stage__tournament=event).values_list("uid", flat=True)}
    for invite in Invite.objects.filter(tournament=event, revoked_at=None, expires_at__gt=now()):
        if tables & set(invite.tables):
            work.update(invite, tables=[])


# ---- Results of an event that was played elsewhere ----


AS_READ = ("place", "points", "average", "games", "wins", "note")


@action(least="organiser", says=_("brought in results from a file"), undo="ledger", bulk=True, account=True)
def bring_in_results(work: Work, *, players: Sequence[Mapping[str, Any]]) -> None:
    """Store results in an unplayed event and finish it; planned stages go.

    `players`: as in `enter_players`, plus `PastResult` fields; `entry`: an existing or new uid. Refused
    `played_already`, `brought_in_twice`.
    """
    event = work.tournament
    refuse_if(event.state == Tournament.State.RUNNING, Fault("played_already"))
    do_within(work, replan_event, ruleset=event.ruleset, stages=[])
    here = {*Entry.objects.filter(tournament=event).values_list("uid", flat=True)}
    if new := [given for given in players if given["entry"] not in here]:
        do_within(work, enter_players, players=new)
    entries = {entry.uid: entry for entry in Entry.objects.filter(tournament=event)}
    work.update_all((entries[uid], {"state": Entry.State.CHECKED_IN}) for uid in entries.keys() - here)
    brought_in = PastResult.objects.filter(entry__tournament=event).values_list("entry__uid", flat=True)
    taken = [*brought_in, *(given["entry"] for given in players)]
    rows, faults = [], Faults()
    for index, given in enumerate(players):
        row = PastResult(
            entry=entries[given["entry"]], **{name: given[name] for name in AS_READ if name in given}
        )
        with faults.at(f"/players/{index}"):
            row.clean_fields(exclude=["entry"])
        faults.add_if(taken.count(row.entry.uid) > 1, Fault("brought_in_twice", "/entry"))
        rows.append(row)
    refuse(faults)
    PastResult.objects.bulk_create(rows)
    work.changed(*rows)
    work.update(event, state=Tournament.State.FINISHED)
