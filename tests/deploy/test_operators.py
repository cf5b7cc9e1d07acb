"""The commands of docs/operators.md, taken from the page and run as on a fresh computer, up to a restored backup.

The small server's run as root on copies of /etc, /opt and /var that nobody else sees. No service manager runs there:
the units' own ExecStart lines run in its place, as their user and in their folder.
"""

import importlib
import re
import subprocess
from pathlib import Path

import pytest

from tests.deploy.test_wheel import ROOT, build
from tests.e2e.server import free_port

PAGE = (ROOT / "docs" / "operators.md").read_text()
PATIENCE_S = 600

# The script around the page's commands: the copies, a systemctl that runs a unit's lines, and a look from outside.
AROUND = r"""
set -eu
mkdir -p "$OVER" && mount -t tmpfs over "$OVER"
for folder in etc opt var; do
    mkdir -p "$OVER/$folder/upper" "$OVER/$folder/work"
    mount -t overlay over -o "lowerdir=/$folder,upperdir=$OVER/$folder/upper,workdir=$OVER/$folder/work" "/$folder"
done
apt-get() { echo "apt-get $*"; }
as_lastcard() { setpriv --reuid=lastcard --regid=lastcard --clear-groups --inh-caps=-all "$@"; }
unit() {  # unit FILE: its ExecStart, as its user, in its folder
    state=/var/lib/lastcard
    install -d -o lastcard -g lastcard -m 0700 "$state"
    command=$(sed -n 's/^ExecStart=//p' "/etc/systemd/system/$1" | tail -n 1 | sed "s/%i/$PORT/")
    cd "$(sed -n 's/^WorkingDirectory=//p' "/etc/systemd/system/$1")"
    as_lastcard env -i PATH="$PATH" HOME="$state" PYTHONUNBUFFERED=1 $command
}
systemctl() { echo "systemctl $*"; }
serve() {
    unit lastcard-prepare.service
    (unit lastcard@.service >"$OVER/log" 2>&1) & server=$!
    trap 'pkill -TERM -f "lastcard up --prepared.*$PORT" || true' EXIT
    for _ in $(seq 600); do grep -q "Stop with Ctrl+C" "$OVER/log" && return; sleep 0.2; done
    cat "$OVER/log"; exit 1
}
stop() { pkill -TERM -f "lastcard up --prepared.*$PORT"; wait $server || true; }
page() {
    python3 -c "import urllib.request as r; q = r.Request('http://127.0.0.1:$PORT/en/', headers={
    'Host': 'results.example.org', 'X-Forwarded-Proto': 'https'}); print(r.urlopen(q).status)"
}
"""
THEN = r"""
serve
page
grep 'Create your account: https://results.example.org/en/first/' "$OVER/log"
cd /var/lib/lastcard
DJANGO_SUPERUSER_PASSWORD=correct-horse-battery runuser -u lastcard -- /opt/lastcard/bin/lastcard createsuperuser \
    --noinput --username aino --email ''
file=$(runuser -u lastcard -- /opt/lastcard/bin/lastcard backup | tail -n 1)
runuser -u lastcard -- /opt/lastcard/bin/lastcard verify
stop
runuser -u lastcard -- /opt/lastcard/bin/lastcard restore --check "$file"
runuser -u lastcard -- /opt/lastcard/bin/lastcard restore "$file"
serve
page
stop
echo "The page holds."
"""


def blocks(heading: str) -> list[str]:
    """List the commands that stand in a part of the page."""
    part = PAGE.partition(f"### {heading}\n")[2].partition("\n### ")[0].partition("\n## ")[0]
    found = re.findall(r"^```sh\n(.*?)^```", part, re.MULTILINE | re.DOTALL)
    assert found, heading
    return found


@pytest.mark.soak
@pytest.mark.program
@pytest.mark.server
@pytest.mark.sqlite
def test_small_server_is_set_up_by_the_pages_commands_and_comes_back_from_a_backup(tmp_path: Path) -> None:
    first, *_ = blocks("On a small server")
    assert len(first.splitlines()) == 5
    here = tmp_path / "release"
    importlib.import_module("deploy.release").write_locks(build(here))
    (here / "deploy").symlink_to(ROOT / "deploy")
    port = str(free_port())
    script = tmp_path / "script"
    script.write_text(AROUND + f'cd "{here}"\n' + first.replace("8000", port) + THEN)
    environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "OVER": str(tmp_path / "over"), "PORT": port}
    done = subprocess.run(
        ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc", "bash", str(script)],
        env=environment, capture_output=True, text=True, check=False, timeout=PATIENCE_S,
    )  # fmt: skip
    said = done.stdout + done.stderr
    assert done.returncode == 0, said[-6000:]
    assert done.stdout.rstrip().endswith("The page holds."), said[-6000:]
    assert said.count("Database: /var/lib/lastcard/lastcard.sqlite3") >= 5
    assert "Restored." in said


@pytest.mark.parametrize(
    "heading",
    [
        "On a laptop",
        "On a small server",
        "Two servers on PostgreSQL",
        "In a container",
        "On a Raspberry Pi in the hall",
    ],
)
def test_each_way_begins_with_at_most_five_commands_that_a_fresh_debian_has(heading: str) -> None:
    assert all(len(block.splitlines()) <= 5 for block in blocks(heading))
    assert "sudo" not in "".join(blocks(heading))


def test_commands_of_the_page_are_there() -> None:
    """Each command of `lastcard` that the page names is one."""
    named = set(
        re.findall(r"lastcard (?:exec \w+ lastcard )?([a-z_]+)\b", "\n".join(re.findall(r"`[^`\n]+`", PAGE)))
    )
    there = {path.stem for path in (ROOT / "tournament").glob("**/management/commands/[a-z]*.py")}
    assert {"backup", "restore", "verify"} <= named
    assert named - there <= {"demo", "changepassword", "check"}, named - there
