"""What leaves of a judge: its settings with the words of its prompt, and its answers as they came.
No key and no address of an endpoint is in it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from judgments.models import Campaign, Judge

from .prompts import PROMPTS

SETTINGS = ("name", "model", "family", "temperature", "seed", "samples")


def judge_of(campaign: Campaign) -> Judge | None:
    """Return the judge whose answers a campaign holds; None for a campaign of people, and for a
    copy."""
    return Judge.objects.filter(answers=campaign).first() if campaign.by_model else None


def described(judge: Judge) -> dict[str, Any]:
    prompt = PROMPTS.get(judge.prompt)
    is_known = prompt is not None and prompt.hash == judge.prompt_hash
    return {
        **{name: getattr(judge, name) for name in SETTINGS},
        "prompt": judge.prompt,
        "prompt_sha256": judge.prompt_hash,
        "prompt_version": prompt.version if prompt and is_known else None,
        "prompt_texts": list(prompt.texts) if prompt and is_known else None,
        "paper": prompt.paper if prompt else "",
    }


def in_a_sentence(judge: Judge) -> str:
    """Return how it was asked, as a paper says it."""
    prompt = PROMPTS.get(judge.prompt)
    name = prompt.name if prompt else judge.prompt
    words = name[:1].lower() + name[1:]
    times = "once" if judge.samples == 1 else f"{judge.samples} times"
    seed = "" if judge.seed is None else f", seed {judge.seed}"
    paper = f" ({prompt.paper})" if prompt and prompt.paper else ""
    asked = f"asked {words}" if judge.prompt == "campaign" else f"prompted {words}{paper}"
    return (
        f"The judgments are those of a language model, {judge.model}, {asked}, {times} for each "
        f"item, at temperature {judge.temperature:g}{seed}. No person judged."
    )


def lines_of(judge: Judge) -> Iterator[str]:
    """Yield the raw answers in the order of the texts, a line of JSON each."""
    rows = judge.raw_answers.order_by("item__task__batch", "item__position", "pk").values(
        "item", "number", "judgment", "item__segment__key", "item__segment__document__name",
        "item__task__seat", "text", "problem", "n_unplaced", "tokens_in", "tokens_out",
        "milliseconds", "model", "created_at",
    )  # fmt: skip
    for row in rows.iterator(chunk_size=1000):
        said = {name: value for name, value in row.items() if "__" not in name}
        said |= {
            "segment": row["item__segment__key"],
            "document": row["item__segment__document__name"],
            "sample": row["item__task__seat"],
            "created_at": row["created_at"].isoformat(),
        }
        yield json.dumps(said, ensure_ascii=False) + "\n"
