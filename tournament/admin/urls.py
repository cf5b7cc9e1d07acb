"""Addresses of the admin, below /admin/. What it shows is registered when they are loaded."""

from django.contrib.admin import autodiscover, site

autodiscover()
urlpatterns = site.get_urls()
