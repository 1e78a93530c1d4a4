"""What the schema says of every operation."""

REFUSALS = {
    "401": "The token is not known, or it has expired or been revoked.",
    "429": "Too many requests; the header Retry-After says in how many seconds to go on.",
}


def refusals(result, generator, request, public):
    """A hook of drf-spectacular: answers that authentication and limits give before any view."""
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    for operations in result["paths"].values():
        for operation in operations.values():
            for status, description in REFUSALS.items():
                answer = {"description": description, "content": content}
                operation["responses"].setdefault(status, answer)
    return result
