"""Keys of data stored in a browser; they do not reveal the person or the item."""

from django.utils.crypto import salted_hmac


def owner_key(annotator: int) -> str:
    """Return the key of the person who owns the answers and items in a browser that several people
    may use."""
    return salted_hmac("judgments.owner", str(annotator)).hexdigest()[:20]


def draft_key(item: int, annotator: int, texts: bytes) -> str:
    """Return the key of answers that were not submitted yet. texts: the hash of the texts on the
    screen, the only ones that the answers are about."""
    return salted_hmac("judgments.draft", f"{item} {annotator} {texts.hex()}").hexdigest()[:20]
