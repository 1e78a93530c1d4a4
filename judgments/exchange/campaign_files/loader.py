"""A file → a campaign, all or nothing; and a campaign → a file."""

from __future__ import annotations

import json
import re
from itertools import islice
from pathlib import Path
from typing import Any

import yaml
from django.core.exceptions import ValidationError
from django.db import DataError, transaction

from judgments.models import Campaign

from .misfits import faults_in
from .nodes import MOST_FAULTS, BadCampaignFile
from .registry import OF_THE_ROW, OF_THE_STORED, SECTIONS
from .schema import schema
from .section import Desk, FileSection, NotInAFile
from .text import read_text
from .yaml_text import plain_value

ODD = re.compile("[\r\x85\u2028\u2029\ufeff]")
WIDTH = 100  # characters of a line of a written file


def create_campaign(
    content: bytes | str,
    user: Any,
    *,
    name: str = "",
    folder: Path | None = None,
    is_trusted: bool = False,
) -> Campaign:
    """Make the campaign that a file describes, with `user` as its owner.

    name: of the file, whose ending says YAML or JSON. folder: where the files lie that it names;
    is_trusted: see `Desk`. Raise BadCampaignFile with all that is wrong; nothing is stored then.
    """
    desk = Desk(user, read_text(content, name), folder, is_trusted)
    campaign = Campaign()
    read(desk)
    if not desk.faults:
        with transaction.atomic():
            apply(campaign, desk)
            transaction.set_rollback(bool(desk.faults))
    if desk.faults:
        raise BadCampaignFile(desk.faults)
    return campaign


def read(desk: Desk) -> None:
    """Check the document by the schema, and then whatever fits it by the sections themselves."""
    found = list(islice(faults_in(desk.root, schema()), MOST_FAULTS))
    desk.faults = list(dict.fromkeys(found))
    if len(found) == MOST_FAULTS:  # there may be more of them, of any section
        return
    wrong = {fault.path.partition(".")[0] for fault in found}
    for section in SECTIONS:
        is_said = section.key in desk.root
        if section.key not in wrong and (is_said or not section.is_required):
            desk.values[section.key] = section.read(desk.root.get(section.key), desk)


def apply(campaign: Campaign, desk: Desk) -> None:
    """Make it so, as far as it can be."""
    for section in OF_THE_ROW:
        apply_one(section, campaign, desk)
        if desk.faults:
            return
    campaign.save()
    for section in OF_THE_STORED:
        apply_one(section, campaign, desk)


def apply_one(section: FileSection, campaign: Campaign, desk: Desk) -> None:
    """Apply a section, so that those after it are asked, too, where it fails."""
    try:
        with transaction.atomic():
            section.apply(campaign, desk.values.get(section.key), desk)
    except ValidationError as error:
        desk.fault(section.key, " ".join(error.messages))
    except DataError as error:  # a text or a number that no column holds
        desk.fault(section.key, str(error).split("\n")[0])


# ---- A campaign as a file ----------------------------------------------------------------------


def document_of(campaign: Campaign) -> dict[str, Any]:
    """Return what a file says of a campaign. Raise NotInAFile where no file can say it."""
    found = {}
    for section in SECTIONS:
        value = section.export(campaign)
        if value is not None:
            found[section.key] = value
    if fault := next(faults_in(found, schema()), None):
        raise NotInAFile(f"No file can describe this campaign: {fault}")
    return found


def as_json(campaign: Campaign) -> str:
    return json_of(document_of(campaign))


def as_yaml(campaign: Campaign) -> str:
    return yaml_of(document_of(campaign))


def json_of(document: dict[str, Any]) -> str:
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def yaml_of(document: dict[str, Any]) -> str:
    return yaml.dump(document, Dumper=Writer, allow_unicode=True, sort_keys=False, width=WIDTH)


class Writer(yaml.SafeDumper):
    """Texts of several lines stand as blocks; nothing is an alias."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def written_text(writer: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = "|" if "\n" in text else None
    if not isinstance(plain_value(text), str):  # 1e999 is a text to PyYAML, and a number here
        style = "'"
    if ODD.search(text):  # outside of double quotes these would come back as others
        style = '"'
    return writer.represent_scalar("tag:yaml.org,2002:str", text, style=style)


Writer.add_representer(str, written_text)
