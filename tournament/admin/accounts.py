"""Accounts, in the administration."""

from django.contrib.auth.admin import UserAdmin

NOT_ASKED = {"groups", "user_permissions"}  # roles are Memberships


class AccountAdmin(UserAdmin):  # type: ignore[type-arg]
    """Who somebody is, and whether they may create events or everything; when they came is not changed."""

    fieldsets = tuple(
        (title, {**more, "fields": tuple(name for name in more["fields"] if name not in NOT_ASKED)})
        for title, more in UserAdmin.fieldsets or ()
    )
    readonly_fields = ("last_login", "date_joined")
    filter_horizontal = ()
    list_filter = ("is_staff", "is_superuser", "is_active")
