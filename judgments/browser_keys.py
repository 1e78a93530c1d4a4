"""Names under which a browser keeps things; they tell nobody of whom and of which item."""

from django.utils.crypto import salted_hmac


def owner_key(annotator: int) -> str:
    """Whose the answers and items are in a browser which several people may use."""
    return salted_hmac("judgments.owner", str(annotator)).hexdigest()[:20]


def draft_key(item: int, annotator: int) -> str:
    """Of answers that were not submitted yet."""
    return salted_hmac("judgments.draft", f"{item} {annotator}").hexdigest()[:20]
