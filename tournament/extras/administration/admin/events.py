"""Tournaments, players, entries, roles: all changes are actions."""

from collections.abc import Mapping
from typing import Any, ClassVar
from uuid import UUID

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.widgets import AdminDateWidget
from django.db.models import Count, Model, QuerySet
from django.forms import modelform_factory
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from rulesets import RULESETS
from tournament import actions
from tournament.actions import Command
from tournament.extras.administration.admin.base import ActionAdmin, ActionForm, ChangeForm
from tournament.forms.fields import right_field, was_accepted
from tournament.forms.players import (
    BIRTH_DATE_HELP,
    ask_about_namesake,
    hidden_name_text,
    name_and_club,
    namesake_field,
    words_in_name,
)
from tournament.models import Entry, Membership, Organiser, Player, Table, Tournament, User
from tournament.models.event import TournamentQuerySet
from tournament.permissions import organisers_of
from tournament.views._answer import user_of
from tournament.words.faults import ruleset_name

EVENT_FIELDS = ("name", "starts_on", "place", "time_zone", "language", "listed", "slug")


class TournamentAddForm(ActionForm):
    slug = forms.SlugField(
        label=_("Public address"), max_length=60, required=False, help_text=_("Leave empty to use the name.")
    )
    ruleset = forms.ChoiceField(
        label=_("Ruleset"), choices=lambda: [(ruleset, ruleset_name(ruleset)) for ruleset in RULESETS]
    )
    organiser = forms.ModelChoiceField(
        label=_("Organiser"), queryset=Organiser.objects.none(), required=False, empty_label=_("a new one")
    )
    organiser_name = forms.CharField(label=_("Name of the new organiser"), max_length=100, required=False)


@admin.register(Tournament)
class TournamentAdmin(ActionAdmin):
    list_display = (
        "name",
        "starts_on",
        "place",
        "ruleset",
        "state",
        "players",
        "listed",
        "organiser",
        "excel",
    )
    list_filter = ("state", "listed", "rehearsal", "put_away", "ruleset", "organiser")
    date_hierarchy = "starts_on"
    ordering = ("-starts_on", "name")
    search_fields = ("name", "slug", "place", "organiser__name")
    list_select_related = ("organiser",)
    change_action = "edit_tournament"
    shows = ("organiser", "ruleset", "ruleset_revision", "state", "uid")
    add_form = modelform_factory(
        Tournament, TournamentAddForm, (*EVENT_FIELDS, "ruleset", "organiser", "organiser_name")
    )
    change_form = modelform_factory(Tournament, ChangeForm, EVENT_FIELDS)

    def get_queryset(self, request: HttpRequest) -> TournamentQuerySet:
        """Without practice."""
        rows: TournamentQuerySet = super().get_queryset(request)  # type: ignore[assignment]  # its manager's
        return rows.without_practice().with_sizes()

    def offered(self, request: HttpRequest) -> Mapping[str, QuerySet[Any]]:
        user = user_of(request)
        return {"organiser": Organiser.objects.all() if user.is_superuser else organisers_of(user)}

    @admin.display(description=_("players"), ordering="players")
    def players(self, tournament: Any) -> int:
        return int(tournament.players)

    def add(self, command: Command, uid: UUID, cleaned: dict[str, Any]) -> None:
        organiser = cleaned.pop("organiser")
        actions.create_tournament(command, uid, organiser=organiser.uid if organiser else None, **cleaned)


class PlayerAddForm(ActionForm):
    """Form for a participant added by an organiser."""

    fault_fields: ClassVar[Mapping[str, str]] = {"public_name": "name"}
    tournament = forms.ModelChoiceField(label=_("Event"), queryset=Tournament.objects.all())
    nickname = forms.CharField(
        label=_("Nickname"),
        max_length=100,
        required=False,
        help_text=_("Shown to everyone instead of the name."),
    )
    club = forms.CharField(label=_("Club or group"), max_length=100, required=False)
    public_name_is_right = right_field()
    namesake = namesake_field()

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if not cleaned.get("club") and all(both := name_and_club(str(cleaned.get("name", "")))):
            cleaned["name"], cleaned["club"] = both  # as in a list
        field = "nickname" if cleaned.get("nickname") else "name"
        if not (self.errors or was_accepted(self.data, tournament=cleaned["tournament"])):
            entries = Entry.objects.filter(tournament=cleaned["tournament"])
            names = {words_in_name(name) for name in entries.values_list("public_name", flat=True)}
            ask_about_namesake(self, field, cleaned[field], names)
        return cleaned


