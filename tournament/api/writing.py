"""Commands: URLs, headers, bodies and responses.

`Idempotency-Key` is the command's id: a repeat returns the same response, different content is refused. `If-Match`:
tournament/api/base.py.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
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
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ParseError, PermissionDenied
from rest_framework.parsers import JSONParser
from rest_framework.permissions import SAFE_METHODS, AllowAny, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from tournament import actions
from tournament.actions import Command, PlannedStage, Receipt
from tournament.actions.kernel import ANY_VERSION
from tournament.api import bodies, reading
from tournament.api.auth import Viewer, scope_of
from tournament.api.base import ApiView, expected_version, history_at, tag_of, whole
from tournament.api.problems import HeaderFault, VersionChanged
from tournament.api.serializers import PlaySerializer
from tournament.api.writes import (
    BY_ACTION,
    KINDS,
    NEW_EVENT,
    NOT_IN_BODIES,
    OPTIONAL,
    RENAMED,
    WRITES,
    Write,
)
from tournament.ledger.undoing import can_be_undone
from tournament.models import Call, Entry, Incident, Play, Proposal, Table, Tournament, User, Webhook
from tournament.permissions import has_role, may, may_somewhere
from tournament.queries.versions import Seen
from tournament.results import Conflict, Fault, Refused, grouped
from tournament.server.database import snapshot
from tournament.words.text import can_be_written

NEW_ROWS = {"enter_players": ("players", "entry"), "set_levels": ("levels", "stage")}  # uids from command ids
SEATS_STAGE = frozenset({"seat_stage", "fill_stage"})
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

# URL names at one table; incidents also event-wide.
AT_TABLE: Mapping[str, type[Model]] = {
    "play": Play,
    "proposal": Proposal,
    "call": Call,
    "incident": Incident,
}

# Tournament lookups by URL name.
FIELD_NAMES: Mapping[str, str] = {
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
    undoable = serializers.BooleanField(
        help_text="Whether POST undo can take it back. It cannot where names, texts or private data were changed: the"
        " ledger does not keep those."
    )
    made = serializers.UUIDField(
        allow_null=True, help_text="The uid of what the command created, if it is one thing."
    )
    entries = serializers.ListField(
        child=serializers.UUIDField(),
        help_text="The uids of the entered players, in the order of the request.",
    )
    tables = serializers.ListField(
        child=serializers.UUIDField(), help_text="The uids of the seated stage's tables, by their numbers."
    )
    play = PlaySerializer(allow_null=True, help_text="The play in its new state.")
    secret = serializers.CharField(
        required=False, help_text="The secret that signs a new webhook's messages. Only this answer has it."
    )


class JsonBody(JSONParser):
    """JSON parser that rejects too deep nesting and unencodable characters."""

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        """Parse the body. Raises ParseError."""
        try:
            data = super().parse(BytesIO(whole(stream)), media_type, dict(parser_context or {}))
            if not can_be_written(data):
                raise ParseError
        except RecursionError:
            raise ParseError from None
        return data


class CommandView(ApiView):
    """Endpoint with `writes`, commands by method; reads need no sign-in."""

    parser_classes = [JsonBody]
    http_method_names = [name for name in ApiView.http_method_names if name.upper() in SAFE_METHODS]
    writes: Mapping[str, Write] = {}
    names_of_players: Mapping[str, str] = {}

    def get_permissions(self) -> Any:
        """Commands always need a sign-in."""
        reads = self.request.method in SAFE_METHODS or not self.writes
        return super().get_permissions() if reads else [IsAuthenticated()]

    def carry_out(self, request: Request, **named: UUID) -> Response:
        """Run this method's command."""
        return carry_out(self, self.writes[str(request.method)], request, named)

    post = put = patch = delete = carry_out


def with_writes(patterns: Iterable[URLPattern]) -> Iterator[URLPattern]:
    """Yield read patterns extended by their commands, then command-only patterns."""
    writes = grouped((write.path, write) for write in WRITES)
    reads = {str(pattern.pattern): pattern for pattern in patterns}
    for route in dict.fromkeys((*reads, *writes)):
        found = {write.method: write for write in writes.get(route, ())}
        # Anonymous reads get 405, commands need a sign-in.
        only = CommandView.as_view(permission_classes=[AllowAny])
        pattern = reads.get(route) or path(route, only, name=writes[route][0].action)
        read: Any = pattern.callback
        if found:
            methods = [*CommandView.http_method_names, *map(str.lower, found)]
            view = read.cls.as_view(**read.initkwargs, writes=found, http_method_names=methods)
            pattern = path(route, view, name=pattern.name or "")
        yield pattern


