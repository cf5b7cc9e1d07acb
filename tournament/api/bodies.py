"""Command bodies, generated from the actions' arguments.

Strict types (1, "1" and true differ), no unknown fields, all faults at once with paths.
"""

import inspect
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from datetime import date, datetime
from functools import cache, partial
from types import UnionType
from typing import Any, NoReturn, Union, get_args, get_origin
from uuid import UUID

from django.utils.translation import gettext, gettext_lazy as _
from drf_spectacular.extensions import OpenApiSerializerExtension
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.fields import get_attribute
from rest_framework.serializers import ChoiceField, DictField, ListField

from rulesets import RULESETS
from tournament import actions
from tournament.actions.kernel import UNCHANGED, Unchanged
from tournament.models import ApiToken, Membership, Play, Result, Screen, Stage, Tick, Webhook
from tournament.results import YEARS, Hand

LARGEST = 2**31 - 1  # database integer limit
MOST_AT_ONCE = 1000  # list items, hands
# Where an answer has what a body has by itself.
NESTED: Mapping[str, list[str]] = {
    "real_name": ["private", "player", "name"],
    "birth_date": ["private", "player", "birth_date"],
    "contact": ["private", "player", "contact"],
    "guardian": ["private", "guardian"],
}
MADE_TEXT = "The uid of what is created. By default it follows from the command."


class InputSerializer(serializers.Serializer[Any]):
    """The body of a command, or part of one: it accepts only its fields and reports every fault at once. A field that
    is called after its source in an earlier version of the interface is accepted under that name too.

    Context of a PUT: `answered`, the serializer of GET at its address, whose answer is accepted as it is.
    """

    def to_internal_value(self, data: Any) -> Any:
        """Return the values. Raises ValidationError with all faults."""
        if isinstance(data, Mapping):
            now = {field.source: name for name, field in self.fields.items() if name not in data}
            data = {now.get(name, name): value for name, value in data.items()}
            data = self._without_read_only(data)
        text = f"{gettext('There is no such field here.')} ({', '.join(self.fields)})"
        unknown = {
            str(name): [ErrorDetail(text, code="unknown")]
            for name in (data if isinstance(data, Mapping) else ())
            if name not in self.fields
        }
        try:
            values = super().to_internal_value(data)
        except ValidationError as invalid:
            known = invalid.detail if isinstance(invalid.detail, dict) else {}
            raise ValidationError({**unknown, **known}) from None
        if unknown:
            raise ValidationError(unknown)
        return values

    def _without_read_only(self, data: Mapping[str, Any]) -> Mapping[str, Any]:
        if not (answered := self.context.get("answered")):
            return data
        read_only = answered().fields.keys() - self.fields.keys()
        given = {name: value for name, value in data.items() if name not in read_only}
        for name, path in NESTED.items():
            with suppress(AttributeError, KeyError):
                given.setdefault(name, get_attribute(data, path))
        return given


