# Lastcard's commands. A machine needs Python 3.11 or later, git and make; `make help` lists what there is.

VENV := .venv
BEGAN := $(shell date +%s)
READY := $(VENV)/made-from-lock
RUNS := $(VENV)/made-to-run
IN := $(VENV)/bin
ARGS ?=
DEMO ?= --demo
PYTHON ?= # asked for before python3.11
# The browser waits more than it works: one test more at a time than there are processors.
WORKERS := $(shell echo $$(($$(getconf _NPROCESSORS_ONLN) + 1)))
# A module's tests stay in one process as far as may be: they share its server and its browser.
TOGETHER := --dist worksteal
# `make test` leaves to CI whatever needs a browser, but for the journeys, a server, PostgreSQL or further programs, and
# both leave the sweeps to `make sweeps`.
WITHOUT ?=
HERE := not browser and not server and not program
QUICK := not sweep$(if $(LASTCARD_CI),, and $(if $(filter browser,$(WITHOUT)),$(HERE),($(HERE) or journey)))
# The tests that PostgreSQL is asked, of those that touch a database: where databases differ, and no generated cases.
# `make soak` asks all of them, with DATABASES empty, and generated cases too, with LASTCARD_FULL.
DATABASES ?= both
CHOSEN := $(if $(DATABASES),$(DATABASES) and not sweep$(if $(LASTCARD_FULL),, and not hypothesis),$(if $(LASTCARD_FULL),,not hypothesis))
unexport PYTHONDONTWRITEBYTECODE # every server that a test starts would compile everything again

.PHONY: help setup run wheel windows release docs client test test-postgres test-sqlite sweeps properties soak mutants coverage lint format figures lock bench screenshots brand messages clean

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-19s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(READY) ## create the virtual environment, from requirements.lock

# An environment is made afresh when its lock file has changed: the mark is a copy of the one that it was made from. pip
# checks every hash, looks for nothing that the lock does not name, and takes nothing that would have to be compiled.
# Python compiles what it imports, when it does. What only runs Lastcard takes a fourth of what tests need, and the larger
# environment serves for both: its packages join those that a server may be running from. The system's own Python is compiled with optimizations that those of version managers often
# lack: a tenth of the tests' time.
$(READY): requirements.lock
	@$(call environment,requirements.lock,$@,600)

$(RUNS): deploy/requirements.lock requirements.lock
	@if cmp -s requirements.lock $(READY); then exit 0; fi; $(call environment,deploy/requirements.lock,$@,175)

define environment
if cmp -s $(1) $(2); then touch $(2); exit 0; fi; \
	for python in $(PYTHON) /usr/bin/python3.11 python3.11 python3 none; do \
	    "$$python" -c 'import ensurepip, sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && break; \
	done; \
	if [ "$$python" = none ]; then \
	    echo 'Lastcard needs Python 3.11 or later with venv, in Debian and Ubuntu: apt-get install python3-venv'; exit 1; \
	fi; \
	echo "Setting up $(VENV) with $$("$$python" --version): $(3) MB ..."; \
	cmp -s deploy/requirements.lock $(RUNS) || clear=--clear; \
	"$$python" -m venv $$clear $(VENV) && \
	$(IN)/python -m pip install -qq --disable-pip-version-check \
	    --no-compile --no-deps --require-hashes --only-binary :all: -r $(1) && \
	cp $(1) $(2)
endef

run: $(RUNS) ## start Lastcard with its demo events, or without (DEMO=); more for `manage.py up`: ARGS="--port 8080"
	@exec $(IN)/python manage.py up $(DEMO) $(ARGS)

wheel: $(READY) ## build the package that pip installs, in var/wheel: the same bytes each time
	@$(IN)/python -m hatchling build -t wheel -d var/wheel

windows: $(READY) ## build Lastcard for Windows, started with a double click, in var/windows (ARGS="--python FILE" without a network)
	@$(IN)/python deploy/windows/make.py $(ARGS)

release: $(READY) ## build all files of a release, in var/release: the same bytes each time (ARGS="--python FILE" for Windows)
	@$(IN)/python -m deploy.release $(ARGS)

docs: $(READY) ## build docs/ as a searchable site, in var/docs; a broken link fails
	@$(IN)/python -m properdocs build --strict --quiet -f .ci/docs.yml

client: $(READY) ## build a Python client from the API's document, in var/client
	@$(IN)/python docs/make_client.py

# PostgreSQL first: its closing line speaks of one part of the tests, the last line printed of them all.
test: $(READY) ## run the tests of each change (WITHOUT=browser skips the journeys); with LASTCARD_CI=1 those of CI
	@WITHOUT='$(WITHOUT)' .ci/install
	@echo "Set-up: $$(($$(date +%s) - $(BEGAN))) s"
