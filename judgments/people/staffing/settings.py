"""What a campaign settles with its people: consent, questionnaire, codes, names, pay, dates.

It lies in one column of the campaign, as JSON that is the same in a file:

    {"consent": {"version": 2, "texts": {"en": "…"}},
     "questions": [{"name": "native", "label": "…", "kind": "yes-no", "required": true}],
     "codes": {"pass": "C1ABC", "fail": "C2ABC"}, "redirect": "https://…?cc={code}",
     "prolific_study": "6f0c…",
     "batches": 1, "items": 400, "domain_items": 100, "typed_names": true,
     "pay": {"per": "hour", "amount": "12.50", "currency": "EUR", "promised": "12.00"},
     "dates": {"start": "2027-01-31T12:00", "deadline": "2027-02-14T12:00", "reminders": [7, 1]}}

What is left out has the defaults of `Staffing`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal, InvalidOperation
from typing import Any
from urllib.parse import urlsplit

from django.db import transaction

from judgments.files import markdown
from judgments.files.jsonl import SURROGATE
from judgments.models import Campaign, ConsentRecord, Membership
from judgments.models.campaign import utc_moment
from judgments.models.locks import lock_campaign

NAME = re.compile(r"[a-z][a-z0-9_-]{0,39}")
CODE = re.compile(r"[A-Za-z0-9_-]{1,64}")
STUDY = re.compile(r"[0-9a-f]{24}")
LANGUAGE = re.compile(r"[a-z]{2,3}(-[a-z0-9]{2,8})*")
KINDS = ("text", "choice", "number", "yes-no")
PIECES = ("hour", "batch", "item")
MOST_QUESTIONS = 40
MOST_CHOICES = 60
LONGEST_LABEL = 500
LONGEST_ADDRESS = 500
MOST_BATCHES = 10_000
MOST_ITEMS = 1_000_000  # of one person
MOST_PAY = Decimal(1_000_000)
MOST_REMINDERS = 2
LONGEST_WARNING = 60  # days
MINUTE = "%Y-%m-%dT%H:%M"
DATE = re.compile(r"20\d\d-\d\d-\d\dT\d\d:\d\d")
PLACE = "{code}"


@dataclass(frozen=True)
class PersonQuestion:
    """labels: by language, "en" among them; choices: what is stored and shown."""

    name: str
    labels: Mapping[str, str]
    kind: str = "text"
    choices: tuple[str, ...] = ()
    required: bool = False

    def label(self, language: str) -> str:
        return self.labels.get(language) or self.labels["en"]


@dataclass(frozen=True)
class Rate:
    """What is paid for an hour, a batch or an item, and the hourly wage that was promised."""

    per: str
    amount: Decimal
    currency: str
    promised: Decimal | None = None


@dataclass(frozen=True)
class Dates:
    """When people can judge, in UTC: None at the start is from the opening on, at the end for as
    long as it is open. reminders: so many days before the deadline."""

    start: datetime | None = None
    deadline: datetime | None = None
    reminders: tuple[int, ...] = ()

    @property
    def reminder_moments(self) -> list[datetime]:
        """The moments of the reminders, in order."""
        end = self.deadline
        return sorted(end - timedelta(days=each) for each in self.reminders) if end else []


@dataclass(frozen=True)
class Staffing:
    """consent: texts by language; empty: none is asked for. batches: how many one person may take;
    None: as many as there are; items, domain_items: how many items, and of one domain. redirect: an
    https address with {code} in it, or empty; prolific_study: Prolific's number of the study whose
    people judge here, or empty."""

    consent: Mapping[str, str]
    consent_version: int = 0
    questions: tuple[PersonQuestion, ...] = ()
    pass_code: str = ""
    fail_code: str = ""
    redirect: str = ""
    prolific_study: str = ""
    batches: int | None = None
    items: int | None = None
    domain_items: int | None = None
    typed_names: bool = True
    pay: Rate | None = None
    dates: Dates = Dates()


def staffing_of(campaign: Campaign) -> Staffing:
    """Return what is stored; it was checked when it was set."""
    return read(campaign.staffing)


def read(data: Any) -> Staffing:
    """Return a Staffing from JSON. Raise ValueError, in words, for what is none."""
    known = {
        *("consent", "questions", "codes", "redirect", "batches", "typed_names", "pay", "dates"),
        *("items", "domain_items", "prolific_study"),
    }
    data = _mapping(data, known, "staffing")
    consent = _mapping(data.get("consent", {}), {"version", "texts"}, "consent")
    codes = _mapping(data.get("codes", {}), {"pass", "fail"}, "codes")
    passed, failed = _code(codes.get("pass", "")), _code(codes.get("fail", ""))
    if passed and passed == failed:
        raise ValueError("The two codes must differ: they show whether the work was accepted.")
    typed = data.get("typed_names", True)
    if not isinstance(typed, bool):
        raise ValueError("“typed_names” must be true or false.")
    return Staffing(
        consent=_texts(consent.get("texts", {}), markdown.problem_with),
        consent_version=_whole(consent.get("version", 0), 0, 2**31 - 1, "version"),
        questions=questions_of(data.get("questions", [])),
        pass_code=passed,
        fail_code=failed,
        redirect=_redirect(data.get("redirect", "")),
        prolific_study=_study(data.get("prolific_study", "")),
        batches=_optional(data.get("batches"), 1, MOST_BATCHES, "batches"),
        items=_optional(data.get("items"), 1, MOST_ITEMS, "items"),
        domain_items=_optional(data.get("domain_items"), 1, MOST_ITEMS, "domain_items"),
        typed_names=typed,
        pay=_pay(data["pay"]) if data.get("pay") else None,
        dates=_dates(data.get("dates", {})),
    )


def plain(staffing: Staffing) -> dict[str, Any]:
    """As JSON, without what is as by default; `read` gives the same Staffing again."""
    pay, dates = staffing.pay, staffing.dates
    found: dict[str, Any] = {
        "consent": {"version": staffing.consent_version, "texts": dict(staffing.consent)},
        "questions": [plain_question(each) for each in staffing.questions],
        "codes": _filled({"pass": staffing.pass_code, "fail": staffing.fail_code}),
        "redirect": staffing.redirect,
        "prolific_study": staffing.prolific_study,
        "batches": staffing.batches,
        "items": staffing.items,
        "domain_items": staffing.domain_items,
        "pay": pay
        and _filled(
            {
                "per": pay.per,
                "amount": str(pay.amount),
                "currency": pay.currency,
                "promised": "" if pay.promised is None else str(pay.promised),
            }
        ),
        "dates": _filled(
            {
                "start": dates.start and dates.start.strftime(MINUTE),
                "deadline": dates.deadline and dates.deadline.strftime(MINUTE),
                "reminders": list(dates.reminders),
            }
        ),
    }
    if not staffing.consent_version:
        del found["consent"]
    return _filled(found) | ({} if staffing.typed_names else {"typed_names": False})


def plain_question(question: PersonQuestion) -> dict[str, Any]:
    one = set(question.labels) == {"en"}
    found: dict[str, Any] = {
        "name": question.name,
        "label": question.labels["en"] if one else dict(question.labels),
        "kind": question.kind,
        "choices": list(question.choices),
        "required": question.required,
    }
    return _filled(found)


@transaction.atomic
def set_staffing(campaign: Campaign, data: Mapping[str, Any]) -> Staffing:
    """Store the parts that `data` names; the others stay. Raise ValueError.

    Other words of the consent are another version, which everybody is asked to accept.
    """
    locked = lock_campaign(campaign.pk)
    before = staffing_of(locked)
    merged = {**locked.staffing, **data}
    if "consent" in data:
        texts = _mapping(data["consent"], {"version", "texts"}, "consent").get("texts", {})
        changed = texts != dict(before.consent)
        merged["consent"] = {"texts": texts, "version": before.consent_version + changed}
    staffing = read(merged)
    campaign.staffing = locked.staffing = plain(staffing)
    locked.save(update_fields=["staffing"])
    return staffing


def questions_of(rows: Any) -> tuple[PersonQuestion, ...]:
    """Return a questionnaire from JSON. Raise ValueError, which says which question is meant."""
    if not isinstance(rows, list) or len(rows) > MOST_QUESTIONS:
        raise ValueError(f"Write a list of at most {MOST_QUESTIONS} questions.")
    found: list[PersonQuestion] = []
    for number, row in enumerate(rows, 1):
        try:
            question = _question(row)
            if question.name in {each.name for each in found}:
                raise ValueError(f"two questions have the name “{question.name}”.")
        except ValueError as problem:
            raise ValueError(f"Question {number}: {problem}") from None
        found.append(question)
    return tuple(found)


def _question(row: Any) -> PersonQuestion:
    row = _mapping(row, {"name", "label", "kind", "choices", "required"}, "question")
    name, kind, choices = row.get("name"), row.get("kind", "text"), row.get("choices", [])
    if not isinstance(name, str) or not NAME.fullmatch(name):
        raise ValueError(
            "“name” must be a short name of a-z, 0-9, - and _, starting with a letter."
        )
    if kind not in KINDS:
        raise ValueError(f"“kind” must be one of {', '.join(KINDS)}.")
    label = row.get("label", "")
    labels = _texts({"en": label} if isinstance(label, str) else label, _too_long)
    if not labels.get("en", "").strip():
        raise ValueError("“label” must be a text, or texts by language that include “en”.")
    if not isinstance(choices, list) or (kind == "choice") != bool(choices):
        raise ValueError("give “choices”, a list of texts, for a choice and for no other kind.")
    for each in choices:
        if not isinstance(each, str) or not each.strip() or _wrong(each) or _too_long(each):
            raise ValueError("“choices” must be a list of short texts.")
    if len(choices) > MOST_CHOICES or len(set(choices)) < len(choices):
        raise ValueError(f"give at most {MOST_CHOICES} choices, all different.")
    required = row.get("required", False)
    if not isinstance(required, bool):
        raise ValueError("“required” must be true or false.")
    return PersonQuestion(name, labels, kind, tuple(choices), required)


def _mapping(data: Any, known: set[str], what: str) -> dict[str, Any]:
    if not isinstance(data, Mapping) or set(data) - known:
        raise ValueError(f"“{what}” must be an object with {', '.join(sorted(known))}.")
    return dict(data)


def _texts(data: Any, problem_with: Callable[[str], str | None]) -> dict[str, str]:
    """Return texts by language. Raise ValueError."""
    if not isinstance(data, Mapping):
        raise ValueError("Write texts by language, such as {“en”: “…”}.")
    for language, text in data.items():
        if not isinstance(language, str) or not LANGUAGE.fullmatch(language):
            raise ValueError(f"“{language}” is not a language.")
        if not isinstance(text, str) or _wrong(text):
            raise ValueError(f"The text in “{language}” cannot be stored.")
        if problem := problem_with(text):
            raise ValueError(problem)
    return {language: text for language, text in data.items() if text}


def _wrong(text: str) -> bool:
    return "\0" in text or bool(SURROGATE.search(text))


def _too_long(text: str) -> str:
    return f"A text is longer than {LONGEST_LABEL} characters." * (len(text) > LONGEST_LABEL)


def _code(code: Any) -> str:
    if code == "":
        return ""
    if not isinstance(code, str) or not CODE.fullmatch(code):
        raise ValueError("A code has 1 to 64 letters, digits, - and _.")
    return code


def _study(number: Any) -> str:
    if not isinstance(number, str) or (number and not STUDY.fullmatch(number)):
        raise ValueError("A Prolific study ID has 24 characters: digits and letters from a to f.")
    return number


def _redirect(address: Any) -> str:
    if address == "":
        return ""
    if not isinstance(address, str) or len(address) > LONGEST_ADDRESS or not address.isprintable():
        raise ValueError(f"The address must be a text of at most {LONGEST_ADDRESS} characters.")
    try:
        parts = urlsplit(address)
    except ValueError:
        raise ValueError("The address cannot be read.") from None
    in_host = PLACE in parts.netloc or not parts.hostname or "@" in parts.netloc
    if parts.scheme != "https" or in_host or " " in address or address.count(PLACE) != 1:
        raise ValueError(
            "The address must begin with https:// and have {code} where the code goes, once, after "
            "the name of the site."
        )
    return address


def _pay(data: Any) -> Rate:
    data = _mapping(data, {"per", "amount", "currency", "promised"}, "pay")
    per, currency = data.get("per", "hour"), data.get("currency", "")
    if per not in PIECES:
        raise ValueError(f"Pay is per {', '.join(PIECES)}.")
    if not isinstance(currency, str) or not 1 <= len(currency) <= 10 or not currency.isprintable():
        raise ValueError("Enter the currency in at most 10 characters, such as EUR.")
    promised = data.get("promised") or None
    return Rate(per, _money(data.get("amount")), currency, promised and _money(promised))


def _dates(data: Any) -> Dates:
    data = _mapping(data, {"start", "deadline", "reminders"}, "dates")
    start, deadline = _moment(data.get("start", "")), _moment(data.get("deadline", ""))
    if start and deadline and deadline <= start:
        raise ValueError("The deadline must come after the start.")
    days = data.get("reminders", [])
    if not isinstance(days, list) or len(days) > MOST_REMINDERS:
        raise ValueError(f"“reminders” must be a list of at most {MOST_REMINDERS} numbers of days.")
    reminders = [_whole(each, 1, LONGEST_WARNING, "reminders") for each in days]
    if reminders and not deadline:
        raise ValueError("A reminder needs a deadline.")
    return Dates(start, deadline, tuple(sorted(set(reminders), reverse=True)))


def _moment(text: Any) -> datetime | None:
    try:
        if text == "" or (isinstance(text, str) and DATE.fullmatch(text)):
            return utc_moment(text)
    except ValueError:
        pass  # such as February 30
    raise ValueError("A date is a text such as 2027-01-31T12:00, in UTC.")


def _money(value: Any) -> Decimal:
    """Raise ValueError for what is not an amount; a text, so that no digit is lost."""
    try:
        amount = Decimal(value if isinstance(value, str) else "none")
    except InvalidOperation:
        amount = Decimal("NaN")
    exponent = amount.as_tuple().exponent
    if not amount.is_finite() or not 0 <= amount <= MOST_PAY or not -4 <= int(exponent) <= 6:
        raise ValueError("An amount is a number such as “12.50”, with at most 4 decimals.")
    return amount


def _whole(value: Any, low: int, high: int, what: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise ValueError(f"“{what}” must be a whole number from {low:,} to {high:,}.")
    return value


def _optional(value: Any, low: int, high: int, what: str) -> int | None:
    return None if value is None else _whole(value, low, high, what)


def _filled(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value not in ("", None, [], {}, False)}


def entry_step(membership: Membership) -> str | None:
    """Return the address of what is to be done before the work; None when nothing is. Asks no
    query: the campaign came with the membership."""
    staffing = staffing_of(membership.campaign)
    if staffing.consent and membership.consent_version != staffing.consent_version:
        return "judge-consent"
    answers = membership.about
    if not staffing.questions:
        return None
    if answers is None or any(q.required and q.name not in answers for q in staffing.questions):
        return "judge-questionnaire"
    return None


def has_refused(membership: Membership) -> bool:
    """Return whether the last that somebody said to the consent was no. Asks only where they have
    not accepted any."""
    if membership.consent_version is not None or not staffing_of(membership.campaign).consent:
        return False
    last = ConsentRecord.objects.filter(membership=membership).order_by("-pk").first()
    return last is not None and not last.accepted


@transaction.atomic
def record_consent(membership: Membership, *, accepted: bool, language: str, text: str) -> None:
    """Store what somebody said to the consent as it was shown to them."""
    version = staffing_of(membership.campaign).consent_version
    ConsentRecord.objects.create(
        campaign=membership.campaign,
        membership=membership,
        version=version,
        language=language,
        text=text,
        accepted=accepted,
    )
    membership.consent_version = version if accepted else None
    membership.save(update_fields=["consent_version"])


def record_answers(membership: Membership, answers: dict[str, Any]) -> None:
    """Store what somebody said to the questionnaire, in place of what they said before."""
    membership.about = answers
    membership.save(update_fields=["about"])
