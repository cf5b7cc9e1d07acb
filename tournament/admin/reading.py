"""What can only be looked at here: the tables write it, the ledger keeps it."""

from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest

from tournament.admin.base import FactAdmin
from tournament.forms.events import organisers_of
from tournament.models import Apart, Delivery, Draw, Incident, Invite, LedgerRow, Player, Webhook
from tournament.views._access import user_of


class OrganiserAdmin(FactAdmin):
    list_display = ("name",)
    search_fields = ("name",)


class PlayerAdmin(FactAdmin):
    """Birth dates and contacts are seen only by those who run the organiser's tournaments."""

    list_display = ("name", "organiser")
    list_filter = ("organiser",)
    search_fields = ("name",)
    list_select_related = ("organiser",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Player]:
        players: QuerySet[Player] = super().get_queryset(request)
        user = user_of(request)
        return players if user.is_superuser else players.filter(organiser__in=organisers_of(user))


class TableAdmin(FactAdmin):
    list_display = ("__str__", "number", "stage", "stopped")
    list_filter = ("stopped", "stage__kind", "stage__tournament")
    search_fields = ("stage__name", "stage__tournament__name")
    list_select_related = ("stage",)


class SeatAdmin(FactAdmin):
    list_display = ("entry", "table", "position", "out_as")
    list_filter = ("out_as", "table__stage__tournament")
    search_fields = ("entry__public_name",)
    list_select_related = ("entry", "table__stage")


class PlayAdmin(FactAdmin):
    list_display = ("__str__", "number", "table", "state", "ended", "started_at")
    list_filter = ("state", "ended", "table__stage__kind", "table__stage__tournament")
    search_fields = ("table__stage__name", "table__stage__tournament__name")
    list_select_related = ("table__stage",)


class ResultAdmin(FactAdmin):
    list_display = ("entry", "play", "outcome", "elapsed_s", "finish")
    list_filter = ("outcome", "play__table__stage__tournament")
    search_fields = ("entry__public_name",)
    list_select_related = ("entry", "play__table__stage")


class DecisionAdmin(FactAdmin):
    list_display = ("entry", "kind", "stage")
    list_filter = ("kind", "stage__tournament")
    search_fields = ("entry__public_name",)
    list_select_related = ("entry", "stage")


class DrawAdmin(FactAdmin):
    """A draw's record names who was kept apart, so it is seen as those pairs are."""

    list_display = ("stage", "number")
    list_filter = ("stage__tournament",)
    search_fields = ("stage__name",)
    list_select_related = ("stage",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Draw]:
        draws: QuerySet[Draw] = super().get_queryset(request)
        user = user_of(request)
        if user.is_superuser:
            return draws
        return draws.filter(stage__tournament__organiser__in=organisers_of(user))


class ApartAdmin(FactAdmin):
    """Who is kept apart is known only to those who run the organiser's tournaments."""

    list_display = ("first", "second", "tournament")
    list_filter = ("tournament",)
    search_fields = ("first__public_name", "second__public_name")
    list_select_related = ("first", "second", "tournament")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Apart]:
        pairs: QuerySet[Apart] = super().get_queryset(request)
        user = user_of(request)
        return pairs if user.is_superuser else pairs.filter(tournament__organiser__in=organisers_of(user))


class RegistrationAdmin(FactAdmin):
    list_display = ("tournament", "opened", "approval", "most")
    list_filter = ("opened", "approval")
    search_fields = ("tournament__name",)
    list_select_related = ("tournament",)


class InviteAdmin(FactAdmin):
    """Whom somebody asked to help is known only to those who run the organiser's tournaments."""

    list_display = ("__str__", "tournament", "role", "expires_at", "revoked_at")
    list_filter = ("role", "tournament")
    search_fields = ("label",)
    list_select_related = ("tournament",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Invite]:
        rows: QuerySet[Invite] = super().get_queryset(request)
        user = user_of(request)
        return rows if user.is_superuser else rows.filter(tournament__organiser__in=organisers_of(user))


class TickAdmin(FactAdmin):
    list_display = ("item", "tournament", "at", "by")
    list_filter = ("item", "tournament")
    search_fields = ("tournament__name",)
    list_select_related = ("tournament", "by")


