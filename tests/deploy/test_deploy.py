"""deploy/: each file says what it has to, and holds before the program that reads it (.ci/install brings those)."""

import configparser
import os
import re
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.deploy.test_walk import NGINX, shipped_nginx
from tests.e2e.server import free_port
from tournament.live import probes
from tournament.live.hub import Hub
from tournament.live.store import Store, Versions
from tournament.server import metrics

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
UNITS = sorted((DEPLOY / "systemd").iterdir())
SETTINGS = re.compile(r'env\.\w+\("(\w+)"')


def words(name: str) -> list[str]:
    """List a configuration's directives, without comments and with single spaces."""
    text = re.sub(r"(^|\s)#.*", "", (DEPLOY / name).read_text())
    return [" ".join(line.split()) for line in re.split(r"[;\n{}]", text) if line.strip()]


def run(*command: str, **more: Any) -> None:
    """Run a program that checks a file; its output is the message of a failure."""
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL, **more
    )
    assert done.returncode == 0, done.stdout + done.stderr


def locked(file: Path) -> dict[str, str]:
    """The hashes of each package that a lock names, with its version."""
    found = re.findall(r"^(\S+==\S+).*((?:\n    --hash=.*)+)", file.read_text(), re.MULTILINE)
    return {package: hashes.replace("\\", "") for package, hashes in found}


def settings_known() -> set[str]:
    return set(SETTINGS.findall((ROOT / "tournament" / "settings.py").read_text()))


# ---- the image ----


def test_the_image_has_the_very_packages_that_are_tested() -> None:
    """deploy/requirements.lock is requirements.lock without what only developers need."""
    whole, packages = (locked(folder / "requirements.lock") for folder in (ROOT, DEPLOY))
    assert packages.items() <= whole.items()
    named = {package.partition("==")[0] for package in packages}
    needed = re.search(r"^dependencies = \[(.*?)^\]", (ROOT / "pyproject.toml").read_text(), re.M | re.S)
    assert needed
    wanted = re.findall(r'"([^"]+)"', re.sub("#.*", "", needed[1]))
    assert {re.split(r"[^\w-]", each)[0] for each in wanted} <= named
    assert named.isdisjoint({"pytest", "playwright", "ruff"})


def test_the_image_holds_what_is_served_and_no_more_and_nobody_is_root_in_it() -> None:
    lines = (DEPLOY / "Dockerfile").read_text().replace("\\\n", " ").splitlines()
    copied = {
        part
        for line in lines
        if line.startswith("COPY ") and "--from" not in line
        for part in line.split()[1:-1]
    }
    let_in = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    assert copied == let_in
    assert all((ROOT / part).exists() for part in copied)
    assert "FROM python:3.11-slim" in lines
    assert "--require-hashes" in "".join(lines)
    begins = lines.index("USER lastcard")
    assert not any(line.startswith(("RUN", "COPY")) for line in lines[begins:])
    (health,) = (line for line in lines if line.startswith("HEALTHCHECK"))
    assert "/readyz" in health
    made = "".join(lines)
    assert (
        "groupadd --gid 10001 lastcard" in made
    )  # a system's group would change with what else is installed
    assert "useradd --uid 10001 --gid lastcard" in made


def test_compose_runs_two_servers_that_are_prepared_once() -> None:
    told = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    services = told["services"]
    assert set(services) == {"prepare", "first", "second", "database", "caddy"}
    for name in ("first", "second"):
        assert services[name]["command"][-2:] == ["up", "--prepared"]
        assert services[name]["depends_on"] == {"prepare": {"condition": "service_completed_successfully"}}
        environment = services[name]["environment"]
        assert environment == services["first"]["environment"]
        assert set(environment) <= settings_known()
        assert "SECRET_KEY" in environment  # one for both
        subnet = told["networks"]["inside"]["ipam"]["config"][0]["subnet"]
        assert environment["TRUSTED_PROXIES"] == subnet
        assert "ports" not in services[name]  # Caddy alone is reached from outside
    assert services["prepare"]["command"][-1] == "prepare"
    assert services["caddy"]["environment"]["SERVERS"] == "first:8000 second:8000"


