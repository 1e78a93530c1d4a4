"""Items of Appraise's tutorials ↔ tutorial items of a campaign."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from judgments.files.markdown import as_html

from .appraise_items import text_of
from .instructions import markdown_of
from .presets import asks_errors

FIRST_ITEM = 1_000_000  # Appraise numbers the items of tutorials from here
CLOSE = 10  # points by which a score may miss the one that is wanted


def is_tutorial_item(item: Any) -> bool:
    return (
        isinstance(item, dict)
        and isinstance(item.get("mqm"), dict)
        and isinstance(item["mqm"].get("tutorial"), dict)
    )


def asks_score(item: Mapping[str, Any]) -> bool:
    """Whether its instruction speaks of the slider, which ESA has and MQM has not."""
    tutorial = item["mqm"]["tutorial"]
    return "score_target" in tutorial or "slider" in str(tutorial.get("instruction", ""))


def practice_row(item: Mapping[str, Any], preset: str) -> dict[str, Any]:
    """A row as `assignment.practice` reads it. What people were told before they answered is shown
    after it. Raises ValueError in words."""
    tutorial = item["mqm"]["tutorial"]
    instruction = text_of(tutorial, "instruction") if "instruction" in tutorial else ""
    expected: dict[str, Any] = {}
    is_esa, marks = preset == "esa", asks_errors(preset)
    score = tutorial.get("score_target")
    if is_esa and type(score) in (int, float) and 0 <= score <= 100:
        close = {"from": max(0, score - CLOSE), "to": min(100, score + CLOSE)}
        expected["output1-esa"] = close
    if marks and "mqm_target" in tutorial:
        expected["output1-spans"] = [expected_error(each) for each in tutorial["mqm_target"]]
    return {
        "source": text_of(item, "sourceText"),
        "outputs": [text_of(item, "targetText")],
        "expected": expected,
        "feedback": markdown_of(instruction),
    }


def expected_error(error: Any) -> dict[str, Any]:
    if not isinstance(error, dict):
        raise ValueError("an error of a tutorial is no object")
    found: dict[str, Any] = {"severity": str(error.get("severity", ""))}
    start, end = error.get("start_i"), error.get("end_i")
    if start == "missing":
        return found | {"side": "missing"}
    if type(start) is not int or type(end) is not int:
        raise ValueError("an error of a tutorial has no place")
    return found | {"start": start, "end": end + 1}


def tutorial_item(row: Mapping[str, Any], number: int) -> dict[str, Any]:
    """The way back."""
    expected = row.get("expected", {})
    tutorial: dict[str, Any] = {"instruction": as_html(row.get("feedback", "")).strip()}
    if "output1-esa" in expected:
        close = expected["output1-esa"]
        low, high = (close["from"], close["to"]) if isinstance(close, dict) else (close, close)
        tutorial["score_target"] = middle(low, high)
    if "output1-spans" in expected:
        tutorial["mqm_target"] = [written_error(each) for each in expected["output1-spans"]]
    return {
        "mqm": {"tutorial": tutorial, "payload": []},
        "documentID": "tutorial1",
        "sourceID": "tutorial1",
        "targetID": "tutorial1",
        "itemType": "TGT",
        "sourceText": row.get("source", ""),
        "targetText": row["outputs"][0],
        "itemID": FIRST_ITEM + number,
        "_item": "",
        "isCompleteDocument": False,
    }


def middle(low: float, high: float) -> float:
    """The score that a range is around; an end of the scale cuts ranges off."""
    if low == high:
        return low
    if low == 0:
        return high - CLOSE
    return low + CLOSE if high == 100 else (low + high) / 2


def written_error(error: Mapping[str, Any]) -> dict[str, Any]:
    missing = error.get("side") == "missing"
    return {
        "start_i": "missing" if missing else error["start"],
        "end_i": "missing" if missing else error["end"] - 1,
        "severity": error.get("severity", ""),
    }
