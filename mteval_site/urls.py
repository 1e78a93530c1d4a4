"""The site's addresses: each app brings its own."""

from django.contrib import admin
from django.urls import include, path
from health_check.views import HealthCheckView

urlpatterns = [
    path("", include("judgments.urls")),
    path("", include("metrics.urls")),
    path("api/", include("judgments.api.urls")),
    path("api/", include("metrics.api.urls")),
    path("admin/", admin.site.urls),
    # For monitors: 200 while the database answers. It says nothing about the installation.
    path("health/", HealthCheckView.as_view(checks=["health_check.Database"]), name="health"),
]

handler400 = "mteval_site.views.bad_request"
