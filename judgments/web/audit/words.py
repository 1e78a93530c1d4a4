"""The acts in words, by the name of their address. An app names its own in `audited_acts`."""

from functools import cache
from importlib import import_module

from django.apps import apps

# Judging, and how a person reads: work that is stored as judgments, not acts on a campaign. What is
# answered on trial is not stored at all.
NOT_ACTS = {
    *("column-widths", "compared-texts", "own-keys", "reading-settings", "return", "trial-item"),
}
SAFE = {"GET", "HEAD", "OPTIONS"}

ACTS = {
    # Coming in
    "login": "signed in",
    "demo-enter": "entered the demo",
    "demo-take": "took a copy of the demo",
    "demo-switch": "went on as the other person of the demo",
    "demo-end": "deleted the copy of the demo",
    "logout": "signed out",
    "join": "joined",
    "password-change": "changed the password",
    "password-reset": "asked for a new password",
    "password-reset-confirm": "chose a new password",
    "tokens": "made a token",
    "token-revoke": "revoked a token",
    # Campaigns
    "campaign-new-preset": "created a campaign",
    "campaign-from-file": "created a campaign from a file",
    "api-campaign-from-file": "created a campaign from a file",
    "campaign-status": "changed the status",
    "api-campaign-status": "changed the status",
    "campaign-delete": "deleted the campaign",
    "campaign-instructions": "changed the instructions",
    "campaign-practice-item": "changed the tutorial",
    "campaign-design": "planned who judges what",
    "campaign-design-clear": "discarded the plan",
    "campaign-wave": "added a wave to the plan",
    "import-judgments": "imported judgments",
    "api-judgments": "imported judgments",
    "suggestions": "imported suggested errors",
    "suggestions-from-program": "had errors of a metric suggested",
    "proposed-links": "imported proposed links",
    "links-make": "had word links made",
    "questions-import": "imported questions",
    "question-new": "added a question",
    "question-edit": "changed a question",
    "question-delete": "deleted a question",
    # Projects
    "project-new": "made a project",
    "project-edit": "changed a project",
    "project-from-file": "made a project from a file",
    "api-projects": "made a project",
    "api-project-campaigns": "changed a project",
    "project-release": "had a release of a project made",
    "project-download-file": "took a file of a project",
    "project-download-again": "had a file of a project made again",
    "project-download-discard": "discarded a file of a project",
    "project-delete": "deleted a project",
    "project-archive": "put a project into the archive or took it out",
    "campaign-archive": "put the campaign into the archive or took it out",
    "project-invite": "made a link for a colleague in a project",
    "project-links": "made links for annotators of a project",
    "project-links-close": "closed links of a project",
    "project-link-close": "closed a link of a project",
    "project-part-end": "took somebody's part in a project away",
    "project-join": "joined a project",
    "project-links-file": "took the links of a project",
    # People
    "invitation-new": "created an invitation link",
    "api-invitations": "created an invitation link",
    "api-invitation-close": "closed an invitation link",
    "invitation-close": "closed an invitation link",
    "invitations-many": "made links for many people",
    "invitation-sheet-close": "closed the links of a sheet",
    "invitation-mail": "had links mailed",
    "invitation-file": "took the links of a sheet",
    "campaign-consent": "changed the consent or the questions about annotators",
    "campaign-completion": "changed completion and names",
    "campaign-messages": "sent a message",
    "campaign-dates": "changed the dates",
    "campaign-dates-extend": "gave more time",
    "campaign-pay": "changed what is paid",
    "campaign-payments": "approved pay or marked it as paid",
    "campaign-bonus": "approved a bonus",
    "campaign-judges-leave": "said whether texts may be sent to models",
    "campaign-judge-new": "added a model as a judge",
    "campaign-judge-start": "let a model judge",
    "campaign-judge-cancel": "stopped a model",
    "campaign-judge-delete": "deleted a model that had not judged",
    "campaign-prolific-act": "approved, paid or replaced people at Prolific",
    "campaign-pay-file": "took the pay",
    "questionnaire-file": "took the answers to the questionnaire",
    "member-erase": "erased a member",
    "my-data-erase": "erased themselves",
    "member-new": "added a member or changed a role",
    "member-remove": "removed a member",
    "member-take-back": "took a member back",
    "link-revoke": "revoked a personal link",
    "link-renew": "renewed a personal link",
    "devices-accept": "said that people who share a device are different ones",
    "note-resolve": "resolved or reopened a note",
    # Watching
    "campaign-close": "closed the campaign early",
    "campaign-give": "gave batches to an annotator",
    "campaign-extend": "added seats",
    "task-free": "took a batch back",
    "annotator-state": "decided what an annotator may do",
    "plan-again": "planned again what was left out",
    "annotator-screen": "looked at an annotator's screen",
    "clash-mark": "marked a clash",
    "clash-third": "asked a third person about clashes",
    "segment-mark": "marked a segment",
    "notice-new": "set up a notice",
    "notice-delete": "removed a notice",
    # Results
    "quality-decide": "decided on an annotator",
    "quality-rule": "recorded the rule of quality control",
    "quality-leave-out": "left annotators out by the rule",
    "quality-item-decide": "decided on a segment",
    "api-decisions": "decided on an annotator",
    "api-item-decisions": "decided on a segment",
    "quality-exclusions": "brought exclusions",
    "quality-exclusions-file": "took the exclusions",
    "answers-decide": "decided on an annotator",
    "grading-question": "graded answers",
    "edits-hand-over": "handed edits over",
    "stopping-register": "registered a stopping plan",
    "next-wave": "planned a wave of a race",
    "pair-test": "chose how systems are told apart",
    "known-fault": "decided on a fault of a publication",
    # Files taken
    "export-json": "took campaign.json or had it made",
    "export-observations": "took observations.tsv",
    "export-file": "took the campaign's file",
    "export-table": "took a table",
    "export-archive": "had the archive of pages made",
    "api-table-file": "took a table",
    "export-errors": "took the errors",
    "export-chain": "took the chain",
    "export-release": "had a release made",
    "download-file": "took a file that was made",
    "download-again": "had a file made again",
    "download-discard": "discarded a file that was made",
    "campaign-log-file": "took the log",
    "site-log-file": "took the log of the site",
    # Releases
    "import": "brought files to import",
    "import-answer": "answered what files cannot say, or imported them",
    "import-retry": "had files read again",
    "import-mend": "mended a line of files to import",
    "import-cancel": "discarded files",
    # Test sets
    "test-set-new": "imported a test set",
    "test-set-delete": "deleted the test set",
    "system-delete": "deleted a system",
    "system-facts": "stated facts of a system",
    "reference-facts": "stated facts of references",
    "reference-new": "added a reference",
    "systems-new": "added systems to a test set",
    "reference-donors": "looked for donors of a reference, or removed them",
    "test-set-texts": "added the texts of a test set",
    "test-set-media": "added sound, pictures or videos to a test set",
    "test-set-media-remove": "removed sound, pictures or videos from a test set",
    "post-edits": "imported post-edits",
    "post-edits-delete": "deleted post-edits",
}
# Acts though they change nothing: judgments or the log leave the site as a file, or an owner looks
# over an annotator's shoulder.
TAKEN = {
    *("export-json", "export-observations", "export-table", "export-errors", "api-table-file"),
    *("export-chain", "export-file", "download-file", "project-download-file"),
    "quality-exclusions-file",
    *("invitation-file", "project-links-file", "campaign-pay-file", "questionnaire-file"),
    *("campaign-log-file", "site-log-file", "score-download"),
    "annotator-screen",
}
# Forms with a password, what annotators wrote, rows of judgments, or an address that may be a key:
# none of their fields is kept.
WITHOUT_FACTS = {
    "notice-new",
    "login",
    "join",
    "project-join",
    "project-invite",  # an address of e-mail
    "grading-question",
    "import-judgments",
    "api-judgments",
    "api-decisions",  # the alias of an annotator, who may have it erased
    "post-edits",
    "api-upload",
    "campaign-completion",  # codes
}
ADMIN = {"add": "added", "change": "changed", "delete": "deleted", "changelist": "changed several"}


@cache
def acts() -> dict[str, str]:
    """All acts of addresses, those of other apps included."""
    found = dict(ACTS)
    for config in apps.get_app_configs():
        if name := getattr(config, "audited_acts", ""):
            module, _, attribute = name.rpartition(".")
            found |= getattr(import_module(module), attribute)
    return found


def in_words(act: str) -> str:
    """An act as the log shows it; one without words of its own by its name."""
    if act.startswith("admin:"):
        return admin_words(act.removeprefix("admin:"))
    return acts().get(act) or act


def admin_words(name: str) -> str:
    """`judgments_campaign_change` → changed: campaign, in the admin."""
    *model, verb = name.split("_")
    if len(model) < 2 or verb not in ADMIN:
        return f"{name.replace('_', ' ')}, in the admin"
    return f"{ADMIN[verb]}: {' '.join(model[1:])}, in the admin"


def is_recorded(name: str, method: str) -> bool:
    """Whether a request to an address is an act; called for every request."""
    if method in SAFE:
        return name in TAKEN
    return name not in NOT_ACTS and not name.startswith("judge")
