"""Django's admin, with each act in the log: written when the admin writes its own log, the last
step before its transaction ends."""

from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.db import transaction
from django.utils.decorators import method_decorator


class RecordedAdmin(admin.ModelAdmin):
    """Admin that records additions, changes and deletions, in the admin's own transaction."""

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
        """Run in one transaction, like the forms of Django's admin: actions may delete several
        rows."""
        return super().changelist_view(request, extra_context)


class RecordedUserAdmin(RecordedAdmin, UserAdmin):
    @method_decorator(transaction.atomic)
    def user_change_password(self, request, id, form_url=""):
        return super().user_change_password(request, id, form_url)


class RecordedGroupAdmin(RecordedAdmin, GroupAdmin):
    pass
