"""System checks of the metrics: plug-ins that failed to load are reported at the start."""

from django.core.checks import CheckMessage, Tags, Warning, register


@register(Tags.compatibility)
def plugins_are_usable(app_configs: object, **kwargs: object) -> list[CheckMessage]:
    from metrics import scorers  # all metrics: only checks need them

    return [
        Warning(
            str(problem),
            hint="Fix or uninstall the package; docs/example-metric is one that works.",
            id="metrics.W001",
        )
        for problem in scorers.PLUGIN_PROBLEMS
    ]
