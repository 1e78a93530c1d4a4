"""The annotator's pages. They never reveal which system wrote what, or the kind of an item."""

import uuid
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from functools import partial

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from judgments.judging import forms as questions
from judgments.judging import queue
from judgments.judging.completion import completion
from judgments.judging.document import document_rows, is_whole
from judgments.judging.practice.gate import (
    has_tries_left,
    is_turned_away,
    let_through,
    waiting_practice,
)
from judgments.judging.queue import is_pool
from judgments.judging.revisions import JudgedMeanwhile
from judgments.judging.screen import Screen, open_item, screens_of
from judgments.judging.ticket import BadTicket, Ticket, new_ticket, unseal
from judgments.models import Campaign, Status
from judgments.models.corpus import direction
from judgments.people import access, devices
from judgments.people.messages.messages import unread_of
from judgments.people.staffing.settings import entry_step, has_refused
from judgments.people.staffing.terms import terms_of
from judgments.people.states import HELD, may_work, may_work_now, state_name
from judgments.people.workload.work import next_number, work_of
from judgments.protocols import protocol_of
from judgments.protocols.base import as_shown
from judgments.protocols.summary import summary_of
from judgments.test_sets.word_links.screen import links_of
from judgments.web.browser_keys import draft_key
from judgments.web.extension_points import registered

ROWS_AT_ONCE = 5  # in one request of a script; ahead.js requests as many


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def judge(request, campaign_id):
    """GET: where the annotator left off, or the next step. POST: claim the next batch, once the
    steps before it are done."""
    membership = access.annotator(request.user, campaign_id)
    campaign = membership.campaign
    if request.method == "POST" and campaign.is_open:
        response = redirect("judge", campaign_id)
        if entry_step(membership) is None and waiting_practice(membership) is None:
            let_through(membership)
            claim_next(request, response, membership)
        return response
    work = work_of(membership)
    batch = None
    if campaign.is_open and may_work(membership):
        if before := entry_step(membership):
            return redirect(before, campaign_id)
        practice = waiting_practice(membership)
        if practice is not None:
            return redirect("judge-practice", campaign_id, practice)
        number = next_number(work)
        if number is not None:
            return redirect("judge-item", campaign_id, number)
        batch = queue.next_free(membership)
    context = between(membership, work) | {
        "batch": batch,
        "pool": pool_of(membership),
        "is_back": "back" in request.GET,
        "terms": partial(terms_of, campaign),  # queried only if nothing was begun
    }
    context |= completion(membership, work, batch)
    return render(request, "judgments/judging/between.html", context)


def claim_next(request, response, membership):
    devices.seen(request, response, membership)  # before a free seat is looked up
    with suppress(queue.NotYours):  # removed or left out; the page that follows says so
        queue.claim(membership, timezone.now())


def pool_of(membership) -> dict | None:
    """Return the context about a pool; None if batches are planned for people."""
    campaign = membership.campaign
    if not is_pool(campaign):
        return None
    is_shown = campaign.is_open and not protocol_of(campaign).options.hidden_progress
    return {"n_free": queue.n_free(membership) if is_shown else 0}


def between(membership, work) -> dict:
    """Return the context of the pages between items."""
    is_held = state_name(membership) == HELD
    return {
        "campaign": membership.campaign,
        "work": work,
        "is_held": is_held,
        "has_ended": is_held or not may_work(membership),
        "failed_tutorial": is_turned_away(membership, work.n_judged),
        "unread": unread_of(membership),
        "hides_progress": protocol_of(membership.campaign).options.hidden_progress,
    }


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def judge_item(request, campaign_id, number):
    """Show one screen. POST stores the answer and goes on to the next waiting item; it needs the
    ticket of a screen that was opened, and so the consent."""
    membership = access.annotator(request.user, campaign_id)
    now = timezone.now()
    if request.method == "POST":
        return submit(request, membership, number, now)
    if not membership.campaign.is_open or not may_open(membership):
        return redirect("judge", campaign_id)
    if asked := request.META.get("HTTP_X_ROWS"):
        return rows_ahead(membership, number, asked, now)
    screen = open_item(membership, number, now)
    return item_page(request, membership, screen)


def may_open(membership) -> bool:
    """Return whether no step comes before the work: consent, questions, a tutorial that is a test.
    An item's address alone would skip them."""
    if entry_step(membership) or not may_work(membership):
        return False
    return not has_tries_left(membership) or waiting_practice(membership) is None


