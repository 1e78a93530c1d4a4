"""The sections, in the order in which a file is written and applied.

To extend the file, write a section (see `section.FileSection`) and list it here: then the schema,
the command, the API, the page and the export have it, and a test requires that the guide describes
it.
"""

from .section import FileSection
from .sections.description import InstructionsSection, NameSection, SimulatedSection
from .sections.materials import MaterialsSection
from .sections.people import PeopleSection
from .sections.plan import PlanSection
from .sections.quality import QualitySection
from .sections.references import ReferencesSection
from .sections.staffing import StaffingSection
from .sections.status import StatusSection
from .sections.stopping import StoppingSection
from .sections.systems import SystemsSection
from .sections.task import OptionsSection, PresetSection
from .sections.texts import TextsSection

# These fill in the campaign's row before it is stored,
OF_THE_ROW: tuple[FileSection, ...] = (
    NameSection(),
    TextsSection(),
    PresetSection(),
    OptionsSection(),
    InstructionsSection(),
    SimulatedSection(),
)
# and these are applied to the stored campaign.
OF_THE_STORED: tuple[FileSection, ...] = (
    SystemsSection(),
    ReferencesSection(),
    MaterialsSection(),
    PeopleSection(),
    StaffingSection(),
    PlanSection(),
    QualitySection(),
    StoppingSection(),
    StatusSection(),
)
SECTIONS = OF_THE_ROW + OF_THE_STORED
