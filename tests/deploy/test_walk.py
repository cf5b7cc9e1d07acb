"""The operator's way of docs/operators.md: prepare, two servers by their units, nginx or Caddy as shipped with a
certificate of the test, the first account by the printed link, streams, and one server killed. In a soak on PostgreSQL,
with a round and 1,000 streams."""

import asyncio
import contextlib
import getpass
import os
import re
import shlex
import shutil
import ssl
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.deploy.test_operators import blocks
from tests.deploy.test_wheel import PATIENCE_S, ROOT, Browser, enter_round
from tests.depth import SOAK, dear
from tests.e2e.server import GUARD, free_port
from tests.support.postgres import cluster

pytestmark = [pytest.mark.program, pytest.mark.server, pytest.mark.sqlite, pytest.mark.sweep]

DEPLOY = ROOT / "deploy"
STREAMS = 1_000 if SOAK else 40
NGINX = shutil.which("nginx") or "/usr/sbin/nginx"
TWO = "\n".join(blocks("Two servers on PostgreSQL"))


def changed(text: str, changes: dict[str, str]) -> str:
    for old, new in changes.items():
        assert old in text, old
        text = text.replace(old, new)
    return text


def shipped_nginx(folder: Path, https: int, http: int, changes: dict[str, str]) -> Path:
    """deploy/nginx.conf with a certificate, ports and folders of the test, and with these further changes."""
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost",
         "-addext", "subjectAltName=DNS:localhost", "-keyout", str(key), "-out", str(certificate)],
        check=True, capture_output=True,
    )  # fmt: skip
    folders = "".join(
        f"{kind}_temp_path {folder / kind}; " for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    letsencrypt = "/etc/letsencrypt/live/results.example.org/"
    text = changed(
        (DEPLOY / "nginx.conf").read_text(),
        {
            "user www-data": f"user {getpass.getuser()}", "/run/nginx.pid": f"{folder}/pid",
            "http {": f"http {{ {folders}",
            "/var/log/nginx/error.log": f"{folder}/error.log", "/var/cache/nginx-lastcard": str(folder / "cache"),
            f"{letsencrypt}fullchain.pem": str(certificate), f"{letsencrypt}privkey.pem": str(key),
            "[::]:443": f"[::1]:{https}", "[::]:80;": f"[::1]:{http};",
            "listen 443": f"listen {https}", "listen 80": f"listen {http}",
        } | changes,
    )  # fmt: skip
    (folder / "nginx.conf").write_text(text)
    return folder / "nginx.conf"


class Walk:
    """An operator's computer: the settings file, what the units run, and a proxy."""

    def __init__(self, folder: Path, database: str) -> None:
        self.folder, self.https, self.http = folder, free_port(), free_port()
        self.url = f"https://localhost:{self.https}"
        file = folder / "lastcard.env"
        shutil.copy(DEPLOY / "lastcard.env", file)
        [for_postgres] = re.findall(r"^sed -i .*DATABASE_URL.*$", TWO, re.MULTILINE)
        if database:
            subprocess.run(for_postgres.replace("/etc/lastcard.env", str(file)), shell=True, check=True)
            file.write_text(
                changed(
                    file.read_text(), {"\nDATABASE_URL=postgres:///lastcard": f"\nDATABASE_URL={database}"}
                )
            )
        here = {"/var/lib/lastcard": str(folder / "data"), "https://results.example.org": self.url}
        file.write_text(changed(file.read_text(), here))
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": str(folder), "LASTCARD_SETTINGS": str(file), "PYTHONUNBUFFERED": "1",
            "PYTHONPATH": os.pathsep.join(filter(None, [str(GUARD), os.environ.get("PYTHONPATH")])),
        }  # fmt: skip
        [units] = re.findall(r"enable --now (lastcard@.*)$", TWO, re.MULTILINE)
        self.ports = {unit.partition("@")[2]: free_port() for unit in units.split()}
        self.upstreams = {f"127.0.0.1:{said}": f"127.0.0.1:{port}" for said, port in self.ports.items()}

    def unit(self, name: str, instance: str = "") -> list[str]:
        """What a unit runs."""
        [line] = re.findall(r"^ExecStart=(.*)$", (DEPLOY / "systemd" / name).read_text(), re.MULTILINE)
        program = f"{sys.executable} -m tournament"
        return shlex.split(changed(line, {"/opt/lastcard/bin/lastcard": program}).replace("%i", instance))

    def run(self, *words: str) -> str:
        done = subprocess.run(
            words, cwd=ROOT, env=self.environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    @contextlib.contextmanager
    def serving(self, *words: str, ready: str = "") -> Iterator[tuple[subprocess.Popen[bytes], Path]]:
        """Run a server until the end; give it and its log, once that says that it is ready."""
        log = self.folder / f"log-{time.monotonic_ns()}"
        with log.open("wb") as out:
            server = subprocess.Popen(words, cwd=ROOT, env=self.environment, stdout=out, stderr=out)
        try:
            end = time.monotonic() + PATIENCE_S
            while ready not in log.read_text():
                assert server.poll() is None, log.read_text()
                assert time.monotonic() < end, log.read_text()
                time.sleep(0.1)
            yield server, log
        finally:
            server.terminate()
            server.wait(PATIENCE_S)

    def nginx(self) -> list[str]:
        host = {"server_name results.example.org": "server_name localhost"}
        conf = shipped_nginx(self.folder, self.https, self.http, self.upstreams | host)
        said = f"{NGINX} -p {self.folder} -c {conf}"
        [asks, _restart] = re.findall(r"^(nginx -t) && (systemctl restart nginx)$", TWO, re.MULTILINE)[0]
        subprocess.run(changed(asks, {"nginx": said}), shell=True, check=True, capture_output=True)
        return shlex.split(f"{said} -g 'daemon off;'")

    def caddy(self) -> list[str]:
        """The page's settings for Caddy, with the servers that it names for two."""
        shipped_nginx(self.folder, self.https, self.http, {})  # for its certificate
        [line] = re.findall(
            r"^(printf .*Environment=HOST.*) > ", "\n".join(blocks("On a small server")), re.MULTILINE
        )
        drop_in = subprocess.run(line, shell=True, check=True, capture_output=True, text=True).stdout
        assert drop_in.startswith("[Service]\nEnvironment=")
        for setting in shlex.split(drop_in.partition("Environment=")[2]):
            name, _, value = setting.partition("=")
            self.environment[name] = value
        self.environment["HOST"] = "localhost"
        self.environment["SERVERS"] = " ".join(self.upstreams.values())
        certificate = f"tls {self.folder}/certificate.pem {self.folder}/key.pem"
        options = f"{{\nadmin off\nhttp_port {self.http}\nhttps_port {self.https}\n}}\n"
        text = changed(
            (DEPLOY / "Caddyfile").read_text(), {"{$HOST} {": f"{options}{{$HOST}} {{\n{certificate}"}
        )
        (self.folder / "Caddyfile").write_text(text)
        return ["caddy", "run", "--config", str(self.folder / "Caddyfile")]

    def context(self) -> ssl.SSLContext:
        return ssl.create_default_context(cafile=self.folder / "certificate.pem")

    async def streams(self, count: int) -> int:
        """How many of so many event streams are open at once; each tries again for a while, as a phone does."""
        context, end = self.context(), time.monotonic() + PATIENCE_S

        async def opened() -> asyncio.StreamWriter | None:
            while time.monotonic() < end:
                with contextlib.suppress(OSError):
                    reader, writer = await asyncio.open_connection(
                        "localhost", self.https, ssl=context, ssl_handshake_timeout=PATIENCE_S
                    )
                    writer.write(b"GET /live/site HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    if b" 200 " in await reader.readline():
                        return writer
                    writer.transport.abort()
                await asyncio.sleep(1)
            return None

        writers = [writer for writer in await asyncio.gather(*(opened() for _ in range(count))) if writer]
        still = sum(not writer.transport.is_closing() for writer in writers)
        for writer in writers:
            writer.transport.abort()
        return still


class Guest(Browser):
    """A browser elsewhere, which knows the public address alone."""

    def __init__(self, walk: Walk) -> None:
        super().__init__(walk.https)
        self.base = walk.url
        https = urllib.request.HTTPSHandler(context=walk.context())
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.jar), https)
        self.opener.addheaders = [("Origin", walk.url)]


