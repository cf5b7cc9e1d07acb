"""Response shapes for the OpenAPI document; uids instead of keys.

Hidden `private` members are null, never absent.
"""

from collections.abc import Sequence
from typing import Any, TypeVar

from django.db.models import Model
from django.urls import reverse
from django.utils.translation import override
from drf_spectacular.utils import extend_schema_field, inline_serializer
from rest_framework.serializers import (
    BooleanField,
    CharField,
    ChoiceField,
    DateField,
    DateTimeField,
    DictField,
    Field,
    IntegerField,
    ListField,
    ModelSerializer,
    RegexField,
    Serializer,
    SerializerMethodField,
    SlugRelatedField,
    URLField,
    UUIDField,
)

from scoring.reading import RANKS
from tournament.models import (
    ApiToken,
    Entry,
    PastResult,
    Play,
    Result,
    Seat,
    Stage,
    Table,
    Tournament,
    User,
)
from tournament.results import PlayFacts
from tournament.server.extras import with_extras

Row = TypeVar("Row", bound=Model)

FRACTION = "A fraction in lowest terms: `37/3`."


class RowSerializer(ModelSerializer[Row]):
    """A row of one model. Other rows that it names are given by their uids, and every member is always there."""

    def build_relational_field(self, _field_name: str, relation_info: Any) -> Any:
        null = relation_info.model_field.null
        return SlugRelatedField, {"slug_field": "uid", "read_only": True, "allow_null": null}

    def get_fields(self) -> Any:
        fields = super().get_fields()
        for field in fields.values():
            field.required = True
        return fields


def play_json(play: PlayFacts) -> dict[str, Any]:
    """A play with version; times end in Z."""
    facts = {"second_look": "", **play.as_json()}
    times = {
        name: (facts.get(name) or "").replace("+00:00", "Z") or None
        for name in ("started_at", "other_start", "entered_at")
    }
    return {"uid": str(play.uid), **facts, **times, "version": play.version}


NUMBER = {"type": "integer"}


SETTINGS = {
    "type": "object",
    "properties": {
        "target": {"type": ["integer", "null"], "description": "The points that end a match."},
        "scoring": {
            "type": "string",
            "description": "The way of scoring, if the ruleset has several; required for a race.",
        },
        "decks": NUMBER,
        "custom_cards": NUMBER,
        "min_games": {**NUMBER, "description": "The games that a place in a session or a race needs."},
        "rank": {
            "type": "array",
            "items": {"type": "string", "enum": [*RANKS]},
            "description": "Of a race: what decides, each where all before it are level.",
        },
        "best": {**NUMBER, "description": "Of a race: how many of a player's games count, the best ones."},
        "max_games": {**NUMBER, "description": "Of a race: how many games a player may play."},
        "advance": {**NUMBER, "description": "The players who go through from each heat."},
    },
    "additionalProperties": True,
}


@extend_schema_field(SETTINGS)
class SettingsField(DictField):
    """A stage's settings, as in a score sheet."""


def links() -> dict[str, tuple[str, str]]:
    """By name of an event's link the address's name, and what it leads to; extras add theirs."""
    return with_extras(
        "LINKS",
        {
            "page": ("tournament", "The event's page."),
            "workbook": ("workbook", "The results for people, as an Excel workbook."),
        },
    )


class LinksSerializer(Serializer[Any]):
    """Complete addresses of an event."""

    live = URLField(help_text="The stream of server-sent events that says when to read again.")

    def get_fields(self) -> dict[str, Field[Any, Any, Any, Any]]:
        return {
            **{link: URLField(help_text=about) for link, (_, about) in links().items()},
            **super().get_fields(),
        }


class TournamentSerializer(RowSerializer[Tournament]):
    """An event."""

    organiser = inline_serializer("Organiser", {"uid": UUIDField(), "name": CharField()})
    doors_at = CharField(allow_null=True, help_text="A time of day where the event is: `17:30:00`.")
    starts_at = CharField(allow_null=True, help_text="Likewise.")
    colour = RegexField(r"^(#[0-9a-f]{6})?$", help_text="`#rrggbb`; empty for the usual one.")
    links = SerializerMethodField(help_text="Addresses of the event outside of the API, in its language.")

    class Meta:
        model = Tournament
        fields = (
            "uid",
            "slug",
            "name",
            "organiser",
            "starts_on",
            "place",
            "time_zone",
            "language",
            "ruleset",
            "ruleset_revision",
            "state",
            "listed",
            "rehearsal",
            "description",
            "doors_at",
            "starts_at",
            "fee",
            "bring",
            "colour",
            "version",
            "ledger_head",
            "links",
        )
        extra_kwargs = {
            "version": {"help_text": "Rises with every change in the event."},
            "ledger_head": {
                "help_text": "The digest of the last row of its ledger, which covers all rows before it."
            },
        }

    @extend_schema_field(LinksSerializer)
    def get_links(self, row: Tournament) -> dict[str, str]:
        with override(row.language):
            paths = {link: reverse(name, args=[row.slug]) for link, (name, _) in links().items()}
        paths["live"] = f"/live/{row.uid}"
        return {link: self.context["request"].build_absolute_uri(path) for link, path in paths.items()}


