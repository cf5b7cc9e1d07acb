"""Event data for staff; public: registration, announcements."""

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.urls import reverse
from django.views.decorators.debug import sensitive_variables
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import generics
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import (
    CharField,
    ChoiceField,
    DictField,
    IntegerField,
    JSONField,
    ListField,
    SerializerMethodField,
    UUIDField,
)

from tournament.extras.programs.actions import make_token, revoke_token
from tournament.extras.programs.api import auth, bodies, reading, reads, serializers, writing
from tournament.links import token_for
from tournament.models import (
    Announcement,
    Apart,
    ApiToken,
    Call,
    Incident,
    Invite,
    LedgerRow,
    Membership,
    Proposal,
    Registration,
    Screen,
    Tick,
)


class IncidentSerializer(serializers.RowSerializer[Incident]):
    """A penalty, warning, dispute or ruling."""

    by = serializers.PersonSerializer()

    class Meta:
        model = Incident
        fields = (
            "uid",
            "tournament",
            "table",
            "play",
            "entry",
            "kind",
            "code",
            "cards",
            "at",
            "by",
            "text",
            "ruling",
            "decided",
            "yes",
            "votes_yes",
            "votes_no",
            "withdrawn",
        )


class LedgerRowSerializer(serializers.RowSerializer[LedgerRow]):
    """A command that was accepted."""

    by = serializers.PersonSerializer(source="actor")
    note = CharField(source="reason", help_text="The reason, which is not part of the chain.")
    payload = JSONField(help_text="The facts after the command: `{kind: {uid: facts or null}}`.")
    replaces = IntegerField(allow_null=True)

    class Meta:
        model = LedgerRow
        fields = (
            "sequence",
            "at",
            "by",
            "device",
            "command",
            "action",
            "replaces",
            "payload",
            "content",
            "previous",
            "digest",
            "note",
        )

    def to_representation(self, instance: LedgerRow) -> dict[str, Any]:
        """Separated players and draws are for organisers."""
        data = super().to_representation(instance)
        if not self.context["view"].reader.private:
            data["payload"] = {
                kind: {uid: facts and {} for uid, facts in rows.items()}
                if kind in {"apart", "draw"}
                else rows
                for kind, rows in instance.payload.items()
            }
        return data


class CallSerializer(serializers.RowSerializer[Call]):
    """A call for a referee."""

    answered_by = serializers.PersonSerializer(allow_null=True)

    class Meta:
        model = Call
        fields = ("uid", "table", "kind", "play", "at", "answered_at", "answered_by")
        extra_kwargs = {"play": {"help_text": "The play that is contested."}}


class ProposalSerializer(serializers.RowSerializer[Proposal]):
    """A result that players have proposed."""

    play = UUIDField(help_text="The uid that the play will have when the proposal is accepted.")
    filled = DictField(source="fields", help_text="The values in the form, by field name.")

    class Meta:
        model = Proposal
        fields = ("uid", "table", "number", "play", "filled", "state", "at")


class ScreenSerializer(serializers.RowSerializer[Screen]):
    """A big screen."""

    scenes = ListField(child=ChoiceField(Screen.Scene.choices), help_text="The views, shown in rotation.")

    class Meta:
        model = Screen
        fields = ("uid", "name", "scenes", "stage", "seconds")
        extra_kwargs = {"stage": {"help_text": "Null for the stage that matters now."}}


class MembershipSerializer(serializers.RowSerializer[Membership]):
    """A user's role."""

    user = serializers.PersonSerializer()

    class Meta:
        model = Membership
        fields = ("uid", "user", "role", "table", "invite")
        extra_kwargs = {
            "table": {"help_text": "Null for every table."},
            "invite": {"help_text": "The invite that gave this role."},
        }


