"""Admin URLs, below /admin/; loading registers the models."""

from django.contrib.admin import autodiscover, site

autodiscover()
urlpatterns = site.get_urls()
