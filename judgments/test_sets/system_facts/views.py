"""Facts about a system, stated by the owner of its test set."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods

from judgments.models import System
from judgments.models.system_facts import SYSTEM_KINDS
from judgments.people import access
from judgments.test_sets.system_facts.forms import SystemFactsForm
from judgments.web.audit.acting import acting


@login_required
@require_http_methods(["GET", "POST"])
def system_facts(request, test_set_id, system_id):
    test_set = access.managed_test_set(request.user, test_set_id)
    system = get_object_or_404(System, test_set=test_set, pk=system_id)
    form = SystemFactsForm(system, request.POST if request.method == "POST" else None)
    if form.is_valid():
        with acting(request):
            form.save()
        messages.success(request, f"The facts about {system.name} were saved.")
        return redirect(f"{test_set.get_absolute_url()}#systems")
    context = {"test_set": test_set, "system": system, "form": form, "kinds": SYSTEM_KINDS}
    status = 422 if form.errors else 200
    return render(request, "judgments/test_sets/system_facts.html", context, status=status)