# Birth dates and contacts: restricted.
@admin.register(Player)
class PlayerAdmin(ActionAdmin):
    list_display = ("name", "events_entered", "organiser")
    list_filter = ("organiser", "entries__tournament")
    search_fields = ("name", "entries__public_name", "entries__club")
    list_select_related = ("organiser",)
    organised_by = "organiser"
    argument = "entry"
    add_form = modelform_factory(Player, PlayerAddForm, ("tournament", "name", "nickname", "club"))

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows: QuerySet[Any] = (
            super().get_queryset(request).annotate(events_entered=Count("entries", distinct=True))
        )
        return rows

    @admin.display(description=_("events"), ordering="events_entered")
    def events_entered(self, player: Any) -> int:
        return int(player.events_entered)

    def added(self, uid: UUID) -> Model:
        return Entry.objects.get(uid=uid).player

    def add(self, command: Command, uid: UUID, cleaned: dict[str, Any]) -> None:
        tournament, nickname = cleaned.pop("tournament"), cleaned.pop("nickname")
        cleaned["another"] = cleaned.pop("namesake")
        named = {"name": nickname, "real_name": cleaned["name"]} if nickname else {}
        actions.enter_players(command, tournament.uid, players=[{"entry": uid, **cleaned, **named}])


class EntryAddForm(ActionForm):
    fault_fields: ClassVar[Mapping[str, str]] = {"name": "public_name"}
    start_number = forms.IntegerField(
        label=_("Start number"),
        min_value=1,
        max_value=100_000,
        required=False,
        help_text=_("Leave empty for the next number."),
    )
    public_name_is_right = right_field()


class EntryChangeForm(ChangeForm):
    start_number = forms.IntegerField(label=_("Start number"), min_value=1, max_value=100_000)
    birth_date = forms.DateField(
        label=_("Birth date"),
        required=False,
        widget=AdminDateWidget,
        help_text=BIRTH_DATE_HELP,
    )
    contact = forms.CharField(
        label=_("Contact details"), max_length=200, required=False, help_text=_("Never shown.")
    )
    public_name_is_right = right_field()

    def __init__(self, *args: Any, **named: Any) -> None:
        player = named["instance"].player
        super().__init__(*args, initial={"birth_date": player.birth_date, "contact": player.contact}, **named)


@admin.register(Entry)
class EntryAdmin(ActionAdmin):
    list_display = ("public_name", "start_number", "club", "state", "tournament")
    list_filter = ("state", "tournament")
    date_hierarchy = "tournament__starts_on"
    search_fields = ("public_name", "club", "player__name")
    list_select_related = ("tournament", "player")
    change_action = "edit_entry"
    argument = "entry"
    delete_action = "withdraw_entry"
    shows = ("tournament", "state", "uid")
    add_form = modelform_factory(Entry, EntryAddForm, ("tournament", "public_name", "club", "start_number"))
    change_form = modelform_factory(
        Entry, EntryChangeForm, ("public_name", "club", "start_number", "birth_date", "contact")
    )

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        if hidden := hidden_name_text(form.cleaned_data["public_name"], obj):
            self.message_user(request, hidden, messages.WARNING)

    def add(self, command: Command, uid: UUID, cleaned: dict[str, Any]) -> None:
        tournament, name = cleaned.pop("tournament"), cleaned.pop("public_name")
        actions.enter_players(command, tournament.uid, players=[{"entry": uid, "name": name, **cleaned}])


class MembershipAddForm(ActionForm):
    user = forms.ModelChoiceField(label=_("User"), queryset=User.objects.filter(is_active=True))
    table = forms.ModelChoiceField(
        label=_("Table"),
        queryset=Table.objects.select_related("stage__tournament"),
        required=False,
        help_text=_("For a table referee. Leave empty for every table."),
    )


@admin.register(Membership)
class MembershipAdmin(ActionAdmin):
    list_display = ("user", "role", "tournament", "table")
    list_filter = ("role", "tournament")
    search_fields = ("user__username", "user__first_name", "user__last_name", "tournament__name")
    list_select_related = ("user", "tournament", "table__stage__tournament")
    delete_action = "revoke_role"
    argument = "membership"
    add_form = modelform_factory(Membership, MembershipAddForm, ("tournament", "user", "role", "table"))

    def add(self, command: Command, uid: UUID, cleaned: dict[str, Any]) -> None:
        actions.grant_role(
            command,
            cleaned["tournament"].uid,
            membership=uid,
            user=cleaned["user"].uid,
            role=cleaned["role"],
            table=cleaned["table"].uid if cleaned["table"] else None,
        )
