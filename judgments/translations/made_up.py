"""Pages of annotators in the states that texts speak of, with facts that are made up.

A page is a template with the names that its view gives it; what a template does not find stays
empty. The campaign is in no table: its links lead nowhere.
"""

from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.translation import get_language

from judgments.forms.accounts import JoinForm
from judgments.forms.entry import QuestionnaireForm
from judgments.forms.notes import NoteForm
from judgments.forms.reading import ReadingForm
from judgments.models import (
    Campaign,
    MediaFile,
    Membership,
    ReadingSettings,
    Role,
    SegmentMedia,
    Status,
)
from judgments.staffing import PersonQuestion
from judgments.trial import trial_screen
from judgments.views.judging import screen_context
from judgments.views.my_data import EraseForm
from judgments.word_links.screen import PlaceLinks, ScreenLinks

Facts = dict[str, Any]
CAMPAIGN, PERSON, PROVIDER = "Sample", "Kim", "Example University"
ADDRESS = "https://mt.example.org/return/…"


@dataclass(frozen=True)
class MadeUpPage:
    slug: str
    name: str
    template: str
    facts: Callable[[], Facts]


def campaign(status: str = Status.OPEN) -> Campaign:
    return Campaign(pk=0, name=CAMPAIGN, status=status, test_set=first_screen().campaign.test_set)


def first_screen():
    screen = trial_screen(1, timezone.now())
    assert screen is not None
    return screen


def member(role: str = Role.ANNOTATOR, **fields: Any) -> Membership:
    return Membership(pk=0, campaign=campaign(), alias=PERSON, role=role, **fields)


def work(n_items: int, n_judged: int, n_skipped: int = 0) -> SimpleNamespace:
    task = SimpleNamespace(n_items=n_items, n_judged=n_judged, n_waiting=n_items - n_judged)
    left = n_items - n_judged - n_skipped
    return SimpleNamespace(
        n_items=n_items, n_judged=n_judged, n_skipped=n_skipped, n_left=left,
        active_ms=25_000 * n_judged, pace_ms=25_000, left_ms=25_000 * left,
        begun=[("", task, 1, n_items)] if left else [],
    )  # fmt: skip


def between(**facts: Any) -> Callable[[], Facts]:
    """facts: those in which the state differs from all items of a batch being judged."""

    def found() -> Facts:
        status = facts.get("status", Status.OPEN)
        return {"campaign": campaign(status), "work": work(20, 20), "owner": ""} | facts

    return found


def item(problem: str, status: str = Status.OPEN, **facts: Any) -> Callable[[], Facts]:
    """The judging screen in work, with what the site says of an answer."""

    def found() -> Facts:
        screen = first_screen()
        context = screen_context(screen, screen.form({} if problem else None), "/", problem=problem)
        return context | {"campaign": campaign(status), "work": work(20, 8), "owner": ""} | facts

    return found


def item_with_sound() -> Facts:
    """With a gloss, and read sentence by sentence."""
    facts = item("")()
    test_set, segment = facts["test_set"], facts["segment"]
    test_set.has_media = True
    segment.gloss = "…"
    segment.media = SegmentMedia(file=MediaFile(pk=1, kind="audio/wav"), captions_id=1)
    return facts | {"reading": ReadingSettings(sentence_steps="on")}


def item_with_hints(*words: str) -> Callable[[], Facts]:
    """As a campaign shows them that has an aligner look for what was left out."""

    def found() -> Facts:
        return item("")() | {"links": ScreenLinks({1: PlaceLinks(hints=words)})}

    return found


def joining(**facts: Any) -> Callable[[], Facts]:
    def found() -> Facts:
        role = facts.get("role", Role.ANNOTATOR)
        form = JoinForm(campaign(), proposed=PERSON, may_type=facts.get("may_type", True))
        invitation = SimpleNamespace(role=role)
        known = {"campaign": campaign(), "invitation": invitation, "form": form}
        return known | {"proposed": PERSON} | facts

    return found


def noted(**said: str) -> Callable[[], Facts]:
    def found() -> Facts:
        form = NoteForm(said or None)
        notes = [SimpleNamespace(kind=kind) for kind in ("skip", "flag")] if said else []
        judged = SimpleNamespace(is_judged=said.get("kind") == "flag")
        return {"campaign": campaign(), "form": form, "item": judged, "number": 3, "notes": notes}

    return found


def questionnaire() -> Facts:
    asked = PersonQuestion("native", {"en": "Is German your first language?"}, "yes-no")
    return {"campaign": campaign(), "form": QuestionnaireForm((asked,), get_language() or "en")}


def practiced(*verdicts: bool, is_last: bool = False) -> Callable[[], Facts]:
    def found() -> Facts:
        checked = [
            SimpleNamespace(label="…", given="4", expected="2", is_right=is_right)
            for is_right in verdicts
        ]
        screen = first_screen()
        return {
            "campaign": campaign(),
            "test_set": screen.campaign.test_set,
            "screen": screen,
            "practice": SimpleNamespace(source=screen.item.segment.source, feedback=""),
            "checked": checked,
            "n_wrong": verdicts.count(False),
            "is_last": is_last,
        }

    return found


