"""The shapes of answers, as the OpenAPI document describes them. Everything is named by its uid, nothing by a key.

`private` members are null for a viewer who may not see them, so a program reads the same shape for every viewer.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from django.db.models import Model
from rest_framework import serializers
from rest_framework.serializers import (
    BooleanField,
    CharField,
    ChoiceField,
    DateTimeField,
    DictField,
    IntegerField,
    JSONField,
    ListField,
    ModelSerializer,
    UUIDField,
)

from tournament.models import (
    ApiToken,
    Entry,
    Incident,
    LedgerRow,
    Membership,
    Organiser,
    Play,
    Player,
    Result,
    Seat,
    Stage,
    Tournament,
    User,
)
from tournament.results import PlayFacts

Rows = TypeVar("Rows", bound=type[ModelSerializer[Any]])


def row_of(model: type[Model], fields: str) -> Callable[[Rows], Rows]:
    """Have a shape show these fields of the model's rows, named with blanks between."""

    def made(shape: Rows) -> Rows:
        shape.Meta = type("Meta", (), {"model": model, "fields": fields.split()})  # type: ignore[misc,assignment]  # a class made here
        return shape

    return made


class Shape(serializers.Serializer[Any]):
    """A part of an answer that is not a row of one model."""


def part_of(name: str, fields: Mapping[str, Any], **more: Any) -> Shape:
    """Make a shape that is used in only one other, called `name` in the document; `more` are arguments of a field."""
    made: Shape = type(name, (Shape,), dict(fields))(**more)
    return made


def play_json(play: PlayFacts) -> dict[str, Any]:
    """A play with its version, as in every answer."""
    later = {"second_look": "", "entered_at": None, "other_start": None}
    return {"uid": str(play.uid), **later, **play.as_json(), "version": play.version}


class HandField(DictField):
    """A hand: how many cards of each kind."""

    child = IntegerField()


class UidField(UUIDField):
    """The uid of another row; None for none."""

    def get_attribute(self, instance: Any) -> Any:
        row = getattr(instance, str(self.field_name))
        return row and row.uid


@row_of(Organiser, "uid name")
class OrganiserShape(ModelSerializer[Organiser]):
    pass


@row_of(
    Tournament,
    "uid slug name organiser starts_on place time_zone language ruleset ruleset_revision "
    "state listed rehearsal description doors_at starts_at fee bring colour version ledger_head",
)
class TournamentShape(ModelSerializer[Tournament]):
    organiser = OrganiserShape()
    version = IntegerField(help_text="Rises with every change in the event.")
    ledger_head = CharField(
        help_text="The digest of the last row of its ledger, which covers all rows before it."
    )


@row_of(Player, "uid name birth_date contact")
class PlayerShape(ModelSerializer[Player]):
    pass


class EntryShape(Shape):
    uid = UUIDField()
    tournament = UUIDField()
    public_name = CharField()
    club = CharField(allow_blank=True)
    start_number = IntegerField()
    out = ChoiceField(
        [(each.value, each.label) for each in Entry.OUT],
        allow_null=True,
        help_text="How the player is out of the event; null for a player who is in it.",
    )
    state = ChoiceField(
        Entry.State.choices, allow_null=True, help_text="Only for those who run the event, otherwise null."
    )
    private = part_of(
        "EntryPrivateShape",
        {
            "player": PlayerShape(
                help_text="The same player in the organiser's other events has the same uid."
            ),
            "guardian": BooleanField(help_text="A guardian agreed that this minor takes part."),
            "accepted_at": DateTimeField(
                allow_null=True, help_text="When the player accepted the event's terms."
            ),
        },
        allow_null=True,
        help_text="Only for organisers (tokens need the scope `organise`), otherwise null.",
    )


class StageShape(Shape):
    uid = UUIDField()
    tournament = UUIDField()
    number = IntegerField()
    kind = ChoiceField(Stage.Kind.choices)
    name = CharField(allow_blank=True, help_text="Empty for a stage with the usual name of its kind.")
    state = ChoiceField(Stage.State.choices)
    settings = DictField(help_text="As in a score sheet.")
    card_texts = ListField(child=CharField(allow_blank=True), help_text="What the Customizable cards say.")
    second_look = BooleanField(help_text="Results need a second person's confirmation.")
    frozen = BooleanField(help_text="The public sees results as they were; those who run the event do not.")
    version = IntegerField(help_text="Rises with every change that readers of this stage see.")


