"""The wheel: the same bytes each time, and in an empty folder with Python alone it runs an evening, from its first
command to the workbook."""

import http.cookiejar
import json
import os
import re
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from openpyxl import load_workbook

from tests.e2e.server import free_port

pytestmark = [pytest.mark.program, pytest.mark.server, pytest.mark.sqlite]

ROOT = Path(__file__).resolve().parents[2]
UV = [str(Path(sys.executable).with_name("uv")), "pip"]  # takes a fourth of pip's time
MOST_MB = 150  # as du counts, with pip and without compiled modules, as docs/release.md installs it
PATIENCE_S = 120


def build(folder: Path, source: Path = ROOT) -> Path:
    """Build the wheel of this source as `make wheel` does."""
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)], cwd=source, check=True
    )
    [wheel] = folder.glob("*.whl")
    return wheel


def environment_from_lock(folder: Path) -> Path:
    """Make an environment in this folder with what Lastcard needs to run, as locked; give its Python."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    python = folder / "bin" / "python"
    lock = ROOT / "deploy" / "requirements.lock"
    subprocess.run(
        [
            *UV,
            "install",
            "-q",
            "--python",
            str(python),
            "--require-hashes",
            "--only-binary",
            ":all:",
            "-r",
            str(lock),
        ],
        check=True,
    )
    return python


@contextmanager
def serving(command: list[str], ready: str, cwd: Path, environment: dict[str, str]) -> Iterator[str]:
    """Run a server until the end; give what it printed until it said that it is ready."""
    log = cwd.with_name("log")
    with log.open("w") as out:
        server = subprocess.Popen(command, cwd=cwd, env=environment, stdout=out, stderr=subprocess.STDOUT)
    try:
        end = time.monotonic() + PATIENCE_S
        while ready not in log.read_text():
            assert server.poll() is None, log.read_text()
            assert time.monotonic() < end, log.read_text()
            time.sleep(0.1)  # seconds
        yield log.read_text()
    finally:
        server.terminate()
        server.wait(PATIENCE_S)


class Installed:
    """An environment with the wheel and what it needs; `data` is where the system keeps this user's data."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.home, self.empty = folder, folder / "home", folder / "empty"
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "XDG_DATA_HOME": str(self.home),
        }
        for each in (self.home, self.empty):
            each.mkdir()
        began = time.monotonic()
        to = ["--python", str(environment_from_lock(folder / "venv"))]
        self.wheel = build(folder / "wheel")
        subprocess.run([*UV, "install", "-q", *to, "--no-deps", str(self.wheel)], check=True)
        subprocess.run([*UV, "uninstall", "-q", *to, "psycopg", "psycopg-binary", "pysqlite3"], check=True)
        self.seconds = time.monotonic() - began
        subprocess.run([to[1], "-m", "ensurepip"], check=True, capture_output=True)
        self.megabytes = sum(512 * path.lstat().st_blocks for path in (folder / "venv").rglob("*")) / 2**20
        self.command = folder / "venv" / "bin" / "lastcard"

    def run(self, *words: str, code: int = 0, **settings: str) -> str:
        """Run `lastcard` with these words in an empty folder; give what it printed."""
        done = subprocess.run(
            [str(self.command), *words],
            cwd=self.empty,
            env=self.environment | settings,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout + done.stderr

    @contextmanager
    def serving(self, *words: str) -> Iterator[tuple[int, str]]:
        """Let it serve on a port of its own until the end; give the port and what it printed until it answered."""
        port = free_port()
        command = [str(self.command), *words, "--port", str(port)]
        with serving(command, "Stop with Ctrl+C", self.empty, self.environment) as said:
            yield port, said


class Browser:
    """Keeps cookies and sends forms, as a browser without scripts does."""

    def __init__(self, port: int) -> None:
        self.base = f"http://127.0.0.1:{port}"
        self.jar = http.cookiejar.CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.jar))

    def get(self, path: str) -> bytes:
        with self.opener.open(self.base + path, timeout=PATIENCE_S) as answer:
            return bytes(answer.read())

    def json(self, path: str) -> Any:
        return json.loads(self.get(path))

    def post(self, path: str, body: bytes, kind: str) -> bytes:
        token = next(cookie.value for cookie in self.jar if cookie.name.endswith("csrftoken")) or ""
        request = urllib.request.Request(self.base + path, body, {"Content-Type": kind, "X-CSRFToken": token})
        with self.opener.open(request, timeout=PATIENCE_S) as answer:
            return bytes(answer.read())

    def send(self, path: str, **fields: str) -> str:
        """Open a form and send it filled in; give the page that follows."""
        self.get(path)
        body = urllib.parse.urlencode(fields).encode()
        return self.post(path, body, "application/x-www-form-urlencoded").decode()


