"""How dates and times are written where Django's own choice does not fit."""
