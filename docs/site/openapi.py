"""The API as its OpenAPI document describes it."""

import re
from collections import defaultdict

from drf_spectacular.generators import SchemaGenerator

METHODS = ("get", "post", "put", "patch", "delete")


def document() -> dict:
    return SchemaGenerator().get_schema(request=None, public=True)


HEAD = """# API reference

Made of the OpenAPI document that a site has at `/api/schema/`. [The API](../api.md) says how to
sign in and what belongs together.
"""


def page() -> str:
    schema = document()
    parts = [HEAD]
    topics = defaultdict(list)
    for path in sorted(schema["paths"]):
        topics[[*path.strip("/").split("/"), "all"][1]].append(path)
    for topic, paths in sorted(topics.items()):
        parts.append(f"## {topic}\n")
        for path in paths:
            for method in METHODS:
                if operation := schema["paths"][path].get(method):
                    parts.append(of_operation(method, path, operation))
    parts.append("## Objects\n")
    for name, each in sorted(schema["components"]["schemas"].items()):
        if each.get("properties"):
            parts.append(of_object(name, each))
    return "\n".join(parts)


def of_operation(method: str, path: str, operation: dict) -> str:
    lines = [f"### {method.upper()} {path}\n", line_of(operation.get("description")) + "\n"]
    parameters = operation.get("parameters", [])
    if parameters:
        lines += ["| parameter | in | type | |", "| --- | --- | --- | --- |"]
        for each in parameters:
            kind = type_of(each.get("schema", {}))
            lines.append(
                f"| `{each['name']}` | {each['in']} | {kind} | {line_of(each.get('description'))} |"
            )
        lines.append("")
    if body := operation.get("requestBody"):
        lines.append(f"Body: {contents(body)}\n")
    for status, response in sorted(operation.get("responses", {}).items()):
        description = line_of(response.get("description"))
        lines.append(f"- {status}: {contents(response) or description or 'no body'}")
    return "\n".join(lines) + "\n"


def contents(part: dict) -> str:
    kinds = part.get("content", {})
    return ", ".join(f"`{kind}` {type_of(each.get('schema', {}))}" for kind, each in kinds.items())


def of_object(name: str, schema: dict) -> str:
    lines = [f"### {name}\n", line_of(schema.get("description")) + "\n"]
    lines += ["| field | type | |", "| --- | --- | --- |"]
    needed = set(schema.get("required", ()))
    for field, each in schema["properties"].items():
        notes = [line_of(each.get("description")), "" if field in needed else "optional"]
        lines.append(f"| `{field}` | {type_of(each)} | {'; '.join(filter(None, notes))} |")
    return "\n".join(lines) + "\n"


def type_of(schema: dict) -> str:
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"*{name}*"
    for word in ("allOf", "oneOf", "anyOf"):
        if word in schema:
            return " or ".join(type_of(each) for each in schema[word])
    kind = schema.get("type", "any")
    kind = kind if isinstance(kind, str) else " or ".join(kind)
    if kind == "array":
        return f"list of {type_of(schema.get('items', {}))}"
    if values := schema.get("enum"):
        return "one of " + ", ".join(f"`{value}`" for value in values)
    return f"{kind} ({schema['format']})" if "format" in schema else kind


def line_of(text: str | None) -> str:
    """Return a description as one line that is safe in a table."""
    return re.sub(r"\s+", " ", text or "").strip().replace("|", "\\|").replace("<", "\\<")
