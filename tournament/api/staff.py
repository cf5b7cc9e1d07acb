"""The answers about an event for those who run it, besides its plays: calls, proposals, screens, roles, invites, who is
kept apart, the checklist; and registration and announcements, which are public."""

from typing import Any
from uuid import UUID

from django.db.models import Count, QuerySet
from django.http import Http404
from django.urls import reverse
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.serializers import (
    CharField,
    ChoiceField,
    DictField,
    IntegerField,
    ListField,
    ModelSerializer,
    SerializerMethodField,
    UUIDField,
)

from tournament.api import filters
from tournament.api.auth import Role, Scope
from tournament.api.base import ApiView
from tournament.api.reading import Reader
from tournament.api.reads import Answer, Lazy, ListView, ReadView, of_tournament
from tournament.api.shapes import PersonShape, UidField, row_of
from tournament.api.versions import versioned
from tournament.links import token_for
from tournament.models import (
    Announcement,
    Apart,
    Call,
    Invite,
    Membership,
    Proposal,
    Registration,
    Screen,
    Tick,
)
from tournament.server.database import snapshot


@row_of(Call, "uid table kind play at answered_at answered_by")
class CallShape(ModelSerializer[Call]):
    table = UidField()
    play = UidField(allow_null=True, help_text="The play that is contested.")
    answered_by = PersonShape(allow_null=True)


@row_of(Proposal, "uid table number play filled state at")
class ProposalShape(ModelSerializer[Proposal]):
    table = UidField()
    play = UUIDField(help_text="The uid that the play will have when the proposal is accepted.")
    filled = DictField(source="fields", help_text="The values in the form, by field name.")


@row_of(Screen, "uid name scenes stage seconds")
class ScreenShape(ModelSerializer[Screen]):
    scenes = ListField(child=ChoiceField(Screen.Scene.choices), help_text="The views, shown in rotation.")
    stage = UidField(allow_null=True, help_text="Null for the stage that matters now.")


@row_of(Membership, "uid user role table invite")
class MembershipShape(ModelSerializer[Membership]):
    user = PersonShape()
    table = UidField(allow_null=True, help_text="Null for every table.")
    invite = UidField(allow_null=True, help_text="The invite that gave this role.")


@row_of(Invite, "uid role tables label most expires_at revoked_at accepted link")
class InviteShape(ModelSerializer[Invite]):
    tables = ListField(child=UUIDField(), help_text="The tables of a table referee; empty for every table.")
    accepted = IntegerField(read_only=True, help_text="How many people have accepted it.")
    link = SerializerMethodField(help_text="The path that people open to accept the role.")

    def get_link(self, row: Invite) -> str:
        """Signed by this installation."""
        return reverse("invite", args=[token_for("invite", row.uid)])


@row_of(Apart, "uid first second")
class ApartShape(ModelSerializer[Apart]):
    first = UidField()
    second = UidField()


@row_of(Tick, "item at by")
class TickShape(ModelSerializer[Tick]):
    by = PersonShape()


@row_of(
    Registration,
    "opened closes_at approval most check_in_from check_in_until terms safer_space contact_person",
)
class RegistrationShape(ModelSerializer[Registration]):
    contact_person = CharField(allow_blank=True)


@row_of(Announcement, "uid words at until down_at")
class AnnouncementShape(ModelSerializer[Announcement]):
    words = DictField(child=CharField(), help_text="Texts by language.")


class RowsView(ListView):
    """Rows of an event for a viewer with the role `least` or higher and a token of this `scope`; None for any referee,
    who finds the rows of their own tables."""

    permission_classes = [IsAuthenticated]
    least: Role | None = None
    scope = Scope.READ

    def get(self, request: Request, tournament: UUID) -> Answer:
        """In the order in which they were created."""
        with snapshot():
            reader, rows = self.at_tournament(tournament), self.get_queryset().order_by("pk")
            if self.least is not None:
                self.viewer.need(self.least, reader.tournament)
                self.viewer.need_scope(self.scope)
                rows = rows.filter(tournament=reader.tournament)
            elif not reader.referees:
                raise Http404
            else:
                rows = rows.filter(table__stage__tournament=reader.tournament)
                if reader.own is not None:
                    rows = rows.filter(table__uid__in=reader.own)
            as_json = self.get_serializer_class()().to_representation
            return versioned(request, reader.tag(), lambda: self.page(rows, as_json))


def rows(name: str, summary: str, shape: Any, queryset: QuerySet[Any], **more: Any) -> type[ApiView]:
    """Make the address of these rows; `more` are other attributes of a `RowsView`."""
    return extend_schema_view(get=extend_schema(summary=summary))(
        type(f"{name}View", (RowsView,), {"serializer_class": shape, "queryset": queryset, **more})
    )


CallsView = rows(
    "Calls",
    "Calls for a referee",
    CallShape,
    Call.objects.select_related("table", "play", "answered_by"),
    filterset_class=filters.CallFilter,
)
ProposalsView = rows(
    "Proposals",
    "Results that players have proposed",
    ProposalShape,
    Proposal.objects.select_related("table"),
    filterset_class=filters.ProposalFilter,
)
ScreensView = rows(
    "Screens",
    "The big screens and what they show",
    ScreenShape,
    Screen.objects.select_related("stage"),
    least=Role.ORGANISER,
)
RolesView = rows(
    "Roles",
    "Who has which role",
    MembershipShape,
    Membership.objects.select_related("user", "table", "invite"),
    least=Role.ORGANISER,
    filterset_class=filters.MembershipFilter,
)
# Anybody with the link can take the role, so reading invites needs the same scope as offering a role.
InvitesView = rows(
    "Invites",
    "Invites: links that give a role",
    InviteShape,
    Invite.objects.annotate(accepted=Count("memberships")),
    least=Role.ORGANISER,
    scope=Scope.ORGANISE,
    filterset_fields=["role"],
)
# Known to the organisers alone.
ApartView = rows(
    "Apart",
    "Players who are kept apart",
    ApartShape,
    Apart.objects.select_related("first", "second"),
    least=Role.ORGANISER,
    scope=Scope.ORGANISE,
)
ChecklistView = rows(
    "Checklist",
    "The ticked items of the checklist",
    TickShape,
    Tick.objects.select_related("by"),
    least=Role.HEAD_REFEREE,
)


@of_tournament(ReadView, RegistrationShape, "How players register, and the terms that they accept")
def registration(_view: ReadView, reader: Reader) -> Lazy:
    """Public. Closed for an event that never opened registration."""
    row = Registration.objects.filter(tournament=reader.tournament).first() or Registration()
    return lambda: RegistrationShape(row).data


@of_tournament(ListView, AnnouncementShape, "The announcements")
def announcements(view: ListView, reader: Reader) -> Lazy:
    """Public, newest first. An announcement is shown until `until` or until it is taken down; if `until` is null, until
    it is taken down."""
    rows = Announcement.objects.filter(tournament=reader.tournament).order_by("-at", "-pk")
    return lambda: view.page(rows, AnnouncementShape().to_representation)