def of_campaign(**facts: Any) -> Callable[[], Facts]:
    return lambda: {"campaign": campaign()} | facts


def plain(**facts: Any) -> Callable[[], Facts]:
    return lambda: facts


def signed_in(**facts: Any) -> Callable[[], Facts]:
    return lambda: {"user": User(pk=0, username=PERSON), "provider": PROVIDER} | facts


def stored_data(may_erase: bool) -> Callable[[], Facts]:
    def found() -> Facts:
        consent = [
            {"accepted": accepted, "recorded_at": timezone.now()} for accepted in (True, False)
        ]
        part = {
            "campaign": CAMPAIGN,
            "name_in_results": PERSON,
            "invited_as": {"name": PERSON},
            "consent": consent,
            "devices": [""],
        }
        known = {"parts": [(part, member())], "n_judgments": 20, "n_tokens": 0}
        known |= {"user": User(pk=0, username=PERSON), "is_connected": True}
        return known | {"may_erase": may_erase, "form": EraseForm()}

    return found


BETWEEN, ITEM = "judgments/judging/between.html", "judgments/judging/item.html"
JOIN, DEAD = "judgments/join.html", "judgments/link_dead.html"
REFUSED, NOTE = "judgments/join_refused.html", "judgments/judging/note.html"
CONSENT, FEEDBACK = "judgments/judging/consent.html", "judgments/judging/feedback.html"
ITEMS, LIMITED = "judgments/judging/items.html", "429.html"
BATCH = {"n_waiting": 12}
NOTHING = work(0, 0)

