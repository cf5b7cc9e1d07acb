"""How a command is received: its addresses, headers and body, and the answer.

`Idempotency-Key` is the command's id: a repeated request with the same content gets the same answer and does nothing,
one with other content is refused. A command that changes a play names the version that the sender saw in `If-Match`.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from io import BytesIO
from typing import IO, Any
from uuid import UUID, uuid5

from django.db.models import Model
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import URLPattern, path, reverse
from django.utils.http import quote_etag
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ParseError, PermissionDenied, ValidationError
from rest_framework.parsers import JSONParser
from rest_framework.permissions import SAFE_METHODS, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from tournament import actions
from tournament.actions import Command, PlannedStage, Receipt
from tournament.api import bodies, reading
from tournament.api.auth import Viewer, scope_of
from tournament.api.base import ApiView, whole
from tournament.api.problems import VersionChanged, VersionMissing
from tournament.api.serializers import PlaySerializer
from tournament.api.versions import expected_version, history_at, tag_of
from tournament.api.writes import MADE, NOT_IN_BODIES, WRITES, Write
from tournament.models import Call, Entry, Incident, Play, Proposal, Tournament, User, Webhook
from tournament.permissions import has_role, may, may_somewhere
from tournament.results import Conflict, Refused, grouped
from tournament.server.database import snapshot
from tournament.words.text import can_be_written

NEW_EVENT = frozenset({"plan_event", "copy_event"})  # the event's uid is the command's id
PUT_AWAY = frozenset({"put_away", "bring_back"})  # also of a rehearsal that nobody finds any more
SEEN = "version"  # the argument that If-Match gives
KEY = "Idempotency-Key"

# Names in addresses of things at one table; an incident may also be of the whole event.
AT_TABLE: Mapping[str, type[Model]] = {
    "play": Play,
    "proposal": Proposal,
    "call": Call,
    "incident": Incident,
}

# The lookups that find a tournament by a name in the address.
NAMES: Mapping[str, str] = {
    "tournament": "uid",
    "stage": "stages__uid",
    "table": "stages__tables__uid",
    "play": "stages__tables__plays__uid",
    "entry": "entries__uid",
    "incident": "incidents__uid",
}


class ReceiptSerializer(serializers.Serializer[Any]):
    sequence = serializers.IntegerField(help_text="The sequence of the command's row in the ledger.")
    at = serializers.DateTimeField()
    replayed = serializers.BooleanField(help_text="True if the command had been accepted before.")
    made = serializers.UUIDField(
        allow_null=True, help_text="The uid of what the command created, if anything."
    )
    play = PlaySerializer(allow_null=True, help_text="The play in its new state.")
    secret = serializers.CharField(
        required=False, help_text="The secret that signs a new webhook's messages. Only this answer has it."
    )


class JsonBody(JSONParser):
    """A parser of JSON, which refuses too deep nesting and characters that cannot be encoded again."""

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        """Read the body; ParseError if it is not JSON."""
        try:
            data = super().parse(BytesIO(whole(stream)), media_type, dict(parser_context or {}))
            if not can_be_written(data):
                raise ParseError
        except RecursionError:
            raise ParseError from None
        return data


class WriteView(ApiView):
    """An address for commands; reading there needs no sign-in."""

    parser_classes = [JsonBody]
    names_of_players: Mapping[str, str] = {}

    def get_permissions(self) -> Any:
        """Reading needs no sign-in, writing does."""
        return super().get_permissions() if self.request.method in SAFE_METHODS else [IsAuthenticated()]


def with_writes(patterns: Iterable[URLPattern]) -> Iterator[URLPattern]:
    """Give these addresses of reads with the commands that they accept, then those that only accept commands."""
    writes = grouped((write.path, write) for write in WRITES)
    for pattern in patterns:
        route = str(pattern.pattern)
        found = writes.pop(route, [])
        if found:
            read: Any = pattern.callback
            view = writable(read.cls, found).as_view(**read.initkwargs)
            yield path(route, view, name=pattern.name or "")
        else:
            yield pattern
    for route, found in writes.items():
        yield path(route, writable(ApiView, found).as_view(), name=found[0].action)


def writable(view: type[ApiView], writes: Sequence[Write]) -> type[ApiView]:
    """The view with a method for each of these commands."""
    return type(
        view.__name__,
        (WriteView, view) if view is not ApiView else (WriteView,),
        {write.method.lower(): handler_of(write) for write in writes},
    )


def handler_of(write: Write) -> Callable[..., Response]:
    """The method that carries out this command, with its part of the document."""

    def handler(self: WriteView, request: Request, **named: UUID) -> Response:
        return carry_out(self, write, request, named)

    body = body_of(write)
    made: Any = OpenApiResponse(ReceiptSerializer, description="Done, now or before.")
    return extend_schema(
        operation_id=write.action,
        summary=write.summary,
        description=(write.function.__doc__ or "").replace("\n    ", "\n"),
        request=body if body._declared_fields else None,
        parameters=_headers(write),
        responses={status_of(write): made},
    )(handler)


def carry_out(view: WriteView, write: Write, request: Request, named: Mapping[str, UUID]) -> Response:
    """Call the action with what the address, the headers and the body say."""
    viewer = view.viewer
    event = event_at(viewer, write, named)
    viewer.need_scope(scope_of(write.action))
    assert viewer.user is not None  # IsAuthenticated
    if event and write.action not in PUT_AWAY | NEW_EVENT:
        refuse_early(viewer.user, write, event, named)
    command = Command(key_of(request), viewer.user, viewer.device)
    seen = seen_version(request, write, event)
    sent = body_of(write)(data=request.data)
    sent.is_valid(raise_exception=True)
    given: dict[str, Any] = {
        **sent.validated_data,
        **{name: named[name] for name in _in_address(write)},
        **seen,
    }
    if write.makes:
        given.setdefault(write.makes, uuid5(command.id, write.makes))
    try:
        receipt = _called(write, command, event, given)
    except Conflict as conflict:
        if seen and event:
            raise VersionChanged(conflict) from None
        raise
    except Refused:
        if event:
            view.names_of_players = Entry.objects.filter(tournament=event).names()
        raise
    answer = _answer(viewer, write, command, receipt, given)
    if event and answer.data["play"]:
        version = answer.data["play"]["version"]
        answer["ETag"] = quote_etag(tag_of(version, "written", history_at(event, version)))
    return answer


def event_at(viewer: Viewer, write: Write, named: Mapping[str, UUID]) -> Tournament | None:
    """The tournament that the address names; Http404 where there is none in which this viewer has a role. None for a
    new one, which a token of one tournament does not make."""
    if write.action in NEW_EVENT and viewer.token and viewer.token.tournament_id:
        raise PermissionDenied
    if not named:
        return None
    name = next(name for name in named if name in NAMES)
    event = get_object_or_404(Tournament.objects, **{NAMES[name]: named[name]})
    away = write.action in PUT_AWAY and (not viewer.token or viewer.token.tournament_id in {None, event.pk})
    if not (has_role(viewer.user, event) if away else viewer.referees(event)):
        raise Http404
    return event


def refuse_early(user: User, write: Write, event: Tournament, named: Mapping[str, UUID]) -> None:
    """Raise PermissionDenied for a user who may never call the action there, before its faults could reveal
    anything to them."""
    tables = (
        model._default_manager.filter(uid=named[name]).values_list("table__uid", flat=True).first()
        for name, model in AT_TABLE.items()
        if name in named
    )
    table = next(tables, named.get("table"))
    if not (may(user, write.action, event, table) if table else may_somewhere(user, write.action, event)):
        raise PermissionDenied


def key_of(request: Request) -> UUID:
    """The command's id; ValidationError if the header has none."""
    said = request.headers.get(KEY, "")
    try:
        return UUID(said)
    except ValueError:
        text, code = _("Send a UUID created for this command only."), "invalid" if said else "required"
        raise ValidationError({KEY: [ErrorDetail(text, code=code)]}) from None