ifneq (,$(LASTCARD_CI))
	@$(MAKE) --no-print-directory test-postgres
else
	@echo 'Left to CI: PostgreSQL (make test-postgres), servers, and browsers but for the journeys'
endif
ifneq (,$(filter browser,$(WITHOUT)))
	@echo 'Skipped: the journeys in a browser (WITHOUT=browser)'
endif
	@echo 'Left to make sweeps: every address, form and role, whole events, and what sets up servers for long'
	@$(MAKE) --no-print-directory test-sqlite ARGS="-m '$(QUICK)' $(ARGS)"

test-postgres: $(READY) ## run the tests of what differs between databases, on a temporary PostgreSQL (ARGS go to pytest)
	@echo 'On PostgreSQL:'
	@exec $(IN)/python -m tests.support.postgres -- $(IN)/python -m pytest -n auto $(TOGETHER) \
	    $(if $(CHOSEN),-m '$(CHOSEN)') $(ARGS)

test-sqlite: $(READY) ## run every test, on SQLite (ARGS go to pytest)
	@echo 'On SQLite:'
	@exec $(IN)/python -m pytest -n $(WORKERS) $(TOGETHER) $(ARGS)

sweeps: $(READY) ## ask every address, form and role, play whole events and set up servers: tests of seconds each, a job of its own
	@WITHOUT='$(WITHOUT)' .ci/install
	@$(MAKE) --no-print-directory test-sqlite ARGS="-m sweep $(ARGS)"

properties: $(READY) ## run all generated cases, of which `make test` runs some, on both databases
	@LASTCARD_FULL=1 $(MAKE) --no-print-directory test-postgres ARGS='-m hypothesis $(ARGS)'
	@LASTCARD_FULL=1 $(MAKE) --no-print-directory test-sqlite ARGS='-m hypothesis $(ARGS)'

soak: $(READY) ## run what takes hours, part by part, and write docs/soak.md (ARGS="faults" for one part, "-- -k NAME" for pytest)
	@$(IN)/python -m tests.support.soak $(ARGS)

mutants: $(READY) ## find small changes to scoring and the actions that no test notices (ARGS="scoring/why.py" for one file)
	@$(IN)/python -m tests.mutants $(ARGS)

coverage: $(READY) ## list the branches of the rules, the actions and the permissions that no test takes: there must be none
	@rm -rf var/coverage && mkdir -p var/coverage
	@$(IN)/python -m coverage run -m pytest -q -n $(WORKERS) $(TOGETHER) -m '$(HERE)' $(ARGS)
	@$(IN)/python -m coverage combine -q && $(IN)/python -m coverage report

lint: $(READY) ## check style and types, and run `make scripts`
	@$(IN)/ruff check
	@$(IN)/ruff format --check
	@$(IN)/mypy
	@$(MAKE) --no-print-directory scripts

LINTED := .ci/js/node_modules/.package-lock.json

scripts: $(LINTED) ## check style, types and unit tests of the browser scripts; the only target that needs node
	@npm --prefix .ci/js --silent run check

$(LINTED): .ci/js/package-lock.json
	@command -v npm >/dev/null || { echo 'The scripts are checked with node 18 or later: apt-get install nodejs npm'; exit 1; }
	@npm --prefix .ci/js --silent ci && touch $@

format: $(READY) ## format the code
	@$(IN)/ruff check --fix
	@$(IN)/ruff format

figures: $(READY) ## measure the code against its budget (ARGS="--check" fails as CI does, "--show dialect" lists what counts)
	@$(IN)/python -m tests.support.figures $(ARGS)

lock: $(READY) ## rewrite requirements.lock and the image's from pyproject.toml (ARGS="--upgrade" takes newer versions)
	@$(IN)/uv pip compile --quiet --universal --generate-hashes --no-header --all-extras --python-version 3.11 \
	    pyproject.toml -o requirements.lock $(ARGS)
	@$(IN)/uv pip compile --quiet --universal --generate-hashes --no-header --extra postgres --extra sqlite --python-version 3.11 \
	    pyproject.toml -c requirements.lock -o deploy/requirements.lock

bench: $(READY) ## run every benchmark with its reference, and write docs/speed.md (ARGS="save" for one, --compare for changes)
	@$(IN)/python -m benchmarks $(ARGS)

screenshots: $(READY) ## retake the pictures in docs/images, from the demo events (needs Chromium)
	@$(IN)/python docs/screenshots.py

brand: $(READY) ## redraw the icons and the share picture, from the mark (needs Chromium)
	@$(IN)/python docs/brand.py

messages: $(READY) ## collect the words to translate and compile the catalogues
	@$(IN)/python locale/update.py

clean: ## remove the virtual environment and the tools' caches; keep var/ with its database
	@rm -rf $(VENV) .ci/js/node_modules .pytest_cache .mypy_cache .ruff_cache .hypothesis
