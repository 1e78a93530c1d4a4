"""Import: files are uploaded, inspected, and then stored; each step has its own address."""

from collections.abc import Sequence
from datetime import timedelta

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.db.models import F, OuterRef, Subquery
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.template.defaultfilters import filesizeformat
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from judgments.exchange.releases import uploads
from judgments.exchange.releases.forms import BringForm, MendForm, QuestionsForm
from judgments.exchange.releases.registry import FORMATS
from judgments.exchange.releases.tables import recipes
from judgments.exchange.releases.tasks import DAY, forget_upload, run_upload
from judgments.exchange.releases.weight import is_light
from judgments.files import ImportProblem
from judgments.files.attachments import JSON, attachment
from judgments.files.forms import sent
from judgments.files.problem import USUAL_LIMIT
from judgments.models import JobStatus, Upload, UploadPiece
from judgments.models.worker_locks import UPLOADS
from judgments.people import access
from judgments.web.audit.acting import acting

# The most rows to leave out, in percent, by the button that was pressed.
LEAVE_OUT = {"leave-out": USUAL_LIMIT, "leave-out-many": 100.0}
SLOW_TO_BEGIN = timedelta(seconds=15)


@login_required
@require_http_methods(["GET", "POST"])
def upload(request):
    access.require_creator(request.user)
    form = BringForm(*sent(request))
    if form.is_valid() and (upload := store_upload(request, form)):
        return redirect("import-found", upload.pk)
    context = {
        "form": form,
        "limit": settings.MAX_UPLOAD_BYTES,
        "formats": FORMATS,
        "uploads": own_uploads(request.user),
    }
    return render(
        request, "judgments/exchange/import.html", context, status=422 if form.errors else 200
    )


def own_uploads(user):
    """Return a person's uploads, each with the path of its first file while the files are
    stored."""
    first = UploadPiece.objects.filter(upload=OuterRef("pk")).order_by("file", "position")
    return (
        Upload.objects.filter(owner=user)
        .exclude(status=JobStatus.CANCELLED)
        .annotate(first_path=Subquery(first.values("path")[:1]), n_more=F("n_files") - 1)
    )


def store_upload(request, form: BringForm) -> Upload | None:
    """Return the upload of a valid form and start its processing; None, with an error in the form,
    if it cannot be stored."""
    try:
        with acting(request) as act:
            upload = uploads.store(request.user, form.uploaded())
            forget_upload.using(run_after=timezone.now() + DAY).enqueue(upload.pk)
            start(upload)
            act.made(upload_id=upload.pk)
            return upload
    except uploads.QuotaExceeded:
        form.add_error(
            None,
            "Files that you uploaded before are still stored, and together these are more than "
            f"{filesizeformat(uploads.quota())}. Import or discard those first.",
        )
    except ImportProblem as problem:
        form.add_error(None, f"Nothing was stored. {problem}")
    return None


def start(upload: Upload) -> None:
    """Process an upload: a small one now, any other one by a worker."""
    if is_light(upload) and uploads.work_at_once(upload.pk):
        return
    run_upload.enqueue(upload.pk)


@login_required
@require_GET
def review(request, upload_id):
    upload = access.own_upload(request.user, upload_id)
    if upload.is_imported:
        return redirect("import-done", upload.pk)
    questions = uploads.questions_of(upload)
    form = QuestionsForm(upload, questions)
    return render(request, "judgments/exchange/import_found.html", context_of(upload, form))


def context_of(upload: Upload, form: QuestionsForm) -> dict:
    outcome = upload.outcome
    return {
        "upload": upload,
        "form": form,
        "outcome": outcome,
        "caption": caption_of(outcome.get("problems", ()), outcome.get("n_problems", 0)),
        "left_out_caption": caption_of(outcome.get("left_out", ()), outcome.get("n_left_out", 0)),
        "has_meanings": any(name.startswith("column:") for name in upload.answers),
        **progress_state(upload),
    }


def caption_of(problems: Sequence[dict], n: int) -> str:
    return f"The first {len(problems)} of {n:,} problems" if n > len(problems) else "Problems"


def progress_state(upload: Upload) -> dict:
    """Return whether nobody has begun to process an upload, or its process is gone."""
    is_late = timezone.now() - upload.moved_at > SLOW_TO_BEGIN
    running = upload.status == JobStatus.RUNNING
    return {
        "no_worker": upload.status == JobStatus.QUEUED and is_late,
        "is_lost": running and is_late and not UPLOADS.is_taken(upload.pk),
    }