def carry_out(view: CommandView, write: Write, request: Request, named: Mapping[str, UUID]) -> Response:
    """Call the action with URL, headers and body."""
    viewer = view.viewer
    event = event_at(viewer, write, named)
    changed = None if write.action in NEW_EVENT else event
    viewer.need_scope(scope_of(write.action))
    assert viewer.user is not None
    if changed and write.action not in PUT_AWAY:
        refuse_early(viewer.user, write, changed, named)
    command = Command(key_of(request), viewer.user, viewer.device)
    seen = expected_version(request, changed, needed=needs_version(write)) if changed else None
    partial = write.method == "PATCH"
    answered = None if partial or not write.edits else getattr(view, "serializer_class", None)
    sent = body_of(write)(data=request.data, partial=partial, context={"answered": answered})
    sent.is_valid(raise_exception=True)
    given: dict[str, Any] = {
        **sent.validated_data,
        **{name: named[name] for name in _in_address(write)},
    }
    if write.makes:
        given.setdefault(write.makes, uuid5(command.id, write.makes))
    if seen is not None and SEEN in bodies.arguments_of(write.function):
        given[SEEN] = seen
    elif seen is not None and seen != ANY_VERSION:
        command = replace(command, seen=seen_of(write, named, seen))
    try:
        receipt = _called(write, command, event, given)
    except Conflict as conflict:
        if SEEN in given:
            raise VersionChanged(conflict) from None
        raise
    except Refused as refused:
        refused.faults = _as_sent(sent, refused.faults)
        if event:
            view.names_of_players = Entry.objects.filter(tournament=event).names()
        raise
    answer = _answer(viewer, write, command, receipt, given)
    if changed:
        version = answer.data["play"]["version"] if answer.data["play"] else receipt.sequence
        answer["ETag"] = quote_etag(tag_of(version, "written", history_at(changed, version)))
    return answer


def seen_of(write: Write, named: Mapping[str, UUID], version: int) -> Seen:
    """What the sender saw: the last object in the URL; for lists the event."""
    name, uid = [*named.items()][-1]
    return Seen(version, KINDS.get(write.path, KINDS.get(name, "")), uid)


def event_at(viewer: Viewer, write: Write, named: Mapping[str, UUID]) -> Tournament | None:
    """Tournament of the URL; None for new ones, which tournament tokens may not create. Http404 unless the viewer has
    a role."""
    if write.action in NEW_EVENT and viewer.token and viewer.token.tournament_id:
        raise PermissionDenied
    if not named:
        return None
    name = next(name for name in named if name in FIELD_NAMES)
    event = get_object_or_404(Tournament.objects, **{FIELD_NAMES[name]: named[name]})
    away = write.action in PUT_AWAY and (not viewer.token or viewer.token.tournament_id in {None, event.pk})
    if not (has_role(viewer.user, event) if away else viewer.referees(event)):
        raise Http404
    return event


def refuse_early(user: User, write: Write, event: Tournament, named: Mapping[str, UUID]) -> None:
    """Raise PermissionDenied before faults could leak information to unauthorised users."""
    tables = (
        model._default_manager.filter(uid=named[name]).values_list("table__uid", flat=True).first()
        for name, model in AT_TABLE.items()
        if name in named
    )
    table = next(tables, named.get("table"))
    if not (may(user, write.action, event, table) if table else may_somewhere(user, write.action, event)):
        raise PermissionDenied


def key_of(request: Request) -> UUID:
    """Command id in Idempotency-Key. Raises HeaderFault without a UUID."""
    said = request.headers.get(KEY, "")
    try:
        return UUID(said)
    except ValueError:
        text, code = _("Send a UUID created for this command only."), "invalid" if said else "required"
        raise HeaderFault({KEY: [ErrorDetail(text, code=code)]}) from None


def needs_version(write: Write) -> bool:
    """Whether If-Match is required: edits, and changes of plays."""
    declared = bodies.arguments_of(write.function).get(SEEN)
    return write.edits or (declared is not None and declared.default is declared.empty)


