"""Incidents, by the codes of rulesets/penalties.py. Texts stay out of the ledger. Ejections record their own."""

from uuid import UUID

from django.utils.translation import gettext_lazy as _

from rulesets import Penalty, disputes_by_vote, penalties_of
from rulesets.penalties import Kind
from tournament.actions.kernel import Work, action, fit, or_refuse, played_table, refuse_if
from tournament.models import Entry, Incident, Membership, Play, Seat, Table
from tournament.permissions import RANK, rank
from tournament.results import Fault, Forbidden, Refused, given

__all__ = ["record_dispute", "record_penalty", "record_ruling", "warn_player", "withdraw_incident"]

LONGEST_NOTE = 500  # characters
MOST_CARDS = 99
ELSEWHERE: frozenset[Kind] = frozenset({"warning", "ejection"})  # these have own actions
NOBODY = frozenset({"nobody", "spectator"})  # these need no player
Kinds = Incident.Kind
Decided = Incident.Decided


@action(least="table_referee", says=_("noted a penalty"), undo="at_table")
def record_penalty(
    work: Work,
    *,
    table: UUID,
    incident: UUID,
    code: str,
    entry: UUID | None,
    play: UUID | None = None,
    cards: int | None = None,
    text: str = "",
    ruling: str = "",
) -> None:
    """Record a penalty of the sheet (`code`) or, with "", a text. `cards` to draw default to the sheet's. Referees'
    decisions need a `ruling`. Refused `unknown_penalty`, `nobody_chosen`, `not_seated`, `missing_ruling`,
    `field_required` (text)."""
    row = _new(
        work, Kinds.PENALTY, incident, played_table(work, table), play, code=code, text=text, ruling=ruling
    )
    preset = _preset(work, code)
    work.faults.add_if(
        code and (preset is None or preset.kind in ELSEWHERE), Fault("unknown_penalty", "/code")
    )
    with work.faults:
        row.entry = _at_table(row, entry)
    work.faults.add_if(
        entry is None and preset and preset.who not in NOBODY, Fault("nobody_chosen", "/entry")
    )
    work.faults.add_if(not code and not row.text, Fault("field_required", "/text"))
    work.faults.add_if(
        preset and preset.kind == "referees" and not row.ruling, Fault("missing_ruling", "/ruling")
    )
    with work.faults:
        row.cards = _cards(cards, preset)
    row.decided = Decided.REFEREE if row.ruling else ""
    work.add(row)


@action(least="table_referee", says=_("warned a player"), undo="at_table")
def warn_player(
    work: Work,
    *,
    table: UUID,
    incident: UUID,
    entry: UUID,
    text: str = "",
    code: str = "",
    play: UUID | None = None,
) -> None:
    """Warn a player by the sheet's `code` or a `text`. Refused `unknown_penalty`, `not_seated`, `field_required`."""
    row = _new(work, Kinds.WARNING, incident, played_table(work, table), play, code=code, text=text)
    preset = _preset(work, code)
    work.faults.add_if(
        code and (preset is None or preset.kind != "warning"), Fault("unknown_penalty", "/code")
    )
    with work.faults:
        row.entry = _at_table(row, entry)
    work.faults.add_if(not code and not row.text, Fault("field_required", "/text"))
    work.add(row)


@action(least="table_referee", says=_("noted a dispute"), undo="at_table")
def record_dispute(
    work: Work,
    *,
    table: UUID,
    incident: UUID,
    text: str,
    votes_yes: int | None = None,
    votes_no: int | None = None,
    oldest_yes: bool | None = None,
    ruling: str = "",
    play: UUID | None = None,
) -> None:
    """Record a dispute (`text`) and its outcome: by vote if the sheet says so, a tie by the oldest player
    (`oldest_yes`), otherwise by `ruling`. Refused `field_required` (text), `missing_votes`, `too_many_votes`,
    `missing_oldest`, `missing_ruling`."""
    code = "dispute" if _preset(work, "dispute") else ""
    row = _new(
        work, Kinds.DISPUTE, incident, played_table(work, table), play, code=code, text=text, ruling=ruling
    )
    work.faults.add_if(not row.text, Fault("field_required", "/text"))
    if disputes_by_vote(work.tournament.ruleset):
        _count_votes(row, votes_yes, votes_no, oldest_yes)
    else:
        row.decided = Decided.REFEREE
        work.faults.add_if(not row.ruling, Fault("missing_ruling", "/ruling"))
    work.add(row)


