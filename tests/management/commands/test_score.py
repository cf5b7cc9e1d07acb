"""`manage.py score`, run as a program: what it prints and how it exits."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.scoring.builders import game, hand_of, last, match, out, race, session

ROOT = Path(__file__).resolve().parents[3]
GOOD = session(game("last", out("a", 60), last("b")))
BAD = match(target=0)


def run(*arguments: str, text: bytes = b"") -> tuple[int, list[dict[str, Any]]]:
    """The exit code and the answers; a traceback would show as output that is no JSON, or on stderr."""
    done = subprocess.run(
        [sys.executable, "manage.py", "score", *arguments],
        cwd=ROOT,
        input=text,
        capture_output=True,
        check=False,
        env={**os.environ, "DATABASE_URL": "sqlite:////nowhere/at-all.sqlite3"},
    )
    assert done.stderr == b""
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()]


def test_good_sheet_from_a_file_exits_0(tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.json"
    sheet.write_text(json.dumps(GOOD, indent=1))

    code, [answer] = run(str(sheet))

    assert (code, answer["winners"]) == (0, ["a", "b"])


def test_bad_sheet_from_standard_input_exits_2() -> None:
    code, [answer] = run("-", text=json.dumps(BAD).encode())

    assert (code, answer["errors"][0]["code"]) == (2, "target_out_of_range")


def test_lines_are_answered_one_by_one_and_exit_0() -> None:
    name = {**GOOD, "players": [{"id": "\ud800", "name": "lone surrogate"}], "games": []}
    lines = [json.dumps(GOOD), json.dumps(BAD), "", "[1", json.dumps(name)]

    code, answers = run("--lines", "-", text="\r\n".join(lines).encode())

    assert code == 0
    assert [answer.get("kind", "error") for answer in answers] == [
        "session",
        "error",
        "error",
        "error",
        "session",
    ]


HOUSE = """
from dataclasses import replace
from rulesets.mattel_108 import RULESET as MATTEL_108
from rulesets.ruleset import CARD_POINTS, frozen
points = {**CARD_POINTS, **dict.fromkeys(("draw2", "reverse", "skip"), 10), "wild": 40, "wild4": 40}
RULESET = replace(MATTEL_108, id="our-cards", name="Our cards", revision="2026", points=frozen(points))
"""


def test_a_race_by_house_rules_is_scored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "ours.py").write_text(HOUSE)
    sheet = race(
        hand_of("ab", "a", {"b": {"skip": 1, "wild4": 1}}),
        ids="ab",
        ruleset="our-cards",
        scoring="winner_takes",
    )
    monkeypatch.setenv("HOUSE_RULES", str(tmp_path))

    code, [answer] = run("-", text=json.dumps(sheet).encode())

    assert (code, [row["points"] for row in answer["standings"]]) == (0, ["50", "0"])


def test_house_rules_that_cannot_be_played_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOUSE_RULES", str(tmp_path / "gone"))
    command = [sys.executable, "manage.py", "score", "-"]
    done = subprocess.run(command, cwd=ROOT, input=b"{}", capture_output=True, check=False)
    named = f"CommandError: HOUSE_RULES names {tmp_path / 'gone'}, which is not a folder.\n"
    assert (done.returncode, done.stdout, done.stderr.decode()) == (1, b"", named)


def test_no_lines_have_no_answers() -> None:
    assert run("--lines", "-") == (0, [])


def test_file_that_cannot_be_read_exits_2(tmp_path: Path) -> None:
    for arguments in ((str(tmp_path / "absent"),), ("--lines", str(tmp_path))):
        code, [answer] = run(*arguments)
        assert (code, answer["errors"][0]["code"]) == (2, "malformed")


def test_reader_that_has_seen_enough_is_no_traceback(tmp_path: Path) -> None:
    sheets = tmp_path / "sheets.jsonl"
    sheets.write_text((json.dumps(GOOD) + "\n") * 5_000)
    command = [sys.executable, "manage.py", "score", "--lines", str(sheets)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as scoring:
        assert scoring.stdout is not None
        assert scoring.stderr is not None
        scoring.stdout.readline()
        scoring.stdout.close()
        assert scoring.stderr.read() == b""


def test_closed_streams_are_no_traceback(tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.json"
    sheet.write_text(json.dumps(GOOD))
    for arguments, code in (("- <&-", 2), (f"{sheet} >&-", 1)):
        command = f'"$0" manage.py score {arguments}'
        done = subprocess.run(
            ["sh", "-c", command, sys.executable], cwd=ROOT, capture_output=True, check=False
        )
        assert done.returncode == code
        assert b"Traceback" not in done.stderr
