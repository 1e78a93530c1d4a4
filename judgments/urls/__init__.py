"""Addresses of the judgments app. Those of annotators contain only the campaign's number and the
place in their own work."""

from django.conf import settings
from django.contrib.auth.views import LogoutView
from django.urls import include, path

from judgments.exchange.public_demo import views as public_demo
from judgments.judging import batches, docs, home, worker
from judgments.judging import views as judging
from judgments.judging.my_work import views as my_work
from judgments.judging.notes import views as notes
from judgments.judging.practice import views as practice
from judgments.judging.trial import views as trial
from judgments.people.accounts import passwords
from judgments.people.accounts import views as accounts
from judgments.people.invitations import joining
from judgments.people.messages import views as messages
from judgments.people.my_data import views as my_data
from judgments.people.reading import views as reading
from judgments.people.staffing import views as entry
from judgments.people.tokens import views as tokens
from judgments.test_sets import late_system_views as late_systems
from judgments.test_sets import post_edit_views as post_edits
from judgments.test_sets import views as test_sets
from judgments.test_sets.media import test_set_views as test_set_media
from judgments.test_sets.media import views as media
from judgments.test_sets.reference_facts import views as reference_facts
from judgments.test_sets.reference_sets import views as reference_sets
from judgments.test_sets.system_facts import views as system_facts
from mteval_site.lazy_views import LazyViews

from . import campaigns as campaign_urls
from . import projects as project_urls

# Views that import the analysis.
audit = LazyViews("judgments.quality.log.views")
bundles = LazyViews("judgments.publishing.bundles.views")
campaign_files = LazyViews("judgments.exchange.campaign_files.views")
deletion = LazyViews("judgments.test_sets.deletion.views")
figures = LazyViews("judgments.results.figure_views")
release_import = LazyViews("judgments.exchange.releases.import_views")
releases = LazyViews("judgments.exchange.releases.views")
oidc = LazyViews("judgments.people.accounts.oidc_views")

# Addresses of one test set.
of_test_set = [
    path("", test_sets.test_set, name="test-set"),
    path("delete/", deletion.test_set_delete, name="test-set-delete"),
    path("systems/<int:system_id>/delete/", deletion.system_delete, name="system-delete"),
    path("systems/<int:system_id>/facts/", system_facts.system_facts, name="system-facts"),
    path("systems/new/", late_systems.systems_new, name="systems-new"),
    path("references/", reference_facts.reference_facts, name="reference-facts"),
    path("references/new/", reference_sets.reference_new, name="reference-new"),
    path("references/texts.csv", reference_sets.reference_file, name="reference-file"),
    path("references/donors/", reference_facts.reference_donors, name="reference-donors"),
    path("formats/<slug:slug>/", releases.export_texts, name="export-texts"),
    path("media/", test_set_media.test_set_media, name="test-set-media"),
    path("media/remove/", test_set_media.media_remove, name="test-set-media-remove"),
    path("texts/", test_sets.test_set_texts, name="test-set-texts"),
    path("post-edits/", post_edits.post_edits, name="post-edits"),
    path("post-edits/delete/", post_edits.post_edits_delete, name="post-edits-delete"),
]

# The user's account.
account = [
    path("", passwords.account, name="account"),
    path("password/", passwords.PasswordChange.as_view(), name="password-change"),
    path("new-password/", passwords.PasswordReset.as_view(), name="password-reset"),
    path("new-password/sent/", passwords.PasswordResetSent.as_view(), name="password-reset-sent"),
    path(
        "new-password/<slug:uidb64>/<slug:token>/",
        passwords.PasswordResetConfirm.as_view(),
        name="password-reset-confirm",
    ),
    path("tokens/", tokens.tokens, name="tokens"),
    path("tokens/<int:token_id>/revoke/", tokens.token_revoke, name="token-revoke"),
    path("data/", my_data.my_data, name="my-data"),
    path("data.json", my_data.my_data_file, name="my-data-file"),
    path("data/erase/", my_data.my_data_erase, name="my-data-erase"),
]

# Uploaded files of releases.
releases_in = [
    path("", release_import.upload, name="import"),
    path("<int:upload_id>/", release_import.review, name="import-found"),
    path("<int:upload_id>/done/", release_import.done, name="import-done"),
    path("<int:upload_id>/progress/", release_import.progress, name="import-progress"),
    path("<int:upload_id>/problems/<int:number>/", release_import.mend, name="import-mend"),
    path("<int:upload_id>/recipe/", release_import.recipe, name="import-recipe"),
    path("<int:upload_id>/answer/", release_import.answer, name="import-answer"),
    path("<int:upload_id>/retry/", release_import.retry, name="import-retry"),
    path("<int:upload_id>/cancel/", release_import.cancel, name="import-cancel"),
]

