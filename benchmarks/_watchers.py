"""The rehearsal's watchers (tournament/rehearse/watchers.py) for benchmarks, in a process of their own.

python benchmarks/_watchers.py    one line of JSON on standard input asks for something, one line answers
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tournament.rehearse.watchers import main, serve

if __name__ == "__main__":
    main(serve())