@pytest.mark.parametrize("proxy", ["nginx", *dear("caddy")])
def test_operators_way_leads_to_the_first_account_and_over_the_loss_of_a_server(
    tmp_path: Path, proxy: str
) -> None:
    with contextlib.ExitStack() as held:
        walk = Walk(tmp_path, held.enter_context(cluster()) if SOAK else "")
        walk.run(*walk.unit("lastcard-prepare.service"))
        servers = [
            held.enter_context(
                walk.serving(*walk.unit("lastcard@.service", str(port)), ready="Stop with Ctrl+C")
            )
            for port in walk.ports.values()
        ]
        held.enter_context(walk.serving(*getattr(walk, proxy)()))
        links = {re.findall(r"Create your account: (\S+)", log.read_text())[0] for _, log in servers}
        [link] = links
        assert link.startswith(f"{walk.url}/en/first/")
        browser = Guest(walk)
        wait_for(browser)
        strong = "correct-horse-battery"
        path = link.removeprefix(walk.url)
        assert "Sign out" in browser.send(path, username="aino", password1=strong, password2=strong)
        again = Guest(walk)
        assert "Sign out" in again.send("/en/sign-in/", username="aino", password=strong)
        if SOAK:
            walk.run(sys.executable, "-m", "tournament", "make_demo")
            assert enter_round(again) == "saved"
        assert asyncio.run(walk.streams(STREAMS)) == STREAMS
        servers[0][0].kill()
        servers[0][0].wait()
        assert all("Sign out" in again.get("/en/desk/").decode() for _ in range(20))


def wait_for(browser: Browser) -> None:
    end = time.monotonic() + PATIENCE_S
    while True:
        try:
            assert browser.get("/en/")
        except OSError:
            assert time.monotonic() < end
            time.sleep(0.1)
        else:
            return
