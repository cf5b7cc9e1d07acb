"""Commands: URLs, headers, bodies and responses.

`Idempotency-Key` is the command's id: a repeat returns the same response, different content is refused.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from io import BytesIO
from typing import IO, Any, cast
from uuid import UUID, uuid5

from django.shortcuts import get_object_or_404
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework import exceptions, parsers, permissions
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import (
    BooleanField,
    CharField,
    DateTimeField,
    IntegerField,
    ListField,
    Serializer,
    UUIDField,
)

from tournament import actions
from tournament.actions.kernel import ANY_VERSION, table_of
from tournament.extras.programs.api import auth, base, bodies, problems, reading, serializers, writes
from tournament.ledger.undoing import can_be_undone
from tournament.models import Entry, Proposal, Season, Table, Tournament, User
from tournament.permissions import has_role, may, may_somewhere
from tournament.queries.visible import Seen, season_version
from tournament.results import Conflict, Fault, Refused, grouped, uuid_or_none
from tournament.server.database import snapshot
from tournament.words.text import can_be_written

NEW_ROWS = {"enter_players": ("players", "entry"), "set_levels": ("levels", "stage")}  # uids from command ids
PUT_AWAY = frozenset({"put_away", "bring_back"})  # even a rehearsal no longer listed
SEEN = "version"  # set by If-Match
KEY = "Idempotency-Key"
KEY_HEADER = OpenApiParameter(
    KEY,
    OpenApiTypes.UUID,
    OpenApiParameter.HEADER,
    required=True,
    description="The command's id, created once for each intention. A repeated request is carried out once.",
)

# Tournament lookups by URL name.
FIELD_NAMES: Mapping[str, str] = {
    "tournament": "uid",
    "stage": "stages__uid",
    "table": "stages__tables__uid",
    "play": "stages__tables__plays__uid",
    "entry": "entries__uid",
    "incident": "incidents__uid",
}


class ReceiptSerializer(Serializer[Any]):
    sequence = IntegerField(help_text="The sequence of the command's row in the ledger.")
    at = DateTimeField()
    replayed = BooleanField(help_text="True if the command had been accepted before.")
    undoable = BooleanField(
        help_text="Whether POST undo can take it back: not results, departures, calls and freezes, which have "
        "operations of their own, nor names, texts and private data, which the ledger does not keep."
    )
    made = UUIDField(allow_null=True, help_text="The uid of what the command created, if it is one thing.")
    entries = ListField(
        child=UUIDField(),
        help_text="The uids of the entered players, in the order of the request.",
    )
    tables = ListField(
        child=UUIDField(), help_text="The uids of the seated stage's tables, by their numbers."
    )
    play = serializers.PlaySerializer(allow_null=True, help_text="The play in its new state.")
    secret = CharField(
        required=False, help_text="The secret that signs a new webhook's messages. Only this answer has it."
    )


class JsonBody(parsers.JSONParser):
    """JSON parser that rejects too deep nesting and unencodable characters."""

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        try:
            data = super().parse(BytesIO(base.whole(stream)), media_type, dict(parser_context or {}))
            if not can_be_written(data):
                raise exceptions.ParseError
        except RecursionError:
            raise exceptions.ParseError from None
        return data


class CommandView(base.ApiView):
    """Endpoint with `commands` by method; reads need no sign-in."""

    parser_classes = [JsonBody]
    http_method_names = [
        name for name in base.ApiView.http_method_names if name.upper() in permissions.SAFE_METHODS
    ]
    commands: Mapping[str, writes.Write] = {}
    names_of_players: Mapping[str, str] = {}

    def get_permissions(self) -> Any:
        reads = self.request.method in permissions.SAFE_METHODS or not self.commands
        return super().get_permissions() if reads else [permissions.IsAuthenticated()]

    def http_method_not_allowed(self, request: Any, *_arguments: Any, **_named: Any) -> Any:
        """405, naming the addresses above and below this one that take the method."""
        here = request.resolver_match.route.removeprefix("api/v1")
        near = [
            f"{each.method} /api/v1/{each.path}".replace("<uuid:", "{").replace(">", "}")
            for each in writes.commands()
            if each.method == request.method
            and (f"/{each.path}".startswith(f"{here}/") or each.path.endswith(here))
        ]
        said = _("Did you mean {address}?").format(address=", ".join(near))
        raise exceptions.MethodNotAllowed(str(request.method), {"detail": said} if 0 < len(near) <= 6 else {})

    def carry_out(self, request: Request, **named: UUID) -> Response:
        write, viewer = self.commands[str(request.method)], self.viewer
        event = event_at(viewer, write, named)
        changed = None if write.action in writes.NEW_EVENT else event
        viewer.need_scope(auth.scope_of(write.action))
        assert viewer.user is not None
        if changed and write.action not in PUT_AWAY:
            refuse_early(viewer.user, write, changed, named)
        # browsers have a device of their own
        command = actions.Command(
            key_of(request), viewer.user, f"api-{viewer.token.uid.hex}" if viewer.token else ""
        )
        history: Callable[[int], str] = (
            partial(base.history_at, changed) if changed and write.kind != "season" else base.history_of
        )
        seen = base.expected_version(request, history, needed=write.needs_version) if changed else None
        sent = body_of(
            write,
            answered=getattr(self, "serializer_class", None)
            if write.method == "PUT" and write.edits
            else None,
            data=request.data,
            partial=write.method == "PATCH",
        )
        sent.is_valid(raise_exception=True)
        if write.method == "PATCH" and not sent.validated_data:
            raise Refused(Fault("same_version"))
        given = {**sent.validated_data, **{name: named[name] for name in write.in_address}}
        if write.makes:
            given.setdefault(write.makes, uuid5(command.id, write.makes))
        if seen is not None and SEEN in bodies.arguments_of(write.function):
            given[SEEN] = seen
        elif seen is not None and seen != ANY_VERSION:
            command = replace(command, seen=Seen(seen, write.kind, [*named.values()][-1]))
        try:
            receipt = _called(write, command, event, given)
        except Conflict as conflict:
            if given.get(SEEN, ANY_VERSION) in {ANY_VERSION, conflict.current.play.version}:
                raise
            raise problems.Failed("version_changed", **problems.both_sides(conflict)) from None
        except Refused as refused:
            refused.faults = _as_sent(sent, refused.faults)
            self.names_of_players = Entry.objects.filter(tournament=event).names()
            raise
        answer = _answer(viewer, write, command, receipt, given)
        if changed:
            version = answer.data["play"]["version"] if answer.data["play"] else receipt.sequence
            if write.kind == "season":
                version = season_version(Season.objects.filter(uid=named["season"]))
            answer["ETag"] = f'"{base.tag_of(version, "written", history(version))}"'
        return answer

    post = put = patch = delete = carry_out


def with_writes(patterns: Iterable[URLPattern]) -> Iterator[URLPattern]:
    """Yield read patterns extended by their commands, then command-only patterns."""
    commands = grouped((write.path, write) for write in writes.commands())
    reads = {str(pattern.pattern): pattern for pattern in patterns}
    for route in dict.fromkeys((*reads, *commands)):
        pattern = reads.get(route) or path(  # anonymous reads get 405, commands need a sign-in
            route,
            CommandView.as_view(permission_classes=[permissions.AllowAny]),
            name=commands[route][0].action,
        )
        if found := {write.method: write for write in commands.get(route, ())}:
            read: Any = pattern.callback
            methods = [*CommandView.http_method_names, *map(str.lower, found)]
            view = read.cls.as_view(**read.initkwargs, commands=found, http_method_names=methods)
            pattern = path(route, view, name=str(pattern.name))
        yield pattern


def event_at(viewer: auth.Viewer, write: writes.Write, named: Mapping[str, UUID]) -> Tournament | None:
    """Tournament of the URL; None for new ones. Raises NotFound for viewers without a role."""
    if write.action in writes.NEW_EVENT and viewer.token and viewer.token.tournament_id:
        raise exceptions.PermissionDenied
    if not named:
        return None
    name = next(name for name in named if name in FIELD_NAMES)
    event = get_object_or_404(Tournament.objects, **{FIELD_NAMES[name]: named[name]})
    away = write.action in PUT_AWAY and (not viewer.token or viewer.token.tournament_id in {None, event.pk})
    if not ((away or viewer.finds(event)) and has_role(viewer.user, event)):
        raise exceptions.NotFound
    return event


def refuse_early(user: User, write: writes.Write, event: Tournament, named: Mapping[str, UUID]) -> None:
    """Raise PermissionDenied before faults could leak information to unauthorised users."""
    table = named.get("table") or table_of(named)
    if not (may(user, write.action, event, table) if table else may_somewhere(user, write.action, event)):
        raise exceptions.PermissionDenied


def key_of(request: Request) -> UUID:
    """Command id in Idempotency-Key. Raises Failed without a UUID."""
    said = request.headers.get(KEY, "")
    if key := uuid_or_none(said):
        return key
    raise problems.header_fault(
        KEY, _("Send a UUID created for this command only."), "invalid" if said else "required"
    )


class CommandSerializer(bodies.InputSerializer):
    """Members that are not listed are refused, and every fault is reported at once."""

    # Fields from the arguments of `write` in its context: written out, 100 bodies would repeat `actions`.

    def get_fields(self) -> dict[str, bodies.AnyField]:
        """Fields for the arguments that come neither from the address nor from If-Match."""
        write: writes.Write = self.context["write"]
        if write.action == "plan_event":
            return {
                **bodies.fields_of(actions.create_tournament),
                "stages": bodies.Several(bodies.NewStage, required=False),
            }
        elsewhere = {SEEN, *write.in_address, *writes.NOT_IN_BODIES.get(write.action, ())}
        optional = {write.makes: bodies.MADE_TEXT} | {
            name: f"Without it, also PUT leaves it: {why}."
            for name, why in writes.OPTIONAL.get(write.action, {}).items()
        }
        return bodies.fields_of(write.function, elsewhere, writes.RENAMED.get(write.action, {}), optional)


def body_of(write: writes.Write, *, answered: Any = None, **more: Any) -> CommandSerializer:
    """Serializer of the body; `answered` as in InputSerializer."""
    return CommandSerializer(context={"write": write, "answered": answered}, **more)


def _as_sent(sent: CommandSerializer, faults: Iterable[Fault]) -> tuple[Fault, ...]:
    """Faults at their places in the body, where it names what they are about."""
    names = {str(field.source): name for name, field in sent.fields.items()}
    there = {text: at for at, text in _texts(sent.initial_data)}
    return tuple(replace(fault, path=_place(fault.path, names, there)) for fault in faults)


def _place(where: str, names: Mapping[str, str], there: Mapping[str, str]) -> str:
    """A path by the body's names. A player who is elsewhere in the action is found by uid, a table by number."""
    match where.split("/")[1:]:
        case ["tables", number]:
            return there.get(f"number {number}", "/table" if "table" in names else where)
        case [first, *rest] if first in names:
            return "/".join(["", names[first], *rest])
        case ["results", uid, *rest] if "hands" in names:
            return "/".join(["/hands", uid, *rest[1:]])
        case [_first, uid, *rest] if uid in there:
            return f"/{names[rest[0]]}" if rest and rest[0] in names else there[uid]
    return where


