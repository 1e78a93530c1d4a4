"""Addresses of campaigns: setting them up, their people, watching them, their results."""

from django.urls import URLPattern, path

from judgments.exchange.judgments import views as imports
from judgments.judging import annotator_screen
from judgments.judging.notes import views as notes
from judgments.judging.practice import views as practice
from judgments.people.invitations import joining
from judgments.people.invitations import views as invitations
from judgments.people.members import views as people
from judgments.people.my_data import views as my_data
from judgments.people.staffing import pay_views as pay
from judgments.people.staffing import views as entry
from judgments.plans.campaigns import views as campaigns
from judgments.quality.notices import views as notices
from judgments.quality.watch import steering as steer
from judgments.test_sets.questions import views as material
from mteval_site.lazy_views import LazyViews

# What needs the analysis.
answers = LazyViews("judgments.results.answers.views")
reader_answers = LazyViews("judgments.quality.decisions.answers_views")
audit = LazyViews("judgments.quality.log.views")
design = LazyViews("judgments.plans.views")
clashes = LazyViews("judgments.quality.clashes.views")
compare = LazyViews("judgments.results.compare.views")
campaign_files = LazyViews("judgments.exchange.campaign_files.views")
deletion = LazyViews("judgments.test_sets.deletion.views")
edits = LazyViews("judgments.results.edits.views")
links = LazyViews("judgments.results.links.views")
quality = LazyViews("judgments.quality.rules.views")
removed_items = LazyViews("judgments.quality.decisions.removed_items")
report = LazyViews("judgments.publishing.report.views")
releases = LazyViews("judgments.exchange.releases.views")
results = LazyViews("judgments.results.views")
results_page = LazyViews("judgments.results.page_views").results_page
segments = LazyViews("judgments.results.segments.views")
spans = LazyViews("judgments.results.errors.views")
stopping = LazyViews("judgments.results.stopping.views")
watch = LazyViews("judgments.quality.watch.views")


def _page(name: str, folder: str = "") -> URLPattern:
    """A page of results that has an address of its own, at the end of the campaign's."""
    address = f"campaigns/<int:campaign_id>/{folder or name}/"
    return path(address, results_page, {"page": name}, name=name)


