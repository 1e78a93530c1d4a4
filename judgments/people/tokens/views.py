"""The tokens with which a person's programs use the API."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from judgments.people.tokens import tokens as api_tokens
from judgments.people.tokens.forms import TokenForm
from judgments.web.audit.acting import acting


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def tokens(request):
    """Return the person's tokens, and a form for another one, whose text only its answer shows."""
    form = TokenForm(request.user, request.POST if request.method == "POST" else None)
    made, text = None, ""
    if request.method == "POST" and form.is_valid():
        with acting(request):
            made, text = api_tokens.create(request.user, **form.cleaned_data)
        form = TokenForm(request.user)
    context = {"form": form, "tokens": request.user.api_tokens.all(), "made": made, "text": text}
    return render(
        request, "judgments/people/tokens.html", context, status=422 if form.errors else 200
    )


@login_required
@require_POST
def token_revoke(request, token_id):
    token = get_object_or_404(request.user.api_tokens, pk=token_id)
    with acting(request):
        token.delete()
    messages.success(request, f"The token “{token.name}” no longer works.")
    return redirect("tokens")
