"""The form of one incident: which fields it has, what the sheet says of it, and the action that keeps it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from rulesets import Penalty, disputes_by_vote, penalties_of
from tournament import actions
from tournament.actions import Receipt
from tournament.actions.table.incidents import MOST_CARDS
from tournament.models import Incident, Seat
from tournament.pages.desk.table import Scene
from tournament.results.faults import Fault
from tournament.results.typed import Typed
from tournament.views._answer import Attempt, attempt_action, refused
from tournament.words.penalties import penalty_texts

Kind = Incident.Kind
Text = str | Promise

# What no sheet lists, by the word in the address.
ELSE: dict[str, tuple[Incident.Kind, Text]] = {
    "other": (Kind.PENALTY, _("Something else")),
    "warning": (Kind.WARNING, _("A warning")),
    "ejection": (Kind.EJECTION, _("An ejection")),
    "dispute": (Kind.DISPUTE, _("A dispute")),
    "ruling": (Kind.RULING, _("A question, and how it was ruled")),
}

WHO: dict[str, Text] = {
    "player": _("Who was it?"),
    "challenger": _("Who challenged?"),
    "suspecting": _("Who suspected it?"),
    "spectator": _("Whom did the spectator help?"),
    "nobody": _("Is it about somebody?"),
}


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing that can have happened."""

    what: str
    title: Text
    kind: str


def choices_of(ruleset: str) -> list[list[Choice]]:
    """What the sheet lists, in the order in which it is looked up, and what it does not."""
    listed = [
        Choice(row.code, penalty_texts(ruleset, row.code)[0], _kind(row)) for row in penalties_of(ruleset)
    ]
    named = {choice.what for choice in listed}
    kinds = {choice.kind for choice in listed}
    other = [
        Choice(what, title, kind)
        for what, (kind, title) in ELSE.items()
        if what not in named and not (what == "ejection" and Kind.EJECTION in kinds)
    ]
    return [listed, other]


def _kind(row: Penalty) -> Incident.Kind:
    if row.code == "dispute":
        return Kind.DISPUTE
    return {"warning": Kind.WARNING, "ejection": Kind.EJECTION}.get(row.kind, Kind.PENALTY)


@dataclass(frozen=True)
class IncidentForm:
    """One form as it was typed; `code` is the row of the sheet, "" for what no sheet lists."""

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
        """The form for what happened; None where there is no such thing."""
        ruleset = scene.tournament.ruleset
        for row in penalties_of(ruleset):
            if row.code == what:
                title, rule = penalty_texts(ruleset, what)
                return cls(scene, what, _kind(row), title, rule, what, row, data)
        if what not in ELSE:
            return None
        kind, text = ELSE[what]
        return cls(scene, what, kind, text, "", "", None, data)

    @property
    def who(self) -> Text:
        return WHO[self.preset.who if self.preset else "player" if self.needs_player else "nobody"]

    @property
    def asks_player(self) -> bool:
        return self.kind in {Kind.PENALTY, Kind.WARNING, Kind.EJECTION}

    @property
    def needs_player(self) -> bool:
        if self.kind in {Kind.WARNING, Kind.EJECTION}:
            return True
        return self.preset is not None and self.preset.who not in {"nobody", "spectator"}

    @property
    def needs_text(self) -> bool:
        """Whether it must be said in words."""
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
        """Whether the referee says how many cards are drawn, where the sheet does not."""
        return self.kind == Kind.PENALTY and self.asks_ruling

    @property
    def oldest(self) -> str:
        """The name of the oldest player at the table, where that is known."""
        row = self.scene.table.oldest
        return row.public_name if row and row.uid in self.scene.ready else ""

    @property
    def lines(self) -> list[tuple[str, str]]:
        """The sheet's rows that a ruling can belong to."""
        ruleset = self.scene.tournament.ruleset
        return [(row.code, penalty_texts(ruleset, row.code)[0]) for row in penalties_of(ruleset)]

    @property
    def keep(self) -> str:
        """Under what the phone keeps what is typed until it is sent: another one for each incident."""
        count = Incident.objects.filter(table=self.scene.table).count()
        return f"incident:{self.scene.table.uid}:{self.what}:{count}"

    def attempt(self, request: HttpRequest) -> Attempt:
        """Keep it."""
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


ACTIONS: dict[Incident.Kind, Callable[..., Receipt]] = {
    Kind.PENALTY: actions.record_penalty,
    Kind.WARNING: actions.warn_player,
    Kind.DISPUTE: actions.record_dispute,
    Kind.RULING: actions.record_ruling,
}
