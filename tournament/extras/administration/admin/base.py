"""Base of admin pages. `changeform_view` shows the faults that `save_model` raises at their fields."""

# ruff: noqa: ARG002 - Django says which arguments its hooks get

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar
from uuid import UUID, uuid4, uuid5

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.utils import quote, unquote
from django.core.exceptions import BadRequest
from django.core.paginator import Paginator
from django.db import DataError
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.text import capfirst
from django.utils.translation import gettext as _, gettext_lazy

from tournament import actions
from tournament.actions import Command, Receipt
from tournament.extras.administration.admin.links import named_by, pages_of
from tournament.forms.fields import MergingForm, add_faults
from tournament.models import LEDGER_KINDS, LedgerRow, Tournament
from tournament.permissions import Role, may, organisers_of
from tournament.results.faults import Fault, Refused
from tournament.views._answer import user_of
from tournament.words.faults import action_name, fault_text

if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[Any]
    ModelForm = forms.ModelForm[Any]
else:
    ModelAdmin = admin.ModelAdmin
    ModelForm = forms.ModelForm

DEVICE = "admin"
MOST_HISTORY = 500  # rows on a page
# Lookups of Django's own links.
FILTERS = ("", "__exact", "__isnull", "__id__exact", "__gte", "__lt", "__year", "__month", "__day")


class OwnAdmin(ModelAdmin):
    """Base of admin pages: only listed filters; unchanged forms write nothing."""

    def lookup_allowed(self, lookup: str, value: str, request: Any = None) -> bool:
        """Other fields may be hidden from the reader."""
        offered = [*self.get_list_filter(request), self.date_hierarchy]
        names = [one if isinstance(one, str) else one[0] for one in offered if one]
        return any(lookup == f"{name}{asked}" for name in names for asked in FILTERS)

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        """Refuse numbers and dates that databases reject."""
        try:
            return super().changelist_view(request, extra_context)
        except (DataError, OverflowError, ValueError):
            raise BadRequest from None

    def save_form(self, request: HttpRequest, form: Any, change: bool) -> Any:
        """Return the form's row. Raises Unchanged if it equals the stored one."""
        if change and not form.has_changed():
            raise Unchanged
        return super().save_form(request, form, change)

    def render_change_form(self, request: HttpRequest, context: dict[str, Any], **named: Any) -> HttpResponse:  # type: ignore[override]  # all by name
        """Title the form with the bare noun, which needs no inflection."""
        if named.get("obj") is not None:
            context["pages"] = pages = pages_of(request, named["obj"])
            context["title"] = capfirst(self.opts.verbose_name)
            if pages.tournament not in {None, named["obj"]}:
                context["subtitle"] = f"{named['obj']} · {pages.tournament}"
        return super().render_change_form(request, context, **named)

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> Any:
        try:
            return super().changeform_view(request, object_id, form_url, extra_context)
        except Unchanged:
            self.message_user(request, _("Nothing was changed."))
            return HttpResponseRedirect(request.path)
        except Refused as refused:
            request.refused = refused.faults  # type: ignore[attr-defined]  # read by get_form
            return super().changeform_view(request, object_id, form_url, extra_context)


class Unchanged(Exception):
    """The form changes nothing."""


class FactAdmin(OwnAdmin):
    """Read-only rows. With `organised_by` (lookup of an organiser), only its organisers see a row."""

    organised_by = ""

    list_per_page = 50
    show_full_result_count = False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows: QuerySet[Any] = super().get_queryset(request)
        user = user_of(request)
        if not self.organised_by or user.is_superuser:
            return rows
        return rows.filter(**{f"{self.organised_by}__in": organisers_of(user)})

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """The ledger's history of the row."""
        told = history_of(self.get_object(request, unquote(object_id)))
        return super().history_view(request, object_id, told | (extra_context or {}))

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
    """Form that adds a row. `command`: idempotency key; `faults`: of a refused action; `offered`: choices for this
    reader."""

    command = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)
    faults: tuple[Fault, ...] = ()
    offered: Mapping[str, QuerySet[Any]] = {}
    fault_fields: ClassVar[Mapping[str, str]] = {}  # form field by fault field

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        for name, rows in self.offered.items():
            if isinstance(field := self.fields.get(name), forms.ModelChoiceField):
                field.queryset = rows

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        add_faults(self, self.faults, fields=self.fault_fields)
        return cleaned


class ChangeForm(MergingForm, ActionForm):
    """Form that changes a row."""


