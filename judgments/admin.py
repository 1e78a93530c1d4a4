"""The operator's view of the rows. Judgments are shown and never edited."""

from django.contrib import admin

from .deletion import NotDeleted, delete_campaign, require_deletable
from .models import (
    ApiToken,
    Campaign,
    Decision,
    DeletedCampaign,
    Invitation,
    Judgment,
    Membership,
    Task,
    TestSet,
)


class ReadOnlyAdmin(admin.ModelAdmin):
    """Nothing can be added, changed or deleted here: rows of work only come from work."""

    def has_add_permission(self, request):
        return False

    def has_change_permission(self, request, obj=None):
        return False

    def has_delete_permission(self, request, obj=None):
        return False


@admin.register(TestSet)
class TestSetAdmin(admin.ModelAdmin):
    list_display = ["name", "source_language", "target_language", "owner", "created_at"]


@admin.register(Campaign)
class CampaignAdmin(admin.ModelAdmin):
    list_display = ["name", "test_set", "preset", "status", "simulated", "created_at"]
    list_filter = ["status", "preset"]

    def has_delete_permission(self, request, obj=None):
        """One at a time, and as on its page: an open one is closed first."""
        if obj is None or not super().has_delete_permission(request, obj):
            return False
        try:
            require_deletable(obj)
        except NotDeleted:
            return False
        return True

    def delete_model(self, request, obj):
        by = request.user.get_username()
        delete_campaign(obj, by=by, reason="Deleted in the admin.")


@admin.register(Membership)
class MembershipAdmin(admin.ModelAdmin):
    list_display = ["alias", "campaign", "role", "joined_at", "removed_at"]
    list_filter = ["role"]


@admin.register(Invitation)
class InvitationAdmin(admin.ModelAdmin):
    list_display = ["campaign", "role", "uses", "expires_at", "closed_at"]


@admin.register(Task)
class TaskAdmin(ReadOnlyAdmin):
    list_display = ["campaign", "batch", "seat", "annotator", "n_judged", "n_items"]


@admin.register(Judgment)
class JudgmentAdmin(ReadOnlyAdmin):
    list_display = ["pk", "campaign", "annotator", "revision", "submitted_at"]


@admin.register(Decision)
class DecisionAdmin(ReadOnlyAdmin):
    list_display = ["decided_at", "campaign", "annotator", "excluded", "reason", "decided_by"]


@admin.register(DeletedCampaign)
class DeletedCampaignAdmin(ReadOnlyAdmin):
    list_display = ["deleted_at", "campaign", "name", "judgments", "deleted_by", "reason"]
    fields = ["campaign", "name", "test_set", "preset", "simulated", "judgments", "annotators"]
    fields += ["tasks", "head", "deleted_by", "reason", "deleted_at"]


@admin.register(ApiToken)
class ApiTokenAdmin(admin.ModelAdmin):
    """An operator sees and revokes tokens, and makes none in somebody's name."""

    list_display = ["name", "user", "scope", "created_at", "last_used_at", "expires_at"]
    readonly_fields = ["user", "name", "scope", "created_at", "last_used_at", "expires_at"]

    def has_add_permission(self, request):
        return False
