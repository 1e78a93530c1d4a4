"""The people of a project: who they are, links for new ones, and the pages behind those links."""

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import BaseUserCreationForm
from django.core.paginator import Paginator
from django.db import transaction
from django.shortcuts import get_object_or_404, redirect, render
from django.template.defaultfilters import pluralize
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from judgments.files.csv_files import csv_file
from judgments.files.forms import sent
from judgments.models import ProjectLink, ProjectMember, ProjectRole
from judgments.people import access, devices
from judgments.people.accounts.demo_copies import is_kept_whole
from judgments.people.accounts.forms import NAME_TAKEN, JoinForm
from judgments.people.invitations.joining import PASSWORDLESS, after_joining
from judgments.people.staffing.settings import staffing_of
from judgments.web import limits
from judgments.web.audit.acting import acting

from . import links
from .forms import ColleagueForm, ProjectLinksForm
from .sharing import NotBlind, pairs_of, run_by, take_part_away
from .tasks import mail_project_link

ON_A_PAGE = 50


def _pairs(request, project):
    return pairs_of(run_by(request.user, project))


def _page(request, project, *, colleague_form=None, links_form=None, status=200):
    pairs = _pairs(request, project)
    colleagues = project.links.usable().exclude(role=ProjectRole.ANNOTATOR)
    of_annotators = project.links.filter(role=ProjectRole.ANNOTATOR)
    for link in colleagues:
        link.address = request.build_absolute_uri(link.get_absolute_url())
    people = project.people.select_related("user")
    annotators = people.filter(role=ProjectRole.ANNOTATOR)
    context = {
        "project": project,
        "colleagues": people.exclude(role=ProjectRole.ANNOTATOR),
        "links": colleagues,
        "page": Paginator(annotators, ON_A_PAGE).get_page(request.GET.get("page")),
        "n_links": of_annotators.count(),
        "n_usable": of_annotators.usable().count(),
        "n_used": of_annotators.exclude(used_at=None).count(),
        "colleague_form": colleague_form or ColleagueForm(pairs, prefix="colleague"),
        "links_form": links_form or ProjectLinksForm(pairs),
        "has_campaigns": bool(pairs),
    }
    return render(request, "judgments/people/project_people.html", context, status=status)


@never_cache
@login_required
@require_GET
def project_people(request, project):
    return _page(request, access.managed_project(request.user, project))


@login_required
@require_POST
def project_invite(request, project):
    """Make a link for one colleague, and mail it if an address is given."""
    found = access.managed_project(request.user, project)
    form = ColleagueForm(_pairs(request, found), request.POST, prefix="colleague")
    if form.is_valid() and form.cleaned_data["email"] and not settings.CAN_MAIL:
        form.add_error(
            "email",
            "This site does not send email. Leave this empty and pass on the link yourself.",
        )
    if not form.is_valid():
        return _page(request, found, colleague_form=form, status=422)
    said = form.cleaned_data
    people = [(form.guest, said["pairs"])]
    with acting(request):
        (link,) = links.make_links(
            found, people, role=said["role"], by=request.user, expires_at=form.expires_at
        )
        if link.email:
            limits.hit(limits.INVITATION_MAILS, f"account {request.user.pk}", 1)
            mail_project_link.enqueue(link.pk, request.build_absolute_uri("/"))
    words = f"The link will be sent to {link.email}." if link.email else "The link is ready."
    messages.success(request, f"{words} It is for one person.")
    return redirect("project-people", found.slug)


@login_required
@require_POST
def project_links(request, project):
    """Make links for annotators, all in one act; the file contains them."""
    found = access.managed_project(request.user, project)
    form = ProjectLinksForm(_pairs(request, found), *sent(request))
    if not form.is_valid():
        return _page(request, found, links_form=form, status=422)
    with acting(request):
        made = links.make_links(
            found,
            form.people,
            role=ProjectRole.ANNOTATOR,
            by=request.user,
            expires_at=form.expires_at_moment,
        )
    n = len(made)
    messages.success(
        request, f"{n:,} link{pluralize(n)} created; each is for one person. Download them as CSV."
    )
    return redirect("project-people", found.slug)


@never_cache
@login_required
@require_GET
def project_links_file(request, project):
    """Return all links of annotators as CSV."""
    found = access.managed_project(request.user, project)
    head = ["name", "e-mail", "alias", "pairs", "link", "until", "used", "closed"]
    rows = (
        (
            *(link.name, link.email, link.alias, " ".join(link.pairs)),
            request.build_absolute_uri(link.get_absolute_url()),
            *(at and at.isoformat() for at in (link.expires_at, link.used_at, link.closed_at)),
        )
        for link in found.links.filter(role=ProjectRole.ANNOTATOR)
    )
    return csv_file(f"links-{found.slug}.csv", head, rows)