class ActionAdmin(FactAdmin):
    """Rows written by actions; subclasses map forms to arguments."""

    change_action = ""
    delete_action = ""
    argument = ""  # for the row's uid
    shows: Sequence[str] = ()
    add_form: type[ModelForm] | None = None
    change_form: type[ModelForm] | None = None

    def events(self, request: HttpRequest) -> QuerySet[Tournament]:
        """Tournaments for a new row, newest first."""
        user = user_of(request)
        events = Tournament.objects.visible().without_practice().order_by("-starts_on", "name")
        if user.is_superuser:
            return events
        return events.filter(memberships__user=user, memberships__role=Role.ORGANISER).distinct()

    def offered(self, request: HttpRequest) -> Mapping[str, QuerySet[Any]]:
        """Choices for the reader, by field."""
        return {"tournament": self.events(request)}

    def added(self, uid: UUID) -> Model:
        """The row that the action for `uid` added."""
        row: Model = self.model._default_manager.get(uid=uid)
        return row

    def tournament_of(self, obj: Any) -> Tournament:
        """Tournament whose ledger records a change."""
        tournament: Tournament = obj if isinstance(obj, Tournament) else obj.tournament
        return tournament

    @admin.display(description=gettext_lazy("Excel"))
    def excel(self, obj: Any) -> str:
        """The event's results, for a list."""
        return format_html(
            '<a href="{}">{}</a>',
            reverse("workbook", args=[self.tournament_of(obj).slug]),
            _("Results in Excel"),
        )

    def add(self, command: Command, uid: UUID, cleaned: dict[str, Any]) -> None:
        """Call the action that adds a row with this uid."""
        raise NotImplementedError

    def carry_out(self, action: str, command: Command, obj: Any, **arguments: Any) -> Receipt:
        """Call the action of this name for the row."""
        if self.argument:
            arguments[self.argument] = obj.uid
        receipt: Receipt = getattr(actions, action)(command, self.tournament_of(obj).uid, **arguments)
        return receipt

    def has_add_permission(self, request: HttpRequest) -> bool:
        if self.add_form is None or not self.has_module_permission(request):
            return False
        if "tournament" not in self.add_form.base_fields or user_of(request).is_superuser:
            return True
        if not hasattr(request, "organises"):  # once per request
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
        made.offered = self.offered(request)  # type: ignore[attr-defined]
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
        """Read-only fields of an existing row."""
        return () if obj is None else self.shows

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Run the form's action."""
        command = Command(form.cleaned_data["command"], user_of(request), DEVICE)
        cleaned = {name: value for name, value in form.cleaned_data.items() if name != "command"}
        if change:
            self.carry_out(self.change_action, command, obj, **form.changes(cleaned))
        else:
            uid = uuid5(command.id, self.argument or "tournament")
            self.add(command, uid, cleaned)
            obj.pk = self.added(uid).pk
        obj.refresh_from_db()

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """Name the row alone: its action decides whether it can be deleted."""
        return [str(obj) for obj in objs], {}, set(), []

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        self.carry_out(self.delete_action, Command(uuid4(), user_of(request), DEVICE), obj)

    def delete_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        try:
            return super().delete_view(request, object_id, extra_context)
        except Refused as refused:
            obj = self.get_object(request, unquote(object_id))
            say(request, refused, names={str(obj.uid): str(obj)} if obj else None)
            change = f"{self.admin_site.name}:{self.opts.app_label}_{self.opts.model_name}_change"
            return HttpResponseRedirect(reverse(change, args=[quote(object_id)]))

    def run(self, request: HttpRequest, action: str, rows: Any) -> None:
        """Call an action per row; report refusals."""
        for obj in rows:
            try:
                self.carry_out(action, Command(uuid4(), user_of(request), DEVICE), obj)
            except Refused as refused:
                say(request, refused, obj)
            else:
                self.log_change(request, obj, action)
                self.message_user(request, str(obj), messages.SUCCESS)


def say(
    request: HttpRequest,
    refused: Refused,
    obj: Model | None = None,
    names: Mapping[str, str] | None = None,
) -> None:
    """Report a refusal; `names` as for `fault_text`."""
    for fault in refused.faults:
        text = fault_text(fault, names)
        messages.error(request, f"{obj}: {text}" if obj else text)


def history_of(row: Any) -> dict[str, Any]:
    """Ledger rows that wrote the row or its whole, or all of an event, newest first; {} outside events."""
    kinds = {model: kind for kind, model in LEDGER_KINDS.items()}
    named = named_by(row)
    about = next((model for model in named if model in kinds), None)
    if about is None or Tournament not in named:
        return {}
    rows = (
        LedgerRow.objects.filter(tournament=named[Tournament]).select_related("actor").order_by("-sequence")
    )
    if about is not Tournament:
        rows = rows.filter(**{f"payload__{kinds[about]}__has_key": str(named[about].uid)})
    lines = [
        {
            "action_time": line.at,
            "user": line.actor,
            "get_change_message": f"{line.sequence} · {action_name(line.action)}",
        }
        for line in rows[:MOST_HISTORY]
    ]
    return {"action_list": Paginator(lines, MOST_HISTORY).page(1), "pagination_required": False}
