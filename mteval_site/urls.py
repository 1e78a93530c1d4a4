"""The site's URLs: each app adds its own."""

from django.contrib import admin
from django.urls import include, path

from mteval_site import health
from mteval_site.lazy_views import LazyViews

overview = LazyViews("mteval_site.overview")

urlpatterns = [
    path("", include("judgments.urls")),
    path("", include("metrics.urls")),
    path("api/", include("judgments.urls.api")),
    path("api/", include("metrics.api_urls")),
    path("admin/", admin.site.urls),
    path("health/", health.ready, name="health"),
    path("health/ready/", health.ready, name="health-ready"),
    path("health/live/", health.live, name="health-live"),
    path("health/prometheus/", overview.prometheus, name="prometheus"),
    path("operator/", overview.operator, name="operator"),
]

handler400 = "mteval_site.views.bad_request"
handler500 = "mteval_site.views.failure"
handler403 = "mteval_site.views.forbidden"
handler404 = "mteval_site.views.not_found"
