from django.conf import settings
from django.core.management.base import CommandError
from django_tasks_db.management.commands import db_worker

from mteval_site import databases
from mteval_site.worker import Worker


class Command(db_worker.Command):
    help = "Runs a background worker, which waits while the database cannot be reached."

    def handle(  # type: ignore[override]
        self,
        *,
        verbosity: int,
        queue_name: str,
        exclude_queues: str,
        interval: float,
        batch: bool,
        backend_name: str,
        startup_delay: bool,
        max_tasks: int | None,
        worker_id: str,
        **options: object,
    ) -> None:
        """Run the worker. `--reload` has no effect: restart the worker manually when the code has
        changed."""
        self.configure_logging(verbosity)
        queues, excluded = queue_name.split(","), [q for q in exclude_queues.split(",") if q]
        if excluded and "*" not in queues:
            raise CommandError("--exclude-queues can only be used with --queue-name=*")
        worker = Worker(
            queue_names=queues,
            excluded_queue_names=excluded,
            interval=interval,
            batch=batch,
            backend_name=backend_name,
            startup_delay=startup_delay,
            max_tasks=max_tasks,
            worker_id=worker_id,
        )
        databases.serve(settings.DATABASES, settings.WEB_DATABASE)
        databases.limit(settings.DATABASES["default"], settings.DATABASE_TIMEOUTS["worker"])
        worker.configure_signals()
        worker.run()
