"""Where the references of a test set come from, stated by its owner."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from judgments.people import access
from judgments.test_sets.reference_facts.forms import forms_of
from judgments.web.audit.acting import acting


@login_required
@require_http_methods(["GET", "POST"])
def reference_facts(request, test_set_id):
    """A form for each reference; all of them are stored, or none."""
    test_set = access.managed_test_set(request.user, test_set_id)
    forms = forms_of(test_set, request.POST if request.method == "POST" else None)
    if forms and all(form.is_valid() for form in forms):
        with acting(request), transaction.atomic():
            for form in forms:
                form.save()
        messages.success(request, "What is known of the references was saved.")
        return redirect(f"{test_set.get_absolute_url()}#systems")
    context = {"test_set": test_set, "forms": forms}
    status = 422 if any(form.errors for form in forms) else 200
    return render(request, "judgments/test_sets/reference_facts.html", context, status=status)
