"""Settings for people: consent, questions, completion codes, names, pay, dates."""

from __future__ import annotations

from judgments.people.staffing import settings as staffing
from judgments.people.staffing.settings import plain, read, set_staffing, staffing_of
from judgments.plans.campaigns.tasks import wake

from ..section import FileSection
from ..shapes import by_name, list_of, mapping, one_of, shape


def limit(words: str, most: int):
    return shape(["integer", "null"], words, minimum=1, maximum=most)


class StaffingSection(FileSection):
    key = "staffing"

    def schema(self):
        amount = shape("string", "An amount in quotes, such as '12.50'.")
        question = {
            "name": shape("string", "Short, of a-z, 0-9, - and _."),
            "label": shape(["string", "object"], "A text, or texts by language."),
            "kind": one_of(staffing.KINDS, default="text"),
            "choices": shape("array", items=shape("string")),
            "required": shape("boolean", default=False),
        }
        pay = {
            "per": one_of(staffing.PIECES, default="hour"),
            "amount": amount,
            "currency": shape("string", maxLength=10),
            "promised": amount,
        }
        texts = by_name(shape("string"), "Markdown by language, such as en.")
        keys = {
            "consent": mapping({"texts": texts}, "What they accept before the first item."),
            "questions": list_of(
                mapping(question, required=["name", "label"]),
                staffing.MOST_QUESTIONS,
                "Asked once, about the person.",
            ),
            "codes": mapping(
                {"pass": shape("string"), "fail": shape("string")},
                "Completion codes, shown when all is judged.",
            ),
            "redirect": shape("string", "An https address with {code} in it, to return to."),
            "batches": limit("How many batches one person may take.", staffing.MOST_BATCHES),
            "items": limit("How many items one person may judge.", staffing.MOST_ITEMS),
            "domain_items": limit("How many of them of one domain.", staffing.MOST_ITEMS),
            "typed_names": shape(
                "boolean", "Whether annotators may choose their own names.", default=True
            ),
            "pay": mapping(
                pay,
                "What is paid, and which hourly wage was promised.",
                required=["amount", "currency"],
            ),
            "dates": mapping(
                {
                    "start": shape("string", "Such as 2027-01-31T12:00, in UTC."),
                    "deadline": shape("string", "Such as 2027-02-14T12:00, in UTC."),
                    "reminders": list_of(
                        shape("integer", minimum=1, maximum=staffing.LONGEST_WARNING),
                        staffing.MOST_REMINDERS,
                        "Days before the deadline.",
                    ),
                },
                "When people can judge.",
            ),
        }
        words = "What is settled with annotators before they begin, and when they end."
        return mapping(keys, words)

    def read(self, value, desk):
        try:
            read(value or {})
        except ValueError as problem:
            desk.fault(self.key, str(problem))
        return value

    def apply(self, campaign, value, desk):
        if value:
            set_staffing(campaign, value)
            wake(campaign)

    def export(self, campaign):
        found = plain(staffing_of(campaign))
        if "consent" in found:
            found["consent"] = {"texts": found["consent"]["texts"]}
        return found or None
