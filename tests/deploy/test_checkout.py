"""A Django engineer's first minute, as the README has it: a fresh checkout, an environment from the lock, Django's own
commands, from `migrate` to a round that the public page shows."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import urljoin

import pytest

from tests.deploy.test_wheel import ROOT, Browser, enter_round, environment_from_lock, serving
from tests.e2e.server import free_port

USER, PASSWORD = "olga", "correct-horse-battery"
PUBLIC, OWN = ("/en/", "/en/t/demo-mattel/", "/en/score/"), ("/en/desk/", "/en/organise/", "/en/admin/")
PARTS = re.compile(r"""(?:href|src)="(/static/[^"]+)\"""")
IMPORTS = re.compile(r"""@import url\("(.+?)"\)|^import .*?"(\..+?)";$""", re.MULTILINE)


FAKE = """#!/bin/sh
echo "$@" >>said
case "$*" in *venv*) mkdir -p .venv/bin; cp "$0" .venv/bin/python;; esac
"""


def test_tests_join_the_environment_that_a_server_runs_from(tmp_path: Path) -> None:
    """`make setup` clears an environment only if it is of an earlier lock."""
    shutil.copy(ROOT / "Makefile", tmp_path)
    for lock in ("requirements.lock", "deploy/requirements.lock"):
        (tmp_path / lock).parent.mkdir(exist_ok=True)
        (tmp_path / lock).write_text(lock)
    fake = tmp_path / "python"
    fake.write_text(FAKE)
    fake.chmod(0o755)

    def made(target: str) -> str:
        (tmp_path / "said").unlink(missing_ok=True)
        done = subprocess.run(
            ["make", "--silent", target, f"PYTHON={fake}"], cwd=tmp_path, check=True, capture_output=True
        )
        assert re.search(rb"^Setting up .venv with .*: \d+ MB \.\.\.$", done.stdout, re.MULTILINE)
        return str(re.findall("-m venv.*", (tmp_path / "said").read_text())[0])

    assert made("run") == "-m venv --clear .venv"
    assert made("setup") == "-m venv .venv"
    for lock in ("requirements.lock", "deploy/requirements.lock"):
        (tmp_path / lock).write_text("newer")
    assert made("setup") == "-m venv --clear .venv"


@pytest.mark.program
@pytest.mark.server
@pytest.mark.sqlite
def test_django_s_own_commands_run_a_fresh_checkout(tmp_path: Path) -> None:
    checkout = tmp_path / "lastcard"
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(checkout)], check=True)
    python = environment_from_lock(tmp_path / "venv")
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONUNBUFFERED": "1",
        "DJANGO_SUPERUSER_USERNAME": USER,
        "DJANGO_SUPERUSER_PASSWORD": PASSWORD,
        "DJANGO_SUPERUSER_EMAIL": "olga@club.example",
    }

    def run(*words: str) -> None:
        subprocess.run([str(python), "manage.py", *words], cwd=checkout, env=environment, check=True)

    run("migrate", "--verbosity", "0")
    run("createsuperuser", "--noinput")
    run("make_demo")
    port = free_port()
    runserver = [str(python), "manage.py", "runserver", str(port), "--noreload"]
    with serving(runserver, "Quit the server with CONTROL-C", checkout, environment):
        browser = Browser(port)
        assert parts_of(browser, *PUBLIC) > {"/static/lastcard/app.css", "/static/lastcard/css/tokens.css"}
        assert "hyväksymä" in browser.get("/fi/").decode()  # the translations were compiled
        assert "Sign out" in browser.send("/en/sign-in/", username=USER, password=PASSWORD)
        assert "/static/admin/css/base.css" in parts_of(browser, *OWN)
        before = browser.get("/en/t/demo-mattel/")
        assert enter_round(browser) == "saved"
        assert browser.get("/en/t/demo-mattel/") != before
    assert "Traceback" not in (tmp_path / "log").read_text()
    # pytest is not in the lock of what runs; this environment has it.
    tests = [sys.executable, "-m", "pytest", "-q", "tests/rulesets/test_ruleset.py"]
    subprocess.run(tests, cwd=checkout, env=environment, check=True)


def parts_of(browser: Browser, *pages: str) -> set[str]:
    """Open the pages, and every style sheet, script and picture that they name, also where one imports another."""
    coming = {part for page in pages for part in PARTS.findall(browser.get(page).decode())}
    opened = set[str]()
    while coming:
        part = coming.pop()
        opened.add(part)
        content = browser.get(part)
        if part.endswith((".css", ".js")):
            found = (urljoin(part, one or other) for one, other in IMPORTS.findall(content.decode()))
            coming.update(set(found) - opened)
    return opened
