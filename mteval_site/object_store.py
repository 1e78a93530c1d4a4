"""The object store of a site, from an environment variable: any service with the interface of
Amazon S3, through django-storages."""

from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

from mteval_site import environment, extras

CONNECT_SECONDS, READ_SECONDS = 2, 5


def storage_of(name: str) -> dict[str, Any]:
    """Return the entry of STORAGES for a bucket such as `s3://bucket/prefix`. Keys, region and
    endpoint are in the variables that Amazon's own tools read. Raise ImproperlyConfigured."""
    parts = urlsplit(environment.required(name, name))
    if parts.scheme != "s3" or not parts.netloc or parts.query or parts.fragment:
        raise ImproperlyConfigured(f"{name}: write it as s3://bucket/prefix.")
    if not extras.is_there("storages"):
        raise ImproperlyConfigured(f"{name} is set. {extras.how_to_install('storages')}")
    from botocore.config import Config

    return {
        "BACKEND": "storages.backends.s3.S3Storage",
        "OPTIONS": {
            "bucket_name": parts.netloc,
            "location": parts.path.strip("/"),
            # A page does not wait for long for a store that is away.
            "client_config": Config(
                connect_timeout=CONNECT_SECONDS,
                read_timeout=READ_SECONDS,
                retries={"total_max_attempts": 1},
            ),
        },
    }