def submit(request, membership, number, now):
    """Store a posted answer, or show it again with the reason why it cannot be stored."""
    try:
        ticket = unseal(request.POST.get("ticket", ""))
    except BadTicket:
        if wants_json(request):
            return JsonResponse({"problem": "stale"}, status=400)
        if not may_work(membership):
            return not_taken(request, membership)
        if not may_open(membership):
            return redirect("judge", membership.campaign_id)
        screen = open_item(membership, number, now)
        return item_page(request, membership, screen, problem="stale", status=400)
    if not may_work(membership):
        return not_taken(request, membership)
    if has_refused(membership):  # in another window; the answer stays in the browser
        if wants_json(request):
            return JsonResponse({"problem": "not-open", "reason": "consent"}, status=409)
        return redirect("judge-consent", membership.campaign_id)
    ticket = begun_at(ticket, whole_number(request.POST.get("waited_ms")), now)
    active_ms = whole_number(request.POST.get("active_ms"))
    try:
        done = queue.submit(membership, ticket, request.POST, active_ms=active_ms, now=now)
    except queue.NotYours:
        return lost(request, membership)
    except queue.NotOpen:
        return not_stored(request, membership, ticket, "not-open", 409)
    except JudgedMeanwhile:
        return not_stored(request, membership, ticket, "newer", 409)
    except queue.NotPainted:
        return not_stored(request, membership, ticket, "changed", 409)
    if done.judgment is None:
        return not_stored(request, membership, ticket, "incomplete", 400)
    if done.step is None or done.is_control:
        for look in registered("after_control"):
            look(membership)
    if done.step is None:
        # The end of a batch, and perhaps of the campaign.
        for follow_up in registered("after_batch"):
            follow_up(membership.campaign)
    if done.step is None:
        following = reverse("judge", args=[membership.campaign_id])
    else:
        following = reverse("judge-item", args=[membership.campaign_id, ticket.number + done.step])
    response: HttpResponse
    if wants_json(request):
        said = {"next": following} | folded(membership.campaign, done)
        response = JsonResponse(said | ({"message": True} if membership.has_message else {}))
    else:
        response = redirect(following)
    has_finished = done.step is None and done.is_first  # going back to a block takes no other
    if has_finished and is_pool(membership.campaign) and "stop" not in request.POST:
        claim_next(request, response, membership)
    return response


def wants_json(request) -> bool:
    """Return whether the request is from the judging screen's script; browsers request pages."""
    return request.META.get("HTTP_ACCEPT") == "application/json"


def folded(campaign, done: queue.Submission) -> dict[str, str]:
    """Return the summary in the line to which the finished row is folded, if rows are shown."""
    if not is_whole(campaign):
        return {}
    shown = [row.output_id for row in done.shown]
    dimensions = protocol_of(campaign).dimensions()
    return {"summary": summary_of(dimensions, shown, done.said)}


def begun_at(ticket: Ticket, waited_ms: int | None, now) -> Ticket:
    """Return the ticket of a row that was fetched ahead with the time at which the row was
    opened."""
    if not waited_ms:
        return ticket
    waited = timedelta(milliseconds=min(waited_ms, 10**9))
    return replace(ticket, opened_at=max(ticket.opened_at, min(ticket.opened_at + waited, now)))


def not_stored(request, membership, ticket, problem, status):
    """Show the screen again, with the submitted answers and ticket: sent again, they are the same
    answer; after a newer judgment, a revision of that one. A script only gets the reason, and keeps
    the answers itself."""
    try:
        screen = open_item(membership, ticket.number, ticket.opened_at)
    except Http404:  # the work has become shorter
        return lost(request, membership)
    if screen.item.pk != ticket.item:
        return lost(request, membership)
    if wants_json(request):
        said = {"problem": problem}
        if problem == "not-open":
            campaign = membership.campaign
            is_closed = campaign.status == Status.CLOSED or campaign.is_over
            said["reason"] = "closed" if is_closed else "paused"
        return JsonResponse(said, status=status)
    if problem == "newer" and screen.judgment is not None:  # sent again, it is a revision of that
        ticket = replace(ticket, key=uuid.uuid4(), seen=screen.judgment.revision)
    if problem == "changed":  # sent again, it is an answer to what is shown now
        ticket = replace(ticket, painted=screen.painted)
    return item_page(request, membership, screen, problem=problem, ticket=ticket, status=status)


def lost(request, membership):
    """Respond that the item is not, or no longer, this annotator's."""
    if not may_work_now(membership):  # since the request was read
        return not_taken(request, access.annotator(request.user, membership.campaign_id))
    if wants_json(request):
        return JsonResponse({"problem": "not-yours"}, status=409)
    context = between(membership, work_of(membership)) | {"lost": True}
    return render(request, "judgments/judging/between.html", context, status=409)


def not_taken(request, membership):
    """Respond that the annotator is held or left out, so the answer is not stored; a script keeps
    it, and sends it when they may go on."""
    if wants_json(request):
        reason = "held" if state_name(membership) == HELD else "left-out"
        return JsonResponse({"problem": "not-open", "reason": reason}, status=409)
    context = between(membership, work_of(membership)) | {"not_taken": True}
    return render(request, "judgments/judging/between.html", context, status=409)


