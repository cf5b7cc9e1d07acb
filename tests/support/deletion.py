"""`python -m tests.support.deletion NAME...`: whether Lastcard is whole without an extra.

Copies the checkout, deletes the extra's folders and its line in EXTRAS, and there runs `manage.py check`, imports every
module, opens a database that the extra has written to, and runs tests of the core.

--together  without all of them at once
--quick     only the check and the imports
--types     also mypy, which takes minutes
--tests     these tests of the core, instead of CORE
"""

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SETTINGS = "tournament/settings.py"
COPIED = ("tournament", "tests", "benchmarks")  # other folders are linked
# Tests of the core that look at all of it.
CORE = (
    "tests/test_architecture.py",
    "tests/test_permissions.py",
    "tests/static",
    "tests/words",
    "tests/ledger",
    "tests/roles",
    "tests/management",
    "tests/templatetags",
    "tests/views/organiser/test_board.py",
    "tests/views/organiser/test_ledger.py",
    "tests/views/public",
)
# Style sheets stay in the core, also for what only an extra shows.
NOT_ASKED = "tests/static/test_stylesheet.py::test_every_class_that_is_styled_is_named_by_a_template_a_script_or_python"
HOLDS_API = "programs"  # with it goes what other extras add to the API
IMPORTS = """
import django, pkgutil, importlib, sys
django.setup()
from django.core.management import call_command
call_command("check")
for package in sys.argv[1:]:
    for found in pkgutil.walk_packages([package], f"{package}."):
        if "__main__" not in found.name:
            importlib.import_module(found.name)
"""
# Every event's history, public and for those who run it.
OPENS = """
import django
django.setup()
from django.conf import settings
from django.test import Client
from tournament.models import Tournament, User
settings.ALLOWED_HOSTS = ["*"]
client = Client()
client.force_login(User.objects.create_superuser("deletion"))
for slug in Tournament.objects.values_list("slug", flat=True):
    for page in ("en/t/{}/", "en/t/{}/ledger/", "fi/organise/t/{}/", "fi/organise/t/{}/ledger/"):
        answer = client.get(f"/{page.format(slug)}")
        assert answer.status_code == 200, (page, answer.status_code)
"""


def without(names: Sequence[str], folder: Path, root: Path = ROOT) -> None:
    """Make `folder` a checkout that lacks these extras. Raises SystemExit if EXTRAS has no such line."""
    ignored = shutil.ignore_patterns("__pycache__", "node_modules")
    for path in root.iterdir():
        if path.name in COPIED:
            shutil.copytree(path, folder / path.name, ignore=ignored)
        elif path.is_file() and path.name != ".git":
            shutil.copy2(path, folder)  # Python looks for modules beside the file that a link leads to
        elif path.name not in ("var", ".git"):
            (folder / path.name).symlink_to(path)
    settings = folder / SETTINGS
    for name in names:
        shutil.rmtree(folder / "tournament" / "extras" / name, ignore_errors=True)
        shutil.rmtree(folder / "tests" / "extras" / name, ignore_errors=True)
        if name == HOLDS_API:
            for path in folder.glob("tournament/extras/*/api*"):
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        text, lines = re.subn(rf'^    "{name}",\n', "", settings.read_text(), flags=re.MULTILINE)
        if lines != 1:
            raise SystemExit(f"EXTRAS in {SETTINGS} does not name {name} on one line of its own.")
        settings.write_text(text)


def run(folder: Path, *words: str, **environment: str) -> str:
    """Run Python there and give what it says. Raises SystemExit with it if it fails."""
    done = subprocess.run(
        [sys.executable, *words], cwd=folder, env=environment_of(folder) | environment,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        raise SystemExit(f"{shlex.join(words[:2])} fails in {folder}:\n{done.stdout}{done.stderr}")
    return done.stdout


def environment_of(folder: Path) -> dict[str, str]:
    data = folder / "var"
    data.mkdir(exist_ok=True)
    ours = {"LASTCARD_DATA": str(data), "DATABASE_URL": f"sqlite:///{data / 'lastcard.sqlite3'}"}
    return os.environ | ours | {"DJANGO_SETTINGS_MODULE": "tournament.settings", "PYTHONPATH": str(folder)}


def write_history(data: Path) -> None:
    """Write a database of the whole Lastcard with the demo events, and with what extras write into a ledger."""
    environment = {"LASTCARD_DATA": str(data), "DATABASE_URL": f"sqlite:///{data / 'lastcard.sqlite3'}"}
    for words in (["migrate", "--verbosity", "0"], ["make_demo"]):
        run(ROOT, "manage.py", *words, **environment)
    for file in sorted(ROOT.glob("tests/extras/*/history.py")):
        run(ROOT, "-m", file.relative_to(ROOT).with_suffix("").as_posix().replace("/", "."), **environment)


def prove(*names: str, history: Path | None = None, types: bool = False, tests: Sequence[str] = CORE) -> None:
    """Raises SystemExit, with what was said, where the rest of Lastcard needs one of the extras. Without a folder that
    `write_history` filled, only the check and the imports."""
    with tempfile.TemporaryDirectory(prefix="without-") as made:
        folder = Path(made)
        without(names, folder)
        run(folder, "-c", IMPORTS, "tournament", "scoring", "rulesets")
        if history is None:
            return
        shutil.copytree(history, folder / "var", dirs_exist_ok=True)
        run(folder, "manage.py", "verify")
        run(folder, "-c", OPENS)
        if types:
            run(folder, "-m", "mypy", "tournament", "rulesets", "scoring")
        chosen = ("--ds", "tests.settings", "-m", "not soak and not browser and not server")
        run(folder, "-m", "pytest", "-q", "--deselect", NOT_ASKED, *chosen, *tests)


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="tests.support.deletion", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("name", nargs="+")
    parser.add_argument("--together", action="store_true")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--types", action="store_true")
    parser.add_argument("--tests", nargs="*", default=CORE)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        if not given.quick:
            write_history(Path(made))
        history = None if given.quick else Path(made)
        for names in [given.name] if given.together else [[name] for name in given.name]:
            prove(*names, history=history, types=given.types, tests=given.tests)
            print(f"Lastcard is whole without {', '.join(names)}.", flush=True)


if __name__ == "__main__":
    main()