MADE_UP = tuple(
    MadeUpPage(*row)
    for row in (
        ("item-begun", "An item in work", ITEM, item("", pool={"n_free": 2})),
        ("item-incomplete", "An item, answers missing", ITEM, item("incomplete")),
        ("item-paused", "An item of a paused campaign", ITEM, item("not-open", Status.PAUSED)),
        ("item-closed", "An item of a closed campaign", ITEM, item("not-open", Status.CLOSED)),
        ("item-stale", "An item, the page was too old", ITEM, item("stale")),
        ("item-newer", "An item, judged elsewhere meanwhile", ITEM, item("newer")),
        ("item-sound", "An item with a sound and sentence steps", ITEM, item_with_sound),
        ("item-hints", "An item with hints at what was left out", ITEM, item_with_hints("…")),
        ("item-no-hints", "An item for which no hints were found", ITEM, item_with_hints()),
        ("item-practice", "A practice item", ITEM, item("", is_practice=True)),
        ("practice-right", "Practice, right", FEEDBACK, practiced(True)),
        ("practice-wrong", "Practice, wrong", FEEDBACK, practiced(False, is_last=True)),
        ("practice-unchecked", "Practice, not checked", FEEDBACK, practiced()),
        ("note", "Skip or flag", NOTE, noted()),
        ("note-refused", "Skip without a reason", NOTE, noted(kind="skip")),
        ("note-empty", "Flag without a reason", NOTE, noted(kind="flag")),
        ("note-other", "Skip without a comment", NOTE, noted(kind="skip", reason="other")),
        ("items", "The items of an annotator", ITEMS, of_campaign(
            work=work(20, 8), items=[(1, True, False), (2, False, True)], pages=[1, 2], asked="99",
        )),
        ("items-none", "No items yet", ITEMS, of_campaign(work=NOTHING)),
        ("between-ready", "Ready to begin", BETWEEN,
         between(work=NOTHING, batch=BATCH, pool={"n_free": 3})),
        ("between-next", "The next batch", BETWEEN, between(batch=BATCH)),
        ("between-done", "All done, with a code", BETWEEN,
         between(is_complete=True, code="C0DE", has_codes=True)),
        ("between-redirect", "All done, back to another site", BETWEEN,
         between(is_complete=True, code="C0DE", redirect="https://example.org/")),
        ("between-no-code", "All done, no code", BETWEEN,
         between(is_complete=True, has_codes=True)),
        ("between-skipped", "Some items are skipped", BETWEEN,
         between(work=work(20, 17, 3), has_codes=True)),
        ("between-back", "The batch is given back", BETWEEN, between(is_back=True, batch=BATCH)),
        ("between-back-none", "Given back, nothing else is free", BETWEEN, between(is_back=True)),
        ("between-nothing", "Nothing to judge yet", BETWEEN, between(work=NOTHING)),
        ("between-draft", "The campaign has not begun", BETWEEN, between(status=Status.DRAFT)),
        ("between-paused", "The campaign is paused", BETWEEN,
         between(status=Status.PAUSED, work=work(20, 8))),
        ("between-closed", "The campaign is closed", BETWEEN, between(status=Status.CLOSED)),
        ("between-left-out", "No more work for them", BETWEEN,
         between(is_left_out=True, work=work(20, 8))),
        ("between-lost", "The item is no longer theirs", BETWEEN, between(lost=True)),
        ("return-batch", "Giving a batch back", "judgments/judging/return.html",
         of_campaign(task=work(20, 8).begun[0][1])),
        ("consent", "Consent", CONSENT, of_campaign(text="…", is_other=True)),
        ("consent-given", "Consent, given", CONSENT, of_campaign(text="…", is_accepted=True)),
        ("consent-refused", "Consent, refused", CONSENT, of_campaign(is_refused=True)),
        ("about-you", "Questions about the person", "judgments/judging/questionnaire.html",
         questionnaire),
        ("join", "An invitation", JOIN, joining(is_familiar=True)),
        ("join-name", "An invitation, names are given", JOIN, joining(may_type=False)),
        ("join-account", "An invitation, signed in", JOIN,
         joining(user=User(pk=0, username=PERSON))),
        ("join-again", "An invitation, taking part already", JOIN, joining(own=member())),
        ("join-shared", "An invitation on a shared device", JOIN, joining(here=[member()])),
        ("join-results", "An invitation to results", JOIN, joining(role=Role.RESEARCHER)),
        ("join-preview", "An invitation, preview", REFUSED, of_campaign(reason="preview")),
        ("join-taken", "An invitation, number taken", REFUSED, of_campaign(reason="taken")),
        ("join-damaged", "An invitation, damaged", REFUSED, of_campaign()),
        ("join-closed", "An invitation, closed", "judgments/invitation_closed.html",
         of_campaign()),
        ("welcome", "After joining", "judgments/welcome.html",
         lambda: {"membership": member(), "link": ADDRESS}),
        ("welcome-results", "After joining, for results", "judgments/welcome.html",
         lambda: {"membership": member(Role.RESEARCHER), "link": ADDRESS}),
        ("return", "Coming back by a link", "judgments/return.html",
         lambda: {"membership": member()}),
        ("link-unknown", "A link that does not work", DEAD, plain()),
        ("link-closed", "A link that is closed", DEAD,
         lambda: {"membership": member(), "user": User(username=PERSON)}),
        ("link-removed", "A link of somebody who was removed", DEAD,
         lambda: {"membership": member(removed_at=timezone.now())}),
        ("removed", "Removed from a campaign", "judgments/removed.html", plain()),
        ("home", "Start page of an annotator", "judgments/home.html",
         lambda: {"work": [(campaign(), {"judged": 8, "items": 20}),
                           (campaign(Status.PAUSED), {"judged": 0, "items": 0})],
                  "user": User(pk=0, username=PERSON)}),
        ("home-empty", "Start page, no campaign", "judgments/home.html",
         plain(user=User(pk=0, username=PERSON))),
        ("settings", "Reading settings", "judgments/judging/settings.html",
         lambda: {"form": ReadingForm(instance=ReadingSettings()), "next": "/"}),
        ("account", "Account", "judgments/account.html",
         signed_in(has_password=True, provider="")),
        ("account-link", "Account without a password", "judgments/account.html",
         signed_in(provider="")),
        ("account-connected", "Account, connected", "judgments/account.html",
         signed_in(is_connected=True)),
        ("password", "Change the password", "registration/password_change.html", signed_in()),
        ("password-old-link", "A new password, the link is too old",
         "registration/password_reset_confirm.html", plain()),
        ("password-mail", "A new password by mail", "registration/password_reset.html",
         plain(can_mail=True)),
        ("password-contact", "A new password, without mail", "registration/password_reset.html",
         plain(contact="help@example.org")),
        ("password-letter", "The mail for a new password",
         "registration/password_reset_email.txt",
         lambda: {"user": User(pk=0, username=PERSON), "name": PERSON, "site": "example.org"}),
        ("sign-in-other", "Signing in with another account", "registration/login.html",
         signed_in(next="/", provider="")),
        ("sign-in-failed", "Signing in has failed", "registration/oidc_failed.html", plain()),
        ("data", "Data about a person", "judgments/my_data.html", stored_data(True)),
        ("data-kept", "Data that cannot be erased here", "judgments/my_data.html",
         stored_data(False)),
        ("data-erased", "Data are erased", "judgments/my_data_gone.html", plain()),
        ("limit-sign-in", "Sign-in is closed", LIMITED,
         plain(is_sign_in=True, is_stranger=True, minutes=5)),
        ("limit", "Too many requests", LIMITED, plain(minutes=1)),
        ("limit-computing", "Too much at once", LIMITED, plain(is_computing=True, minutes=5)),
        ("back-soon", "The site is starting", "503.html", plain(again="/")),
    )
)  # fmt: skip
# Their addresses are there only where a provider is set up.
WITH_PROVIDER = tuple(
    MadeUpPage(*row)
    for row in (
        ("sign-in-provider", "Signing in elsewhere", "registration/login.html",
         plain(provider=PROVIDER)),
        ("account-provider", "Account, to be connected", "judgments/account.html", signed_in()),
        ("connect", "Connecting with an account elsewhere", "registration/oidc_connect.html",
         signed_in()),
    )
)  # fmt: skip
