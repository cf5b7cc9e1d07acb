"""Addresses of an event's data."""

from django.urls import path

from tournament.extras.workbook import views

urlpatterns = [
    path("t/<slug:slug>/data.xlsx", views.data, name="data"),
    path("t/<slug:slug>/data.zip", views.data_csv, name="data-csv"),
    path("t/<slug:slug>/results/<int:version>/", views.status, name="workbook-status"),
    path("t/<slug:slug>/results/<int:version>.xlsx", views.kept_file, name="workbook-kept"),
]
# In the API: the address's name, what it leads to.
LINKS = {
    "data": ("data", "Everything public for programs, as an Excel workbook."),
    "csv": ("data-csv", "The same as a zip of CSV files."),
}
