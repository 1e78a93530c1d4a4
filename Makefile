# Chores of developers; ./run and ./test need none of them.
PYTHON := python3 bootstrap.py python

.PHONY: lint format lock bench messages

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

lock:      ## renew the lock files from the .in files; UPGRADE=--upgrade takes newer releases
	$(LOCK) $(UPGRADE) requirements.in -o requirements.txt
	$(LOCK) $(UPGRADE) requirements-test.in -c requirements.txt -o requirements-test.txt
	$(LOCK) $(UPGRADE) requirements-uv.in -o requirements-uv.txt
	$(LOCK) $(UPGRADE) --no-emit-package torch requirements-neural.in -o requirements-neural.txt
	sed -n 's/^torch==.*/# without its hash: &/p' requirements-neural.in >> requirements-neural.txt

bench:     ## all benchmarks, one after the other
	for script in benchmarks/[a-z]*.py; do $(PYTHON) $$script || exit 1; done

LANGUAGES := --locale de --locale cs --locale zh_Hans --locale ar
# Marked for translation, and not translated yet: pages of results.
UNTRANSLATED := $(foreach path,judgments/pages/* judgments/results/filters.py judgments/results/selection.py \
  judgments/forms/selection.py templates/judgments/_selection*.html templates/judgments/_section.html,--ignore '$(path)')
messages:  ## what annotators read, collected into locale/ for translators (needs gettext)
	$(PYTHON) manage.py makemessages $(LANGUAGES) --add-location file --no-wrap --ignore .venv --ignore var --ignore tests $(UNTRANSLATED)
	$(PYTHON) manage.py compilemessages --ignore .venv --ignore var