def seen_version(request: Request, write: Write, event: Tournament | None) -> dict[str, int]:
    """The version that the sender saw, if the action needs one. Raises VersionMissing, VersionChanged."""
    declared = bodies.arguments_of(write.function).get(SEEN)
    if declared is None:
        return {}
    needed = declared.default is declared.empty
    version = expected_version(request, event, needed=needed)
    if version is None and needed:
        raise VersionMissing
    return {} if version is None else {SEEN: version}


@cache
def body_of(write: Write) -> type[bodies.Body]:
    """The body of this command."""
    if write.action == "plan_event":
        details = bodies.body_of(write.body, actions.create_tournament, "", ())
        stages = bodies.Several(child=bodies.NewStage(), required=False)
        return type(write.body, (details,), {"stages": stages})
    elsewhere = {
        SEEN,
        *_in_address(write),
        *(argument for action, argument in NOT_IN_BODIES if action == write.action),
    }
    return bodies.body_of(write.body, write.function, write.makes, elsewhere)


def status_of(write: Write) -> int:
    """Give 201 for a command that creates something with a uid, otherwise 200."""
    return 201 if write.makes or write.action in NEW_EVENT else 200


def _in_address(write: Write) -> set[str]:
    """The arguments that come from its address."""
    return set(re.findall(r"<uuid:(\w+)>", write.path)) & bodies.arguments_of(write.function).keys()


