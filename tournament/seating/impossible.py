"""What cannot be seated as asked, and what could be: a code with numbers, which the pages put into words.

| code | when | parameters beside those that were asked for |
| --- | --- | --- |
| `too_few_players` | fewer players than one table, or than a contest, needs | `players`, `least` |
| `bounds_crossed` | the least size is above the most | `least`, `most` |
| `no_tables` | there is no table, or no referee, at all | `by`: `tables` or `referees` |
| `too_few_tables` | more tables are needed than there are | `have`, `by`, and the ways out `fewer` and `more` |
| `sizes_do_not_fit` | no number of tables gives every table a size in the range | `least`, `most`, `fewer`, `more` |
| `cannot_keep_apart` | these cannot all be at different tables | `pairs`: how many; `Impossible.pairs` names them |
| `advance_too_large` | as many go through as sit at a table of a level | `level`, `size`, `advance` |
| `final_too_small` | the final has room for fewer players than it needs | `most`, `least` |

The ways out of `too_few_tables` and `sizes_do_not_fit` are a number of tables with their sizes, each given by three
numbers: `fewer`, `fewer_smallest`, `fewer_largest` (fits if the most is raised to `fewer_largest`), and `more`,
`more_smallest`, `more_largest` (fits if the least is lowered to `more_smallest` and there are `more` tables). A way
that would not help is left out.
"""

from collections.abc import Hashable, Iterable, Mapping

Pair = tuple[Hashable, Hashable]


class Impossible(Exception):
    """It cannot be done as asked. `code` and `parameters` say why and what would do; see the module's table.

    `pairs` are the people that `cannot_keep_apart` is about, () otherwise: leaving any one of these pairs out makes
    the others possible.
    """

    def __init__(self, code: str, parameters: Mapping[str, int | str], pairs: Iterable[Pair] = ()) -> None:
        numbers = ", ".join(f"{name} {value}" for name, value in parameters.items())
        super().__init__(f"{code} ({numbers})" if numbers else code)
        self.code = code
        self.parameters = dict(parameters)
        self.pairs = tuple(pairs)