urlpatterns = [
    # The most requested addresses first, since they are tried one after the other.
    path("judge/<int:campaign_id>/", judging.judge, name="judge"),
    path("judge/<int:campaign_id>/<int:number>/", judging.judge_item, name="judge-item"),
    # Pages that belong to no campaign
    path("", home.home, name="home"),
    path("about/", home.about, name="about"),
    path("docs/", docs.documentation, name="docs"),
    path("docs/<path:place>", docs.documentation, name="docs-page"),
    # The former address of the guides.
    path("guide/<slug:page>/", docs.former_guide, name="guide"),
    path("accessibility/", home.accessibility, name="accessibility"),
    path("try/", trial.trial, name="trial"),
    path("try/<int:number>/", trial.trial_item, name="trial-item"),
    path("try/<int:number>/instructions/", trial.trial_instructions, name="trial-instructions"),
    path("settings/", reading.reading_settings, name="reading-settings"),
    path("settings/keys/", reading.own_keys, name="own-keys"),
    path("settings/compared-texts/", reading.compared_texts, name="compared-texts"),
    path("settings/widths/", reading.column_widths, name="column-widths"),
    # Sign-in and joining
    path("sign-in/", accounts.SignIn.as_view(), name="login"),
    path("sign-in/demo/", accounts.demo_enter, name="demo-enter"),
    path("demo/", public_demo.demo_copy, name="demo-copy"),
    path("demo/take/", public_demo.demo_take, name="demo-take"),
    path("demo/wait/", public_demo.demo_wait, name="demo-wait"),
    path("demo/switch/", public_demo.demo_switch, name="demo-switch"),
    path("demo/end/", public_demo.demo_end, name="demo-end"),
    path("sign-out/", LogoutView.as_view(), name="logout"),
    path("account/", include(account)),
    path("join/<slug:token>/", joining.join, name="join"),
    path("return/<slug:token>/", joining.return_by_link, name="return"),
    path("campaign-schema.json", campaign_files.campaign_schema, name="campaign-schema"),
    path("operator/log/", audit.site_log, name="site-log"),
    path("operator/log.csv", audit.site_log_file, name="site-log-file"),
    # Links from exported files and papers
    path("f/<slug:code>/", figures.figure, name="figure"),
    path("signing-key.txt", bundles.signing_key, name="signing-key"),
    # Judging
    path("judge/worker.js", worker.worker, name="worker"),
    path("judge/held/", home.held_work, name="held-work"),
    path("judge/<int:campaign_id>/<int:number>/note/", notes.judge_note, name="judge-note"),
    path(
        "judge/<int:campaign_id>/practice/<int:number>/",
        practice.judge_practice,
        name="judge-practice",
    ),
    path("judge/<int:campaign_id>/consent/", entry.judge_consent, name="judge-consent"),
    path(
        "judge/<int:campaign_id>/about-you/", entry.judge_questionnaire, name="judge-questionnaire"
    ),
    path("judge/<int:campaign_id>/messages/", messages.judge_messages, name="judge-messages"),
    path("judge/<int:campaign_id>/skipped/", notes.judge_skipped, name="judge-skipped"),
    path("judge/<int:campaign_id>/return/", batches.judge_return, name="judge-return"),
    path("judge/<int:campaign_id>/items/", my_work.judge_items, name="judge-items"),
    path("judge/<int:campaign_id>/<int:number>/star/", my_work.judge_star, name="judge-star"),
    path(
        "judge/<int:campaign_id>/instructions/",
        judging.judge_instructions,
        name="judge-instructions",
    ),
    path("import/", include(releases_in)),
    # Test sets
    path("media/<int:media_id>/", media.media, name="media"),
    path("testsets/", test_sets.test_sets, name="test-sets"),
    path("testsets/new/", test_sets.test_set_new, name="test-set-new"),
    path("testsets/<int:test_set_id>/", include(of_test_set)),
    path("projects/", include(project_urls.urlpatterns)),
    *campaign_urls.urlpatterns,
]

if settings.OIDC_ISSUER:
    urlpatterns += [
        path("oidc/", oidc.start, name="oidc-start"),
        path("oidc/return/", oidc.come_back, name="oidc-return"),
        path("oidc/connect/", oidc.connect, name="oidc-connect"),
    ]
