"""Links of an event in the API: the address's name, and what it leads to."""

LINKS = {
    "data": ("data", "Everything public for programs, as an Excel workbook."),
    "csv": ("data-csv", "The same as a zip of CSV files."),
}
