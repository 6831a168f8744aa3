# What the project can do. `make site` and `make test` set up everything they need.

# The matrices of this book are small: more threads only wait for each other.
export OPENBLAS_NUM_THREADS = 1

BIN := .venv/bin
READY := .venv/ready
PYTEST := $(BIN)/python -m pytest -q -n 2 --dist loadgroup

.PHONY: site serve test deep gpu bench lock clean

site: $(READY)  ## build the book into site/
	$(BIN)/python -m book.build

serve: $(READY)  ## preview at http://127.0.0.1:8000, rebuilt as you write
	$(BIN)/python -m book.build --serve

test: $(READY)  ## everything that can be proven without a GPU
	$(BIN)/python -m tests.browser.install
	$(PYTEST) -m "not gpu and not deep"

deep: $(READY)  ## the long sweeps
	$(BIN)/python -m tests.browser.install
	$(PYTEST) -m "deep and not gpu"

gpu:  ## the tests that need a GPU, then the bench, with the Python at hand: PYTHON, .venv, or python3
	@$(or $(PYTHON),$(wildcard $(BIN)/python),python3) -m tests.gpu

$(READY): requirements.lock pyproject.toml
	@python=$$(sh -c 'for p in "$$PYTHON" python3 python3.12 python3.11; do \
	    [ -n "$$p" ] && "$$p" -c "import sys; sys.exit(sys.version_info[:2] not in ((3, 11), (3, 12)))" \
	    2>/dev/null && echo $$p && exit; done'); \
	[ -n "$$python" ] || { echo "Needs Python 3.11 or 3.12: make PYTHON=/path/to/python3.12"; exit 1; }; \
	echo "Setting up .venv with $$($$python --version)"; \
	[ -x $(BIN)/python ] || $$python -m venv .venv
	$(BIN)/python -m pip install -q --disable-pip-version-check -r requirements.lock
	$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps -e .
	@touch $@

bench: $(READY)  ## time the builder beside others; RECORD=1 writes docs/reference/bench.toml
	$(BIN)/python -m tests.bench $(if $(RECORD),--record)

lock: $(READY)  ## pin what is installed now
	$(BIN)/python -m pip freeze --exclude-editable | sed -e 's/+cpu//' \
	    -e 's/^\(triton==.*\)/\1; sys_platform == "linux"/' | sort -f > requirements.lock

clean:  ## remove what the other commands made
	rm -rf .venv .cache site site.new
