"""Sign-in with a password by Django's backend, with limits on wrong passwords."""

from django.contrib.auth import backends, get_user_model

from judgments.models.prepared_queries import Prepared
from judgments.web import limits
from judgments.web.known_devices import known_device
from mteval_site.addresses import client_address

account = Prepared(lambda pk: get_user_model().objects.filter(pk=pk))


def counters(request, name: str) -> list[tuple[limits.Limit, str]]:
    """Return the counters that a wrong password adds to, in this order.

    A device on which that name has signed in before has only its own counter. For all other devices
    there are three: the counter of name and address comes first, so that one address, which it
    blocks, cannot go on to block the name.
    """
    if device := known_device(request, name):
        return [(limits.ONE_DEVICE, device)]
    address = client_address(request)
    folded = name.casefold()
    return [
        (limits.NAME_FROM_ADDRESS, f"{folded}\n{address}"),
        (limits.ADDRESS, address),
        (limits.NAME, folded),
    ]


class ModelBackend(backends.ModelBackend):
    def get_user(self, user_id):
        """Return the account of a session, needed for every page; None if it was deleted or
        closed."""
        user = account.first(user_id)
        return user if user and self.user_can_authenticate(user) else None

    def authenticate(self, request, username=None, password=None, **kwargs):
        """Return the account, or None for a wrong name or password. Raise limits.Exceeded before
        the password is checked if too many were wrong, and with the last one that is allowed."""
        if request is None or username is None or password is None:
            return super().authenticate(request, username, password, **kwargs)
        counted: list[tuple[limits.Limit, str]] = []
        left = []
        for limit, subject in counters(request, username):
            try:
                left.append(limits.hit(limit, subject))
            except limits.Exceeded:
                for earlier in counted:
                    limits.refund(*earlier)
                raise
            counted.append((limit, subject))
        user = super().authenticate(request, username, password, **kwargs)
        if user is None:
            if 0 in left:
                limits.hit(*counted[left.index(0)])
            return None
        limits.reset(*counted[0])
        for earlier in counted[1:]:
            limits.refund(*earlier)
        return user