class ClosedInput(OpenApiSerializerExtension):  # type: ignore[no-untyped-call]  # registers itself, untyped
    """Documents that bodies have no other fields."""

    target_class = "tournament.api.bodies.InputSerializer"
    match_subclasses = True

    def map_serializer(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        return {
            **auto_schema._map_serializer(self.target, direction, bypass_extensions=True),
            "additionalProperties": False,
        }


class Text(serializers.CharField):
    """Text, cleaned by the actions."""

    def __init__(self, **more: Any) -> None:
        super().__init__(allow_blank=True, trim_whitespace=False, **more)

    def to_internal_value(self, data: Any) -> str:
        """Rejects non-text."""
        return super().to_internal_value(data) if isinstance(data, str) else self.fail("invalid")


class Whole(serializers.IntegerField):
    """Integer."""

    def __init__(self, **more: Any) -> None:
        super().__init__(**{"min_value": -LARGEST, "max_value": LARGEST, **more})

    def to_internal_value(self, data: Any) -> int:
        """Rejects "3", true, 3.0."""
        return super().to_internal_value(data) if type(data) is int else self.fail("invalid")


class Flag(serializers.BooleanField):
    """Boolean."""

    def to_internal_value(self, data: Any) -> bool:
        """Rejects 1, "yes"."""
        return data if isinstance(data, bool) else self.fail("invalid", input=data)


class Uid(serializers.UUIDField):
    """Uid as text."""

    def to_internal_value(self, data: Any) -> UUID:
        """Rejects non-text."""
        return super().to_internal_value(data) if isinstance(data, str) else self.fail("invalid", value=data)


class Day(serializers.DateField):
    """Date such as 2026-05-09."""

    def to_internal_value(self, value: Any) -> date:
        """Rejects non-text."""
        day = super().to_internal_value(value) if isinstance(value, str) else self.fail("datetime")
        return day if day.year in YEARS else self.fail("invalid", format="YYYY-MM-DD")


class Moment(serializers.DateTimeField):
    """Time with offset: 2026-05-09T18:00:00+03:00."""

    def to_internal_value(self, value: Any) -> datetime:
        """Rejects a time without offset."""
        try:
            moment = datetime.fromisoformat(value)
        except (TypeError, ValueError):
            self.fail("invalid", format="YYYY-MM-DDThh:mm:ss±hh:mm")
        if moment.utcoffset() is None or moment.year not in YEARS:
            self.fail("invalid", format="YYYY-MM-DDThh:mm:ss±hh:mm")
        return moment


@extend_schema_field(OpenApiTypes.DATETIME)
class MomentText(Moment):
    """Time with offset, as text."""

    def to_internal_value(self, value: Any) -> Any:
        return super().to_internal_value(value).isoformat()


class Choice(ChoiceField):
    """One of the choices; a refusal names them."""

    default_error_messages = {"invalid_choice": _("Choose one of: {allowed}.")}

    def fail(self, key: str, **values: Any) -> NoReturn:
        super().fail(key, allowed=", ".join(map(str, self.choices)), **values)


class AtMost(serializers.Field[Any, Any, Any, Any]):
    """Rejects more than MOST_AT_ONCE items before reading them."""

    default_error_messages = {"max_length": _("At most {max_length} at a time.")}

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, list | Mapping) and len(data) > MOST_AT_ONCE:
            self.fail("max_length", max_length=MOST_AT_ONCE)
        return super().to_internal_value(data)


class Several(AtMost, ListField):
    """List of at most MOST_AT_ONCE items."""

    def __init__(self, **more: Any) -> None:
        super().__init__(max_length=MOST_AT_ONCE, **more)


class Cards(AtMost, DictField):
    """Hand: count by card."""

    child = Whole()


class Hands(AtMost, DictField):
    """Hands by player uid."""

    child = Cards()


class GameResult(InputSerializer):
    entry = Uid()
    outcome = Choice(Result.Outcome.choices)
    elapsed_s = Whole(required=False, allow_null=True, help_text="Seconds since the game began.")
    hand = Cards(required=False, allow_null=True, help_text="For players with cards left.")


class NewPlayer(InputSerializer):
    entry = Uid(required=False, help_text="The new entry's uid. By default it follows from the command.")
    public_name = Text(source="name")
    real_name = Text(required=False)
    club = Text(required=False)
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


class SeatedTable(InputSerializer):
    number = Whole(min_value=1, max_value=999)
    entries = Several(child=Uid(), help_text="Clockwise.")


class StagePlan(InputSerializer):
    starts_at = MomentText(required=False, allow_null=True)
    minutes = Whole(required=False, allow_null=True)
    players = Whole(required=False, allow_null=True)
    tables = Whole(required=False, allow_null=True)
    most = Whole(required=False, allow_null=True, help_text="For heats: the most players at a table.")


class Level(InputSerializer):
    stage = Uid(required=False, help_text="An existing stage. By default a new one is planned.")
    kind = Choice(Stage.Kind.choices)
    name = Text(required=False)
    settings = DictField(required=False, help_text="As in a score sheet.")
    plan = StagePlan(required=False)


class SeenPlay(InputSerializer):
    play = Uid()
    version = Whole(help_text="The version that the sender saw.")


