# Chores of developers; ./run and ./test need none of them.
PYTHON := python3 bootstrap.py python

.PHONY: lint format lock audit wheel sbom docs bench fuzz messages

lint:      ## style and types
	$(PYTHON) -m ruff check .
	$(PYTHON) -m ruff format --check .
	$(PYTHON) -m mypy .
	$(PYTHON) -m djlint --lint --quiet templates

format:    ## mend what can be mended
	$(PYTHON) -m ruff check --fix .
	$(PYTHON) -m ruff format .

LOCK := uv pip compile --quiet --no-header --universal --python-version 3.11 --generate-hashes
UPGRADE ?=

lock:      ## renew the lock files from pyproject.toml and the .in files; UPGRADE=--upgrade takes newer releases
	$(LOCK) $(UPGRADE) --extra all pyproject.toml -o requirements-all.txt
	$(LOCK) pyproject.toml -c requirements-all.txt -o requirements.txt
	$(LOCK) $(UPGRADE) requirements-test.in -c requirements-all.txt -o requirements-test.txt
	$(LOCK) $(UPGRADE) requirements-uv.in -o requirements-uv.txt
	$(LOCK) $(UPGRADE) requirements-audit.in -o requirements-audit.txt
	$(LOCK) $(UPGRADE) --no-emit-package torch requirements-neural.in -o requirements-neural.txt
	sed -n 's/^torch==.*/# without its hash: &/p' requirements-neural.in >> requirements-neural.txt

audit:     ## known vulnerabilities of everything in the lock files; --strict if one must know
	$(PYTHON) -m tests.audit --strict

wheel:     ## the package that pip, pipx and uvx install: var/dist/
	python3 -m venv var/build
	var/build/bin/pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir var/dist .
	rm -r var/build

sbom:      ## what a site installs, as CycloneDX JSON with licences: var/sbom.json
	$(PYTHON) -m tests.sbom

docs:      ## the documentation as a static site, which a running site serves at /docs/
	$(PYTHON) -m docs.site

bench:     ## all benchmarks, one after the other
	for script in benchmarks/[a-z]*.py; do $(PYTHON) $$script || exit 1; done

fuzz:      ## 10,000 made-up inputs to every form, address, file reader and endpoint
	FUZZ_INPUTS=10000 ./test tests/gates/test_fuzz.py tests/api/test_schema.py

LANGUAGES := $(foreach code,de cs zh_Hans ar es fr pt ja hi ru uk,--locale $(code))
# Marked for translation, and not translated yet: pages of results and of metrics. The tests read it.
UNTRANSLATED := judgments/models/reference_facts.py judgments/publishing/* judgments/quality/* judgments/results/* judgments/exchange/tables/* \
  judgments/templatetags/selecting.py judgments/web/*chart* judgments/web/*plots.py \
  judgments/web/sections.py judgments/web/columns.py judgments/web/plurals.py judgments/web/tables.py judgments/web/api/parameters.py \
  metrics/* templates/metrics/* \
  templates/components/chart.html templates/components/data_table.html templates/components/pagination.html \
  templates/components/permalink.html templates/judgments/publishing/* templates/judgments/quality/* templates/judgments/results/* \
  templates/judgments/judging/notes.html \
  templates/judgments/web/_no_texts.html templates/judgments/web/_nothing_judged.html templates/judgments/web/_section*.html \
  templates/judgments/web/campaign_base.html
messages:  ## what annotators read, collected into locale/ for translators (needs gettext)
	$(PYTHON) manage.py makemessages $(LANGUAGES) --add-location file --no-wrap --ignore .venv --ignore var --ignore tests $(foreach path,$(UNTRANSLATED),--ignore '$(path)')
	$(PYTHON) manage.py compilemessages --ignore .venv --ignore var
