"""Own server: `manage.py up`, killable and restartable."""

import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

from tournament.extras.rehearsal.organiser import Impossible

ROOT = Path(__file__).resolve().parents[3]
START = 180.0  # seconds; a first start compresses static files
STOP = 15.0
USER = "rehearsal"


class OwnServer:
    """A server with its own data folder, on SQLite or `database`."""

    def __init__(self, database: str = "") -> None:
        self.data = Path(tempfile.mkdtemp(prefix="lastcard-rehearsal-"))
        self.log = self.data / "server.log"
        self.user, self.password = f"{USER}-{secrets.token_hex(3)}", secrets.token_urlsafe(16)
        self.env = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "tournament.settings",
            "LASTCARD_DATA": str(self.data),
            "DATABASE_URL": database or f"sqlite:///{self.data / 'lastcard.sqlite3'}",
            "SECRET_KEY": secrets.token_urlsafe(50),
            "PUBLIC_URL": "",
            "DEBUG": "0",
            "ALLOWED_HOSTS": "*",
            "LIVE_STREAMS_EACH": "12000",  # all phones share one address
            "BACKUP_FOLDER": str(self.data / "backups"),
            "WEBHOOKS": "0",
        }
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            self.port = int(listener.getsockname()[1])
        self.url = f"http://127.0.0.1:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        """Process id, or 0."""
        return self._process.pid if self._process else 0

    def prepare(self) -> None:
        """Start, migrate, create the user. Raises Impossible."""
        self.start()
        self.manage(
            "createsuperuser", "--noinput", "--username", self.user,
            DJANGO_SUPERUSER_PASSWORD=self.password,
        )  # fmt: skip

    def start(self) -> None:
        """Start, and wait until it responds. Raises Impossible."""
        self.begin()
        self.wait()

    def begin(self) -> None:
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tournament", "up", "--host", "127.0.0.1", "--port", str(self.port)],
                cwd=ROOT, env=self.env, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            )  # fmt: skip

    def wait(self) -> None:
        """Wait until it responds. Raises Impossible."""
        give_up = time.monotonic() + START
        while not self._answers():
            ended = self._process is None or self._process.poll() is not None
            if ended or time.monotonic() > give_up:
                why = "It ended" if ended else f"It did not answer within {START:.0f} seconds"
                raise Impossible(f"The server did not start. {why}. {self.log.read_text()[-2000:]}".strip())
            time.sleep(0.05)

    def kill(self) -> None:
        """SIGKILL, like power loss."""
        if self._process:
            self._process.kill()
            self._process.wait()
            self._process = None

    def close(self) -> None:
        """Stop and delete the data."""
        try:
            if self._process:
                self._process.terminate()
                self._process.wait(STOP)
        except subprocess.TimeoutExpired:
            self.kill()
        finally:
            shutil.rmtree(self.data, ignore_errors=True)

    def manage(self, *arguments: str, **more: str) -> str:
        """Run a management command; return its output. Raises Impossible."""
        done = subprocess.run(
            [sys.executable, "-m", "tournament", *arguments],
            cwd=ROOT, env=self.env | more, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
        )  # fmt: skip
        if done.returncode:
            raise Impossible(f"manage.py {arguments[0]}: {done.stdout}{done.stderr[-2000:]}")
        return done.stdout

    def _answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}/healthz", timeout=2) as answer:  # noqa: S310 - its own http
                return bool(answer.status == 200)
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            return False