class TableShape(Shape):
    uid = UUIDField()
    stage = UUIDField()
    number = IntegerField()
    stopped = BooleanField(help_text="The referees ended the table's match before the target.")
    seats = part_of(
        "SeatShape",
        {
            "entry": UUIDField(),
            "position": IntegerField(help_text="Clockwise from 1."),
            "out_as": ChoiceField([("", "in play"), *Seat.OutAs.choices], allow_blank=True),
            "out_from": IntegerField(allow_null=True, help_text="The first play without the player."),
        },
        many=True,
    )
    roles = part_of(
        "RolesShape",
        {
            "oldest": UUIDField(allow_null=True),
            "youngest": UUIDField(allow_null=True),
            "starter": UUIDField(allow_null=True),
        },
        allow_null=True,
        help_text="What players stated. Only for this table's referees, otherwise null.",
    )


class PlayShape(Shape):
    uid = UUIDField()
    table = UUIDField()
    number = IntegerField(help_text="The number of the play at its table; never reused.")
    state = ChoiceField(Play.State.choices)
    started_at = DateTimeField(allow_null=True)
    other_start = DateTimeField(allow_null=True, help_text="When it may have begun instead, until chosen.")
    entered_at = DateTimeField(allow_null=True, help_text="For a session’s game.")
    ended = ChoiceField([("", "not over"), *Play.Ended.choices], allow_blank=True)
    duration_s = IntegerField(allow_null=True)
    decks = IntegerField(allow_null=True)
    last_cards = HandField()
    drew = UUIDField(allow_null=True)
    advance = IntegerField(allow_null=True)
    second_look = ChoiceField([("", "not asked for"), *Play.SecondLook.choices], allow_blank=True)
    version = IntegerField(help_text="The sequence of the ledger row that wrote it last.")
    results = part_of(
        "ResultShape",
        {
            "uid": UUIDField(),
            "entry": UUIDField(),
            "outcome": ChoiceField(Result.Outcome.choices),
            "elapsed_s": IntegerField(allow_null=True, help_text="Seconds since the game began."),
            "hand": HandField(help_text="For players with cards left."),
            "finish": IntegerField(allow_null=True, help_text="In a heat: 1 for the first out."),
        },
        many=True,
        help_text="Empty for a play that is void or on hold, except for the table's referees.",
    )


class StandingShape(Shape):
    player = CharField(help_text="The player's id in the sheet: the uid of an entry.")
    place = IntegerField(allow_null=True)
    status = CharField()
    points = IntegerField()
    games = IntegerField(required=False)
    average = CharField(required=False, allow_null=True, help_text="A fraction in lowest terms: `37/3`.")
    rounds_won = IntegerField(required=False)


class RoundShape(Shape):
    number = IntegerField()
    results = part_of(
        "RoundResultShape",
        {
            "player": CharField(help_text="The player's id in the sheet: the uid of an entry."),
            "points": IntegerField(required=False, allow_null=True),
            "place": IntegerField(required=False, allow_null=True),
            "advances": BooleanField(required=False),
        },
        many=True,
    )


class AnswerShape(Shape):
    """The answer to a score sheet. A session's standings have `games` and `average`, a match's `rounds_won`; heats
    have `finalists` instead of standings and winners."""

    kind = ChoiceField([(kind, kind) for kind in ("session", "match", "heats")])
    ruleset = CharField()
    standings = StandingShape(many=True, required=False)
    rounds = RoundShape(many=True)
    winners = ListField(child=CharField(), required=False)
    finalists = ListField(child=CharField(), required=False)
    complete = BooleanField(required=False, help_text="For a match: whether it is over.")