@action(least="table_referee", says=_("noted a ruling"), undo="at_table")
def record_ruling(
    work: Work,
    *,
    incident: UUID,
    text: str,
    ruling: str,
    table: UUID | None = None,
    code: str = "",
) -> None:
    """Record a question (`text`) and `ruling`, at a table or, by a head referee, event-wide. Refused `field_required`
    (question), `missing_ruling`, `unknown_penalty`."""
    if table is None:
        _refuse_below_head(work)
    row = _new(
        work,
        Kinds.RULING,
        incident,
        played_table(work, table) if table else None,
        None,
        code=code,
        text=text,
        ruling=ruling,
    )
    row.decided = Decided.REFEREE
    work.faults.add_if(code and not _preset(work, code), Fault("unknown_penalty", "/code"))
    work.faults.add_if(not row.text, Fault("field_required", "/text"))
    work.faults.add_if(not row.ruling, Fault("missing_ruling", "/ruling"))
    work.add(row)


@action(least="table_referee", says=_("withdrew a penalty or note"), undo="again")
def withdraw_incident(work: Work, *, incident: UUID, reason: str = "") -> None:
    """Withdraw an incident; it stays readable. Event-wide ones need a head referee. Refused `already_withdrawn`,
    `ejection_stands` (undo the ejection)."""
    rows = Incident.objects.select_related("table", "play", "entry", "by").filter(tournament=work.tournament)
    found = or_refuse(rows.filter(uid=incident).first(), Fault("unknown_incident", "/incident"))
    if found.table is None:
        _refuse_below_head(work)
    refuse_if(found.withdrawn, Fault("already_withdrawn", "/incident"))
    refuse_if(found.kind == Kinds.EJECTION, Fault("ejection_stands", "/incident"))
    work.note = reason
    work.update(found, withdrawn=True)


def _new(
    work: Work,
    kind: Incident.Kind,
    uid: UUID,
    table: Table | None,
    play: UUID | None,
    *,
    code: str,
    text: str,
    ruling: str = "",
) -> Incident:
    refuse_if(Incident.objects.filter(uid=uid).exists(), Fault("incident_exists", "/incident"))
    row = Incident(
        tournament=work.tournament,
        kind=kind,
        uid=uid,
        table=table,
        at=work.at,
        by=work.command.actor,
        code=code,
    )
    for name, said in (("text", text), ("ruling", ruling)):
        with work.faults:
            setattr(row, name, fit(said, f"/{name}", LONGEST_NOTE))
    if play:
        found = Play.objects.filter(uid=play, table=table).first() if table else None
        row.play = or_refuse(found, Fault("unknown_play", "/play"))
    return row


def _preset(work: Work, code: str) -> Penalty | None:
    return next((penalty for penalty in penalties_of(work.tournament.ruleset) if penalty.code == code), None)


def _at_table(row: Incident, uid: UUID | None) -> Entry | None:
    if uid is None:
        return None
    entry = Entry.objects.filter(tournament=row.tournament, uid=uid).first()
    refuse_if(
        entry is None
        or not (
            Seat.objects.filter(table=row.table, entry=entry).exists()
            or (row.play is not None and row.play.results.filter(entry=entry).exists())
        ),
        Fault("not_seated", "/entry", {"player": str(uid)}),
    )
    return entry


def _cards(cards: int | None, preset: Penalty | None) -> int | None:
    if cards is None:
        return preset.cards or None if preset else None
    refuse_if(
        not 0 <= given.whole(cards, "/cards") <= MOST_CARDS,
        Fault("number_too_large", "/cards", {"least": 0, "most": MOST_CARDS}),
    )
    return cards


def _count_votes(row: Incident, yes: int | None, no: int | None, oldest_yes: bool | None) -> None:
    if yes is None or no is None or not given.whole(yes, "/votes_yes") + given.whole(no, "/votes_no"):
        raise Refused(Fault("missing_votes", "/votes_yes"))
    players = Seat.objects.filter(table=row.table).count()
    refuse_if(
        yes < 0 or no < 0 or yes + no > players, Fault("too_many_votes", "/votes_yes", {"most": players})
    )
    row.votes_yes, row.votes_no = yes, no
    if yes != no:
        row.decided, row.yes = Decided.VOTES, yes > no
    elif type(oldest_yes) is bool:
        row.decided, row.yes = Decided.OLDEST, oldest_yes
    else:
        raise Refused(Fault("missing_oldest", "/oldest_yes"))


def _refuse_below_head(work: Work) -> None:
    if rank(work.command.actor, work.tournament) < RANK[Membership.Role.HEAD_REFEREE]:
        raise Forbidden(work.action)
