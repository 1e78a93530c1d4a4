"""Where the references of a test set come from, stated by its owner, or told by equal texts."""

from contextlib import suppress

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from judgments.models import TestSet
from judgments.people import access
from judgments.test_sets.reference_facts import donors
from judgments.test_sets.reference_facts.forms import DonorsForm, forms_of, save_all
from judgments.test_sets.reference_facts.words import donor_words, found_words
from judgments.web import plurals as counted
from judgments.web.audit.acting import acting


@login_required
@require_http_methods(["GET", "POST"])
def reference_facts(request, test_set_id):
    """Return a form for each reference; all of them are stored, or none."""
    test_set = access.managed_test_set(request.user, test_set_id)
    forms = []
    if request.method == "POST":
        with suppress(ValidationError):
            with acting(request):
                # Of two that save at once the second is checked against what the first has stored.
                TestSet.objects.select_for_update(of=("self",)).get(pk=test_set.pk)
                forms = forms_of(test_set, request.POST)
                save_all(forms)
            messages.success(request, "The facts about the references were saved.")
            return redirect(f"{test_set.get_absolute_url()}#systems")
    forms = forms or forms_of(test_set)
    found = donors.counted_donors(test_set)
    of_segments = [(form.name, donor_words(found.get(form.name, {}))) for form in forms]
    context = {"test_set": test_set, "forms": forms, "of_segments": of_segments}
    status = 422 if any(form.errors for form in forms) else 200
    return render(request, "judgments/test_sets/reference_facts.html", context, status=status)


@login_required
@require_POST
def reference_donors(request, test_set_id):
    """Find the donors of a reference's segments in the texts, or remove them."""
    test_set = access.managed_test_set(request.user, test_set_id)
    form = DonorsForm(test_set, request.POST)
    name = form.cleaned_data["name"] if form.is_valid() else ""
    if not name:
        messages.error(request, "The test set has no such reference.")
    elif form.cleaned_data["act"] == "forget":
        with acting(request):
            n = donors.forget_donors(test_set, name)
        messages.success(request, f"The donors of {counted.segments(n)} of {name} were removed.")
    elif reason := donors.why_not(test_set, name):
        messages.error(request, reason)
    else:
        with acting(request):
            found = donors.find_donors(test_set, name)
        for words in found_words(found):
            messages.success(request, words)
    return redirect("reference-facts", test_set.pk)
