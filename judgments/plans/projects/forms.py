"""The form of a project."""

from django import forms
from django.db import transaction
from django.utils.text import slugify

from judgments.models import Campaign, Project
from judgments.people import access

MOST_CAMPAIGNS = 200


class CampaignChoices(forms.ModelMultipleChoiceField):
    def label_from_instance(self, campaign):
        test_set = campaign.test_set
        return f"{campaign.name} ({test_set.source_language} → {test_set.target_language})"


class ProjectForm(forms.ModelForm):
    """Name, address, description, and the campaigns that join. Those that the user may not read
    are not listed, and stay."""

    campaigns = CampaignChoices(
        Campaign.objects.none(),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text="All that you may read the results of. Their people and plans stay their own.",
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
        choices.queryset = Campaign.objects.visible_to(user).select_related("test_set")
        if self.instance.pk:
            joined, _ = access.campaigns_of_project(user, self.instance)
            self.initial["campaigns"] = [campaign.pk for campaign in joined]

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

    @transaction.atomic
    def save(self, commit=True):
        project = super().save(commit)
        before, _ = access.campaigns_of_project(self.user, project)
        chosen = {campaign.pk for campaign in self.cleaned_data["campaigns"]}
        gone = {campaign.pk for campaign in before} - chosen
        project.joined.filter(campaign__in=gone).delete()
        project.campaigns.add(*chosen)
        return project
