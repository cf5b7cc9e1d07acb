"""The audit of dependencies in CI: red for a known vulnerability or an old lock, never for want of a network."""

import importlib.util
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
SPEC = importlib.util.spec_from_file_location("audit", ROOT / ".ci" / "audit.py")
assert SPEC
assert SPEC.loader
audit: Any = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(audit)

SAFE = {"name": "django", "version": "5.2.19", "vulns": []}
UNSAFE = {"name": "x", "version": "1", "vulns": [{"id": "CVE-1", "fix_versions": ["2"]}]}
SKIPPED = {"name": "y", "skip_reason": "Dependency not found"}


@pytest.mark.parametrize(
    ("answer", "days", "code", "words"),
    [
        ([SAFE, SKIPPED], 400, 0, "1 of 2 packages"),
        ([SAFE, UNSAFE], 0, 1, "x 1: CVE-1, fixed in 2"),
        ([SKIPPED], 90, 0, "90 days old"),
        ([SKIPPED], 90.1, 0, "make lock"),
        (None, 1, 0, "No source of advisories could be reached"),
        (None, 91, 0, "make lock"),
    ],
    ids=["safe", "unsafe", "nobody-knows", "nobody-knows-and-old", "no-network", "no-network-and-old"],
)
def test_verdict(answer: Any, days: float, code: int, words: str) -> None:
    found, said = audit.verdict({"dependencies": answer} if answer else None, days)
    assert (found, words in said) == (code, True), said


def test_without_network_nothing_is_asked_and_nothing_breaks(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(audit, "UV", tmp_path / "none")
    assert audit.ask(ROOT / "requirements.lock") is None


def test_age_of_our_lock_is_known() -> None:
    assert 0 <= audit.days_of(ROOT / "requirements.lock") < 3650


def test_ci_runs_it() -> None:
    assert "part 'dependencies' .venv/bin/python .ci/audit.py" in (ROOT / ".ci" / "run").read_text()
