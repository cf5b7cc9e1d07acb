"""Command bodies: fields for the actions' arguments.

Strict types (1, "1" and true differ), no unknown fields, all faults at once with paths.
"""

import inspect
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from datetime import date, datetime
from functools import cache, partial
from types import UnionType
from typing import Any, NoReturn, Union, cast, get_args, get_origin
from uuid import UUID

from django.conf import settings
from django.utils.translation import gettext, gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.fields import get_attribute
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
    Serializer,
    TimeField,
    UUIDField,
)

from rulesets import CARDS, RULESETS
from tournament import actions
from tournament.actions.kernel import UNCHANGED, Unchanged
from tournament.extras.programs.api.serializers import SettingsField
from tournament.extras.programs.api.texts import HAND, MEMBERS
from tournament.models import ApiToken, Membership, Play, Result, Screen, Season, Stage, Tick, Webhook
from tournament.results import TAKES, YEARS, Hand, uuid_or_none
from tournament.words.text import ZONES

AnyField = Field[Any, Any, Any, Any]

LARGEST = 2**31 - 1  # database integer limit
MOST_AT_ONCE = 1000  # list items, hands
# Where an answer has what a body has by itself.
NESTED: Mapping[str, list[str]] = {
    "real_name": ["private", "player", "name"],
    "birth_date": ["private", "player", "birth_date"],
    "contact": ["private", "player", "contact"],
    "guardian": ["private", "guardian"],
}
NO_OBJECT = _("Send a JSON object: {{…}}.")
MADE_TEXT = "The uid of what is created. By default it follows from the command."


def _besides(faults: dict[str, Any], check: Callable[[Any], Any], data: Any) -> Any:
    """Value that `check` makes of the data. Raises ValidationError with its faults and these."""
    try:
        value = check(data)
    except ValidationError as invalid:
        faults |= cast("dict[str, Any]", invalid.detail)
    if faults:
        raise ValidationError(faults)
    return value


class InputSerializer(Serializer[Any]):
    """Members that are not listed are refused, and every fault is reported at once."""

    default_error_messages = {"invalid": NO_OBJECT}

    def to_internal_value(self, data: Any) -> Any:
        faults: dict[str, Any] = {}
        if isinstance(data, Mapping):
            data = self._without_read_only(data)
            allowed = f" ({', '.join(self.fields)})" if self.fields else ""
            unknown = ErrorDetail(gettext("There is no such field here.") + allowed, code="unknown")
            faults = {str(name): [unknown] for name in data if name not in self.fields}
        return _besides(faults, super().to_internal_value, data)

    def _without_read_only(self, data: Mapping[str, Any]) -> Mapping[str, Any]:
        """PUT takes GET's answer as it is: `answered` in the context is the serializer of GET."""
        if not (answered := self.context.get("answered")):
            return data
        read_only = answered().fields.keys() - self.fields.keys()
        given = {name: value for name, value in data.items() if name not in read_only}
        for name, path in NESTED.items():
            with suppress(AttributeError, KeyError):
                given.setdefault(name, get_attribute(data, path))
        return given


class Strict(AnyField):
    """Takes the values of one JSON type: 1, "1" and true differ."""

    takes: type = str

    def to_internal_value(self, data: Any) -> Any:
        if type(data) is not self.takes:
            self.fail("invalid", input=data, value=data)
        return super().to_internal_value(data)


class Text(Strict, CharField):
    """Text, cleaned by the actions."""

    def __init__(self, **more: Any) -> None:
        super().__init__(allow_blank=True, trim_whitespace=False, **more)


class Whole(Strict, IntegerField):
    """Integer."""

    takes = int

    def __init__(self, **more: Any) -> None:
        super().__init__(**{"min_value": -LARGEST, "max_value": LARGEST, **more})


class Flag(Strict, BooleanField):
    """Boolean."""

    takes = bool


class Uid(Strict, UUIDField):
    """Uid as text."""


class Day(DateField):
    """Date such as 2026-05-09."""

    def to_internal_value(self, value: Any) -> date:
        day = super().to_internal_value(value) if isinstance(value, str) else self.fail("datetime")
        return day if day.year in YEARS else self.fail("invalid", format="YYYY-MM-DD")


class Moment(DateTimeField):
    """Time with offset: 2026-05-09T18:00:00+03:00."""

    def to_internal_value(self, value: Any) -> datetime:
        with suppress(TypeError, ValueError):
            moment = datetime.fromisoformat(value)
            if moment.utcoffset() is not None and moment.year in YEARS:
                return moment
        return self.fail("invalid", format="YYYY-MM-DDThh:mm:ss±hh:mm")


class MomentText(Moment):
    """Time with offset, as text."""

    def to_internal_value(self, value: Any) -> Any:
        return super().to_internal_value(value).isoformat()


class Choice(ChoiceField):
    """One of the choices; a refusal names them."""

    default_error_messages = {"invalid_choice": _("Choose one of: {allowed}.")}

    def fail(self, key: str, **values: Any) -> NoReturn:
        super().fail(key, allowed=", ".join(map(str, self.choices)), **values)


