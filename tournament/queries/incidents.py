"""Incident texts and warning tallies; referees and organisers only."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import Count, QuerySet
from django.utils.translation import gettext as _, ngettext

from rulesets import ejects_after_warning, penalties_of
from tournament.models import Incident, Play, Tournament
from tournament.results import Contest, Fault, PlayFacts
from tournament.words.faults import table_text
from tournament.words.penalties import penalty_texts
from tournament.words.text import as_read

Kind = Incident.Kind


@dataclass(frozen=True, slots=True)
class Tally:
    """A player's warnings and penalties."""

    warnings: int = 0
    penalties: int = 0

    @property
    def text(self) -> str:
        counted = (
            (self.warnings, ngettext("%(n)d warning", "%(n)d warnings", self.warnings)),
            (self.penalties, ngettext("%(n)d penalty", "%(n)d penalties", self.penalties)),
        )
        return ", ".join(text % {"n": number} for number, text in counted if number)

    @property
    def warned(self) -> str:
        """The counts, or "not warned yet", of a player who may be ejected."""
        return self.text if self.warnings else str(_("not warned yet"))


@dataclass(frozen=True, slots=True)
class Line:
    """An incident: the sheet's `rule`, the referees' `text` and `ruling`, a dispute's `answer`. `open`: withdrawable
    by itself."""

    uid: UUID
    kind: str
    title: str
    rule: str
    text: str
    ruling: str
    answer: str
    cards: int | None
    player: str
    entry: UUID | None
    where: str
    at: datetime
    by: str
    withdrawn: bool

    @classmethod
    def of(cls, tournament: Tournament, row: Incident, known: set[str]) -> "Line":
        """The row in words; `known`: codes of the ruleset."""
        happened, rule = penalty_texts(tournament.ruleset, row.code) if row.code in known else ("", "")
        return cls(
            uid=row.uid,
            kind=row.kind,
            title=happened or _title(tournament, Kind(row.kind)),
            rule=rule,
            text=row.text,
            ruling=row.ruling,
            answer=_answer(row),
            cards=row.cards,
            player=row.entry.shown_name if row.entry else "",
            entry=row.entry.uid if row.entry else None,
            where=table_text(row.table.stage, row.table.number) if row.table else _("The whole event"),
            at=row.at,
            by=row.by.display_name(),
            withdrawn=row.withdrawn,
        )

    @property
    def open(self) -> bool:
        return not self.withdrawn and self.kind != Kind.EJECTION

    def says(self, word: str) -> bool:
        """Whether any field contains `word` (`as_read`)."""
        told = (self.title, self.rule, self.text, self.ruling, self.answer, self.player, self.where, self.by)
        return any(word in as_read(each) for each in told)


def tallies(tournament: Tournament, entries: Iterable[UUID] | None = None) -> dict[str, Tally]:
    """Non-empty tallies by entry uid as text (of `entries`, if given)."""
    rows = Incident.objects.filter(
        tournament=tournament, withdrawn=False, kind__in=[Kind.WARNING, Kind.PENALTY], entry__isnull=False
    )
    # A spectator's penalty is recorded for the innocent player helped.
    rows = rows.exclude(
        code__in=[row.code for row in penalties_of(tournament.ruleset) if row.who == "spectator"]
    )
    rows = rows if entries is None else rows.filter(entry__uid__in=list(entries))
    counted: dict[str, dict[str, int]] = {}
    for uid, kind, count in rows.order_by().values_list("entry__uid", "kind").annotate(count=Count("id")):
        counted.setdefault(str(uid), {})[kind] = count
    return {
        uid: Tally(found.get(Kind.WARNING, 0), found.get(Kind.PENALTY, 0)) for uid, found in counted.items()
    }


def warned(tournament: Tournament, entries: Iterable[UUID]) -> dict[str, str]:
    """`Tally.warned` of each entry, by uid as text."""
    found = tallies(tournament, entries := list(entries))
    return {str(uid): found.get(str(uid), Tally()).warned for uid in entries}


def needs_warning(tournament: Tournament, entry: UUID) -> bool:
    """Whether the ruleset requires a warning before removal and none is recorded."""
    return (
        ejects_after_warning(tournament.ruleset)
        and not tallies(tournament, [entry]).get(str(entry), Tally()).warnings
    )


def lines_of(tournament: Tournament, rows: QuerySet[Incident]) -> list[Line]:
    """The tournament's incidents, newest first, in one query."""
    rows = rows.filter(tournament=tournament).select_related("table__stage", "entry", "by").order_by("-pk")
    known = {row.code for row in penalties_of(tournament.ruleset)}
    return [Line.of(tournament, row, known) for row in rows]


def _title(tournament: Tournament, kind: Kind) -> str:
    ejection = _("An ejection") if ejects_after_warning(tournament.ruleset) else _("A removal from the game")
    return {
        Kind.PENALTY: _("Something else"),
        Kind.WARNING: _("A warning"),
        Kind.EJECTION: ejection,
        Kind.DISPUTE: _("A dispute"),
        Kind.RULING: _("A ruling"),
    }[kind]


def _answer(row: Incident) -> str:
    if row.yes is None:
        return ""
    words: Mapping[str, str | int | None] = {
        "answer": _("Yes") if row.yes else _("No"),
        "yes": row.votes_yes,
        "no": row.votes_no,
    }
    if row.decided == Incident.Decided.OLDEST:
        return _("%(answer)s, decided by the oldest player (%(yes)s for yes, %(no)s for no)") % words
    return _("%(answer)s (%(yes)s for yes, %(no)s for no)") % words


# ---- Plays that wait until a second person accepts them ----

ACCEPT_WITHIN = timedelta(minutes=15)  # after entry, by players at the table
BY_PLAYERS = "contest_play_at_table"  # the players may take it back
FAULTS = {Play.SecondLook.WANTED: "play_unaccepted", Play.SecondLook.CONTESTED: "play_contested"}


def waits(play: PlayFacts | Play) -> bool:
    """Whether the play must be accepted or settled before its stage finishes."""
    return play.second_look in FAULTS and play.state == Play.State.ENTERED


def look_of(play: PlayFacts | Play) -> str:
    """Status shown: the second look if there is one, else the state."""
    return play.second_look if play.state == Play.State.ENTERED and play.second_look else play.state


def seen_text(play: PlayFacts | Play) -> str:
    """Play and version as sent by forms (`plays_of`)."""
    return f"{play.uid}:{play.version}"


def waiting_in(contests: Sequence[Contest]) -> list[tuple[Contest, PlayFacts]]:
    """Waiting plays, in sheet order."""
    return [(contest, play) for contest in contests for play in contest.in_order if waits(play)]


def faults_of(contests: Sequence[Contest]) -> list[Fault]:
    """`play_unaccepted` or `play_contested` per waiting play."""
    return [
        Fault(
            FAULTS[Play.SecondLook(play.second_look)],
            f"/plays/{play.uid}",
            {
                "table": contest.table_numbers[play.table],
                "number": play.number,
                "contest": contest.kind,
            },
        )
        for contest, play in waiting_in(contests)
    ]