class ProposalAdmin(FactAdmin):
    list_display = ("__str__", "number", "state", "at")
    list_filter = ("state", "table__stage__tournament")
    search_fields = ("table__stage__name", "table__stage__tournament__name")
    list_select_related = ("table__stage",)


class CallAdmin(FactAdmin):
    list_display = ("__str__", "kind", "at", "answered_at", "answered_by")
    list_filter = ("kind", "table__stage__tournament")
    search_fields = ("table__stage__name", "table__stage__tournament__name")
    list_select_related = ("table__stage", "answered_by")


class IncidentAdmin(FactAdmin):
    """What somebody was penalised for is known to the event's referees: those who run it see it here."""

    list_display = ("kind", "code", "entry", "table", "at", "by", "withdrawn")
    list_filter = ("kind", "withdrawn", "tournament")
    search_fields = ("text", "ruling", "entry__public_name")
    list_select_related = ("entry", "table__stage", "by")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Incident]:
        incidents: QuerySet[Incident] = super().get_queryset(request)
        user = user_of(request)
        return (
            incidents
            if user.is_superuser
            else incidents.filter(tournament__organiser__in=organisers_of(user))
        )


class ScreenAdmin(FactAdmin):
    list_display = ("name", "tournament", "stage", "seconds")
    list_filter = ("tournament",)
    search_fields = ("name", "tournament__name")
    list_select_related = ("tournament", "stage")


class ApiTokenAdmin(FactAdmin):
    """Whose programs come in. The digest of a secret is of no use to anybody, so nobody sees it."""

    list_display = ("name", "user", "tournament", "expires_at", "revoked_at", "used_at")
    list_filter = ("tournament",)
    search_fields = ("name", "user__username")
    list_select_related = ("user", "tournament")


class WebhookAdmin(FactAdmin):
    """Who is told what, for those who run the organiser's tournaments: an address may hold a password. Nobody sees the
    secret."""

    list_display = ("address", "tournament", "kinds", "paused", "off_at", "off_because")
    list_filter = ("tournament", "paused")
    search_fields = ("address", "tournament__name")
    list_select_related = ("tournament",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Webhook]:
        rows: QuerySet[Webhook] = super().get_queryset(request)
        user = user_of(request)
        return rows if user.is_superuser else rows.filter(tournament__organiser__in=organisers_of(user))


class DeliveryAdmin(FactAdmin):
    """What became of each message."""

    list_display = ("made_at", "webhook", "kind", "sequence", "state", "tries", "status", "fault")
    list_filter = ("state", "kind")
    search_fields = ("webhook__address",)
    list_select_related = ("webhook",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Delivery]:
        rows: QuerySet[Delivery] = super().get_queryset(request)
        user = user_of(request)
        if user.is_superuser:
            return rows
        return rows.filter(webhook__tournament__organiser__in=organisers_of(user))


class LedgerRowAdmin(FactAdmin):
    """The facts of a row, among them who was kept apart, are for those who run the organiser's tournaments."""

    list_display = ("sequence", "at", "tournament", "actor", "action", "replaces")
    list_filter = ("action", "tournament", "actor")
    search_fields = ("actor__username", "action", "device", "note__text")
    list_select_related = ("tournament", "actor")
    ordering = ("-at", "-sequence")

    def get_fields(self, request: HttpRequest, obj: LedgerRow | None = None) -> list[Any]:
        fields, user = super().get_fields(request, obj), user_of(request)
        if user.is_superuser or (obj and obj.tournament.organiser in organisers_of(user)):
            return list(fields)
        return [name for name in fields if name != "payload"]


class LedgerNoteAdmin(FactAdmin):
    list_display = ("text", "row")
    list_filter = ("row__tournament",)
    search_fields = ("text",)
    list_select_related = ("row",)


class LedgerCheckAdmin(FactAdmin):
    """What the check of each minute saw last."""

    list_display = ("tournament", "at", "rows", "head", "found_at")
    list_filter = ("found_at",)
    search_fields = ("tournament__name", "head")
    list_select_related = ("tournament",)