class InviteSerializer(serializers.RowSerializer[Invite]):
    """A link that gives a role."""

    tables = ListField(child=UUIDField(), help_text="The tables of a table referee; empty for every table.")
    accepted = IntegerField(read_only=True, help_text="How many people have accepted it.")
    link = SerializerMethodField(help_text="The path that people open to accept the role.")

    class Meta:
        model = Invite
        fields = (
            "uid",
            "role",
            "tables",
            "label",
            "most",
            "expires_at",
            "revoked_at",
            "accepted",
            "link",
        )

    def get_link(self, row: Invite) -> str:
        return reverse("invite", args=[token_for("invite", row.uid)])


class ApartSerializer(serializers.RowSerializer[Apart]):
    """Two players who are kept apart."""

    class Meta:
        model = Apart
        fields = ("uid", "first", "second")


class TickSerializer(serializers.RowSerializer[Tick]):
    """A ticked item of the checklist."""

    by = serializers.PersonSerializer()

    class Meta:
        model = Tick
        fields = ("item", "at", "by")


class RegistrationSerializer(serializers.RowSerializer[Registration]):
    """How players register."""

    class Meta:
        model = Registration
        fields = (
            "opened",
            "closes_at",
            "approval",
            "most",
            "check_in_from",
            "check_in_until",
            "terms",
            "safer_space",
            "contact_person",
        )


class AnnouncementSerializer(serializers.RowSerializer[Announcement]):
    """An announcement to everyone."""

    words = DictField(child=CharField(), help_text="Texts by language.")

    class Meta:
        model = Announcement
        fields = ("uid", "words", "at", "until", "down_at")


def registration(reader: reading.Reader) -> reading.Json:
    """Registration settings; closed by default."""
    row = Registration.objects.filter(tournament=reader.tournament).first() or Registration()
    return dict(RegistrationSerializer(row).data)


# ---- Users' access tokens ----


class MadeTokenSerializer(serializers.TokenSerializer):
    """A new access token."""

    secret = CharField(help_text="What the program sends as its token. Only this answer has it.")

    class Meta(serializers.TokenSerializer.Meta):
        fields = (*serializers.TokenSerializer.Meta.fields, "secret")


class ManagesTokens(IsAuthenticated):
    """Users; token `scope` is checked by the view."""

    scope = auth.Scope.ORGANISE


class TokensView(reads.ListView):
    """The user's own tokens; an event token manages that event's."""

    permission_classes = [ManagesTokens]
    http_method_names = ["get", "head", "options", "post"]
    serializer_class = serializers.TokenSerializer

    def get_queryset(self) -> QuerySet[ApiToken]:
        self.viewer.need_scope(ManagesTokens.scope)
        token, rows = self.viewer.token, ApiToken.objects.filter(user=self.viewer.user)
        rows = rows.order_by("-made_at").select_related("tournament")
        return rows.filter(tournament=token.tournament) if token and token.tournament else rows

    def get(self, request: Request, **named: UUID) -> Response:
        del request, named
        return Response(self.written(self.get_queryset()))

    @extend_schema(
        summary="Create an access token",
        description="The key in Idempotency-Key is its uid; sent again, it is refused. A token for one event creates "
        "tokens for that event, and no token creates one that expires later than itself.",
        parameters=[writing.KEY_HEADER],
        request=bodies.NewToken,
        responses={201: MadeTokenSerializer},
    )
    @sensitive_variables("secret")
    def post(self, request: Request, **_named: UUID) -> Response:
        self.viewer.need_scope(ManagesTokens.scope)
        sent = bodies.NewToken(data=request.data)
        sent.is_valid(raise_exception=True)
        user, token = self.viewer.user, self.viewer.token
        assert user is not None
        row, secret = make_token(user, **sent.validated_data, token=writing.key_of(request), by=token)
        return Response({**serializers.TokenSerializer(row).data, "secret": secret}, 201)


@extend_schema_view(delete=extend_schema(operation_id="token_delete", responses={204: None}))
class TokenView(generics.DestroyAPIView[ApiToken], TokensView):
    """One of the user's own tokens."""

    http_method_names = ["delete", "options"]
    lookup_field, lookup_url_kwarg = "uid", "access"

    def perform_destroy(self, instance: ApiToken) -> None:
        revoke_token(instance.user, instance.uid)
