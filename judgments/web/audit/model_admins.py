"""Django's admin, with each act in the log: the last that the admin does before its transaction
ends is to write its own log, and there."""

from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.db import transaction
from django.utils.decorators import method_decorator


class RecordedAdmin(admin.ModelAdmin):
    """Records what is added, changed and deleted in the admin, in the admin's own transaction."""

    def log_addition(self, request, obj, message):
        entry = super().log_addition(request, obj, message)
        request.act.done()
        return entry

    def log_change(self, request, obj, message):
        entry = super().log_change(request, obj, message)
        request.act.done()
        return entry

    def log_deletions(self, request, queryset):
        entries = super().log_deletions(request, queryset)
        request.act.done()
        return entries

    @method_decorator(transaction.atomic)
    def changelist_view(self, request, extra_context=None):
        """In one transaction, as Django's own forms are: an action such as deleting several."""
        return super().changelist_view(request, extra_context)


class RecordedUserAdmin(RecordedAdmin, UserAdmin):
    @method_decorator(transaction.atomic)
    def user_change_password(self, request, id, form_url=""):
        return super().user_change_password(request, id, form_url)


class RecordedGroupAdmin(RecordedAdmin, GroupAdmin):
    pass
