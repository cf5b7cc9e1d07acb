"""The check that every platform has its wheels: red for a missing wheel, never for want of a network."""

import importlib.util
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
SPEC = importlib.util.spec_from_file_location("platforms", ROOT / ".ci" / "platforms.py")
assert SPEC
assert SPEC.loader
platforms: Any = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(platforms)


@pytest.mark.parametrize(
    ("fault", "code"),
    [
        ("", 0),
        ("Because rjsmin==1.3.0 has no usable wheels and you require rjsmin==1.3.0", 1),
        ("Hash mismatch for `rjsmin==1.3.0`", 1),
        ("Failed to fetch: http://a/simple/x/\n error sending request for url (http://a/simple/x/)", 0),
    ],
)
def test_missing_wheel_fails_and_unreachable_index_does_not(
    fault: str, code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(platforms, "ask", lambda platform, _version: fault if "darwin" in platform else "")
    assert platforms.main() == code
    assert capsys.readouterr().out.count("complete") == 6 + 4 * (not fault)