class EntrySerializer(RowSerializer[Entry]):
    """A player in an event."""

    display_name = CharField(
        help_text="The public name, with the club or start number if others in the event read the same."
    )
    out = ChoiceField(
        [(each.value, each.label) for each in Entry.OUT],
        allow_null=True,
        help_text="How the player is out of the event; null for a player who is in it.",
    )
    state = ChoiceField(
        Entry.State.choices, allow_null=True, help_text="Only for those who run the event, otherwise null."
    )
    private = inline_serializer(
        "EntryPrivate",
        {
            "player": inline_serializer(
                "Player",
                {
                    "uid": UUIDField(),
                    "name": CharField(),
                    "birth_date": DateField(allow_null=True),
                    "contact": CharField(allow_blank=True),
                },
                help_text="The same player in the organiser's other events has the same uid.",
            ),
            "guardian": BooleanField(help_text="A guardian agreed that this minor takes part."),
            "accepted_at": DateTimeField(
                allow_null=True, help_text="When the player accepted the event's terms."
            ),
        },
        allow_null=True,
        help_text="Only for organisers (tokens need the scope `organise`), otherwise null.",
    )

    class Meta:
        model = Entry
        fields = (
            "uid",
            "tournament",
            "public_name",
            "display_name",
            "club",
            "division",
            "start_number",
            "out",
            "state",
            "private",
        )

    def to_representation(self, instance: Entry) -> dict[str, Any]:
        """As the view's `reader` sees it."""
        row, reader = instance, self.context["view"].reader
        state = (reader.frozen or {}).get(str(row.uid), row).state
        return {
            "uid": str(row.uid),
            "tournament": str(reader.tournament.uid),
            "public_name": row.public_name,
            "display_name": row.shown_name,
            "club": row.club,
            "division": row.division,
            "start_number": row.start_number,
            "out": state if state in Entry.OUT else None,
            "state": row.state if reader.runs else None,
            "private": {
                "player": {
                    "uid": str(row.player.uid),
                    "name": row.player.name,
                    "birth_date": row.player.birth_date,
                    "contact": row.player.contact,
                },
                "guardian": row.guardian,
                "accepted_at": row.accepted_at,
            }
            if reader.private
            else None,
        }


class StageSerializer(RowSerializer[Stage]):
    """A part of an event that is played by one kind of contest."""

    tournament = UUIDField(read_only=True)
    settings = SettingsField()
    card_texts = ListField(child=CharField(allow_blank=True), help_text="What the Customizable cards say.")
    frozen = BooleanField(help_text="The public sees results as they were; those who run the event do not.")

    class Meta:
        model = Stage
        fields = (
            "uid",
            "tournament",
            "number",
            "kind",
            "name",
            "state",
            "settings",
            "card_texts",
            "second_look",
            "source",
            "players_clock",
            "frozen",
            "version",
        )
        extra_kwargs = {
            "name": {"help_text": "Empty for a stage with the usual name of its kind."},
            "second_look": {"help_text": "Results need a second person's confirmation."},
            "source": {
                "help_text": "Where players come from: `parts` (`stage` by number, `take` first, next, out or level, "
                "`count`), `division`, `lives`, `open` (true: open tables). Empty: from the heats before it, or all."
            },
            "players_clock": {
                "help_text": "Players may run the clock by the table's code and propose the result."
            },
            "version": {"help_text": "Rises with every change that readers of this stage see."},
        }


class TableSerializer(Serializer[Any]):
    """A table of a stage, with its players."""

    uid = UUIDField()
    stage = UUIDField()
    number = IntegerField()
    stopped = BooleanField(help_text="The referees ended the table's match before the target.")
    seats = inline_serializer(
        "Seat",
        {
            "entry": UUIDField(),
            "position": IntegerField(help_text="Clockwise from 1."),
            "out_as": ChoiceField([("", "in play"), *Seat.OutAs.choices]),
            "out_from": IntegerField(allow_null=True, help_text="The first play without the player."),
        },
        many=True,
    )
    roles = inline_serializer(
        "Roles",
        {name: UUIDField(allow_null=True) for name in Table.ROLES},
        allow_null=True,
        help_text="What players stated. Only for this table's referees, otherwise null.",
    )


