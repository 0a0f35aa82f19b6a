"""Players that do not exist."""

from __future__ import annotations

from dataclasses import dataclass

FIRST = tuple(
    """Ada Ben Cora Dov Ella Finn Gwen Hugo Iris Jack Kate Liam Mona Noah Olga Paul Quin Rosa Seth Tess Ugo Vera
Walt Xena Yves Zoë Abel Beth Carl Dina Egon Fern Glen Hope Ivan Jill Karl Lena Marc Nell Otto Pia Rolf Sara Theo Ursa
Vito Wren Yara Zeno Alma Boris Clio Dirk Edda Fritz Greta Hans Inga""".split()  # noqa: SIM905
)

LAST = tuple(
    """Alder Birch Cedar Dogwood Elm Fir Gum Hazel Ironwood Juniper Kapok Larch Maple Nutmeg Oakley Pine Quince
Rowan Spruce Teak Upas Viburnum Willow Yew Zelkova Acacia Beech Cherry Date Ebony Fig Ginkgo Holly Ilex Jarrah Karri
Laurel Mahogany Neem Olive Poplar Rüster Sorrel Tupelo Umber Vetch Walnut Xylia Yucca Almond Bay Cypress Durian
Elder Fern Guava Hemlock Ivy Jasmine Kumquat Lime Mango Nettle Orange Pecan Rosewood Sumac Thorn Ulmus Vanilla
Wattle""".split()  # noqa: SIM905
)


@dataclass(frozen=True)
class Player:
    """A player: names, member number, and masterpoints where the program knows them."""

    first: str
    last: str
    member: str
    holding: int | None

    @property
    def name(self) -> str:
        """Both names, as reports print them."""
        return f"{self.first} {self.last}"


def player(number: int, holding: int | None) -> Player:
    """Return the player of a number; the names of two numbers below 4000 differ."""
    return Player(FIRST[number % len(FIRST)], LAST[number % len(LAST)], f"{number:07d}", holding)
