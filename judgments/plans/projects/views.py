"""Projects: the list, a new one, and their campaigns."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Count
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from judgments.models import Project, ProjectRole
from judgments.people import access
from judgments.people.accounts.demo_copies import is_kept_whole
from judgments.people.projects.sharing import withdraw
from judgments.plans.archive import ArchiveRefused, archive_project, restore_project
from judgments.plans.projects.forms import ProjectForm
from judgments.web import plurals as counted
from judgments.web.audit.acting import acting
from judgments.web.list_form import ListForm


@login_required
@require_GET
def projects(request):
    visible = Project.objects.visible_to(request.user).values("pk")
    list_form = ListForm(request.GET)
    found = list_form.of(Project.objects.filter(pk__in=visible))
    context = {
        "projects": found.annotate(n_campaigns=Count("joined")),
        "list_form": list_form,
        "has_any": visible.exists(),
        "may_create": access.may_create(request.user),
    }
    return render(request, "judgments/plans/projects.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def project_new(request):
    access.require_creator(request.user)
    return _edit(request, Project(owner=request.user))


@login_required
@require_http_methods(["GET", "POST"])
def project_edit(request, project):
    return _edit(request, access.managed_project(request.user, project))


@login_required
@require_POST
def project_delete(request, project):
    """Delete a project. Its campaigns stay."""
    found = access.owned_project(request.user, project)
    if is_kept_whole(request.user):
        messages.error(request, "The project belongs to your copy, which is deleted as a whole.")
        return redirect("project-edit", found.slug)
    with acting(request):
        withdraw(found.people.exclude(role=ProjectRole.ANNOTATOR))
        found.delete()
    messages.success(
        request, f"The project {found.name} was deleted. Its campaigns are still there."
    )
    return redirect("projects")


@login_required
@require_POST
def project_archive(request, project):
    """Archive a project with its campaigns, or restore them with `restore`."""
    found = access.owned_project(request.user, project)
    try:
        with acting(request):
            if "restore" in request.POST:
                n = restore_project(found)
            else:
                n = archive_project(found, request.user)
    except ArchiveRefused as reason:
        messages.error(request, str(reason))
        return redirect("project-edit", found.slug)
    words = "back in the lists" if "restore" in request.POST else "in the archive"
    messages.success(request, f"The project is {words}, with {counted.campaigns(n)}.")
    return redirect("project", found.slug)


def _edit(request, project):
    data = request.POST if request.method == "POST" else None
    form = ProjectForm(request.user, data, instance=project)
    name, slug = project.name, project.slug
    if request.method == "POST" and form.is_valid():
        with acting(request):
            saved = form.save()
        return redirect("project", saved.slug)
    hidden = access.campaigns_of_project(request.user, project)[1] if project.pk else 0
    is_own = request.user.is_superuser or project.owner_id == request.user.pk
    context = {"form": form, "name": name, "slug": slug, "n_hidden": hidden, "is_own": is_own}
    status = 422 if form.errors else 200
    return render(request, "judgments/plans/project_edit.html", context, status=status)