@login_required
@require_GET
def done(request, upload_id):
    upload = access.own_upload(request.user, upload_id)
    if not upload.is_imported:
        return redirect("import-found", upload.pk)
    return render(request, "judgments/exchange/import_done.html", {"upload": upload})


@login_required
@require_GET
def progress(request, upload_id):
    """Return the part of the page with the progress; at the end, reload the whole page."""
    upload = access.own_upload(request.user, upload_id)
    context = {"upload": upload, **progress_state(upload)}
    response = render(request, "judgments/exchange/_import_progress.html", context)
    if not upload.is_active:
        response["HX-Refresh"] = "true"
    return response


@login_required
@require_GET
def recipe(request, upload_id):
    """Return the meanings of the columns of the upload's tables, as a file."""
    upload = access.own_upload(request.user, upload_id)
    tables = upload.outcome.get("recipe")
    if not tables:
        return redirect("import-found", upload.pk)
    first = upload.pieces.order_by("file").values_list("path", flat=True).first() or ""
    known = {each.name: each.default for each in uploads.questions_of(upload)} | upload.answers
    content = recipes.as_text(first, tables, known)
    return attachment(content, JSON, "recipe.json")


@login_required
@require_POST
def answer(request, upload_id):
    """Store answers to questions that the files cannot answer; then inspect the files again, or
    import them."""
    upload = access.own_upload(request.user, upload_id)
    if not upload.is_reviewed and upload.status != JobStatus.FAILED:
        return redirect("import-found", upload.pk)
    form = QuestionsForm(upload, uploads.questions_of(upload), request.POST)
    if not form.is_valid():
        context = context_of(upload, form)
        return render(request, "judgments/exchange/import_found.html", context, status=422)
    upload.answers = form.answers()
    upload.test_set = form.cleaned_data.get("test_set")
    act = request.POST.get("act", "")
    upload.keeps = act == "import" and upload.is_reviewed
    upload.leave_out = LEAVE_OUT.get(act, upload.leave_out)
    with acting(request):
        begin_again(upload)
    return redirect("import-found", upload.pk)


@login_required
@require_http_methods(["GET", "POST"])
def mend(request, upload_id, number):
    """Replace a line that has an error, and let the files be inspected again."""
    upload = access.own_upload(request.user, upload_id)
    problems = upload.outcome.get("problems", ())
    if upload.status != JobStatus.FAILED or not 1 <= number <= len(problems):
        return redirect("import-found", upload.pk)
    problem = problems[number - 1]
    line = uploads.line_of(upload, problem["file"], problem["row"]) if problem["row"] else None
    form = MendForm(request.POST or None, initial={"line": line})
    if line is not None and form.is_valid():
        with acting(request):
            uploads.replace_line(upload, problem["file"], problem["row"], form.cleaned_data["line"])
            upload.keeps = False
            begin_again(upload)
        return redirect("import-found", upload.pk)
    context = {"upload": upload, "problem": problem, "line": line, "form": form}
    status = 422 if form.errors else 200
    return render(request, "judgments/exchange/import_mend.html", context, status=status)


@login_required
@require_POST
def retry(request, upload_id):
    upload = access.own_upload(request.user, upload_id)
    is_lost = upload.is_active and not UPLOADS.is_taken(upload.pk)
    if upload.status == JobStatus.FAILED or is_lost:
        upload.keeps = False
        with acting(request):
            begin_again(upload)
    return redirect("import-found", upload.pk)


def begin_again(upload: Upload) -> None:
    """Start, unless somebody else has in the meantime: of two clicks only one has an effect."""
    row = Upload.objects.filter(pk=upload.pk, status=upload.status).not_imported()
    if row.update(
        answers=upload.answers,
        test_set=upload.test_set,
        keeps=upload.keeps,
        leave_out=upload.leave_out,
        status=JobStatus.QUEUED,
        moved_at=timezone.now(),
    ):
        start(upload)


@login_required
@require_POST
def cancel(request, upload_id) -> HttpResponse:
    """End the processing, and discard the files."""
    upload = access.own_upload(request.user, upload_id)
    row = Upload.objects.filter(pk=upload.pk).exclude(status=JobStatus.CANCELLED).not_imported()
    with acting(request):
        if row.update(status=JobStatus.CANCELLED, n_bytes=0, outcome={}):
            uploads.forget(upload)
    return redirect("import")