class AtMost(AnyField):
    """Rejects more than MOST_AT_ONCE items before reading them."""

    default_error_messages = {
        "max_length": _("At most {max_length} at a time."),
        "not_a_dict": NO_OBJECT,
        "not_a_list": _("Send a JSON array: […]."),
    }

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, list | Mapping) and len(data) > MOST_AT_ONCE:
            self.fail("max_length", max_length=MOST_AT_ONCE)
        return super().to_internal_value(data)


class Several(AtMost, ListField):
    """List of at most MOST_AT_ONCE items; `child` makes their field."""

    def __init__(self, child: Callable[[], AnyField], **more: Any) -> None:
        super().__init__(child=child(), max_length=MOST_AT_ONCE, **more)


@extend_schema_field(
    {
        "type": "object",
        "propertyNames": {"enum": [*CARDS]},
        "additionalProperties": {"type": "integer", "minimum": 0},
    }
)
class Cards(AtMost, DictField):
    """Hand: count by card."""

    child = Whole()


class Hands(AtMost, DictField):
    """Hands by player uid."""

    child = Cards(help_text=HAND)

    def run_child_validation(self, data: Mapping[str, Any]) -> Any:
        """Raises ValidationError with the faults of all hands and of keys that are no uids."""
        strangers = {
            key: [ErrorDetail(gettext("Name players by the uids of their entries."), "invalid")]
            for key in data
            if uuid_or_none(key) is None
        }
        return _besides(strangers, super().run_child_validation, data)


class GameResult(InputSerializer):
    entry = Uid()
    outcome = Choice(Result.Outcome.choices)
    elapsed_s = Whole(required=False, allow_null=True, help_text="Seconds since the game began.")
    hand = Cards(required=False, allow_null=True, help_text=f"Of players with cards left. {HAND}")


class NewPlayer(InputSerializer):
    entry = Uid(required=False, help_text="The new entry's uid. By default it follows from the command.")
    public_name = Text(source="name")
    real_name = Text(required=False)
    club = Text(required=False)
    division = Text(required=False, help_text="An age class or another part with stages of its own.")
    start_number = Whole(required=False, allow_null=True, help_text="By default the next number.")
    birth_date = Day(required=False, allow_null=True)
    contact = Text(required=False)
    guardian = Flag(required=False)
    player = Uid(required=False, allow_null=True, help_text="A known player of the same organiser.")
    here = Flag(required=False, help_text="True: check in at once.")
    another = Flag(required=False, help_text="True: a different person from the players with similar names.")
    public_name_is_right = Flag(
        required=False, help_text="True: everyone may see it, as `field_private` asks."
    )


class NewToken(InputSerializer):
    """What a token is made of."""

    name = Text()
    scope = Choice(ApiToken.Scope.choices)
    expires_at = Moment()
    tournament = Uid(required=False, allow_null=True)


class SeatedTable(InputSerializer):
    number = Whole(min_value=1, max_value=999)
    entries = Several(Uid, help_text="Clockwise.")


class StagePlan(InputSerializer):
    starts_at = MomentText(required=False, allow_null=True)
    minutes = Whole(required=False, allow_null=True)
    players = Whole(required=False, allow_null=True)
    tables = Whole(required=False, allow_null=True)
    most = Whole(required=False, allow_null=True, help_text="For heats: the most players at a table.")


class PlannedStage(InputSerializer):
    """A stage to play."""

    kind = Choice(Stage.Kind.choices)
    name = Text(required=False)
    settings = SettingsField(required=False)
    plan = StagePlan(required=False)


class Level(PlannedStage):
    stage = Uid(required=False, help_text="An existing stage. By default a new one is planned.")


class SeenPlay(InputSerializer):
    play = Uid()
    version = Whole(help_text="The version that the sender saw.")


class PlannedPart(InputSerializer):
    stage = Uid()
    plan = StagePlan()


class SourcePart(InputSerializer):
    """Players of another stage."""

    stage = Whole(help_text="The number of another stage.")
    take = Choice(
        TAKES,
        help_text="first; next: the first without those that earlier stages take; out: those that no stage takes as "
        "first or next; level: those who share the place at the cut.",
    )
    count = Whole(
        required=False,
        allow_null=True,
        help_text="How many, of each table where tables have standings of their own. By default all; of heats as many "
        "as go through.",
    )


class StageSource(InputSerializer):
    """Where a stage's players come from. Empty: through from the heats before it, or all."""

    parts = Several(SourcePart, required=False, help_text="Players of other stages.")
    division = Text(required=False, help_text="Only players of this division.")
    lives = Whole(required=False, help_text="How often a player may be out before they are out for good.")


class NewStage(PlannedStage):
    card_texts = Several(Text, required=False)
    second_look = Flag(
        required=False,
        allow_null=True,
        help_text="Whether its results need a second person's confirmation; by default those of a final.",
    )
    source = StageSource(required=False)  # type: ignore[assignment]  # a field's name


