"""The site's addresses: each app brings its own."""

from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("", include("judgments.urls")),
    path("", include("metrics.urls")),
    path("admin/", admin.site.urls),
]