class PlannedPart(InputSerializer):
    stage = Uid()
    plan = StagePlan()


class NewStage(InputSerializer):
    kind = Choice(Stage.Kind.choices)
    name = Text(required=False)
    settings = DictField(required=False, help_text="As in a score sheet.")
    card_texts = Several(child=Text(), required=False)
    plan = StagePlan(required=False)
    second_look = Flag(required=False, allow_null=True, help_text="Null: only for a final.")


class Words(DictField):
    """Texts by language."""

    child = Text()


# Fields by argument name: PARTS for list items, CHOICES for values.
PARTS: Mapping[str, Callable[[], serializers.Field[Any, Any, Any, Any]]] = {
    "results": GameResult,
    "kinds": partial(Choice, Webhook.Kind.choices),
    "players": NewPlayer,
    "plays": SeenPlay,
    "levels": Level,
    "scenes": partial(Choice, Screen.Scene.choices),
    "stages": PlannedPart,
}
CHOICES: Mapping[str, Any] = {
    "ended": Play.Ended.choices,
    "item": Tick.Item.choices,
    "kind": Stage.Kind.choices,
    "role": Membership.Role.choices,
    "ruleset": [(name, name) for name in RULESETS],
    "scope": ApiToken.Scope.choices,
}
SIMPLE: Mapping[Any, type[serializers.Field[Any, Any, Any, Any]]] = {
    UUID: Uid,
    str: Text,
    int: Whole,
    bool: Flag,
    date: Day,
    datetime: Moment,
    Hand: Cards,
    Mapping[str, Hand]: Hands,
    Mapping[str, str]: Words,
    Mapping[str, object]: DictField,
}


@cache
def arguments_of(action: Callable[..., Any]) -> Mapping[str, inspect.Parameter]:
    """Keyword arguments of an action, by name."""
    return {
        name: declared
        for name, declared in inspect.signature(action).parameters.items()
        if declared.kind is declared.KEYWORD_ONLY
    }


def body_of(
    name: str,
    action: Callable[..., Any],
    elsewhere: Collection[str] = (),
    renamed: Mapping[str, str] = {},
    optional: Mapping[str, str] = {},
) -> type[InputSerializer]:
    """Body class of the action's arguments, except those from `elsewhere` (URL, headers). `renamed`: argument to field
    name; `optional`: argument to help text."""
    return type(
        name,
        (InputSerializer,),
        {
            renamed.get(argument, argument): field_of(
                argument,
                declared,
                **({"source": argument} if argument in renamed else {}),
                **({"required": False, "help_text": optional[argument]} if argument in optional else {}),
            )
            for argument, declared in arguments_of(action).items()
            if argument not in elsewhere
        },
    )


def field_of(argument: str, declared: inspect.Parameter, **more: Any) -> Any:
    """Serializer field for an argument, by name and type."""
    union = get_origin(declared.annotation) in {Union, UnionType}
    kinds = get_args(declared.annotation) if union else (declared.annotation,)
    kind = next(each for each in kinds if each not in {type(None), Unchanged})
    if type(None) in kinds:
        more["allow_null"] = True
    if declared.default is not UNCHANGED and declared.default is not inspect.Parameter.empty:
        more["required"] = False
    if argument in CHOICES:
        return Choice(CHOICES[argument], **more)
    if kind in SIMPLE:
        return SIMPLE[kind](**more)
    if argument == "result":
        return accepted_result()(**more)
    assert get_origin(kind) is Sequence, f"no field for {argument}: {kind}"
    return Several(child=PARTS.get(argument, SIMPLE.get(get_args(kind)[0], SeatedTable))(), **more)


@cache
def accepted_result() -> type[InputSerializer]:
    """Proposal fields of round, heat and game."""
    elsewhere = {"table", "play", "number", "late_s", "other_late_s", "started_at"}
    fields = {
        argument: field_of(argument, declared, required=False)
        for action in (actions.record_round, actions.record_heat, actions.record_game)
        for argument, declared in arguments_of(action).items()
        if argument not in elsewhere
    }
    return type("AcceptedResult", (InputSerializer,), fields)
