"""What is wrong with an output, as far as words can tell; and which words stand for which."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_GET

from judgments.models import System, TestSet
from judgments.people import access
from metrics.scorers.diagnostic import CAVEAT, diagnose
from metrics.scorers.substitutions import substitution_pairs
from metrics.scores.segment_table import load_page, segment_text
from metrics.scores.tables import score_table
from metrics.scoring.languages import suggested_tokenizer, usable_tokenizers
from metrics.scoring.texts import load_outputs, load_sources

MOST_PAIRS = 100
MOST_LINKS = 8


def tokenizer(request: HttpRequest, test_set: TestSet) -> str:
    """Return what the address asks for, or what fits the target language."""
    wanted = request.GET.get("tokenize", "")
    known = usable_tokenizers()
    return wanted if wanted in known else suggested_tokenizer(test_set.target_language)


@login_required
@require_GET
def segment(request, test_set_id, segment_id, system_id):
    test_set = access.readable_test_set(request.user, test_set_id)
    found = get_object_or_404(test_set.segments.select_related("document"), pk=segment_id)
    system = get_object_or_404(test_set.systems, pk=system_id)
    texts = load_page([found.pk], [system])
    # Without the texts that were judged an output is unknown, not empty.
    output = texts.outputs.get((found.pk, system.pk)) if test_set.has_texts else None
    references = texts.references[found.pk]
    tokenize = tokenizer(request, test_set)
    lowercase = "capitals" not in request.GET
    diagnosis = None
    if output is not None and references:
        streams = [text for _, text in references]
        diagnosis = diagnose(output, streams, tokenize=tokenize, lowercase=lowercase)
    neighbors = test_set.segments.order_by("position").only("pk", "key")
    context = {
        "test_set": test_set,
        "segment": found,
        "system": system,
        "systems": test_set.systems.without_copies(),
        "output": output,
        "references": references,
        "tokenize": tokenize,
        "tokenizers": usable_tokenizers(),
        "lowercase": lowercase,
        "diagnosis": diagnosis,
        "caveat": CAVEAT,
        "ngrams": ngrams_by_reference(diagnosis, references) if diagnosis else [],
        "scores": segment_scores(test_set, system, found.position),
        "previous": neighbors.filter(position__lt=found.position).last(),
        "next": neighbors.filter(position__gt=found.position).first(),
        "query": request.GET.urlencode(),
    }
    return render(request, "metrics/diagnostic.html", context)


def ngrams_by_reference(diagnosis, references: list[tuple[str, str]]) -> list[tuple[str, list]]:
    """Return the comparisons of n-grams under the names of their references."""
    return [
        (name, [ngrams for ngrams in diagnosis.ngrams if ngrams.reference == number])
        for number, (name, _) in enumerate(references)
    ]


def segment_scores(test_set: TestSet, system: System, position: int) -> list[tuple]:
    """Return what every metric says of a segment: (column, score as text)."""
    table = score_table(test_set, check_stale=False)
    place = test_set.segments.filter(position__lt=position).count()
    found = []
    for column in table.columns:
        score = column.scores.get(system.pk)
        if score is not None and len(score.segment_scores) == table.n_segments:
            found.append((column, segment_text(column, float(score.segment_scores[place]))))
    return found


@login_required
@require_GET
def substitutions(request, test_set_id):
    test_set = access.readable_test_set(request.user, test_set_id)
    systems = list(test_set.systems.without_copies())
    names = test_set.reference_names
    context = {"test_set": test_set, "systems": systems, "tokenizers": usable_tokenizers()}
    if not systems or not names:
        return render(request, "metrics/substitutions.html", context | {"empty": True})
    by_key = {str(system.pk): system for system in systems}
    system = by_key.get(request.GET.get("system", ""), systems[0])
    tokenize, lowercase = tokenizer(request, test_set), "capitals" not in request.GET
    sources = load_sources(test_set, names)
    outputs = load_outputs(sources, [system.pk])[system.pk]
    pairs = substitution_pairs(
        outputs, sources.references, tokenize=tokenize, lowercase=lowercase, most=MOST_PAIRS
    )
    keys = list(test_set.segments.order_by("position").values_list("pk", "key"))
    rows = [(pair, [keys[i] for i in pair.segments[:MOST_LINKS]]) for pair in pairs]
    context |= {
        "system": system,
        "tokenize": tokenize,
        "lowercase": lowercase,
        "rows": rows,
        "most_links": MOST_LINKS,
    }
    return render(request, "metrics/substitutions.html", context)
