"""Django admin: rows with an action change through it (`events`, `stages`); others are read-only and link elsewhere
(`links`). No inlines, list editing or bulk deletion. Users in a ledger cannot be deleted."""

from collections.abc import Mapping
from typing import Any

from django.contrib.admin import site
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.forms import UserChangeForm
from django.contrib.auth.models import Group
from django.db.models import Model
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from tournament.actions.people.sign_in import end_sessions
from tournament.extras.administration.admin import events, stages
from tournament.extras.administration.admin.base import FactAdmin, OwnAdmin
from tournament.forms.fields import MergingForm
from tournament.models import (
    Announcement,
    Apart,
    ApiToken,
    Call,
    Decision,
    Delivery,
    Different,
    Draw,
    HallClock,
    Incident,
    Invite,
    LedgerCheck,
    LedgerNote,
    LedgerRow,
    Organiser,
    PastResult,
    Play,
    Proposal,
    Registration,
    Result,
    Screen,
    Season,
    SeasonEvening,
    Seat,
    Table,
    Tick,
    User,
    Webhook,
)
from tournament.permissions import organisers_of
from tournament.views._answer import user_of

__all__ = ["events", "stages"]

NOT_ASKED = {"groups", "user_permissions"}  # roles are Memberships

# `organised_by`: only for organisers
LOOKED_AT: Mapping[type[Model], Mapping[str, Any]] = {
    Organiser: {
        "list_display": ("name",),
        "search_fields": ("name",),
    },
    Table: {
        "list_display": ("__str__", "stage__tournament", "number", "stage", "stopped"),
        "list_filter": ("stopped", "stage__kind", "stage__tournament"),
        "search_fields": ("stage__name", "stage__tournament__name"),
        "list_select_related": ("stage__tournament",),
    },
    Seat: {
        "list_display": ("entry", "table", "position", "out_as"),
        "list_filter": ("out_as", "table__stage__tournament"),
        "search_fields": ("entry__public_name",),
        "list_select_related": ("entry", "table__stage__tournament"),
    },
    Play: {
        "list_display": (
            "__str__",
            "table__stage__tournament",
            "number",
            "table",
            "state",
            "ended",
            "started_at",
        ),
        "date_hierarchy": "started_at",
        "list_filter": ("state", "ended", "table__stage__kind", "table__stage__tournament"),
        "search_fields": ("table__stage__name", "table__stage__tournament__name"),
        "list_select_related": ("table__stage__tournament",),
    },
    Result: {
        "list_display": (
            "entry",
            "play__table__stage__tournament",
            "play",
            "outcome",
            "elapsed_s",
            "finish",
        ),
        "list_filter": ("outcome", "play__table__stage__tournament"),
        "search_fields": ("entry__public_name",),
        "list_select_related": ("entry", "play__table__stage__tournament"),
    },
    Decision: {
        "list_display": ("entry", "kind", "stage"),
        "list_filter": ("kind", "stage__tournament"),
        "search_fields": ("entry__public_name",),
        "list_select_related": ("entry", "stage"),
    },
    # names separated pairs
    Draw: {
        "list_display": ("__str__",),
        "list_filter": ("stage__tournament",),
        "search_fields": ("stage__name",),
        "list_select_related": ("stage__tournament",),
        "organised_by": "stage__tournament__organiser",
    },
    Season: {
        "list_display": ("name", "organiser", "counts", "starts_on", "ends_on", "public", "over"),
        "date_hierarchy": "starts_on",
        "list_filter": ("counts", "public", "over"),
        "search_fields": ("name", "organiser__name"),
        "list_select_related": ("organiser",),
        "organised_by": "organiser",
    },
    SeasonEvening: {
        "list_display": ("season", "tournament"),
        "list_filter": ("season",),
        "search_fields": ("season__name", "tournament__name"),
        "list_select_related": ("season", "tournament"),
        "organised_by": "season__organiser",
    },
    Apart: {
        "list_display": ("first", "second", "tournament"),
        "list_filter": ("tournament",),
        "search_fields": ("first__public_name", "second__public_name"),
        "list_select_related": ("first", "second", "tournament"),
        "organised_by": "tournament__organiser",
    },
    Different: {
        "list_display": ("__str__", "tournament"),
        "list_filter": ("tournament",),
        "search_fields": ("tournament__name",),
        "list_select_related": ("tournament",),
        "organised_by": "tournament__organiser",
    },
    PastResult: {
        "list_display": ("entry", "place", "points", "average", "games", "note"),
        "list_filter": ("entry__tournament",),
        "search_fields": ("entry__public_name",),
        "list_select_related": ("entry",),
    },
    Registration: {
        "list_display": ("tournament", "opened", "approval", "most"),
        "date_hierarchy": "tournament__starts_on",
        "list_filter": ("opened", "approval"),
        "search_fields": ("tournament__name",),
        "list_select_related": ("tournament",),
    },
    Invite: {
        "list_display": ("__str__", "tournament", "role", "expires_at", "revoked_at"),
        "date_hierarchy": "expires_at",
        "list_filter": ("role", "tournament"),
        "search_fields": ("label",),
        "list_select_related": ("tournament",),
        "organised_by": "tournament__organiser",
    },
    Tick: {
        "list_display": ("item", "tournament", "at", "by"),
        "date_hierarchy": "at",
        "list_filter": ("item", "tournament"),
        "search_fields": ("tournament__name",),
        "list_select_related": ("tournament", "by"),
    },
    Proposal: {
        "list_display": ("__str__", "number", "state", "at"),
        "date_hierarchy": "at",
        "list_filter": ("state", "table__stage__tournament"),
        "search_fields": ("table__stage__name", "table__stage__tournament__name"),
        "list_select_related": ("table__stage__tournament",),
    },
    Call: {
        "list_display": ("__str__", "kind", "at", "answered_at", "answered_by"),
        "date_hierarchy": "at",
        "list_filter": ("kind", "table__stage__tournament"),
        "search_fields": ("table__stage__name", "table__stage__tournament__name"),
        "list_select_related": ("table__stage__tournament", "answered_by"),
    },
    Incident: {
        "list_display": ("kind", "code", "entry", "table", "at", "by", "withdrawn"),
        "date_hierarchy": "at",
        "list_filter": ("kind", "withdrawn", "tournament"),
        "search_fields": ("text", "ruling", "entry__public_name"),
        "list_select_related": ("entry", "table__stage__tournament", "by"),
        "organised_by": "tournament__organiser",
    },
    Announcement: {
        "list_display": ("__str__", "tournament", "at", "until", "down_at"),
        "date_hierarchy": "at",
        "list_filter": ("tournament",),
        "search_fields": ("tournament__name",),
        "list_select_related": ("tournament",),
    },
    Screen: {
        "list_display": ("name", "tournament", "stage", "seconds"),
        "list_filter": ("tournament",),
        "search_fields": ("name", "tournament__name"),
        "list_select_related": ("tournament", "stage"),
    },
    HallClock: {
        "list_display": ("tournament", "stage", "started_at", "ends_at", "held_at", "goes_on_at"),
        "date_hierarchy": "started_at",
        "list_filter": ("tournament",),
        "search_fields": ("tournament__name",),
        "list_select_related": ("tournament", "stage"),
    },
    ApiToken: {
        "list_display": ("name", "user", "tournament", "expires_at", "revoked_at", "used_at"),
        "date_hierarchy": "made_at",
        "list_filter": ("tournament",),
        "search_fields": ("name", "user__username"),
        "list_select_related": ("user", "tournament"),
    },
    # addresses may hold passwords
    Webhook: {
        "list_display": ("address", "tournament", "kinds", "paused", "off_at", "off_because"),
        "list_filter": ("tournament", "paused"),
        "search_fields": ("address", "tournament__name"),
        "list_select_related": ("tournament",),
        "organised_by": "tournament__organiser",
    },
    Delivery: {
        "list_display": ("made_at", "webhook", "kind", "sequence", "state", "tries", "status", "fault"),
        "date_hierarchy": "made_at",
        "list_filter": ("state", "kind"),
        "search_fields": ("webhook__address",),
        "list_select_related": ("webhook",),
        "organised_by": "webhook__tournament__organiser",
    },
    LedgerNote: {
        "list_display": ("text", "row"),
        "list_filter": ("row__tournament",),
        "search_fields": ("text",),
        "list_select_related": ("row",),
    },
    LedgerCheck: {
        "list_display": ("tournament", "at", "rows", "head", "found_at"),
        "date_hierarchy": "at",
        "list_filter": ("found_at",),
        "search_fields": ("tournament__name", "head"),
        "list_select_related": ("tournament",),
    },
}


