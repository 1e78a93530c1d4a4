"""What gunicorn reads by itself when it is started here: its log, and the processes' metrics."""

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))  # gunicorn does so only later

from mteval_site.logs import Cleaner, Formatter, JSONFormatter

# Its access log would hold addresses, and with them personal links; LOG_LEVEL=INFO logs requests.
accesslog = None
# Whole phrase tables stand in addresses of the page of transducers; the default is 4094.
limit_request_line = 8190
_layout = JSONFormatter if os.environ.get("LOG_FORMAT", "").lower() == "json" else Formatter
logconfig_dict = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"clean": {"()": Cleaner}},
    "formatters": {"generic": {"()": _layout}},
    "handlers": {
        "console": {"class": "logging.StreamHandler", "formatter": "generic", "filters": ["clean"]},
        "error_console": {
            "class": "logging.StreamHandler",
            "formatter": "generic",
            "filters": ["clean"],
        },
    },
    "root": {"level": "WARNING", "handlers": ["console"]},
    "loggers": {
        "gunicorn.error": {"level": "INFO", "handlers": ["error_console"], "propagate": False},
        "gunicorn.access": {"level": "CRITICAL", "handlers": [], "propagate": False},
    },
}


def on_starting(server):
    """Forget the metrics of former processes."""
    if folder := os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        for file in Path(folder).glob("*.db"):
            file.unlink(missing_ok=True)


def post_worker_init(worker):
    """The process answers from now on."""
    from mteval_site.warm_up import warm_up_later

    warm_up_later()


def child_exit(server, worker):
    if os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        from prometheus_client import multiprocess

        multiprocess.mark_process_dead(worker.pid)
