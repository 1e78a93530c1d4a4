"""Signing in with a password, as Django does it, within limits."""

from django.contrib.auth import backends, get_user_model

from judgments.models.prepared_queries import Prepared
from judgments.web import limits
from judgments.web.known_devices import known_device
from mteval_site.addresses import client_address

account = Prepared(lambda pk: get_user_model().objects.filter(pk=pk))


def counters(request, name: str) -> list[tuple[limits.Limit, str]]:
    """Return what a wrong password counts against, in this order.

    A device on which that name has signed in before has only its own counter. For all others there
    are three: the name from that address first, so that one address, which it closes, cannot go on
    and close the name.
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
        """Return the account of a session, asked for with every page; None where it is gone or
        closed."""
        user = account.first(user_id)
        return user if user and self.user_can_authenticate(user) else None

    def authenticate(self, request, username=None, password=None, **kwargs):
        """Return the account, or None for a wrong name or password. Raises limits.Exceeded, before
        the password is looked at, where too many were wrong, and with the last one that is
        allowed."""
        if request is None or username is None or password is None:
            return super().authenticate(request, username, password, **kwargs)
        counted: list[tuple[limits.Limit, str]] = []
        left = []
        for limit, whom in counters(request, username):
            try:
                left.append(limits.hit(limit, whom))
            except limits.Exceeded:
                for earlier in counted:
                    limits.refund(*earlier)
                raise
            counted.append((limit, whom))
        user = super().authenticate(request, username, password, **kwargs)
        if user is None:
            if 0 in left:
                limits.hit(*counted[left.index(0)])
            return None
        limits.reset(*counted[0])
        for earlier in counted[1:]:
            limits.refund(*earlier)
        return user
