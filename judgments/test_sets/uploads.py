"""Shared handling of upload forms."""

from collections.abc import Callable

from django.conf import settings
from django.contrib import messages
from django.shortcuts import redirect, render

from judgments.files.forms import FilesForm
from judgments.web.audit.acting import acted


def upload(
    request,
    form: FilesForm,
    import_them: Callable[[], str],
    template: str,
    context: dict,
    *,
    then: str = "",
):
    """Import the files of a form if it was sent, and show the page with any errors.

    import_them: imports the files of a valid form and returns a message; may raise ImportProblem.
    then: the address to redirect to afterwards; without it, the page itself.
    """
    message = form.imported(acted(request, import_them))
    if message is not None:
        messages.success(request, message)
        return redirect(then or request.path)
    context |= {"form": form, "limit": settings.MAX_UPLOAD_BYTES}
    return render(request, template, context, status=422 if form.errors else 200)