@login_required
@require_POST
def project_links_close(request, project, link_id=None):
    """Close one link, or all unused links of annotators."""
    found = access.managed_project(request.user, project)
    usable = found.links.usable()
    chosen = usable.filter(pk=link_id) if link_id else usable.filter(role=ProjectRole.ANNOTATOR)
    with acting(request):
        n = chosen.update(closed_at=timezone.now())
    messages.success(request, f"{n} link{pluralize(n)} closed. People who joined stay.")
    return redirect("project-people", found.slug)


@login_required
@require_POST
def project_part_end(request, project, member_id):
    found = access.managed_project(request.user, project)
    member = get_object_or_404(found.people, pk=member_id)
    if is_kept_whole(request.user):
        messages.error(request, "The people of your copy of the demo leave with it.")
        return redirect("project-people", found.slug)
    with acting(request):
        take_part_away(member)
    messages.success(
        request,
        f"{member.alias} no longer has a part in the project, nor through it in its campaigns. "
        "Their judgments stay; the rest of their work goes to others.",
    )
    if member.user_id == request.user.pk:
        return redirect("projects")
    return redirect("project-people", found.slug)


# ---- Joining -----------------------------------------------------------------------------------


def _closed(request, project, template="invitation_closed"):
    context = {"campaign": project, "project": project}
    return render(request, f"judgments/people/{template}.html", context, status=410)


@never_cache
@require_http_methods(["GET", "POST"])
def project_join(request, token):
    """Show the page behind a link. Opening it changes nothing; its button joins."""
    link = get_object_or_404(
        ProjectLink.objects.select_related("project", "created_by"), token=token
    )
    user = request.user if request.user.is_authenticated else None
    if user and (own := link.project.people.filter(user=user).first()):
        return _led_on(own)
    if not ProjectLink.objects.usable().filter(pk=link.pk).exists():
        return _closed(request, link.project)
    view = _annotator_joins if link.role == ProjectRole.ANNOTATOR else _colleague_joins
    return view(request, link, user)


def _led_on(member: ProjectMember):
    if member.role == ProjectRole.ANNOTATOR:
        return redirect("home")
    page = "project-watch" if member.role == ProjectRole.WATCHER else "project"
    return redirect(page, member.project.slug)


def _annotator_joins(request, link, user):
    """Join all campaigns of the link's pairs, as by the link of a campaign."""
    campaigns = run_by(link.created_by, link.project).exclude(status="closed")
    campaigns = [c for c in campaigns if not link.pairs or c.test_set.pair in link.pairs]
    if not campaigns:
        return _closed(request, link.project, "project_link_closed")
    here = {each.user_id: each for c in campaigns for each in devices.members_here(request, c)}
    is_other = request.POST.get("other") == "yes"
    data = request.POST if request.method == "POST" and (is_other or not here) else None
    proposed = links.free_name(link.project, link.alias, user)
    may_type = all(staffing_of(campaign).typed_names for campaign in campaigns)
    form = JoinForm(campaigns[0], data, proposed=proposed, may_type=may_type, user=user)
    typed = form.cleaned_data["alias"] if form.is_valid() and may_type else ""
    if typed and typed != links.free_name(link.project, typed, user):
        form.add_error("alias", NAME_TAKEN)
    if form.is_valid():
        try:
            member, shared = links.accept(link, user, form.cleaned_data["alias"])
        except links.LinkUsedUp:
            return _closed(request, link.project)
        except NotBlind as problem:
            form.add_error(None, str(problem))
        else:
            return _signed_in(request, user, shared.opened, member)
    context = {
        "campaign": link.project,
        "invitation": link,
        "pairs": pairs_of(campaigns),
        "form": form,
        "proposed": form["alias"].value(),
        "own": None,
        "here": list(here.values()),
        "is_familiar": not here and devices.is_familiar(request, campaigns[0]),
    }
    status = 422 if form.errors else 200
    return render(request, "judgments/people/join.html", context, status=status)


def _signed_in(request, user, opened, member):
    """Sign in a new guest and show the link to all of their work; redirect others."""
    response = redirect("home")
    if user is None:
        login(request, member.user, backend=PASSWORDLESS)
        response = redirect("welcome", opened[0].campaign_id)
    elif len(opened) == 1:
        response = after_joining(opened[0])
    for membership in opened:
        devices.seen(request, response, membership, is_new=True)
    return response


def _colleague_joins(request, link, user):
    """Join with the account that is signed in, or with a new one."""
    posted = request.POST if request.method == "POST" else None
    form: Any = None if user else BaseUserCreationForm(posted)
    problem = ""
    if request.method == "POST" and (form is None or form.is_valid()):
        try:
            with transaction.atomic():
                member, shared = links.accept(link, user or form.save())
        except links.LinkUsedUp:
            return _closed(request, link.project)
        except NotBlind as refused:
            problem = str(refused)
        else:
            if user is None:
                login(request, member.user, backend=PASSWORDLESS)
            for campaign in shared.closed:
                words = f"{campaign.name} stays closed to you because you judge its texts."
                messages.warning(request, words)
            return _led_on(member)
    context = {"project": link.project, "link": link, "form": form, "problem": problem}
    status = 422 if problem or (form and form.errors) else 200
    return render(request, "judgments/people/project_join.html", context, status=status)
