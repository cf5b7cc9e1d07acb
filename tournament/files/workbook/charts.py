"""Charts over cells of a sheet, which spreadsheet programs draw and draw anew when a cell changes."""

from collections.abc import Sequence
from dataclasses import dataclass

from openpyxl.chart import LineChart, Reference, Series
from openpyxl.chart.data_source import StrRef
from openpyxl.chart.series import SeriesLabel

WIDTH_CM, HEIGHT_CM = 24, 12
HEIGHT_ROWS = 25  # of a usual height, with one between two charts
TARGET = "B00020"  # the colour of the line to reach


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a chart: the cell of its name and those of its values, as formulas of other sheets name them."""

    name: str
    values: str
    is_target: bool = False


@dataclass(frozen=True, slots=True)
class Chart:
    """Lines over the same `steps` (cells, like a line's values), with the words of both axes; at the cell `anchor`."""

    title: str
    across: str
    upwards: str
    steps: str
    lines: Sequence[Line]
    anchor: str


def line_chart(chart: Chart) -> LineChart:
    """The chart as openpyxl writes it."""
    drawn = LineChart()
    drawn.title, drawn.x_axis.title, drawn.y_axis.title = chart.title, chart.across, chart.upwards
    drawn.width, drawn.height = WIDTH_CM, HEIGHT_CM
    drawn.x_axis.delete = drawn.y_axis.delete = False  # else Excel shows no numbers beside them
    for line in chart.lines:
        series = Series(Reference(range_string=line.values))
        series.tx, series.smooth = SeriesLabel(strRef=StrRef(line.name)), False
        if line.is_target:
            series.graphicalProperties.line.solidFill, series.graphicalProperties.line.dashStyle = (
                TARGET,
                "dash",
            )
        drawn.series.append(series)
    drawn.set_categories(Reference(range_string=chart.steps))
    return drawn
