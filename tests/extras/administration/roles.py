"""Rights to the admin, except to its models (`MODELS` in tests/roles/table.py)."""

from tests.roles.table import (
    ADMIN,
    ADMIN_LOGOUT,
    ADMIN_SIGN_IN,
    ALWAYS,
    LOOK,
    LOOK_NEVER,
    NOT_HERE,
    NOWHERE,
    Row,
)

MAY_READ = {"mail": {ADMIN}}
ROWS: dict[str, Row] = {
    "/admin/login/": {"GET": ADMIN_SIGN_IN, "POST": ADMIN_SIGN_IN},
    "/admin/": {"GET": LOOK, "POST": LOOK},
    "/admin/logout/": {"GET": ADMIN_LOGOUT, "POST": ALWAYS},
    "/admin/password_change/": {"GET": LOOK, "POST": LOOK},
    "/admin/password_change/done/": {"GET": LOOK, "POST": LOOK_NEVER},
    "/admin/autocomplete/": {"GET": NOT_HERE, "POST": LOOK_NEVER},
    "/admin/jsi18n/": {"GET": LOOK, "POST": LOOK_NEVER},
    "/admin/r/<path:content_type_id>/<path:object_id>/": {"GET": NOWHERE, "POST": NOWHERE},
    "/admin/enter/<uuid:table>/": {"GET": LOOK, "POST": LOOK_NEVER},
    "/admin/<app_label>/": {"GET": LOOK, "POST": LOOK},
    "/admin/<url>": {"GET": NOWHERE, "POST": NOWHERE},
}