class PlaySerializer(RowSerializer[Play]):
    """A game, round or heat."""

    table = UUIDField(read_only=True)
    drew = UUIDField(read_only=True, allow_null=True)
    last_cards = DictField(child=IntegerField())
    results = inline_serializer(
        "Result",
        {
            "uid": UUIDField(),
            "entry": UUIDField(),
            "outcome": ChoiceField(Result.Outcome.choices),
            "elapsed_s": IntegerField(allow_null=True, help_text="Seconds since the game began."),
            "hand": DictField(child=IntegerField(), help_text="For players with cards left."),
            "finish": IntegerField(allow_null=True, help_text="In a heat: 1 for the first out."),
        },
        many=True,
        help_text="Empty for a play that is void or on hold, except for the table's referees.",
    )

    class Meta:
        model = Play
        fields = (
            "uid",
            "table",
            "number",
            "state",
            "started_at",
            "other_start",
            "entered_at",
            "ended",
            "duration_s",
            "decks",
            "last_cards",
            "drew",
            "advance",
            "second_look",
            "version",
            "results",
        )
        extra_kwargs = {
            "number": {"help_text": "The number of the play at its table; never reused."},
            "other_start": {"help_text": "When it may have begun instead, until chosen."},
            "entered_at": {
                "help_text": "When a session's or a race's game was started, or entered whole. Null for "
                "a round of a match and for a heat."
            },
            "ended": {"help_text": "Empty for a game that is not over."},
            "second_look": {"help_text": "Empty if no confirmation is asked for."},
            "version": {"help_text": "The sequence of the ledger row that wrote it last."},
        }


class NameSerializer(Serializer[Any]):
    """A player, as standings name them."""

    entry = UUIDField()
    public_name = CharField()
    display_name = CharField(
        help_text="The public name, with the club or start number if others in the event read the same."
    )
    club = CharField(allow_blank=True)
    start_number = IntegerField(allow_null=True)


@extend_schema_field({"oneOf": [{"type": "integer"}, {"type": "string"}]})
class PointsField(Field[Any, Any, Any, Any]):
    """Points: whole, or of a race a fraction as text."""

    def __init__(self, **given: Any) -> None:
        super().__init__(help_text=f"An integer; of a race a fraction. {FRACTION}", **given)


class StandingSerializer(Serializer[Any]):
    """A player's line, as scoring gives it. Sessions have `games` and `average`, matches `rounds_won`, races `games`,
    `average`, `wins` and `cards`, of the games that count but for `games`."""

    player = CharField(help_text="The player's id in the sheet: the uid of an entry.")
    place = IntegerField(allow_null=True)
    status = CharField()
    points = PointsField()
    games = IntegerField(required=False, help_text="All with a result.")
    average = CharField(required=False, allow_null=True, help_text=FRACTION)
    rounds_won = IntegerField(required=False)
    wins = IntegerField(required=False)
    cards = IntegerField(required=False, help_text="Cards left in the own hands.")


class NamedStandingSerializer(NameSerializer, StandingSerializer):
    """A player's line with their name. `player` is the same as `entry`."""


class StandingRowSerializer(NamedStandingSerializer):
    """A line of a stage's standings. Sessions have `games` and `average`, matches `rounds_won`, races these and `wins`
    and `cards` and their points as fractions, heats only `place` and `advances`."""

    table = UUIDField(
        allow_null=True, help_text="The table of a match, heat or race of its own; null for a session."
    )
    table_number = IntegerField(allow_null=True)
    status = CharField(required=False)
    points = PointsField(required=False)
    advances = BooleanField(required=False)


class ScoreSerializer(Serializer[Any]):
    """A player's result in a game, round or heat, as scoring gives it."""

    player = CharField(help_text="The player's id in the sheet: the uid of an entry.")
    points = PointsField(required=False, allow_null=True)
    place = IntegerField(required=False, allow_null=True)
    advances = BooleanField(required=False)


class NamedScoreSerializer(NameSerializer, ScoreSerializer):
    """A player's result with their name. `player` is the same as `entry`."""


class AnswerSerializer(Serializer[Any]):
    """The answer to a score sheet. Heats have `finalists` instead of standings and winners."""

    kind = ChoiceField([(kind, kind) for kind in ("session", "match", "heats", "race")])
    ruleset = CharField()
    standings = StandingSerializer(many=True, required=False)
    rounds = inline_serializer(
        "Round", {"number": IntegerField(), "results": ScoreSerializer(many=True)}, many=True
    )
    winners = ListField(child=CharField(), required=False)
    finalists = ListField(child=CharField(), required=False)
    complete = BooleanField(required=False, help_text="For a match: whether it is over.")


