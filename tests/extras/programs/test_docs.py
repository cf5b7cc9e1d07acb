"""The OpenAPI document as a page to read."""

import pytest
from django.test import Client

from tournament.extras.programs.api.schema import document
from tournament.server.middleware import CONTENT_SECURITY_POLICY
from tournament.words.faults import FAULTS

pytestmark = pytest.mark.django_db


def test_docs_name_every_address_under_the_strict_policy(client: Client) -> None:
    response = client.get("/api/v1/docs")
    said = response.content.decode()
    assert response["Content-Security-Policy"] == CONTENT_SECURITY_POLICY
    for path, operations in document()["paths"].items():
        assert path in said
        assert all(f'id="{operation["operationId"]}"' in said for operation in operations.values())
    assert [code for code in FAULTS if f"<dt><code>{code}</code></dt>" not in said] == []