class AccountForm(MergingForm, UserChangeForm):  # type: ignore[type-arg]  # generic in the stubs alone
    """A user; the last superuser stays one."""

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self.fields["is_staff"].help_text = _(
            "May sign in here, see every event and referee all of them as a head referee."
        )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        lost = [name for name in ("is_superuser", "is_active") if not cleaned.get(name)]
        if lost and is_last_superuser(self.instance.pk):
            self.add_error(lost[0], _("This is the only superuser. Make somebody else one first."))
        return cleaned


def is_last_superuser(user: int | None) -> bool:
    """Whether this user (pk) is the only active superuser."""
    return list(User.objects.filter(is_superuser=True, is_active=True).values_list("pk", flat=True)) == [user]


class AccountAdmin(OwnAdmin, UserAdmin):  # type: ignore[type-arg]  # generic in the stubs alone
    """Identity and global permissions; the joining date is read-only."""

    form = AccountForm
    fieldsets = tuple(
        (title, {**more, "fields": tuple(name for name in more["fields"] if name not in NOT_ASKED)})
        for title, more in UserAdmin.fieldsets or ()
    )
    readonly_fields = ("last_login", "date_joined")
    filter_horizontal = ()
    list_filter = ("is_staff", "is_superuser", "is_active")

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_delete_permission(request, obj) and not (obj and is_last_superuser(obj.pk))

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Store the user; end an inactive one's sessions."""
        super().save_model(request, obj, form, change)
        if not obj.is_active:
            end_sessions(obj)


class LedgerRowAdmin(FactAdmin):
    """Ledger rows; facts name separated pairs, so they are restricted."""

    list_display = ("sequence", "at", "tournament", "actor", "action", "replaces")
    list_filter = ("action", "tournament", "actor")
    search_fields = ("actor__username", "action", "device", "note__text")
    list_select_related = ("tournament", "actor")
    date_hierarchy = "at"
    ordering = ("-at", "-sequence")

    def get_fields(self, request: HttpRequest, obj: LedgerRow | None = None) -> list[Any]:
        fields, user = super().get_fields(request, obj), user_of(request)
        if user.is_superuser or (obj and obj.tournament.organiser in organisers_of(user)):
            return list(fields)
        return [name for name in fields if name != "payload"]


for model, options in LOOKED_AT.items():
    site.register(model, FactAdmin, **options)
site.register(LedgerRow, LedgerRowAdmin)
site.register(User, AccountAdmin)
site.unregister(Group)  # roles are Memberships
site.disable_action("delete_selected")
