"""The operator's view of the rows. Names and notes can be changed; all other fields used by pages
are only shown, since only the pages and commands that write them check them."""

from django.contrib import admin
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group

from .models import (
    AnnotatorState,
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
from .models.locks import lock_campaign
from .web.audit.model_admins import RecordedAdmin, RecordedGroupAdmin, RecordedUserAdmin

for model, recorded in ((get_user_model(), RecordedUserAdmin), (Group, RecordedGroupAdmin)):
    admin.site.unregister(model)
    admin.site.register(model, recorded)


class ReadOnlyAdmin(RecordedAdmin):
    """Nothing can be added, changed or deleted here: rows of work only come from work."""

    def has_add_permission(self, request):
        return False

    def has_change_permission(self, request, obj=None):
        return False

    def has_delete_permission(self, request, obj=None):
        return False


class FewFieldsAdmin(ReadOnlyAdmin):
    """Only the fields in `changeable` can be changed."""

    changeable: tuple[str, ...] = ()

    def has_change_permission(self, request, obj=None):
        return admin.ModelAdmin.has_change_permission(self, request, obj)

    def get_readonly_fields(self, request, obj=None):
        return [each.name for each in self.opts.fields if each.name not in self.changeable]


@admin.register(TestSet)
class TestSetAdmin(FewFieldsAdmin):
    changeable = ("name", "owner", "note")
    list_display = ["name", "source_language", "target_language", "owner", "created_at"]


@admin.register(Campaign)
class CampaignAdmin(FewFieldsAdmin):
    changeable = ("name",)
    list_display = ["name", "test_set", "preset", "status", "simulated", "created_at"]
    list_filter = ["status", "preset"]

    def save_model(self, request, obj, form, change):
        """Write only the name, since others may have written other fields after the form was
        read."""
        lock_campaign(obj.pk)
        obj.save(update_fields=form.changed_data)


@admin.register(Membership)
class MembershipAdmin(ReadOnlyAdmin):
    list_display = ["alias", "campaign", "role", "joined_at", "removed_at"]
    list_filter = ["role"]


@admin.register(Invitation)
class InvitationAdmin(ReadOnlyAdmin):
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


@admin.register(AnnotatorState)
class AnnotatorStateAdmin(ReadOnlyAdmin):
    list_display = ["decided_at", "campaign", "annotator", "state", "reason", "decided_by"]


@admin.register(DeletedCampaign)
class DeletedCampaignAdmin(ReadOnlyAdmin):
    list_display = ["deleted_at", "campaign", "name", "judgments", "deleted_by", "reason"]
    fields = ["campaign", "name", "test_set", "preset", "simulated", "judgments", "annotators"]
    fields += ["tasks", "head", "deleted_by", "reason", "deleted_at"]


@admin.register(ApiToken)
class ApiTokenAdmin(RecordedAdmin):
    """Operators see and revoke tokens, and create none in other people's names."""

    list_display = ["name", "user", "scope", "created_at", "last_used_at", "expires_at"]
    readonly_fields = ["user", "name", "scope", "created_at", "last_used_at", "expires_at"]

    def has_add_permission(self, request):
        return False
