"""PUBLIC_URL decides: https switches on everything that needs it, http is a venue's own network and says so."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.hashers import check_password, make_password
from django.test import Client, override_settings
from django.urls import reverse
from pytest_django import Settings

from tests.support.factories import UserFactory, event
from tournament.server.secrets import PasswordHasher

ROOT = Path(__file__).resolve().parents[1]
ASK = """
import json
from tournament import settings
print(json.dumps({name: value for name, value in vars(settings).items() if name.isupper()}, default=lambda _: None))
"""


def manage(data: Path, public_url: str, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    """A process of its own with the product's settings alone."""
    told = {
        "LASTCARD_DATA": str(data),
        "DATABASE_URL": "",
        "SECRET_KEY": "",
        "DEBUG": "",
        "ALLOWED_HOSTS": "",
    }
    environment = {name: value for name, value in os.environ.items() if name not in told}
    environment |= {"LASTCARD_DATA": str(data), "PUBLIC_URL": public_url, **more}
    environment["DJANGO_SETTINGS_MODULE"] = "tournament.settings"
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


WITHOUT_ARGON2 = """
import sys
sys.modules["argon2"] = None
import django
django.setup()
from django.contrib.auth.hashers import check_password, make_password
print(make_password("korttipakka").partition("$")[0], check_password("korttipakka", sys.argv[1]))
"""


def settings_with(data: Path, public_url: str) -> dict[str, Any]:
    done = manage(data, public_url, "-c", ASK)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.sweep
def test_https_is_ready_to_deploy_and_nothing_is_silenced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two checks remind of what only the domain's owner can ask for."""
    check = ("manage.py", "check", "--deploy", "--fail-level", "INFO")
    reminded = manage(tmp_path, "https://uno.example", *check).stderr
    assert set(re.findall(r"security\.W\d+", reminded)) == {"security.W005", "security.W021"}
    for asked in ("HSTS_SUBDOMAINS", "HSTS_PRELOAD"):
        monkeypatch.setenv(asked, "1")
    done = manage(tmp_path, "https://uno.example", *check)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "no issues (0 silenced)" in done.stdout


def test_https_binds_cookies_and_browsers_to_itself(tmp_path: Path) -> None:
    found = settings_with(tmp_path, "https://uno.example/")
    assert found["DEBUG"] is False
    assert found["ALLOWED_HOSTS"] == ["uno.example", "localhost", "127.0.0.1"]
    assert found["SESSION_COOKIE_SECURE"]
    assert found["CSRF_COOKIE_SECURE"]
    assert found["SECURE_SSL_REDIRECT"]
    assert found["SECURE_HSTS_SECONDS"] >= 365 * 24 * 3600
    assert not found["SECURE_HSTS_INCLUDE_SUBDOMAINS"]
    assert not found["SECURE_HSTS_PRELOAD"]
    assert found["SESSION_COOKIE_NAME"] == "__Host-sessionid"
    assert found["CSRF_COOKIE_NAME"] == "__Host-csrftoken"
    assert found["SECURE_CROSS_ORIGIN_OPENER_POLICY"] == "same-origin"


@pytest.mark.parametrize("public_url", ["", "http://192.168.1.5:8000"], ids=["none", "http"])
def test_venue_mode_has_no_https_and_no_debug_either(tmp_path: Path, public_url: str) -> None:
    found = settings_with(tmp_path, public_url)
    assert found["DEBUG"] is False
    assert not found["SESSION_COOKIE_SECURE"]
    assert found["SECURE_HSTS_SECONDS"] == 0
    assert not found["SECURE_SSL_REDIRECT"]
    assert found["SESSION_COOKIE_NAME"] == "sessionid"


def test_public_url_without_a_scheme_is_refused_in_a_sentence(tmp_path: Path) -> None:
    done = manage(tmp_path, "results.example.org", "manage.py", "verify")
    said = "PUBLIC_URL has to begin with https:// or http://, unlike results.example.org.\n"
    assert (done.returncode, done.stdout + done.stderr) == (1, said)


def test_secrets_are_made_at_the_first_start_and_are_their_owners_alone(tmp_path: Path) -> None:
    data = tmp_path / "data"
    first, second = (settings_with(data, "")["SECRET_KEY"] for _ in range(2))
    assert first == second
    assert len(first) >= 50
    assert (data / "secret-key").stat().st_mode & 0o077 == 0
    assert settings_with(tmp_path / "other", "")["SECRET_KEY"] != first


def test_passwords_are_hashed_slowly(tmp_path: Path) -> None:
    from django.contrib.auth.hashers import PBKDF2PasswordHasher

    hashers = settings_with(tmp_path, "")["PASSWORD_HASHERS"]
    assert hashers[0] == f"{PasswordHasher.__module__}.{PasswordHasher.__name__}"
    assert (
        PasswordHasher().encode("korttipakka", "12345678").startswith("argon2$argon2id$v=19$m=19456,t=2,p=1$")
    )
    assert hashers[1].endswith(".PBKDF2PasswordHasher")
    assert PBKDF2PasswordHasher.iterations >= 600_000


@pytest.mark.sweep
def test_without_argon2_passwords_are_hashed_by_pbkdf2_and_hashes_of_argon2_fit_none(tmp_path: Path) -> None:
    hashed = PasswordHasher().encode("korttipakka", "12345678")
    assert manage(tmp_path, "", "-c", WITHOUT_ARGON2, hashed).stdout == "pbkdf2_sha256 False\n"


def test_password_hashed_before_holds_and_is_hashed_again(settings: Settings) -> None:
    settings.PASSWORD_HASHERS = [
        f"{PasswordHasher.__module__}.{PasswordHasher.__name__}",
        "django.contrib.auth.hashers.PBKDF2PasswordHasher",
    ]
    renewed: list[str] = []
    before = make_password("korttipakka", hasher="pbkdf2_sha256")
    assert check_password("korttipakka", before, renewed.append)
    assert renewed == ["korttipakka"]
    assert not check_password("korttipakki", make_password("korttipakka"), renewed.append)
    assert len(renewed) == 1


@pytest.mark.django_db
@pytest.mark.parametrize("https", [False, True], ids=["http", "https"])
def test_events_board_says_that_it_is_venue_mode(https: bool) -> None:
    made = event()
    client = Client()
    client.force_login(UserFactory(is_superuser=True))
    with override_settings(HTTPS=https):
        page = client.get(reverse("organise-board", args=[made.tournament.slug])).content.decode()
    assert ("Venue mode" in page) is not https
