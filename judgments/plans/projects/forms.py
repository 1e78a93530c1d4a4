"""The form of a project."""

from django import forms
from django.db import transaction
from django.db.models import Q
from django.utils.text import slugify

from judgments.models import Campaign, Project, ProjectRole
from judgments.people import access
from judgments.people.projects.sharing import share, withdraw
from judgments.protocols import protocol_of

MOST_CAMPAIGNS = 200


def ranked_by(campaign: Campaign) -> list[tuple[str, str]]:
    """Return the dimensions that can rank a campaign's systems, as slug and name."""
    protocol = protocol_of(campaign)
    return [(each.slug, each.name) for each in protocol.dimensions() if protocol.rates]


class CampaignChoices(forms.ModelMultipleChoiceField):
    def label_from_instance(self, campaign):
        test_set = campaign.test_set
        return f"{campaign.name} ({test_set.source_language} → {test_set.target_language})"


class ProjectForm(forms.ModelForm):
    """Name, address, description, and the campaigns that join. Campaigns that the user may not read
    are not listed, and stay. The page contains the campaigns that it was made with, so that others
    that joined or left meanwhile are not changed."""

    campaigns = CampaignChoices(
        Campaign.objects.none(),
        required=False,
        show_hidden_initial=True,
        widget=forms.CheckboxSelectMultiple,
        help_text="All campaigns whose results you may read. Each keeps its own people and "
        "plans. If a campaign asks several things, choose what ranks its systems once "
        "it has joined.",
    )

    description = forms.CharField(
        max_length=5000, required=False, widget=forms.Textarea(attrs={"rows": 3})
    )

    class Meta:
        model = Project
        fields = ["name", "slug", "description"]

    def __init__(self, user, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.user = user
        self.fields["slug"].required = False
        self.fields["slug"].label = "Address"
        choices = self.fields["campaigns"]
        assert isinstance(choices, CampaignChoices)
        visible = Campaign.objects.visible_to(user).of_people().select_related("test_set")
        offered = Q(archived_at=None)
        if self.instance.pk:
            offered |= Q(pk__in=self.instance.joined.values("campaign"))
        choices.queryset = visible.filter(offered)
        choosing = choices.widget.value_from_datadict(self.data, {}, "campaigns")
        chosen = {}
        if self.instance.pk:
            chosen = dict(self.instance.joined.values_list("campaign", "dimension"))
            self.initial["campaigns"] = [each.pk for each in choices.queryset if each.pk in chosen]
        posted = set(map(str, choosing or ()))
        for campaign in choices.queryset:
            if campaign.pk in chosen or str(campaign.pk) in posted:
                self._add_dimension(campaign, chosen.get(campaign.pk, ""))

    def _add_dimension(self, campaign, chosen):
        """Add a field for the dimension that ranks the systems of a campaign with several."""
        asked = ranked_by(campaign)
        if len(asked) > 1:
            self.fields[f"dimension_{campaign.pk}"] = forms.ChoiceField(
                choices=asked, required=False, label=f"{campaign.name} ranks systems by"
            )
            self.initial[f"dimension_{campaign.pk}"] = chosen

    def clean_slug(self):
        slug = self.cleaned_data["slug"] or slugify(self.data.get("name", ""))[:60]
        if not slug:
            raise forms.ValidationError("Write a short word of a–z, 0–9 and hyphens.")
        return slug

    def clean_campaigns(self):
        chosen = self.cleaned_data["campaigns"]
        if len(chosen) > MOST_CAMPAIGNS:
            raise forms.ValidationError(f"A project has {MOST_CAMPAIGNS} campaigns at most.")
        return chosen

    def clean(self):
        """Check whether the project is archived: `acting` identifies it by its address, which may
        change here."""
        if self.instance.archived_at:
            raise forms.ValidationError("The project is archived. Restore it first.")
        return super().clean()

    def _joined_when_shown(self) -> set[str]:
        """Return the numbers of the campaigns that belonged to the project when its page was
        made."""
        widget, name = forms.MultipleHiddenInput(), self.add_initial_prefix("campaigns")
        return set(map(str, widget.value_from_datadict(self.data, self.files, name) or ()))

    @transaction.atomic
    def save(self, commit=True):
        project = super().save(commit)
        before, _ = access.campaigns_of_project(self.user, project)
        chosen = {campaign.pk for campaign in self.cleaned_data["campaigns"]}
        shown = self._joined_when_shown()
        gone = {each.pk for each in before if str(each.pk) in shown} - chosen
        project.joined.filter(campaign__in=gone).delete()
        withdraw(project.people.exclude(role=ProjectRole.ANNOTATOR), gone)
        joined = {pk for pk in chosen if str(pk) not in shown}
        project.campaigns.add(*joined)
        share(project, self.user, joined=joined)
        for name, dimension in self.cleaned_data.items():
            start, _, campaign = name.partition("_")
            if start == "dimension" and name in self.data:
                project.joined.filter(campaign=campaign).update(dimension=dimension)
        return project