def body_of(write: Write) -> type[bodies.InputSerializer]:
    """Serializer of the body; PATCH is partial PUT."""
    return _body_of(BY_ACTION[write.action])


@cache
def _body_of(write: Write) -> type[bodies.InputSerializer]:
    if write.action == "plan_event":
        details = bodies.body_of("EventDetails", actions.create_tournament)
        stages = bodies.Several(child=bodies.NewStage(), required=False)
        return type(write.body, (details,), {"stages": stages})
    elsewhere = {SEEN, *_in_address(write), *_of(write, NOT_IN_BODIES)}
    optional = {write.makes: bodies.MADE_TEXT, **dict.fromkeys(_of(write, OPTIONAL), "")}
    return bodies.body_of(write.body, write.function, elsewhere, _of(write, RENAMED), optional)


def _of(write: Write, table: Mapping[tuple[str, str], str]) -> dict[str, str]:
    return {argument: said for (action, argument), said in table.items() if action == write.action}


def _as_sent(sent: bodies.InputSerializer, faults: Iterable[Fault]) -> tuple[Fault, ...]:
    names = {field.source: name for name, field in sent.fields.items()}
    parts = ((fault, fault.path.split("/")) for fault in faults)
    return tuple(
        replace(fault, path="/".join(["", names.get(part[1], part[1]), *part[2:]])) if fault.path else fault
        for fault, part in parts
    )


def status_of(write: Write) -> int:
    """Return 201 if something with a uid is created, else 200."""
    return 201 if write.makes or write.action in NEW_EVENT else 200


def _in_address(write: Write) -> set[str]:
    return set(re.findall(r"<uuid:(\w+)>", write.path)) & bodies.arguments_of(write.function).keys()


def _called(write: Write, command: Command, event: Tournament | None, given: dict[str, Any]) -> Receipt:
    if write.action == "plan_event":
        stages = given.pop("stages", [])
        return actions.plan_event(command, given, [PlannedStage(**stage) for stage in stages])
    rows, name = NEW_ROWS.get(write.action, ("", ""))
    for index, row in enumerate(given.get(rows, ())):
        row.setdefault(name, uuid5(command.id, f"{name} {index}"))
    assert event is not None
    receipt: Receipt = write.function(command, event.uid, **given)
    return receipt


def _answer(
    viewer: Viewer,
    write: Write,
    command: Command,
    receipt: Receipt,
    given: Mapping[str, Any],
) -> Response:
    made = command.id if write.action in NEW_EVENT else given.get(write.makes)
    with snapshot():
        play = reading.play_written(viewer, _play_of(write, given))
        players = given["players"] if write.action == "enter_players" else ()
        seated = Table.objects.filter(stage__uid=given["stage"]) if write.action in SEATS_STAGE else None
        response = Response(
            {
                "sequence": receipt.sequence,
                "at": receipt.at,
                "replayed": receipt.replayed,
                "undoable": can_be_undone(write.action),
                "made": made,
                "entries": [each["entry"] for each in players],
                "tables": list(seated.order_by("number").values_list("uid", flat=True))
                if seated is not None
                else [],
                "play": play,
            },
            status_of(write),
        )
    if write.action == "add_webhook" and not receipt.replayed:
        response.data["secret"] = Webhook.objects.get(uid=given["webhook"]).secret
    if made and write.shows:
        response["Location"] = reverse(f"v1:{write.shows}", args=[made])
    return response


def _play_of(write: Write, given: Mapping[str, Any]) -> UUID | None:
    if write.action == "accept_proposal":
        return Proposal.objects.filter(uid=given["proposal"]).values_list("play", flat=True).first()
    found: UUID | None = given.get("new") or given.get("play")
    return found


def headers_of(write: Write) -> list[OpenApiParameter]:
    """Request headers for the OpenAPI document."""
    seen = OpenApiParameter(
        "If-Match",
        OpenApiTypes.STR,
        OpenApiParameter.HEADER,
        required=needs_version(write),
        description="An ETag of what this changes, as the sender saw it, or `*`. 412 if it has changed since.",
    )
    return [KEY_HEADER] if write.action in NEW_EVENT else [KEY_HEADER, seen]