def _texts(said: object, at: str = "") -> Iterator[tuple[str, str]]:
    """JSON Pointers of a body with its texts, and of rows with their `number`."""
    rows = enumerate(said) if isinstance(said, list) else said.items() if isinstance(said, dict) else ()
    for step, each in rows:
        here = f"{at}/{step}"
        if step == "number":
            yield at or here, f"number {each}"
        yield from [(here, each)] if isinstance(each, str) else _texts(each, here)


def _called(
    write: writes.Write, command: actions.Command, event: Tournament | None, given: dict[str, Any]
) -> actions.Receipt:
    if write.action == "plan_event":
        stages = given.pop("stages", [])
        return actions.plan_event(command, given, [actions.PlannedStage(**stage) for stage in stages])
    rows, name = NEW_ROWS.get(write.action, ("", ""))
    for index, row in enumerate(given.get(rows, ())):
        row.setdefault(name, uuid5(command.id, f"{name} {index}"))
    assert event is not None
    return cast("actions.Receipt", write.function(command, event.uid, **given))


def _answer(
    viewer: auth.Viewer,
    write: writes.Write,
    command: actions.Command,
    receipt: actions.Receipt,
    given: Mapping[str, Any],
) -> Response:
    made = command.id if write.action in writes.NEW_EVENT else given.get(write.makes)
    with snapshot():
        play = given.get("new") or given.get("play")
        if "proposal" in given:
            play = Proposal.objects.filter(uid=given["proposal"]).values_list("play", flat=True).first()
        data = {
            "sequence": receipt.sequence,
            "at": receipt.at,
            "replayed": receipt.replayed,
            "undoable": can_be_undone(write.action),
            "made": made,
            "entries": [row["entry"] for row in given["players"]] if write.action == "enter_players" else [],
            "tables": [row.uid for row in Table.objects.filter(stage__uid=given["stage"]).order_by("number")]
            if write.action in {"seat_stage", "fill_stage"}
            else [],
            "play": reading.play_written(viewer, play),
        }
    if write.secret and not receipt.replayed:
        data["secret"] = write.secret(given[write.makes])
    there = made and write.shows and reverse(f"v1:{write.shows}", args=[made])
    return Response(data, write.status, headers={"Location": there} if there else {})
