"""Notices that a campaign is complete, or that an annotator is flagged.

Checked by the background worker when a batch is finished and when the figures of the page Watch are
computed. A notice is stored once for each rule and event, and then sent. Annotators are reported
again if no earlier notice has all of their flags, or if they are held again, and never while they
are left out.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urljoin

from django.core.mail import EmailMessage
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from judgments.models import (
    Campaign,
    Notice,
    NoticeEvent,
    NoticeState,
    NoticeWay,
)
from judgments.people import states as people
from judgments.people.states import HELD
from judgments.people.workload.valid import valid_counts
from judgments.quality.notices import webhooks
from judgments.web.retries import AGAIN

# A notice that waits longer was lost with its worker.
LONGEST = sum(AGAIN, timedelta(hours=1))
LONGEST_PROBLEM = 300
# In addition to the flags of quality control: a failed verdict.
RULE = "rule"


def look(campaign: Campaign) -> list[int]:
    """Store notices that were not stored before. Return the ids of the notices to send: these, and
    those that have waited for too long."""
    to_send: list[int] = []
    rules = list(campaign.notice_rules.all())
    found = list(events(campaign, with_flags=any(rule.on_flag for rule in rules))) if rules else []
    for rule in rules:
        wanted = {NoticeEvent.COMPLETE: rule.on_complete, NoticeEvent.FLAG: rule.on_flag}
        known = [
            (event, set(about.split()))
            for event, about in rule.notices.values_list("event", "about")
        ]
        for event, about in found:
            parts = set(about.split())
            is_known = any(of == event and parts <= before for of, before in known)
            if wanted[event] and not is_known:
                notice, is_new = rule.notices.get_or_create(event=event, about=about)
                if is_new:
                    to_send.append(notice.pk)
    waiting = Notice.objects.filter(rule__campaign=campaign, state=NoticeState.WAITING)
    forgotten = waiting.filter(created_at__lt=timezone.now() - LONGEST)
    return [*to_send, *forgotten.values_list("pk", flat=True)]


def events(campaign: Campaign, *, with_flags: bool) -> Iterator[tuple[NoticeEvent, str]]:
    """Yield the current events, each with its subject; see `Notice`."""
    valid = valid_counts(campaign)
    if valid.is_complete:
        yield NoticeEvent.COMPLETE, str(valid.n_wanted)
    if with_flags:
        from judgments.quality.watch.figures import flags_of, states_of

        verdicts, known = states_of(campaign), people.states_of(campaign)
        flags_by = flags_of(campaign)
        for user in sorted(flags_by.keys() | known.keys()):
            state = known.get(user, people.State())
            if not state.counts:
                continue
            every = sorted(flags_by.get(user, ()))
            every += [RULE] if verdicts.get(user) == "fail" else []
            every += [f"{HELD}:{state.change}"] if state.name == HELD else []
            if every:
                yield NoticeEvent.FLAG, f"{user} {' '.join(every)}"


@transaction.atomic
def send(notice_id: int) -> datetime | None:
    """Send a waiting notice. Return when to try again after a failure; None once it is sent or
    given up. It is locked meanwhile, so that two workers do not send it twice."""
    waiting = Notice.objects.filter(pk=notice_id, state=NoticeState.WAITING)
    found = waiting.select_related("rule__campaign")
    notice = found.select_for_update(of=("self",), skip_locked=True).first()
    if notice is None:
        return None
    later = None
    notice.n_tries += 1
    notice.problem = ""
    try:
        with transaction.atomic():  # after an error of the database the try is still stored
            deliver(notice)
    except webhooks.WebhookRefused as problem:
        notice.state, notice.problem = NoticeState.FAILED, str(problem)[:LONGEST_PROBLEM]
    except Exception as problem:  # noqa: BLE001  whatever a mail server or a network can raise
        notice.problem = f"{problem}"[:LONGEST_PROBLEM] or type(problem).__name__
        if notice.n_tries > len(AGAIN):
            notice.state = NoticeState.FAILED
        else:
            later = timezone.now() + AGAIN[notice.n_tries - 1]
    else:
        notice.state, notice.sent_at = NoticeState.SENT, timezone.now()
    notice.save(update_fields=["n_tries", "problem", "state", "sent_at"])
    return later


def deliver(notice: Notice) -> None:
    rule, message = notice.rule, content(notice)
    if rule.way == NoticeWay.MAIL:
        subject = " ".join(f"{message['campaign']['name']}: {message['text']}".split())
        body = f"{message['text']}\n\n{message['campaign']['address']}\n"
        EmailMessage(subject[:200], body, to=[rule.address]).send()
    else:
        webhooks.post(rule.address, json.dumps(message).encode(), rule.secret)


def content(notice: Notice, aliases: Mapping[int, str] | None = None) -> dict[str, Any]:
    """Return the content as JSON; a mail has the same words. aliases: of the campaign's members by
    their users, if they are known."""
    rule = notice.rule
    campaign = rule.campaign
    message: dict[str, Any] = {
        "id": notice.pk,
        "event": notice.event,
        "created": notice.created_at.isoformat(),
        "campaign": {
            "id": campaign.pk,
            "name": campaign.name,
            "address": urljoin(rule.site, reverse("watch", args=[campaign.pk])),
        },
    }
    if notice.event == NoticeEvent.COMPLETE:
        items = int(notice.about)
        return message | {"items": items, "text": f"All {items:,} items are judged."}
    user, *about = notice.about.split()
    flags = [flag.partition(":")[0] for flag in about]  # without the number of a hold
    if aliases is None:
        aliases = aliases_in(campaign)
    alias = aliases.get(int(user), f"annotator {user}")
    text = f"{alias} is flagged: {'; '.join(words_of(flags))}."
    return message | {"annotator": alias, "flags": flags, "text": text}


def words_of(flags: list[str]) -> list[str]:
    from judgments.quality.rules.figures import FLAGS

    known = {**FLAGS, RULE: "the campaign's quality control rule is not met"}
    known[HELD] = "they are held until an owner decides"
    return [str(known[flag]) for flag in flags if flag in known]


def aliases_in(campaign: Campaign) -> dict[int, str]:
    """Return {user id: alias} of all members."""
    return dict(campaign.memberships.values_list("user_id", "alias"))


def in_words(notice: Notice, aliases: Mapping[int, str]) -> str:
    return str(content(notice, aliases)["text"])
