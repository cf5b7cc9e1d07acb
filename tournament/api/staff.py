"""Event data for staff; public: registration, announcements."""

from typing import Any

from django.db.models import QuerySet
from django.urls import reverse
from rest_framework.serializers import (
    CharField,
    ChoiceField,
    DictField,
    IntegerField,
    ListField,
    SerializerMethodField,
    UUIDField,
)

from tournament.api.reading import Json, Reader
from tournament.api.reads import EventList
from tournament.api.serializers import PersonSerializer, RowSerializer
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


class CallSerializer(RowSerializer[Call]):
    """A call for a referee."""

    answered_by = PersonSerializer(allow_null=True)

    class Meta:
        model = Call
        fields = ("uid", "table", "kind", "play", "at", "answered_at", "answered_by")
        extra_kwargs = {"play": {"help_text": "The play that is contested."}}


class ProposalSerializer(RowSerializer[Proposal]):
    """A result that players have proposed."""

    play = UUIDField(help_text="The uid that the play will have when the proposal is accepted.")
    filled = DictField(source="fields", help_text="The values in the form, by field name.")

    class Meta:
        model = Proposal
        fields = ("uid", "table", "number", "play", "filled", "state", "at")


class ScreenSerializer(RowSerializer[Screen]):
    """A big screen."""

    scenes = ListField(child=ChoiceField(Screen.Scene.choices), help_text="The views, shown in rotation.")

    class Meta:
        model = Screen
        fields = ("uid", "name", "scenes", "stage", "seconds")
        extra_kwargs = {"stage": {"help_text": "Null for the stage that matters now."}}


class MembershipSerializer(RowSerializer[Membership]):
    """A user's role."""

    user = PersonSerializer()

    class Meta:
        model = Membership
        fields = ("uid", "user", "role", "table", "invite")
        extra_kwargs = {
            "table": {"help_text": "Null for every table."},
            "invite": {"help_text": "The invite that gave this role."},
        }


class InviteSerializer(RowSerializer[Invite]):
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
        """Signed by this installation."""
        return reverse("invite", args=[token_for("invite", row.uid)])


class ApartSerializer(RowSerializer[Apart]):
    """Two players who are kept apart."""

    class Meta:
        model = Apart
        fields = ("uid", "first", "second")


class TickSerializer(RowSerializer[Tick]):
    """A ticked item of the checklist."""

    by = PersonSerializer()

    class Meta:
        model = Tick
        fields = ("item", "at", "by")


class RegistrationSerializer(RowSerializer[Registration]):
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


class AnnouncementSerializer(RowSerializer[Announcement]):
    """An announcement to everyone."""

    words = DictField(child=CharField(), help_text="Texts by language.")

    class Meta:
        model = Announcement
        fields = ("uid", "words", "at", "until", "down_at")


class RowsView(EventList):
    """The event's rows of `queryset`."""

    def answer(self, reader: Reader) -> QuerySet[Any]:
        return self.get_queryset().filter(tournament=reader.tournament)


class TableRowsView(EventList):
    """Rows of `queryset` at the event's tables, for table referees their own."""

    def answer(self, reader: Reader) -> QuerySet[Any]:
        rows = self.get_queryset().filter(table__stage__tournament=reader.tournament)
        return rows if reader.own is None else rows.filter(table__uid__in=reader.own)


def registration(reader: Reader) -> Json:
    """Registration settings; closed by default."""
    row = Registration.objects.filter(tournament=reader.tournament).first() or Registration()
    return dict(RegistrationSerializer(row).data)


def announcements(reader: Reader) -> QuerySet[Announcement]:
    """Announcements, newest first."""
    return Announcement.objects.filter(tournament=reader.tournament).order_by("-at")
