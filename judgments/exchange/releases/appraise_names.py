"""Names in the files of Appraise → the names of systems and documents as everybody knows them."""

from __future__ import annotations

import re

# Each with the system in its first group.
SYSTEMS = (
    re.compile(r"wmt[0-9]{2}\.(.+)"),  # wmt23.GPT4-5shot
    # generaltest2022.en-liv.hyp.TartuNLP.liv.txt
    re.compile(r"[a-z_]+[0-9]{4}\.[a-z]{2,3}-[a-z]{2,3}\.hyp\.(.+)\.[a-z]{2,3}\.(?:txt|sgm)"),
    # newstest2019.Microsoft-WMT19-document-level.6808.en-de.txt
    re.compile(r"[a-z_]+[0-9]{4}\.(.+)\.[0-9]+\.[a-z]{2,3}-[a-z]{2,3}(?:\.txt|\.sgm)?"),
)
REFERENCES = (
    # generaltest2022.en-liv.ref.A.liv.txt
    re.compile(r"[a-z_]+[0-9]{4}\.[a-z]{2,3}-[a-z]{2,3}\.ref\.(.+)\.[a-z]{2,3}\.(?:txt|sgm)"),
    re.compile(r"[a-z_]+[0-9]{4}-[a-z]{4,6}-ref()(?:\.[a-z]{2,3})?(?:\.txt|\.sgm)?"),
)
COPY = re.compile(r"#(?:bad|duplicate)[0-9]*$")
CUT = re.compile(r"#incomplete$")
TUTORIAL = re.compile(r"tutorial[0-9]*", re.IGNORECASE)


def system_name(text: str) -> str:
    """Without the name of the test set around it; a reference is called ref and its letter, as in
    the folders of mt-metrics-eval: refA."""
    for pattern in REFERENCES:
        if match := pattern.fullmatch(text):
            return f"ref{match[1]}"
    for pattern in SYSTEMS:
        if match := pattern.fullmatch(text):
            return match[1]
    return text


def document_name(text: str, system: str) -> tuple[str, str]:
    """(document, copy): `Precis.11034#refA#bad7` → `Precis.11034` and `#bad7`.

    What is left of it is the document's own name: Appraise tells apart the translations of a
    document, its damaged and its repeated copies, and a part of it.
    """
    copy = ""
    while True:
        if match := COPY.search(text):
            copy = match[0] + copy
            text = text[: match.start()]
        elif match := CUT.search(text):
            text = text[: match.start()]
        elif system and text.endswith(f"#{system}"):
            text = text.removesuffix(f"#{system}")
        else:
            return text, copy


def is_tutorial(item_type: str, system: str, document: str) -> bool:
    """Items of the tutorial have the tutorial's document for their system."""
    return item_type == "TUTORIAL" or (system == document and bool(TUTORIAL.search(document)))