def test_two_compose_files_on_one_computer_share_nothing_but_the_ports_that_the_second_cannot_have() -> None:
    one, two = (
        yaml.safe_load((DEPLOY / name).read_text()) for name in ("compose.yaml", "compose.small.yaml")
    )
    assert one["name"] != two["name"]  # so volumes and networks have other names
    assert one["networks"]["inside"]["ipam"] != two["networks"]["inside"]["ipam"]
    assert one["services"]["caddy"]["ports"] == two["services"]["caddy"]["ports"]
    assert "*port is already allocated*" in (ROOT / "docs" / "operators.md").read_text()


def test_images_of_others_are_named_by_version_and_can_be_pinned() -> None:
    named = {
        service["image"]
        for name in ("compose.yaml", "compose.small.yaml")
        for service in yaml.safe_load((DEPLOY / name).read_text())["services"].values()
    }
    for image in named - {"lastcard"}:
        assert re.search(r":\d[\d.]*(@sha256:[0-9a-f]{64})?$", image), image
    assert "`postgres:17@sha256:…`" in (ROOT / "docs" / "operators.md").read_text()


def test_compose_builds_one_image_that_nobody_asks_a_registry_for() -> None:
    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
    ours = {name: told for name, told in services.items() if told["image"] == "lastcard"}
    assert set(ours) == {"prepare", "first", "second"}
    assert {name for name, told in services.items() if "build" in told} == {"prepare"}
    assert all(ours[name]["pull_policy"] == "never" for name in ("first", "second"))


def test_compose_lets_the_servers_write_where_their_volumes_are_and_nowhere_else() -> None:
    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
    for name in ("prepare", "first", "second"):
        told = services[name]
        assert told["read_only"] is True
        assert told["tmpfs"] == ["/tmp"]
        assert {each.partition(":")[2] for each in told["volumes"]} == {"/data", "/backups"}
        assert told["cap_drop"] == ["ALL"]
        assert told["security_opt"] == ["no-new-privileges:true"]


def test_compose_waits_for_the_database_that_is_asked_over_the_network() -> None:
    """While the image makes a new database, a server answers on its socket alone, and then ends."""
    database = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]["database"]
    check = database["healthcheck"]["test"]
    assert check[check.index("--host") + 1] == "127.0.0.1"


def test_what_operators_are_told_of_containers_names_services_and_commands_that_there_are() -> None:
    told = (
        (ROOT / "docs" / "operators.md").read_text().partition("### In containers")[2].partition("\n## ")[0]
    )
    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
    said = re.findall(r"`compose (stop|start|logs|exec|run|up)\b([^`]*)`", told)
    assert {command for command, _ in said} == {"stop", "start", "logs", "exec", "run", "up"}
    for _, words_of in said:
        own, _, inside = words_of.partition(" lastcard ")
        named = [word for word in own.partition(" tar ")[0].split() if not word.startswith("-")]
        assert set(named) <= set(services), words_of
        if inside:
            assert (ROOT / "tournament" / "management" / "commands" / f"{inside.split()[0]}.py").exists()


# ---- the proxies ----


def test_nginx_passes_streams_on_as_they_come_and_keeps_only_what_answers_allow() -> None:
    said = words("nginx.conf")
    for needed in (
        "listen 443 ssl http2",
        "return 301 https://results.example.org$request_uri",
        "proxy_set_header Host $host",
        "proxy_set_header X-Forwarded-For $remote_addr",
        "proxy_set_header X-Forwarded-Proto https",
        "proxy_set_header X-Request-ID $request_id",
        "proxy_buffering off",
        "proxy_cache_background_update on",
        "access_log off",
    ):
        assert needed in said, needed
    assert said[said.index("location /live/") + 1 :][:3] == [
        "proxy_pass http://lastcard", "proxy_buffering off", "proxy_read_timeout 1h",
    ]  # fmt: skip
    # By itself nginx keeps nothing, shows nothing old, and sends no entry twice.
    forbidden = ("proxy_cache_valid", "proxy_ignore_headers", "proxy_cache_use_stale")
    assert not [each for each in said if each.startswith(forbidden) or "non_idempotent" in each]
    for path in ("/readyz", "/metrics"):
        assert said[said.index(f"location = {path}") + 1] == "return 404"


