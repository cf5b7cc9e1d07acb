"""Private names of libraries: two files use them, and an upgrade that moves one fails here with the library's name."""

import importlib
from importlib.metadata import version

import pytest

from tests.support.figures.names import private_names_of_libraries
from tests.support.figures.sources import read_sources

FILES = {"tournament/live/protocol.py", "tournament/server/django_private.py"}
HTTP = "uvicorn.protocols.http.httptools_impl"


def test_two_files_use_private_names_of_django_and_the_server() -> None:
    lines = [line.partition(": ") for line in private_names_of_libraries(read_sources())]
    found = {rest.split()[0] for library, _, rest in lines if library not in {"drf_spectacular"}}
    assert found == FILES


@pytest.mark.parametrize(
    ("module", "owner", "name"),
    [
        ("django.urls.resolvers", "URLResolver", "_populate"),
        ("django.db.models.query", "QuerySet", "_raw_delete"),
        (HTTP, "HttpToolsProtocol", "_start_asgi_task"),
        (HTTP, "HttpToolsProtocol", "_unset_keepalive_if_required"),
        (HTTP, "HttpToolsProtocol", "connection_made"),
        (HTTP, "HttpToolsProtocol", "on_headers_complete"),
        (HTTP, "HttpToolsProtocol", "on_response_complete"),
        (HTTP, "RequestResponseCycle", "send"),
        (HTTP, "STATUS_LINE", "get"),
    ],
)
def test_private_name_is_where_it_was(module: str, owner: str, name: str) -> None:
    library = module.partition(".")[0]
    at = f"{library} {version(library)}"
    assert hasattr(getattr(importlib.import_module(module), owner, None), name), (
        f"{at} has no {owner}.{name} any more"
    )


@pytest.mark.parametrize(
    ("module", "owner", "names"),
    [
        ("django.contrib.auth.middleware", "get_user", {"_cached_user"}),
        ("django.db.backends.base.base", "BaseDatabaseWrapper", {"close_at"}),
        ("django.db.backends.sqlite3.base", "DatabaseWrapper", {"transaction_mode"}),
        (
            HTTP,
            "HttpToolsProtocol",
            {
                "cycle", "flow", "headers", "parser", "pipeline", "server_state", "timeout_keep_alive",
                "timeout_keep_alive_task", "transport",
            },
        ),
        (HTTP, "RequestResponseCycle", {"disconnected", "message_event", "response_complete", "response_started"}),
    ],
)  # fmt: skip
def test_private_attribute_is_still_read(module: str, owner: str, names: set[str]) -> None:
    library = module.partition(".")[0]
    code = importlib.import_module(module)
    source = getattr(code, owner)
    used = {
        name
        for part in (vars(source).values() if isinstance(source, type) else [source])
        if (function := getattr(part, "__code__", None))
        for name in (*function.co_names, *function.co_consts)
    }
    assert names - used == set(), f"{library} {version(library)}: {owner} does not use these any more"