class StandingsSerializer(Serializer[Any]):
    """The standings of a stage."""

    stage = UUIDField()
    state = ChoiceField(Stage.State.choices)
    version = IntegerField()
    frozen = inline_serializer(
        "Frozen",
        {
            "after": IntegerField(help_text="The ledger row at which the public results are frozen."),
            "at": DateTimeField(),
            "by_earlier": BooleanField(help_text="True if an earlier stage was frozen."),
            "left": IntegerField(help_text="Remaining steps of the reveal."),
            "unveiled": inline_serializer(
                "Unveiled",
                {
                    "table": IntegerField(
                        allow_null=True, help_text="The table's number; null for the whole stage."
                    ),
                    "hidden": ListField(
                        child=IntegerField(), help_text="1 up to how many are hidden; of heats, tables."
                    ),
                    "standings": NamedStandingSerializer(many=True),
                    "heats": inline_serializer(
                        "UnveiledHeat",
                        {
                            "table": IntegerField(help_text="The table's number."),
                            "heat": inline_serializer(
                                "Heat",
                                {"number": IntegerField(), "results": NamedScoreSerializer(many=True)},
                            ),
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
    standings = StandingRowSerializer(many=True, help_text="Everyone's line: table by table, the best first.")
    contests = inline_serializer(
        "Contest",
        {
            "table": UUIDField(allow_null=True, help_text="The table of a match; null for the whole stage."),
            "answer": AnswerSerializer(),
        },
        many=True,
        help_text="One for each match, otherwise one for the stage; none before the start.",
    )


class SheetsSerializer(Serializer[Any]):
    """The score sheets of a stage."""

    stage = UUIDField()
    version = IntegerField()
    sheets = inline_serializer(
        "Sheet",
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


class PlanSerializer(Serializer[Any]):
    """When a stage is played, and how large it is."""

    starts_at = DateTimeField(allow_null=True)
    minutes = IntegerField(allow_null=True)
    players = IntegerField(allow_null=True)
    tables = IntegerField(allow_null=True)
    most = IntegerField(allow_null=True, help_text="For heats: the most players at a table.")


class ProgrammeSerializer(Serializer[Any]):
    """When stages are played."""

    published = BooleanField()
    parts = inline_serializer(
        "Part",
        {
            "stage": UUIDField(source="stage.uid"),
            "plan": PlanSerializer(),
            "first": PlanSerializer(allow_null=True, help_text="As first published; null if not published."),
            "began": DateTimeField(allow_null=True),
            "ended": DateTimeField(allow_null=True),
        },
        many=True,
        source="shown",
    )
    gone = inline_serializer(
        "Gone",
        {"kind": ChoiceField(Stage.Kind.choices), "plan": PlanSerializer()},
        many=True,
        help_text="Published parts that are no longer played.",
    )


class ClockSerializer(Serializer[Any]):
    """The hall's clock."""

    clock = inline_serializer(
        "RunningClock",
        {
            "stage": UUIDField(
                allow_null=True, help_text="The stage that the clock runs for; null in a break."
            ),
            "started_at": DateTimeField(),
            "ends_at": DateTimeField(
                allow_null=True, help_text="When the time is up, unless the clock is paused."
            ),
            "paused_at": DateTimeField(allow_null=True, help_text="When it was paused."),
            "goes_on_at": DateTimeField(allow_null=True, help_text="When play will resume."),
            "last_hand": IntegerField(help_text="Minutes before the end at which the last hand is called."),
            "extra": inline_serializer(
                "ExtraMinutes",
                {"table": IntegerField(help_text="The table's number."), "minutes": IntegerField()},
                many=True,
                help_text="Tables with more minutes.",
            ),
        },
        allow_null=True,
        help_text="Null without a clock.",
    )


class PersonSerializer(RowSerializer[User]):
    """Who did something."""

    name = CharField(source="display_name", read_only=True)

    class Meta:
        model = User
        fields = ("uid", "name")


class TokenSerializer(RowSerializer[ApiToken]):
    """An access token, without its secret."""

    scopes = ListField(child=ChoiceField(ApiToken.Scope.choices))

    class Meta:
        model = ApiToken
        fields: Sequence[str] = (
            "uid",
            "name",
            "scopes",
            "tournament",
            "made_at",
            "expires_at",
            "used_at",
            "revoked_at",
        )


class PastResultSerializer(ModelSerializer[PastResult]):
    """What a file said of a player: points and averages are decimal numbers as text, and "" or null is what it did not
    have."""

    entry = UUIDField(source="entry.uid")
    name = CharField(source="entry.shown_name")
    club = CharField(source="entry.club")
    points = CharField(allow_blank=True)
    average = CharField(allow_blank=True)

    class Meta:
        model = PastResult
        fields = ("entry", "name", "club", "place", "points", "average", "games", "wins", "note")
