"""API tokens of programs, and counts of attempts."""

from django.conf import settings
from django.db import models
from django.utils import timezone


class Scope(models.TextChoices):
    READ = "read", "Read"
    WRITE = "write", "Read and write"


class ApiTokenQuerySet(models.QuerySet):
    def live(self):
        """Return tokens that are still valid."""
        return self.filter(expires_at__gt=timezone.now(), user__is_active=True)


class ApiToken(models.Model):
    """A token that a program sends instead of a password. The database stores only its digest, so
    readers of the database cannot use it. Revoking a token deletes it."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="api_tokens",
        db_index=False,
    )
    name = models.CharField(max_length=60)
    scope = models.CharField(max_length=10, choices=Scope.choices, default=Scope.READ)
    digest = models.CharField(max_length=64, unique=True, editable=False)  # SHA-256, hexadecimal
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True, blank=True)

    objects = ApiTokenQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at"]
        constraints = [
            models.UniqueConstraint(fields=["user", "name"], name="one_token_of_a_name"),
        ]

    def __str__(self):
        return f"{self.name} ({self.scope})"

    @property
    def has_expired(self) -> bool:
        return self.expires_at <= timezone.now()


class Attempts(models.Model):
    """How often something was done since a time window began (judgments/web/limits.py). The table
    is UNLOGGED: counting costs no write-ahead log, and after a crash of the server it is empty."""

    key = models.CharField(max_length=80, primary_key=True)
    count = models.IntegerField()
    ends_at = models.DateTimeField(db_index=True)

    class Meta:
        verbose_name_plural = "attempts"

    def __str__(self):
        return f"{self.key}: {self.count}"


class CacheEntry(models.Model):
    """An entry of the cache that all hosts share, `caches["shared"]`: Django's DatabaseCache uses
    this table, with these names."""

    cache_key = models.CharField(max_length=255, primary_key=True)
    value = models.TextField()
    expires = models.DateTimeField(db_index=True)

    class Meta:
        verbose_name_plural = "cache entries"

    def __str__(self):
        return self.cache_key
