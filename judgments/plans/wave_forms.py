"""Form for adding a wave to a plan."""

from typing import Any

from django import forms
from django.core.validators import MaxValueValidator

from judgments.models import Campaign, Membership, System
from judgments.people import states
from judgments.people.messages.messages import annotators_of

from .waves import MOST_LINKS, Wave, further_segments, late_systems


class WaveForm(forms.Form):
    systems = forms.ModelMultipleChoiceField(
        System.objects.none(),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        label="Systems that come late",
    )
    segments = forms.IntegerField(
        min_value=0,
        label="Further segments",
    )
    share = forms.IntegerField(
        min_value=0,
        max_value=100,
        initial=20,
        label="Outputs of earlier systems that are judged again, in %",
        help_text="Block by block, the systems in turn. They show how strict the annotators of "
        "this wave are compared with those of earlier waves.",
    )
    links = forms.IntegerField(
        min_value=0,
        max_value=MOST_LINKS,
        initial=5,
        label="Calibration items in every batch",
        help_text="Screens that people have judged before, the same in all new batches.",
    )
    people = forms.ModelMultipleChoiceField(
        Membership.objects.none(),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        label="For these annotators",
        help_text=(
            "They get the batches in turn. If none is chosen, whoever asks for work gets them."
        ),
    )

    def __init__(self, campaign: Campaign, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        systems: Any = self.fields["systems"]
        systems.queryset = late_systems(campaign)
        systems.label_from_instance = lambda system: system.name
        systems.initial = [system.pk for system in systems.queryset]
        segments: Any = self.fields["segments"]
        segments.max_value = further_segments(campaign).count()
        segments.validators.append(MaxValueValidator(segments.max_value))
        segments.widget.attrs["max"] = segments.max_value
        segments.initial = 0 if systems.initial else segments.max_value
        segments.help_text = (
            f"Of {segments.max_value:,} that are in no plan, with all systems; whole blocks are "
            "drawn."
        )
        # Fields without anything to choose are omitted.
        if not systems.initial:
            del self.fields["systems"], self.fields["share"]
        if not segments.max_value:
            del self.fields["segments"]
        people: Any = self.fields["people"]
        decided = states.states_of(campaign)
        idle = [user for user, state in decided.items() if state.name != states.WORKING]
        people.queryset = annotators_of(campaign).exclude(user__in=idle)
        people.label_from_instance = lambda member: member.alias

    @property
    def wave(self) -> Wave:
        """The wave requested by a valid form."""
        data = self.cleaned_data
        return Wave(
            systems=tuple(system.pk for system in data.get("systems", ())),
            share=data.get("share", 0) / 100,
            links=data["links"],
            segments=data.get("segments", 0),
            people=tuple(member.user_id for member in data["people"]),
        )
