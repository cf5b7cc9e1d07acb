"""A real server: `manage.py up` in a process of its own, with data of its own."""

import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from contextlib import suppress
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GUARD = ROOT / "tests" / "no_network"
START_SECONDS = 60
STOP_SECONDS = 60


class Server:
    """One running Lastcard: its address, its log, and its management commands.

    The data starts as a copy of `prepared`, a folder that `prepare` made, so that no test waits for migrations.
    `files` is how many files it may have open; 0: as many as this process.
    """

    def __init__(self, prepared: Path, files: int = 0, **settings: str) -> None:
        self.data = Path(tempfile.mkdtemp(prefix="lastcard-e2e-"))
        shutil.copytree(prepared, self.data, dirs_exist_ok=True)
        self.env = environment(self.data) | settings
        self._limited = ["sh", "-c", f'ulimit -n {files}; exec "$@"', "sh"] if files else []
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = self.data / "server.log"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the server and wait until it answers; a second start has the same address and data."""
        address = ["--host", "127.0.0.1", "--port", str(self.port)]
        up = [*self._limited, sys.executable, "manage.py", "up", "--prepared", *address]
        with self.log.open("ab") as output:
            self._process = subprocess.Popen(
                up, cwd=ROOT, env=self.env, stdin=subprocess.DEVNULL, stdout=output, stderr=output
            )
        give_up = time.monotonic() + START_SECONDS
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > give_up:
                raise RuntimeError(f"The server did not start:\n{self.log.read_text()}")
            time.sleep(0.05)  # seconds

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def stop(self) -> float:
        """Ask the server to end, as an operator would; gives the seconds that it took."""
        assert self._process is not None
        began = time.monotonic()
        self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
            raise
        assert self._process.returncode == 0
        return time.monotonic() - began

    def kill(self) -> None:
        """End the server as a loss of power would, in the middle of its work."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def close(self) -> None:
        """Stop the server if it runs, and fail if it ever logged a traceback."""
        try:
            if self.running:
                self.stop()
            log = self.log.read_text()
            assert "Traceback" not in log, log
        finally:
            shutil.rmtree(self.data)

    def manage(self, *arguments: str) -> str:
        """Run a management command on this server's data; gives what it printed, fails when it fails."""
        return manage(self.env, *arguments)

    def _answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}/healthz", timeout=2) as answer:  # seconds
                return bool(answer.status == 200)
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            return False


def environment(data: Path) -> dict[str, str]:
    """The product's own settings, with everything that a developer's environment or .env could say set."""
    return {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "tournament.settings",
        "LASTCARD_DATA": str(data),
        "DATABASE_URL": f"sqlite:///{data / 'lastcard.sqlite3'}",
        "SECRET_KEY": "a browser test's",
        "PUBLIC_URL": "",
        "PUBLISH": "1",
        "DEBUG": "0",
        "TRY": "1",
        "ALLOWED_HOSTS": "*",
        "PYTHONUNBUFFERED": "1",
        "BACKUP_EVERY": "0",
        "BACKUP_FOLDER": str(data / "backups"),
        # Nothing that a server does may leave this computer.
        "PYTHONPATH": os.pathsep.join(filter(None, [str(GUARD), os.environ.get("PYTHONPATH")])),
        "WORKBOOK_AT_ONCE": "20",  # so that a test need not play 500 results
    }


def prepare(data: Path) -> None:
    """Fill a folder with an empty database and the collected static files."""
    manage(environment(data), "prepare")


def manage(env: dict[str, str], *arguments: str) -> str:
    """Run `manage.py ARGUMENTS`; gives what it printed."""
    done = subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, f"manage.py {' '.join(arguments)}:\n{done.stdout}{done.stderr}"
    return done.stdout


def free_port() -> int:
    """A port that nobody uses now. It lies below those that a system gives to outgoing connections, of which one could
    take it before the server listens."""
    while True:
        port = random.randrange(20_000, 32_768)
        with socket.socket() as listener, suppress(OSError):
            listener.bind(("127.0.0.1", port))
            return port
