"""What the schema says of every operation."""

from mteval_site.problems import CONTENT_TYPE

# Answers that authentication, limits and the site give before any view.
REFUSALS = {
    "401": "The token is not known, or it has expired or been revoked.",
    "403": "Nobody is signed in, or the role or the token does not allow this.",
    "405": (
        "The address does not allow this method; the header Allow lists the methods that it allows."
    ),
    "406": "The address has no answer in the form that the header Accept asks for.",
    "429": "Too many requests; the header Retry-After says after how many seconds to try again.",
    "503": "The site cannot answer now, or this takes too long.",
}
OF_BODIES = {"415": "The body is of a type that the address does not accept."}


def refusals(result, generator, request, public):
    """Return a hook of drf-spectacular: every refusal is a problem (RFC 9457), whatever its view
    says."""
    content = {CONTENT_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    for operations in result["paths"].values():
        for operation in operations.values():
            answers = operation["responses"]
            known = REFUSALS | (OF_BODIES if "requestBody" in operation else {})
            for status, description in known.items():
                answers.setdefault(status, {})
                answers[status]["description"] = description
            for status, answer in answers.items():
                if status.isdecimal() and int(status) >= 400:
                    answer["content"] = content
                    answer["description"] = answer.get("description") or known.get(status, "")
    return result
