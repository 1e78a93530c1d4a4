from django.apps import AppConfig


class JudgmentsConfig(AppConfig):
    name = "judgments"
    verbose_name = "Judgments"
    default_auto_field = "django.db.models.BigAutoField"
    # Higher rooms are notified of events in lower ones; see judgments.web.extension_points.
    after_batch = ("judgments.quality.notices.tasks.ask",)
    after_control = ("judgments.quality.rules.hold.hold_by_rule",)
    verdict_rules = ("judgments.quality.rules.verdicts.verdict_of",)
    text_formats = ("judgments.exchange.releases.out.choices_of_texts",)
    # Pages of results, in the order of exports.
    results_pages = (
        "judgments.results.coverage.page.PAGE",
        "judgments.results.agreement.page.PAGE",
        "judgments.results.errors.page.PAGE",
        "judgments.results.links.page.PAGE",
        "judgments.results.scores.page.PAGE",
        "judgments.results.courses.page.PAGE",
        "judgments.results.domains.page.PAGE",
        "judgments.results.scores.strengths.PAGE",
        "judgments.results.compare.page.PAGE",
        "judgments.results.learning_curve.page.PAGE",
        "judgments.results.power.page.PAGE",
        "judgments.quality.rules.page.PAGE",
        "judgments.quality.evaluators.page.PAGE",
        "judgments.results.answers.page.PAGE",
        "judgments.results.edits.page.PAGE",
        "judgments.results.stopping.page.PAGE",
        "judgments.results.recomputation.page.PAGE",
        "judgments.results.notes.page.PAGE",
    )

    # Pages of projects, in the order of their tabs.
    project_pages = (
        "judgments.results.projects.systems_page.PAGE",
        "judgments.results.projects.one_system_page.PAGE",
        "judgments.results.projects.protocols_page.PAGE",
        "judgments.results.projects.years_page.PAGE",
        "judgments.quality.projects.page.PAGE",
    )

    def ready(self) -> None:
        from judgments.web import known_devices  # noqa: F401  listens to sign-ins
