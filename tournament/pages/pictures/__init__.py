"""Pictures of a contest: from scoring's answers to the geometry that templates/public/_picture.html draws as SVG.

Points and places come from the answers as they are; here they only get their place on paper.
"""

from tournament.pages.pictures.chart import Picture
from tournament.pages.pictures.contests import contest_pictures, player_picture

__all__ = ["Picture", "contest_pictures", "player_picture"]
