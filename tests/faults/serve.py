"""A server that is killed often: `python -m tests.faults.serve PORT` loads Lastcard once, and for each line "start" on
its input a child of it serves, as `manage.py up` would: a start takes a tenth of a second. "wait" waits for its end.

Answers with a line: "ready PID", "failed", "ended STATUS".
"""

import os
import socket
import sys
import traceback

import django

django.setup()

from django.core.checks import Tags, run_checks

from tests.faults.hooks import may_be_traced
from tournament.asgi import application
from tournament.live.server import Server, settle_process
from tournament.queries.live import games_need_time
from tournament.server.clock import clock


def serve(port: int, told: int) -> None:
    may_be_traced()
    clock.hold(games_need_time)

    def tell() -> None:
        os.write(told, b"1")

    with socket.create_server(("127.0.0.1", port), backlog=2048) as listener:
        Server(application, tell).run(sockets=[listener])


def start(port: int) -> int:
    """Begin a child, and give its number once it takes requests; 0 where it ended before that."""
    hears, told = os.pipe()
    pid = os.fork()
    if not pid:
        os.close(hears)
        status = 1
        try:
            serve(port, told)
            status = 0
        except Exception:  # whatever it is goes into the server's log: os._exit() says nothing
            traceback.print_exc()
        finally:
            os._exit(status)
    os.close(told)
    serves = os.read(hears, 1)  # nothing comes from a child that is gone
    os.close(hears)
    if not serves:
        os.waitpid(pid, 0)
        return 0
    return pid


def main(port: int) -> None:
    run_checks(tags=[Tags.urls])  # loads all views
    settle_process(games_need_time)
    pid = 0
    for line in sys.stdin:
        if line == "start\n":
            pid = start(port)
            said = f"ready {pid}" if pid else "failed"
        else:
            said = f"ended {os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])}"
        print(said, flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]))