def item_page(request, membership, screen, *, problem="", ticket=None, status=200):
    """Show the screen; if there is a problem, with the submitted answers."""
    form = screen.form(request.POST if problem else None)
    context = open_row(screen, form, membership, problem=problem, ticket=ticket) | {
        "rows": document_rows(screen) if is_whole(screen.campaign) else None,
        "pool": pool_of(membership),
        "is_stopping": "stop" in request.POST,
        "unread": unread_of(membership),
    }
    return render(request, "judgments/judging/item.html", context, status=status)


def rows_ahead(membership, number: int, asked: str, now) -> JsonResponse:
    """Return open rows as {"rows": {number: HTML}} for a script that has a screen of the work open.

    asked: the header X-Rows, up to ROWS_AT_ONCE numbers separated by commas, or "list" for the
    addressed item with the rows of its document around it. Items that do not exist are left out.
    """
    has_list = asked == "list" and is_whole(membership.campaign)
    numbers = [number] if asked == "list" else whole_numbers(asked)
    if not 0 < len(numbers) <= ROWS_AT_ONCE:
        detail = f"X-Rows holds up to {ROWS_AT_ONCE} numbers, or the word list."
        return JsonResponse({"detail": detail}, status=400)
    rows: dict[int, str] = {}
    pace = ""  # the same for all of them
    for screen in screens_of(membership.campaign, work_of(membership), numbers, now):
        context = open_row(screen, screen.form(), membership)
        pace = pace or render_to_string("judgments/judging/pace.html", context)
        context |= {"rows": document_rows(screen) if has_list else None, "pace": pace}
        rows[screen.number] = render_to_string("judgments/judging/row.html", context)
    return JsonResponse({"rows": rows}, json_dumps_params={"ensure_ascii": False})


def open_row(screen: Screen, form, membership, *, problem="", ticket: Ticket | None = None) -> dict:
    """Return the context for the open row of an annotator's screen."""
    item, texts, user_id = screen.item, screen.painted, membership.user_id
    ticket = ticket or new_ticket(
        item.pk,
        user_id,
        screen.number,
        screen.opened_at,
        screen.campaign.guideline_version,
        screen.judgment.revision if screen.judgment else 0,
        texts,
    )
    base = reverse("judge", args=[screen.campaign.pk])
    return screen_context(screen, form, base, problem=problem) | {
        "draft": "" if screen.judgment else draft_key(item.pk, user_id, texts),
        "ticket": ticket.seal(),
    }


def screen_context(screen: Screen, form, base: str, *, problem: str) -> dict:
    """Return the context for the templates of a screen. base: the address below which the items
    are."""
    by_place = questions.by_place(form)
    campaign = screen.campaign
    return {
        "campaign": campaign,
        "test_set": campaign.test_set,
        "screen": screen,
        "work": screen.work,
        "segment": screen.item.segment,
        "template": screen.protocol.template,
        "form": form,
        # A segment's text may lack a reference, though the campaign shows one.
        "dimensions": [
            as_shown(dimension, screen.show_source, screen.reference is not None)
            for dimension in form.dimensions
        ],
        "has_typed": [d for d in form.dimensions if d.scale.is_typed],
        "has_slider": [d for d in form.dimensions if d.scale.widget == "slider"],
        "places": [
            (place, row.text, by_place.get(place, ())) for place, row in enumerate(screen.shown, 1)
        ],
        "questions": questions.of_screen(form),
        "links": links_of(screen.protocol, screen.item, screen.shown),
        "problem": problem,
        "missing": [(name, errors[0]) for name, errors in form.errors.items()],
        "base": base,
        "rows": None,
        "is_practice": False,
    }


def whole_numbers(text: str) -> list[int]:
    """Return the numbers that a script sent, separated by commas; none if one is invalid."""
    found = [whole_number(each) for each in text.split(",")]
    numbers = [each for each in found if each is not None]
    return numbers if len(numbers) == len(found) else []


def whole_number(text: str | None) -> int | None:
    """Return a count that a script sent; None if it is invalid."""
    if text and text.isascii() and text.isdigit() and len(text) < 16:
        return int(text)
    return None


@login_required
@require_GET
def judge_instructions(request, campaign_id):
    """Show the instructions as a page; the judging screen opens it in a side panel."""
    membership = access.annotator(request.user, campaign_id)
    campaign = membership.campaign
    language, text = instructions_in(campaign, get_language() or "en")
    context = {
        "campaign": campaign,
        "text": text,
        "text_language": language,
        "text_direction": direction(language),
        "dimensions": protocol_of(campaign).dimensions(),
        "summary": protocol_of(campaign).preset.summary,
    }
    return render(request, "judgments/judging/instructions.html", context)


def instructions_in(campaign: Campaign, language: str) -> tuple[str, str]:
    """Return the instructions with their language: the requested one, English, or any."""
    texts = campaign.instructions
    for code in (language, "en", *texts):
        if texts.get(code):
            return code, texts[code]
    return "en", protocol_of(campaign).instructions()
