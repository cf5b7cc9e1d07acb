"""Django's admin over everything: what has an action is changed through it, all else can only be looked at.

There is no way around the actions: no inlines, no editable lists, no bulk deletion. Users are no facts of a
tournament, so they are kept with Django's own forms; those who stand in a ledger cannot be deleted.
"""

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import Group

from tournament.admin import events, reading
from tournament.models import User

__all__ = ["events", "reading"]

NOT_ASKED = {"groups", "user_permissions"}  # roles are Memberships


class AccountAdmin(UserAdmin):  # type: ignore[type-arg]  # generic in the stubs alone
    """Who somebody is, and whether they may create events or everything; when they came is not changed."""

    fieldsets = tuple(
        (title, {**more, "fields": tuple(name for name in more["fields"] if name not in NOT_ASKED)})
        for title, more in UserAdmin.fieldsets or ()
    )
    readonly_fields = ("last_login", "date_joined")
    filter_horizontal = ()
    list_filter = ("is_staff", "is_superuser", "is_active")


admin.site.disable_action("delete_selected")
admin.site.unregister(Group)  # roles are Memberships
admin.site.site_header = admin.site.site_title = "Lastcard"
admin.site.register(User, AccountAdmin)
