"""Names under which a browser keeps things; they tell nobody of whom and of which item."""

from django.utils.crypto import salted_hmac


def owner_key(annotator: int) -> str:
    """Return whose the answers and items are in a browser which several people may use."""
    return salted_hmac("judgments.owner", str(annotator)).hexdigest()[:20]


def draft_key(item: int, annotator: int, texts: bytes) -> str:
    """Return for answers that were not submitted yet. texts: the hash of those that are on the
    screen, of which alone they are."""
    return salted_hmac("judgments.draft", f"{item} {annotator} {texts.hex()}").hexdigest()[:20]