class StandingsShape(Shape):
    stage = UUIDField()
    state = ChoiceField(Stage.State.choices)
    version = IntegerField()
    frozen = part_of(
        "FrozenShape",
        {
            "after": IntegerField(help_text="The ledger row at which the public results are frozen."),
            "at": DateTimeField(),
            "by_earlier": BooleanField(help_text="True if an earlier stage was frozen."),
            "left": IntegerField(help_text="Remaining steps of the reveal."),
            "unveiled": part_of(
                "UnveiledShape",
                {
                    "table": IntegerField(
                        allow_null=True, help_text="The table's number; null for the whole stage."
                    ),
                    "hidden": ListField(
                        child=IntegerField(), help_text="Places still hidden; for heats, their tables."
                    ),
                    "standings": StandingShape(many=True),
                    "heats": part_of(
                        "HeatShape",
                        {
                            "table": IntegerField(help_text="The table's number."),
                            "heat": RoundShape(),
                        },
                        many=True,
                    ),
                },
                many=True,
                allow_null=True,
                help_text="What has been revealed; null before the reveal begins.",
            ),
        },
        allow_null=True,
        help_text="Null for those who run the event, who see the current results.",
    )
    contests = part_of(
        "ContestShape",
        {
            "table": UUIDField(allow_null=True, help_text="The table of a match; null for the whole stage."),
            "answer": AnswerShape(),
        },
        many=True,
        help_text="One for each match, otherwise one for the stage; none before the start.",
    )


class SheetsShape(Shape):
    stage = UUIDField()
    version = IntegerField()
    sheets = part_of(
        "SheetShape",
        {
            "table": UUIDField(allow_null=True),
            "sheet": DictField(
                help_text="A score sheet: docs/score-sheet.md. `POST /api/v1/score` takes it."
            ),
            "plays": ListField(
                child=UUIDField(allow_null=True),
                help_text="The play behind each row; null for a walkover.",
            ),
        },
        many=True,
    )


class PlanShape(Shape):
    starts_at = DateTimeField(allow_null=True)
    minutes = IntegerField(allow_null=True)
    players = IntegerField(allow_null=True)
    tables = IntegerField(allow_null=True)
    most = IntegerField(allow_null=True, help_text="For heats: the most players at a table.")


class ProgrammeShape(Shape):
    published = BooleanField()
    parts = part_of(
        "PartShape",
        {
            "stage": UUIDField(),
            "plan": PlanShape(),
            "first": PlanShape(allow_null=True, help_text="As first published; null if not published."),
            "began": DateTimeField(allow_null=True),
            "ended": DateTimeField(allow_null=True),
        },
        many=True,
    )
    gone = part_of(
        "GoneShape",
        {
            "kind": ChoiceField(Stage.Kind.choices),
            "plan": PlanShape(),
        },
        many=True,
        help_text="Published parts that are no longer played.",
    )


@row_of(User, "uid name")
class PersonShape(ModelSerializer[User]):
    name = CharField(source="display_name", read_only=True)


@row_of(
    Incident,
    "uid tournament table play entry kind code cards at by text ruling decided yes "
    "votes_yes votes_no withdrawn",
)
class IncidentShape(ModelSerializer[Incident]):
    tournament = UidField()
    table = UidField(allow_null=True)
    play = UidField(allow_null=True)
    entry = UidField(allow_null=True)
    by = PersonShape()


class NoteField(CharField):
    """The text of a row's note; "" for a row without one."""

    def get_attribute(self, instance: LedgerRow) -> str:
        note = getattr(instance, "note", None)
        return str(note.text) if note else ""


@row_of(
    LedgerRow,
    "sequence at by device command action replaces payload content previous digest note",
)
class LedgerRowShape(ModelSerializer[LedgerRow]):
    by = PersonShape(source="actor")
    note = NoteField(help_text="The reason, which is not part of the chain.")
    payload = JSONField(help_text="The facts after the command: `{kind: {uid: facts or null}}`.")
    replaces = IntegerField(allow_null=True)


@row_of(ApiToken, "uid name scopes tournament expires_at")
class TokenShape(ModelSerializer[ApiToken]):
    tournament = UidField(allow_null=True)
    scopes = ListField(child=ChoiceField(ApiToken.Scope.choices))


@row_of(Membership, "tournament role table")
class RoleShape(ModelSerializer[Membership]):
    tournament = UidField()
    table = UidField(allow_null=True, help_text="Null for every table.")


class MeShape(Shape):
    user = PersonShape()
    staff = BooleanField(help_text="May referee every event.")
    token = TokenShape(allow_null=True)
    roles = RoleShape(many=True)
