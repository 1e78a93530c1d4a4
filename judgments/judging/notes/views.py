"""Notes of annotators on items, and the page on which the people of the campaign read them."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from judgments.judging import queue
from judgments.judging.notes import notes
from judgments.judging.notes.forms import NoteForm, ResolveForm
from judgments.judging.screen import open_item
from judgments.models import Note, NoteKind
from judgments.people import access
from judgments.people.staffing.settings import entry_step
from judgments.people.states import may_work
from judgments.people.workload.work import next_number, work_of
from judgments.web.audit.acting import acting

WORDS = ("quote", "side", "place", "start")


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def judge_note(request, campaign_id, number):
    """Skip an item, or flag it; the judging screen opens this page's form at its side."""
    membership = access.annotator(request.user, campaign_id)
    # A note of somebody who is left out is stored, as an answer is, and leads to no item.
    if entry_step(membership) or (request.method == "GET" and not may_work(membership)):
        return redirect("judge", campaign_id)
    work = work_of(membership)
    place = work.place(number)
    if place is None:
        raise Http404("No such item in your work.")
    task, position = place
    item = get_object_or_404(task.items, position=position)
    form = NoteForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        said = form.cleaned_data
        note = {name: said[name] for name in ("kind", "reason", "comment")}
        try:
            if words := {name: said[name] for name in WORDS if said["quote"]}:
                screen = open_item(membership, number, timezone.now())
                note["about"] = notes.quoted(screen, **words)
            notes.note(membership, task, position, **note)
        except queue.NotOpen:
            form.add_error(None, _("The campaign is not open, so nothing was stored."))
        except notes.NotThere:
            form.add_error(None, _("The words that you chose are no longer there."))
        except notes.AlreadyJudged:
            form.add_error(None, _("You have judged this item. Revise it, or flag it."))
        except queue.NotYours:
            return redirect("judge", campaign_id)
        else:
            return redirect(after(membership, number, form.cleaned_data["kind"]))
    context = {
        "campaign": membership.campaign,
        "number": number,
        "item": item,
        "form": form,
        "base": reverse("judge", args=[campaign_id]),
        "notes": item.notes.filter(annotator=request.user),
    }
    status = 422 if form.errors else 200
    return render(request, "judgments/judging/note.html", context, status=status)


def after(membership, number: int, kind: str) -> str:
    """Return a flag leads back to the item; who skips one goes on to the next that waits."""
    if kind == NoteKind.SKIP:
        following = next_number(work_of(membership))
        if following is None:
            return reverse("judge", args=[membership.campaign_id])
        number = following
    return reverse("judge-item", args=[membership.campaign_id, number])


@login_required
@require_POST
def judge_skipped(request, campaign_id):
    """Take up again what was skipped."""
    membership = access.annotator(request.user, campaign_id)
    if membership.campaign.is_open and may_work(membership):
        notes.take_up_skipped(membership)
    return redirect("judge", campaign_id)


@login_required
@require_GET
def campaign_notes(request, campaign_id):
    """Return what was skipped and flagged, and why."""
    campaign = access.readable_campaign(request.user, campaign_id)
    rows = notes.notes_of(campaign)
    context = {
        "campaign": campaign,
        "tab": "people",
        "notes": rows,
        "n_open": sum(note.resolved_at is None for note in rows),
        "may_manage": access.may_manage(request.user, campaign),
    }
    return render(request, "judgments/judging/notes.html", context)


@login_required
@require_POST
def note_resolve(request, campaign_id, note_id):
    """Mark a note as settled, or as open again: whichever the form says, however often."""
    campaign = access.managed_campaign(request.user, campaign_id)
    note = get_object_or_404(Note, pk=note_id, item__task__campaign=campaign)
    form = ResolveForm(request.POST)
    if not form.is_valid():
        messages.error(request, "Nothing was changed: say whether the note is resolved.")
    elif form.cleaned_data["resolved"] == "yes":
        with acting(request):
            Note.objects.filter(pk=note.pk, resolved_at=None).update(resolved_at=timezone.now())
        messages.success(request, "The note is resolved.")
    else:
        with acting(request):
            Note.objects.filter(pk=note.pk).exclude(resolved_at=None).update(resolved_at=None)
        messages.success(request, "The note is open again.")
    return redirect("campaign-notes", campaign.pk)
