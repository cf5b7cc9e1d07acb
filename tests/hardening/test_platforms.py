"""The check that every platform has its wheels: red for a missing wheel, never for want of a network."""

import importlib.util
import subprocess
from pathlib import Path
from typing import Any

import pytest
from packaging.pylock import Pylock

ROOT = Path(__file__).resolve().parents[2]
SPEC = importlib.util.spec_from_file_location("platforms", ROOT / ".ci" / "platforms.py")
assert SPEC
assert SPEC.loader
platforms: Any = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(platforms)


WHEELS = ("py3-none-any", "cp311-abi3-manylinux_2_17_x86_64.manylinux2014_x86_64", "cp312-cp312-win_arm64")


def lock_of(*tags: str, marker: str | None = None) -> list[Any]:
    """A lock file of one package with these wheels."""
    wheels = [{"url": f"https://a/one-1-{tag}.whl", "hashes": {"sha256": "0"}} for tag in tags]
    package = {"name": "one", "version": "1", "wheels": wheels} | ({"marker": marker} if marker else {})
    return [*Pylock.from_dict({"lock-version": "1.0", "created-by": "x", "packages": [package]}).packages]


@pytest.mark.parametrize(
    ("packages", "platform", "versions"),
    [
        (lock_of(WHEELS[0]), "Windows arm64", None),
        (lock_of(WHEELS[1]), "Linux x86_64, glibc", None),
        (lock_of(WHEELS[1]), "Linux aarch64, glibc", ("3.11", "3.12", "3.13", "3.14")),
        (lock_of(WHEELS[1]), "Linux x86_64, musl", ("3.11", "3.12", "3.13", "3.14")),
        (lock_of(WHEELS[1], marker="sys_platform == 'linux'"), "macOS arm64", None),
        (lock_of(WHEELS[2]), "Windows arm64", ("3.11", "3.13", "3.14")),
        (lock_of("cp310-cp310-macosx_11_0_universal2"), "macOS x86_64", ("3.11", "3.12", "3.13", "3.14")),
        (lock_of("cp310-abi3-macosx_11_0_universal2"), "macOS x86_64", None),
    ],
)
def test_missing_wheel_is_found(packages: list[Any], platform: str, versions: tuple[str, ...] | None) -> None:
    assert platforms.missing(packages, platform) == ({"one": versions} if versions else {})


@pytest.mark.parametrize(
    ("packages", "known", "answer"),
    [
        (lock_of(WHEELS[0]), {}, (0, "complete")),
        (lock_of(WHEELS[0]), {(platforms.LOCKS[0], "macOS arm64"): {"one": ("3.11",)}}, (1, "complete")),
        (lock_of(WHEELS[2], marker="sys_platform == 'win32'"), {}, (1, "no one for 3.11, 3.13, 3.14")),
        ([], {}, (0, "the package index cannot be reached")),
    ],
)
def test_missing_wheel_fails_and_unreachable_index_does_not(
    packages: list[Any],
    known: dict[Any, Any],
    answer: tuple[int, str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(platforms, "read", lambda _lock: packages)
    monkeypatch.setattr(platforms, "EXCEPTIONS", known)
    code, said = answer
    assert platforms.main() == code
    assert said in capsys.readouterr().out


@pytest.mark.parametrize(
    ("said", "unreachable"),
    [
        ("Because rjsmin==1.3.0 has no usable wheels and you require rjsmin==1.3.0", False),
        ("Failed to fetch: http://a/simple/x/\n error sending request for url (http://a/simple/x/)", True),
    ],
)
def test_only_an_index_that_is_away_is_let_pass(
    said: str, unreachable: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise subprocess.CalledProcessError(1, "uv", stderr=said)

    monkeypatch.setattr(platforms.subprocess, "run", refuse)
    if unreachable:
        assert platforms.main() == 0
    else:
        with pytest.raises(SystemExit, match="has no usable wheels"):
            platforms.main()