def enter_round(browser: Browser) -> str:
    """Enter the match's next round, won by the first player, as a phone's outbox sends it; give what became of it."""
    [event] = [
        each for each in browser.json("/api/v1/tournaments")["results"] if each["slug"] == "demo-mattel"
    ]
    [stage] = browser.json(f"/api/v1/tournaments/{event['uid']}/stages")["results"]
    [table] = browser.json(f"/api/v1/stages/{stage['uid']}/tables")["results"]
    played = browser.json(f"/api/v1/stages/{stage['uid']}/plays")["count"]
    user = re.search(r'data-user="([0-9a-f-]{36})"', browser.get("/en/desk/").decode())
    assert user
    winner, *others = (seat["entry"] for seat in table["seats"])
    command = str(uuid4())
    fields = [
        *[("command", command), ("play", str(uuid4())), ("number", str(played + 1)), ("version", "0")],
        *[("step", "save"), ("winner", winner), *((f"hand-{other}-1", "1") for other in others)],
    ]
    entry = {
        "command": command,
        "kind": "round",
        "url": f"/en/desk/table/{table['uid']}/record/",
        "queued": 0,
    }
    body = json.dumps({"user": user[1], "now": 0, "entries": [entry | {"fields": fields}]}).encode()
    [answer] = json.loads(browser.post("/en/desk/send/", body, "application/json"))["answers"]
    return str(answer["state"])


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    return Installed(tmp_path_factory.mktemp("installed"))


@pytest.mark.soak
def test_two_builds_are_equal_and_hold_only_what_is_served(installed: Installed, tmp_path: Path) -> None:
    again = build(tmp_path)
    assert again.read_bytes() == installed.wheel.read_bytes()
    names = set(zipfile.ZipFile(again).namelist())
    assert "tournament/_installed/templates/base.html" in names
    assert not [name for name in names if name.startswith(("tests/", "benchmarks/")) or name.endswith(".po")]


def test_only_what_runs_is_installed(installed: Installed) -> None:
    print(f"\n{installed.megabytes:.0f} MB in {installed.seconds:.0f} s")
    assert installed.megabytes < MOST_MB


@pytest.mark.soak
def test_demo_takes_a_round_and_gives_a_workbook(installed: Installed) -> None:
    with installed.serving("demo", "--no-browser") as (port, said):
        password = re.search(r"with the password (\S+)", said)
        assert password
        assert said.count(password[1]) == 1
        browser = Browser(port)
        assert b"/en/t/demo-mattel/" in browser.get("/en/")
        assert "Sign out" in browser.send("/en/sign-in/", username="referee", password=password[1])
        before = browser.get("/en/t/demo-mattel/")
        assert enter_round(browser) == "saved"
        assert browser.get("/en/t/demo-mattel/") != before
        assert load_workbook(BytesIO(browser.get("/en/t/demo-mattel/results.xlsx"))).sheetnames
    assert "clean" in installed.run("verify", "demo-mattel")


@pytest.mark.sweep
def test_alone_it_offers_the_first_account(installed: Installed, prepared: Path) -> None:
    """`lastcard` prints the link of the first account, which is made once."""
    environment = installed.environment
    own = shutil.copytree(prepared, installed.folder / "own")
    installed.environment = environment | {"LASTCARD_DATA": str(own)}
    try:
        with installed.serving("--no-browser") as (port, said):
            link = re.search(r"Create your account: http://127\.0\.0\.1:\d+(/\S+)", said)
            assert link
            weak = Browser(port)
            weak.get(link[1])
            with pytest.raises(urllib.error.HTTPError) as refused:
                weak.send(link[1], username="aino", password1="lastcard", password2="lastcard")
            assert refused.value.code == 422
            strong = "correct-horse-battery"
            browser = Browser(port)
            page = browser.send(link[1], username="aino", password1=strong, password2=strong)
            assert "Sign out" in page
            assert "/en/sign-in/" in weak.opener.open(weak.base + link[1]).url  # it made its account
    finally:
        installed.environment = environment


@pytest.mark.sweep
def test_bad_commands_end_in_a_sentence(installed: Installed) -> None:
    nowhere = str(installed.folder / "nowhere")
    assert "There is no Lastcard database yet" in installed.run("verify", code=1, LASTCARD_DATA=nowhere)
    assert "unrecognized arguments: --bad" in installed.run("--bad", code=2)
    assert "Unknown command: 'nonsense'" in installed.run("nonsense", code=1)


def test_score_sheet_is_answered_without_django(installed: Installed, tmp_path: Path) -> None:
    case = json.loads((ROOT / "fixtures" / "sheets" / "session-plain.json").read_text())
    sheet = tmp_path / "sheet.json"
    sheet.write_text(json.dumps(case["sheet"]))
    script = """
import sys
from tournament.__main__ import main
try:
    main(["score", sys.argv[1]])
finally:
    assert "django" not in sys.modules
"""
    python = installed.command.with_name("python")
    done = subprocess.run(
        [str(python), "-c", script, str(sheet)],
        cwd=installed.empty,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
