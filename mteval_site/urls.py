"""The site's addresses: each app brings its own."""

from django.contrib import admin
from django.urls import include, path

from mteval_site import health

urlpatterns = [
    path("", include("judgments.urls")),
    path("", include("metrics.urls")),
    path("api/", include("judgments.api.urls")),
    path("api/", include("metrics.api.urls")),
    path("admin/", admin.site.urls),
    path("health/", health.ready, name="health"),
    path("health/ready/", health.ready, name="health-ready"),
    path("health/live/", health.live, name="health-live"),
]

handler400 = "mteval_site.views.bad_request"
handler500 = "mteval_site.views.failure"
