from django.conf.urls.i18n import i18n_patterns
from django.urls import path

from tests.styleguide.page import styleguide
from tournament.urls import urlpatterns as product

urlpatterns = [*i18n_patterns(path("styleguide/", styleguide)), *product]
