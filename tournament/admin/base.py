"""The common part of every page of the admin: facts are read-only, and those with an action are changed through it.

A refused action is shown in the form that asked for it: `changeform_view` catches what `save_model` raises, after
everything was rolled back, and renders the form again with the faults at their fields.
"""

# ruff: noqa: ARG002 - Django says which arguments its hooks get

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar
from uuid import UUID, uuid4, uuid5

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.utils import quote
from django.core.exceptions import BadRequest
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from tournament import actions
from tournament.actions import Command, Receipt
from tournament.admin.links import pages_of
from tournament.forms.events import organisers_of
from tournament.forms.fields import add_faults
from tournament.models import Tournament
from tournament.permissions import Role, may
from tournament.results.faults import Fault, Refused
from tournament.views._access import user_of
from tournament.words.faults import fault_text

if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[Any]
    ModelForm = forms.ModelForm[Any]
else:
    ModelAdmin = admin.ModelAdmin
    ModelForm = forms.ModelForm

DEVICE = "admin"
DATABASE_KEY = re.compile("[0-9]{1,18}", re.ASCII)


class FactAdmin(ModelAdmin):
    """Rows that only actions elsewhere write: staff may look, nobody may change.

    Where `organised_by` is a lookup of an organiser, only those who run the organiser's tournaments see a row.
    """

    organised_by = ""

    actions_on_top = True
    list_per_page = 50
    show_full_result_count = False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows: QuerySet[Any] = super().get_queryset(request)
        user = user_of(request)
        if not self.organised_by or user.is_superuser:
            return rows
        return rows.filter(**{f"{self.organised_by}__in": organisers_of(user)})

    def render_change_form(self, request: HttpRequest, context: dict[str, Any], **named: Any) -> HttpResponse:  # type: ignore[override]  # all by name
        """Show the form with the pages that the row leads to."""
        if named.get("obj") is not None:
            context["pages"] = pages_of(request, named["obj"])
        return super().render_change_form(request, context, **named)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.is_active and request.user.is_staff)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.has_module_permission(request)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class ActionForm(ModelForm):
    """A form that ends in an action. `command` is made with the form, so that saving twice is harmless; `faults` are
    those of an action that was refused, `events` the tournaments whose ledger may get its row."""

    command = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)
    faults: tuple[Fault, ...] = ()
    events: QuerySet[Tournament] | None = None
    fault_fields: ClassVar[Mapping[str, str]] = {}  # the form's field for a fault's field with another name

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        field = self.fields.get("tournament")
        if isinstance(field, forms.ModelChoiceField) and self.events is not None:
            field.queryset = self.events

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        add_faults(self, self.faults, fields=self.fault_fields)
        return cleaned


