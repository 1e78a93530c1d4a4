"""Late systems: an owner adds their outputs to a test set."""

from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.views.decorators.http import require_http_methods

from judgments.files.forms import sent
from judgments.files.rows import import_rows
from judgments.people import access
from judgments.web import plurals as counted

from .forms import LateSystemsForm
from .late_systems import LateOutputs
from .uploads import upload


@login_required
@require_http_methods(["GET", "POST"])
def systems_new(request, test_set_id):
    test_set = access.managed_test_set(request.user, test_set_id)
    if not test_set.has_texts:
        raise Http404("The test set has no texts; they are added together with all outputs.")
    form = LateSystemsForm(*sent(request), test_set=test_set)

    def import_them() -> str:
        added = import_rows(LateOutputs, test_set, form.rows(test_set))
        return f"Added {counted.systems(added.groups)} with {counted.outputs(added.rows)}."

    campaigns = test_set.campaigns.visible_to(request.user).of_people()
    context = {"test_set": test_set, "campaigns": campaigns}
    template = "judgments/test_sets/systems_new.html"
    then = f"{test_set.get_absolute_url()}#systems"
    return upload(request, form, import_them, template, context, then=then)
