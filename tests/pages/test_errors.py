"""The pages of errors: what stands on them, and that the one for a fault of ours needs nothing that may be broken."""

from pathlib import Path

import pytest
from django.templatetags.static import static
from django.test import Client, RequestFactory
from django.utils.translation import override
from django.views.defaults import server_error

from tests.support.collected import collected


@pytest.mark.parametrize("language", ["en", "fi", "sv"])
def test_error_of_ours_is_said_without_the_base_page_and_the_database(language: str, tmp_path: Path) -> None:
    with override(language), collected(tmp_path, "of another version"):
        with pytest.raises(ValueError, match="Missing staticfiles manifest entry"):
            static("lastcard/app.css")
        page = server_error(RequestFactory().get("/"))
    assert page.status_code == 500
    assert f'<html lang="{language}">' in page.content.decode()
    assert 'href="/static/lastcard/app.css"' in page.content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/en/nothing-here/", "/en/t/nothing/", "/nothing"])
def test_unknown_address_is_a_page_with_the_headers_of_every_answer(client: Client, path: str) -> None:
    page = client.get(path)
    assert page.status_code == 404
    assert "This page is not on the table" in page.content.decode()
    assert page["Content-Security-Policy"].startswith("default-src 'none'")
    assert page["X-Frame-Options"] == "DENY"