class ActionAdmin(FactAdmin):
    """Rows that actions write. A subclass names the actions and says how its forms become their arguments."""

    change_action = ""
    delete_action = ""
    argument = ""  # the actions' argument for the row's uid; none for a tournament
    shows: Sequence[str] = ()
    add_form: type[ModelForm] | None = None
    change_form: type[ModelForm] | None = None

    def events(self, request: HttpRequest) -> QuerySet[Tournament]:
        """The tournaments to which the reader may add a row, the newest first."""
        user = user_of(request)
        events = Tournament.objects.visible().without_practice().order_by("-starts_on", "name")
        if user.is_superuser:
            return events
        return events.filter(memberships__user=user, memberships__role=Role.ORGANISER).distinct()

    def added(self, uid: UUID) -> Model:
        """The row that the action for this uid added."""
        row: Model = self.model._default_manager.get(uid=uid)
        return row

    def tournament_of(self, obj: Any) -> Tournament:
        """The tournament in whose ledger a change of this row is written."""
        tournament: Tournament = obj if isinstance(obj, Tournament) else obj.tournament
        return tournament

    def add(self, command: Command, uid: UUID, cleaned: dict[str, Any]) -> None:
        """Call the action that adds a row with this uid; raises what it raises."""
        raise NotImplementedError

    def carry_out(self, action: str, command: Command, obj: Any, **arguments: Any) -> Receipt:
        """Call the action of that name for this row; raises what it raises."""
        if self.argument:
            arguments[self.argument] = obj.uid
        receipt: Receipt = getattr(actions, action)(command, self.tournament_of(obj).uid, **arguments)
        return receipt

    def has_add_permission(self, request: HttpRequest) -> bool:
        if self.add_form is None or not self.has_module_permission(request):
            return False
        if "tournament" not in self.add_form.base_fields or user_of(request).is_superuser:
            return True
        if not hasattr(request, "organises"):  # asked for each model of the start page
            request.organises = self.events(request).exists()  # type: ignore[attr-defined]
        return bool(request.organises)  # type: ignore[attr-defined]

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self._may(request, self.change_action, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self._may(request, self.delete_action, obj)

    def _may(self, request: HttpRequest, action: str, obj: Any) -> bool:
        if not action or not self.has_module_permission(request):
            return False
        return obj is None or may(user_of(request), action, self.tournament_of(obj))

    def get_form(
        self, request: HttpRequest, obj: Any = None, change: bool = False, **named: Any
    ) -> type[ModelForm]:
        form = self.add_form if obj is None else self.change_form
        if form is None or not (obj is None or self.has_change_permission(request, obj)):
            return super().get_form(request, obj, change=change, **named)
        made = super().get_form(request, obj, change=change, form=form, **named)
        made.faults = getattr(request, "refused", ())  # type: ignore[attr-defined]  # an ActionForm's
        made.events = self.events(request)  # type: ignore[attr-defined]
        return made

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        form = self.add_form if obj is None else self.change_form
        if form is None or not (obj is None or self.has_change_permission(request, obj)):
            return [name for name in super().get_fields(request, obj) if name != "command"]
        return [
            *(name for name in form.base_fields if name != "command"),
            *self.get_readonly_fields(request, obj),
            "command",
        ]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """List the read-only fields in the form of a row that exists."""
        return () if obj is None else self.shows

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Carry out the action that the form asks for; raises what it raises."""
        command = Command(form.cleaned_data["command"], user_of(request), DEVICE)
        cleaned = {name: value for name, value in form.cleaned_data.items() if name != "command"}
        if change:
            self.carry_out(self.change_action, command, obj, **cleaned)
        else:
            uid = uuid5(command.id, self.argument or "tournament")
            self.add(command, uid, cleaned)
            obj.pk = self.added(uid).pk
        obj.refresh_from_db()

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> Any:
        try:
            return super().changeform_view(request, object_id, form_url, extra_context)
        except Refused as refused:
            request.refused = refused.faults  # type: ignore[attr-defined]  # read by get_form
            return super().changeform_view(request, object_id, form_url, extra_context)

    def response_action(self, request: HttpRequest, queryset: QuerySet[Any]) -> Any:
        """Run the chosen action; refuse rows that are not named by numbers, which Django does not check."""
        if not all(DATABASE_KEY.fullmatch(key) for key in request.POST.getlist(ACTION_CHECKBOX_NAME)):
            raise BadRequest
        return super().response_action(request, queryset)

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        self.carry_out(self.delete_action, Command(uuid4(), user_of(request), DEVICE), obj)

    def delete_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        try:
            return super().delete_view(request, object_id, extra_context)
        except Refused as refused:
            say(request, refused)
            change = f"{self.admin_site.name}:{self.opts.app_label}_{self.opts.model_name}_change"
            return HttpResponseRedirect(reverse(change, args=[quote(object_id)]))

    def run(self, request: HttpRequest, action: str, rows: Any) -> None:
        """Call an action for each selected row, and say for each refused one why."""
        for obj in rows:
            try:
                self.carry_out(action, Command(uuid4(), user_of(request), DEVICE), obj)
            except Refused as refused:
                say(request, refused, obj)
            else:
                self.log_change(request, obj, action)
                self.message_user(request, str(obj), messages.SUCCESS)


def say(request: HttpRequest, refused: Refused, obj: Model | None = None) -> None:
    """Say why an action was refused, above the page."""
    for fault in refused.faults:
        messages.error(request, f"{obj}: {fault_text(fault)}" if obj else fault_text(fault))
