"""How fast Lastcard is, each figure beside a reference from the same run: `python -m benchmarks --help`."""