urlpatterns = [
    path("campaigns/<int:campaign_id>/welcome/", joining.welcome, name="welcome"),
    # Campaigns
    path("campaigns/", campaigns.campaigns, name="campaigns"),
    path("campaigns/new/", campaigns.campaign_new, name="campaign-new"),
    path("campaigns/new/<slug:preset>/", campaigns.campaign_new_preset, name="campaign-new-preset"),
    path("campaigns/from-file/", campaign_files.campaign_from_file, name="campaign-from-file"),
    path("campaigns/<int:campaign_id>/", campaigns.campaign, name="campaign"),
    path("campaigns/<int:campaign_id>/delete/", deletion.campaign_delete, name="campaign-delete"),
    path("campaigns/<int:campaign_id>/status/", campaigns.campaign_status, name="campaign-status"),
    path(
        "campaigns/<int:campaign_id>/instructions/",
        campaigns.campaign_instructions,
        name="campaign-instructions",
    ),
    path("campaigns/<int:campaign_id>/design/", design.campaign_design, name="campaign-design"),
    path(
        "campaigns/<int:campaign_id>/design/price/",
        design.campaign_design_price,
        name="campaign-design-price",
    ),
    path(
        "campaigns/<int:campaign_id>/design/screens/<int:batch>/<int:number>/",
        annotator_screen.planned_screen,
        name="planned-screen",
    ),
    path(
        "campaigns/<int:campaign_id>/design/clear/",
        design.campaign_design_clear,
        name="campaign-design-clear",
    ),
    path("campaigns/<int:campaign_id>/import/", imports.judgments_import, name="import-judgments"),
    path("campaigns/<int:campaign_id>/suggestions/", spans.suggestions, name="suggestions"),
    path("campaigns/<int:campaign_id>/errors/", spans.errors, name="errors"),
    path(
        "campaigns/<int:campaign_id>/errors/weights/",
        spans.errors_weights,
        name="errors-weights",
    ),
    path(
        "campaigns/<int:campaign_id>/exports/errors.<str:kind>",
        spans.export_errors,
        name="export-errors",
    ),
    path("campaigns/<int:campaign_id>/people/", people.campaign_people, name="campaign-people"),
    path(
        "campaigns/<int:campaign_id>/people/invite/", people.invitation_new, name="invitation-new"
    ),
    path(
        "campaigns/<int:campaign_id>/people/invite/<int:invitation_id>/close/",
        people.invitation_close,
        name="invitation-close",
    ),
    path(
        "campaigns/<int:campaign_id>/people/invite/many/",
        invitations.invitations_many,
        name="invitations-many",
    ),
    path(
        "campaigns/<int:campaign_id>/people/sheets/<int:sheet>/",
        invitations.invitation_sheet,
        name="invitation-sheet",
    ),
    path(
        "campaigns/<int:campaign_id>/people/sheets/<int:sheet>/mail/",
        invitations.invitation_mail,
        name="invitation-mail",
    ),
    path(
        "campaigns/<int:campaign_id>/people/sheets/<int:sheet>/close/",
        invitations.invitation_sheet_close,
        name="invitation-sheet-close",
    ),
    path(
        "campaigns/<int:campaign_id>/people/sheets/<int:sheet>/cards/",
        invitations.invitation_cards,
        name="invitation-cards",
    ),
    path(
        "campaigns/<int:campaign_id>/people/sheets/<int:sheet>.csv",
        invitations.invitation_file,
        name="invitation-file",
    ),
    path("campaigns/<int:campaign_id>/people/add/", people.member_new, name="member-new"),
    path(
        "campaigns/<int:campaign_id>/people/<int:membership_id>/remove/",
        people.member_remove,
        name="member-remove",
    ),
    path(
        "campaigns/<int:campaign_id>/people/<int:membership_id>/take-back/",
        people.member_take_back,
        name="member-take-back",
    ),
    path(
        "campaigns/<int:campaign_id>/people/<int:membership_id>/link/revoke/",
        people.link_revoke,
        name="link-revoke",
    ),
    path(
        "campaigns/<int:campaign_id>/people/<int:membership_id>/link/renew/",
        people.link_renew,
        name="link-renew",
    ),
    path(
        "campaigns/<int:campaign_id>/people/devices/<int:mark_id>/accept/",
        people.devices_accept,
        name="devices-accept",
    ),
    path(
        "campaigns/<int:campaign_id>/people/<int:membership_id>/erase/",
        my_data.member_erase,
        name="member-erase",
    ),
    path("campaigns/<int:campaign_id>/people/pay/", pay.campaign_pay, name="campaign-pay"),
    path(
        "campaigns/<int:campaign_id>/people/pay.csv",
        pay.campaign_pay_file,
        name="campaign-pay-file",
    ),
    path(
        "campaigns/<int:campaign_id>/people/consent/",
        entry.campaign_consent,
        name="campaign-consent",
    ),
    path(
        "campaigns/<int:campaign_id>/people/questionnaire.csv",
        entry.questionnaire_file,
        name="questionnaire-file",
    ),
    path(
        "campaigns/<int:campaign_id>/people/completion/",
        entry.campaign_completion,
        name="campaign-completion",
    ),
    # Questions about documents
    path("campaigns/<int:campaign_id>/questions/", material.questions, name="questions"),
    path(
        "campaigns/<int:campaign_id>/questions/import/",
        material.questions_import,
        name="questions-import",
    ),
    path("campaigns/<int:campaign_id>/questions/new/", material.question_new, name="question-new"),
    path(
        "campaigns/<int:campaign_id>/questions/<int:question_id>/",
        material.question_edit,
        name="question-edit",
    ),
    path(
        "campaigns/<int:campaign_id>/questions/<int:question_id>/delete/",
        material.question_delete,
        name="question-delete",
    ),
    path(
        "campaigns/<int:campaign_id>/practice/",
        practice.campaign_practice,
        name="campaign-practice",
    ),
    path("campaigns/<int:campaign_id>/notes/", notes.campaign_notes, name="campaign-notes"),
    path(
        "campaigns/<int:campaign_id>/notes/<int:note_id>/settle/",
        notes.note_resolve,
        name="note-resolve",
    ),
    # While it is judged
    path("campaigns/<int:campaign_id>/watch/", watch.watch, name="watch"),
    path("campaigns/<int:campaign_id>/watch/<slug:part>/", watch.watch_part, name="watch-part"),
    path("campaigns/<int:campaign_id>/clashes/", clashes.clashes, name="clashes"),
    path("campaigns/<int:campaign_id>/clashes/<slug:key>/", clashes.clash, name="clash"),
    path(
        "campaigns/<int:campaign_id>/clashes/<slug:key>/mark/",
        clashes.clash_mark,
        name="clash-mark",
    ),
    path("campaigns/<int:campaign_id>/steer/", steer.campaign_steer, name="campaign-steer"),
    path("campaigns/<int:campaign_id>/steer/close/", steer.campaign_close, name="campaign-close"),
    path(
        "campaigns/<int:campaign_id>/steer/extend/", steer.campaign_extend, name="campaign-extend"
    ),
    path(
        "campaigns/<int:campaign_id>/steer/batches/<int:task_id>/free/",
        steer.task_free,
        name="task-free",
    ),
    path(
        "campaigns/<int:campaign_id>/people/<int:membership_id>/screen/<int:number>/",
        annotator_screen.annotator_screen,
        name="annotator-screen",
    ),
    path("campaigns/<int:campaign_id>/notices/", notices.notices, name="notices"),
    path("campaigns/<int:campaign_id>/notices/new/", notices.notice_new, name="notice-new"),
    path(
        "campaigns/<int:campaign_id>/notices/<int:rule_id>/delete/",
        notices.notice_delete,
        name="notice-delete",
    ),
    # What was done
    path("campaigns/<int:campaign_id>/log/", audit.campaign_log, name="campaign-log"),
    path("campaigns/<int:campaign_id>/log.csv", audit.campaign_log_file, name="campaign-log-file"),
    path("campaigns/<int:campaign_id>/edits/", edits.edits, name="edits"),
    path(
        "campaigns/<int:campaign_id>/edits/hand-over/",
        edits.edits_hand_over,
        name="edits-hand-over",
    ),
    path("campaigns/<int:campaign_id>/answers/", reader_answers.answers, name="answers"),
    path(
        "campaigns/<int:campaign_id>/answers/decide/",
        reader_answers.answers_decide,
        name="answers-decide",
    ),
    path("campaigns/<int:campaign_id>/grading/", answers.grading_list, name="grading"),
    path(
        "campaigns/<int:campaign_id>/grading/<int:question_id>/",
        answers.grading_question,
        name="grading-question",
    ),
    # Results
    path("campaigns/<int:campaign_id>/segments/", segments.segments, name="segments"),
    path(
        "campaigns/<int:campaign_id>/segments/<int:segment_id>/", segments.segment, name="segment"
    ),
    path(
        "campaigns/<int:campaign_id>/segments/<int:segment_id>/mark/",
        segments.segment_mark,
        name="segment-mark",
    ),
    path("campaigns/<int:campaign_id>/agreement/", results.agreement, name="agreement"),
    _page("evaluators"),
    path("campaigns/<int:campaign_id>/quality/", quality.quality, name="quality"),
    path(
        "campaigns/<int:campaign_id>/quality/decide/", quality.quality_decide, name="quality-decide"
    ),
    path("campaigns/<int:campaign_id>/quality/rule/", quality.quality_rule, name="quality-rule"),
    path(
        "campaigns/<int:campaign_id>/quality/leave-out/",
        quality.quality_leave_out,
        name="quality-leave-out",
    ),
    path(
        "campaigns/<int:campaign_id>/quality/segments/",
        removed_items.quality_items,
        name="quality-items",
    ),
    path(
        "campaigns/<int:campaign_id>/quality/segments/decide/",
        removed_items.quality_item_decide,
        name="quality-item-decide",
    ),
    path(
        "campaigns/<int:campaign_id>/quality/exclusions/",
        removed_items.quality_exclusions,
        name="quality-exclusions",
    ),
    path(
        "campaigns/<int:campaign_id>/quality/exclusions.tsv",
        removed_items.quality_exclusions_file,
        name="quality-exclusions-file",
    ),
    _page("word-links", "links"),
    path(
        "campaigns/<int:campaign_id>/links/proposed/", links.proposed_links, name="proposed-links"
    ),
    _page("scores"),
    _page("domains"),
    _page("learning-curve"),
    path("campaigns/<int:campaign_id>/compare/", compare.compare, name="compare"),
    path(
        "campaigns/<int:campaign_id>/compare/campaigns/",
        compare.compare_campaigns,
        name="compare-campaigns",
    ),
    path(
        "campaigns/<int:campaign_id>/compare/campaigns.json",
        compare.compare_campaigns_json,
        name="compare-campaigns-json",
    ),
    path(
        "campaigns/<int:campaign_id>/compare/campaigns/files/<slug:name>.<str:kind>",
        compare.compare_campaigns_file,
        name="compare-campaigns-file",
    ),
    path(
        "campaigns/<int:campaign_id>/compare/files/<slug:name>.<str:kind>",
        compare.compare_file,
        name="compare-file",
    ),
    _page("power"),
    path("campaigns/<int:campaign_id>/power/stopping/", stopping.stopping, name="stopping"),
    path(
        "campaigns/<int:campaign_id>/power/stopping/register/",
        stopping.stopping_register,
        name="stopping-register",
    ),
    path("campaigns/<int:campaign_id>/report/", report.report, name="report"),
    path("campaigns/<int:campaign_id>/report.<str:kind>", report.report_file, name="report-file"),
    _page("recomputation"),
    path("campaigns/<int:campaign_id>/results/<slug:page>/", results_page, name="results-page"),
    path("campaigns/<int:campaign_id>/charts/<slug:chart>.<str:kind>", results.chart, name="chart"),
]
