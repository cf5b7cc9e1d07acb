"""A server that is killed often: `python -m tests.faults.serve PORT` loads Lastcard once, and for each line "start" on
its input a child of it serves, as `manage.py up` would: a start takes a tenth of a second. "wait" waits for its end.

Answers with a line: "ready PID", "failed", "ended STATUS".
"""

import os
import socket
import sys

import django

django.setup()

from django.urls import get_resolver

from tests.faults.hooks import may_be_traced
from tournament.asgi import application
from tournament.live.server import Server, a_game_runs, settle_process
from tournament.server.clock import clock
from tournament.server.first_use import load_all


def serve(port: int, told: int) -> None:
    may_be_traced()
    clock.hold(a_game_runs)
    with socket.create_server(("127.0.0.1", port), backlog=2048) as listener:
        Server(application, lambda: os.close(told)).run(sockets=[listener])


def start(port: int) -> str:
    """Begin a child; "ready" once it takes requests."""
    hears, told = os.pipe()
    pid = os.fork()
    if not pid:
        os.close(hears)
        status = 1
        try:
            serve(port, told)
            status = 0
        finally:
            os._exit(status)
    os.close(told)
    os.read(hears, 1)  # ends when the child says so or is gone
    os.close(hears)
    return f"ready {pid}"


def main(port: int) -> None:
    list(get_resolver().url_patterns)
    load_all()
    settle_process()
    pid = 0
    for line in sys.stdin:
        if line == "start\n":
            said = start(port)
            pid = int(said.split()[1])
        else:
            said = f"ended {os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])}"
        print(said, flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]))
