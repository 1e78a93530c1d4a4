"""The forms on the site's pages, with what a browser would send from them."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit

from django.test import Client
from django.urls import Resolver404, resolve, reverse

from judgments.protocols import PRESETS

from . import addresses
from .permissions import TABLE
from .world import World

# The users with access to most of the forms.
PEOPLE = ("owner", "annotator", "anonymous")


@dataclass
class Field:
    name: str
    kind: str
    value: str = ""
    options: list[str] = field(default_factory=list)


@dataclass
class Form:
    """`name`: of the URL that it is sent to."""

    role: str
    address: str
    name: str
    method: str
    fields: list[Field]

    @property
    def takes_files(self) -> bool:
        return any(each.kind == "file" for each in self.fields)


class FormParser(HTMLParser):
    """Collects forms, and the fields in them or associated by `form=`."""

    def __init__(self) -> None:
        super().__init__()
        self.forms: list[tuple[dict, list[Field]]] = []
        self.open: list[Field] | None = None
        self.select: Field | None = None

    def handle_starttag(self, tag: str, attrs: list) -> None:
        found = {key: value or "" for key, value in attrs}
        if tag == "form" and found.get("method") != "dialog":
            self.open = []
            self.forms.append((found, self.open))
        elif tag == "option" and self.select is not None:
            self.select.options.append(found.get("value", ""))
            if "selected" in found or not self.select.value:
                self.select.value = found.get("value", "")
        elif self.open is not None and found.get("name") and "disabled" not in found:
            self.take(tag, found)

    def take(self, tag: str, found: dict) -> None:
        assert self.open is not None
        kind = found.get("type", "text") if tag in {"input", "button"} else tag
        if tag in {"input", "button", "select", "textarea"}:
            same = next((each for each in self.open if each.name == found["name"]), None)
            value = found.get("value", "")
            if same is not None:
                same.options.append(value)
                return
            made = Field(found["name"], kind, value, [value] if kind != "text" else [])
            self.open.append(made)
            if tag == "select":
                made.options, made.value, self.select = [], "", made

    def handle_endtag(self, tag: str) -> None:
        if tag == "select":
            self.select = None
        elif tag == "form":
            self.open = None


def forms_of(world: World, clients: dict[str, Client]) -> list[Form]:
    """Return each form once, by sender, target, and the names of its fields."""
    found: dict[tuple, Form] = {}
    for role in PEOPLE:
        for name, named in TABLE.items():
            if "GET" not in named or name == "logout":
                continue
            for address in every_address(name, world):
                response = clients[role].get(address)
                if response.status_code == 200 and "html" in response["Content-Type"]:
                    for form in parsed(response.content.decode(), role, address):
                        key = (role, form.name, *(each.name for each in form.fields))
                        found.setdefault(key, form)
    return list(found.values())


def every_address(name: str, world: World) -> list[str]:
    """Return the URLs of a page for each protocol if they differ, and of a campaign that nobody
    judges yet."""
    if name in {"judge-item", "judge-note"}:
        return [reverse(name, args=[each.pk, 1]) for each in world.campaigns.values()]
    if name == "campaign-new-preset":
        return [reverse(name, args=[preset]) for preset in PRESETS]
    if name == "campaign-practice-item":
        return [addresses.address(name, world), reverse(name, args=[world.empty.pk, 1])]
    if name in {"campaign-design", "import-judgments"}:
        return [addresses.address(name, world), reverse(name, args=[world.empty.pk])]
    return [addresses.address(name, world)]


def parsed(page: str, role: str, address: str) -> Iterator[Form]:
    parser = FormParser()
    parser.feed(page)
    for attributes, fields in parser.forms:
        where = urlsplit(urljoin(address, attributes.get("action") or address)).path
        try:
            name = resolve(where).url_name or ""
        except Resolver404:
            raise AssertionError(f"{address} has a form to {where}, which is nowhere") from None
        method = attributes.get("method", "get").upper()
        fields = [each for each in fields if each.name != "csrfmiddlewaretoken"]
        yield Form(role, where, name, method, fields)