def _called(write: Write, command: Command, event: Tournament | None, given: dict[str, Any]) -> Receipt:
    if write.action == "plan_event":
        stages = given.pop("stages", [])
        return actions.plan_event(command, given, [PlannedStage(**stage) for stage in stages])
    if write.action == "enter_players":
        _with_uids(command, given["players"], "entry")
    if write.action == "set_levels":
        _with_uids(command, given["levels"], "stage")
    assert event is not None
    receipt: Receipt = write.function(command, event.uid, **given)
    return receipt


def _with_uids(command: Command, rows: Iterable[dict[str, Any]], name: str) -> None:
    """Give each row without a uid one that follows from the command."""
    for index, row in enumerate(rows):
        row.setdefault(name, uuid5(command.id, f"{name} {index}"))


def _answer(
    viewer: Viewer,
    write: Write,
    command: Command,
    receipt: Receipt,
    given: Mapping[str, Any],
) -> Response:
    new_event = write.action in NEW_EVENT
    made = command.id if new_event else given.get(write.makes)
    with snapshot():
        play = reading.play_written(viewer, _play_of(write, given))
    response = Response(
        {
            "sequence": receipt.sequence,
            "at": receipt.at,
            "replayed": receipt.replayed,
            "made": made,
            "play": play,
        },
        status_of(write),
    )
    if write.action == "add_webhook" and not receipt.replayed:
        response.data["secret"] = Webhook.objects.get(uid=given["webhook"]).secret
    address = "tournament" if new_event else MADE.get(write.makes)
    if made and address:
        response["Location"] = reverse(f"v1:{address}", args=[made])
    return response


def _play_of(write: Write, given: Mapping[str, Any]) -> UUID | None:
    if write.action == "accept_proposal":
        return Proposal.objects.filter(uid=given["proposal"]).values_list("play", flat=True).first()
    found: UUID | None = given.get("new") or given.get("play")
    return found


def _headers(write: Write) -> list[OpenApiParameter]:
    key = OpenApiParameter(
        KEY,
        OpenApiTypes.UUID,
        OpenApiParameter.HEADER,
        required=True,
        description="The command's id, created once for each intention. A repeated request is carried out once.",
    )
    declared = bodies.arguments_of(write.function).get(SEEN)
    if declared is None:
        return [key]
    return [
        key,
        OpenApiParameter(
            "If-Match",
            OpenApiTypes.STR,
            OpenApiParameter.HEADER,
            required=declared.default is declared.empty,
            description="The ETag of the play as the sender saw it.",
        ),
    ]