@pytest.mark.program
def test_nginx_takes_its_file(tmp_path: Path) -> None:
    run(NGINX, "-t", "-p", str(tmp_path), "-c", str(shipped_nginx(tmp_path, free_port(), free_port(), {})))


def test_ten_thousand_streams_are_within_the_limits_of_nginx_and_of_a_server() -> None:
    """Behind nginx a stream is two connections; a server gives streams half of its files."""
    said = " ".join(words("nginx.conf"))
    connections, files = (
        int(re.findall(rf"{name} (\d+)", said)[0]) for name in ("worker_connections", "worker_rlimit_nofile")
    )
    assert 2 * 10_000 < connections < files
    unit = (DEPLOY / "systemd" / "lastcard@.service").read_text()
    assert int(re.findall(r"LimitNOFILE=(\d+)", unit)[0]) // 2 > 10_000


def test_caddy_passes_streams_on_as_they_come_and_asks_who_is_ready() -> None:
    said = words("Caddyfile")
    for needed in (
        "lb_policy least_conn",
        "health_uri /readyz",
        "flush_interval -1",
        "@inside path /readyz /metrics",
        "respond @inside 404",
    ):
        assert needed in said, needed
    assert any(each.startswith("header_up X-Request-ID") for each in said)
    assert not [each for each in said if "cookie" in each or each.startswith("log")]


@pytest.mark.program
def test_caddy_takes_its_file(tmp_path: Path) -> None:
    environment = {
        **os.environ,
        "HOST": "localhost",
        "SERVERS": "127.0.0.1:8000 127.0.0.1:8001",
        "HOME": str(tmp_path),
    }
    run("caddy", "validate", "--config", str(DEPLOY / "Caddyfile"), "--adapter", "caddyfile", env=environment)


# ---- systemd ----


@pytest.mark.parametrize("unit", UNITS, ids=lambda path: path.name)
def test_a_unit_runs_a_command_that_there_is_as_nobody_s_root(unit: Path) -> None:
    read = configparser.ConfigParser(strict=False, interpolation=None)
    read.optionxform = str  # type: ignore[assignment,method-assign]  # as configparser documents it
    read.read(unit)
    if unit.suffix == ".timer":
        assert unit.with_suffix(".service") in UNITS
        return
    service = read["Service"]
    command = shlex.split(service["ExecStart"])
    assert service["User"] == "lastcard"
    assert command[0] == "/opt/lastcard/bin/lastcard"
    assert (ROOT / "tournament" / "management" / "commands" / f"{command[1]}.py").exists()
    assert (
        service.get("Environment", "PYTHONUNBUFFERED=1") == "PYTHONUNBUFFERED=1"
    )  # Lastcard reads its settings file


def test_settings_file_names_settings_that_there_are() -> None:
    named = set(re.findall(r"^#?([A-Z_]+)=", (DEPLOY / "lastcard.env").read_text(), re.MULTILINE))
    assert named <= settings_known()
    assert "LASTCARD_DATA" in named


@pytest.mark.program
def test_systemd_takes_every_unit(tmp_path: Path) -> None:
    for unit in UNITS:
        text = unit.read_text().replace("/opt/lastcard/bin/lastcard", "/bin/true")
        (tmp_path / unit.name.replace("@.", "@8000.")).write_text(text)
    run("systemd-analyze", "verify", *map(str, sorted(tmp_path.iterdir())))


# ---- the monitor ----


def test_alerts_ask_for_numbers_that_there_are() -> None:
    versions = Versions()
    versions.settle({}, {})
    hub = Hub(versions, cap=1)
    gauges = probes.Probes(hub=lambda: hub, versions=versions, store=Store(versions)).values()
    written = metrics.written(gauges).decode()
    known = set(re.findall(r"^# TYPE (\S+)", written, re.MULTILINE)) | {"lastcard_backup_age_seconds"}
    rules = yaml.safe_load((DEPLOY / "lastcard.rules.yml").read_text())["groups"][0]["rules"]
    assert "lastcard_save_seconds" in known
    for rule in rules:
        for name in re.findall(r"lastcard_\w+", rule["expr"]):
            assert name.removesuffix("_bucket") in known, name