class AcceptedResult(InputSerializer):
    """What a proposal is accepted as: the members of a round, heat or game, perhaps changed."""

    def get_fields(self) -> dict[str, AnyField]:
        return {
            argument: field_of(action, argument, required=False)
            for action in (actions.record_round, actions.record_heat, actions.record_game)
            for argument in arguments_of(action)
            if argument not in {"table", "play", "number", "late_s", "other_late_s", "started_at"}
        }


def colour(text: str) -> None:
    """Raises ValidationError unless it is `#rrggbb`."""
    if not re.fullmatch("#[0-9a-fA-F]{6}", text):
        raise ValidationError(gettext("Write a colour as #rrggbb."), "invalid")


def time_zone(name: str) -> None:
    """Raises ValidationError for an unknown one."""
    if name not in ZONES:
        raise ValidationError(gettext("There is no such time zone."), "invalid_choice")


# By action and argument, by an argument's name, else by its type, else (lists) by its name.
CHOICES: Mapping[str, Callable[..., AnyField]] = {
    "colour": partial(Text, validators=[colour]),
    "correct_round.ended": partial(Choice, [Play.Ended.TIME]),
    "doors_at": partial(Text, validators=[TimeField().run_validation]),
    "end_game.ended": partial(Choice, [Play.Ended.TIME, Play.Ended.EARLY]),
    "language": partial(Choice, settings.LANGUAGES),
    "record_round.ended": partial(Choice, [Play.Ended.TIME]),
    "starts_at": partial(Text, validators=[TimeField().run_validation]),
    "time_zone": partial(Text, validators=[time_zone]),
    "counts": partial(Choice, Season.Counts.choices),
    "ended": partial(Choice, Play.Ended.choices),
    "item": partial(Choice, Tick.Item.choices),
    "kind": partial(Choice, Stage.Kind.choices),
    "kinds": partial(Several, partial(Choice, Webhook.Kind.choices)),
    "role": partial(Choice, Membership.Role.choices),
    "ruleset": partial(Choice, [*RULESETS]),
    "scenes": partial(Several, partial(Choice, Screen.Scene.choices)),
    "settings": SettingsField,
    "source": StageSource,
    "ties": partial(Several, partial(Choice, Season.Tie.choices)),
}
FIELDS: Mapping[Any, Callable[..., AnyField]] = {
    UUID: Uid,
    str: Text,
    int: Whole,
    bool: Flag,
    date: Day,
    datetime: Moment,
    Hand: Cards,
    Mapping[str, Hand]: Hands,
    Mapping[str, str]: lambda **more: DictField(
        child=Text(), error_messages={"not_a_dict": NO_OBJECT}, **more
    ),
    Mapping[str, object]: DictField,
    Sequence[UUID]: partial(Several, Uid),
    Sequence[Sequence[UUID]]: partial(Several, partial(Several, Uid)),
    Sequence[int]: partial(Several, Whole),
    Sequence[str]: partial(Several, Text),
    "levels": partial(Several, Level),
    "players": partial(Several, NewPlayer),
    "plays": partial(Several, SeenPlay),
    "result": AcceptedResult,
    "results": partial(Several, GameResult),
    "stages": partial(Several, PlannedPart),
    "tables": partial(Several, SeatedTable),
}


@cache
def arguments_of(action: Callable[..., Any]) -> Mapping[str, inspect.Parameter]:
    """Keyword arguments of an action, by name."""
    return {
        name: declared
        for name, declared in inspect.signature(action).parameters.items()
        if declared.kind is declared.KEYWORD_ONLY
    }


def fields_of(
    action: Callable[..., Any],
    elsewhere: Collection[str] = (),
    renamed: Mapping[str, str] = {},
    optional: Mapping[str, str] = {},
) -> dict[str, AnyField]:
    """Fields for the action's arguments, except those from `elsewhere` (URL, headers). `renamed`: argument to field
    name; `optional`: to help text."""
    return {
        renamed.get(argument, argument): field_of(
            action,
            argument,
            **({"source": argument} if argument in renamed else {}),
            **({"required": False, "help_text": optional[argument]} if argument in optional else {}),
        )
        for argument in arguments_of(action)
        if argument not in elsewhere
    }


def field_of(action: Callable[..., Any], argument: str, **more: Any) -> AnyField:
    """Field for an action's argument, by name and type."""
    declared, named = arguments_of(action)[argument], f"{action.__name__}.{argument}"
    if said := MEMBERS.get(named) or MEMBERS.get(argument):
        more.setdefault("help_text", said)
    union = get_origin(declared.annotation) in {Union, UnionType}
    kinds = get_args(declared.annotation) if union else (declared.annotation,)
    kind = next(each for each in kinds if each not in {type(None), Unchanged})
    if type(None) in kinds:
        more["allow_null"] = True
    if declared.default is not UNCHANGED and declared.default is not inspect.Parameter.empty:
        more["required"] = False
    return (CHOICES.get(named) or CHOICES.get(argument) or FIELDS.get(kind) or FIELDS[argument])(**more)
