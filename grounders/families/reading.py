"""How a family's released code reads answers that could be read in several ways: the place of four numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from omnipilot.memory.models.replies.numbers import Numbers, NumbersVerdict, Written

FourNumbers: TypeAlias = Literal["as called", "box centre", "first corner", "second corner", "refuse"]
"""Where four numbers point.

- **as called**: the centre of a box if the answer calls them one, or if the family answers boxes; of two pairs the
  first, and else nowhere, because nobody named their middle. The general rule, for models without a released parser.
- **box centre**: the centre of the box between the two corners.
- **first corner**: the first two numbers.
- **second corner**: the last two.
- **refuse**: nowhere; the answer cannot be read.
"""


@dataclass(frozen=True, slots=True)
class ReadingRule:
    """What numbers mean in the answers of a family.

    Attributes:
        parser: the released code that reads so, with its commit; "" for the general rule.
        four: four numbers in one bracket, such as `[400, 200, 600, 300]`.
        pairs: two pairs, such as `(400, 200), (600, 300)`.
        amid_words: four numbers of either form where the answer says more than them; None: as above.
        two: whether two numbers are a place, or refused because the code expects a box.
    """

    parser: str = ""
    four: FourNumbers = "as called"
    pairs: FourNumbers = "as called"
    amid_words: FourNumbers | None = None
    two: Literal["place", "refuse"] = "place"

    def place(self, numbers: Numbers, alone: bool, boxes: bool) -> Numbers | NumbersVerdict:
        """The two numbers of a place or the four of a box; broken if the rule refuses them.

        Args:
            numbers: two or four, as they were read.
            alone: whether the answer is nothing but these numbers.
            boxes: whether the family answers boxes.
        """
        if len(numbers) == 2:
            return numbers if self.two == "place" else NumbersVerdict.BROKEN
        pairs = isinstance(numbers, Written) and numbers.pairs
        rule = self.pairs if pairs else self.four
        if not alone and self.amid_words is not None:
            rule = self.amid_words
        if rule == "as called":
            called = isinstance(numbers, Written) and numbers.box
            rule = "box centre" if boxes or (called and not pairs) else "first corner" if pairs else "refuse"
        if rule == "box centre":
            return numbers
        if rule == "second corner":
            return numbers[2:]
        return numbers[:2] if rule == "first corner" else NumbersVerdict.BROKEN

    def described(self) -> str:
        """The rule in words, for tables; "" for the general one."""
        if not self.parser:
            return ""
        said = [] if self.two == "place" else ["two numbers: refuse"]
        said += [f"four numbers: {self.four}", f"two pairs: {self.pairs}"]
        said += [f"amid words: {self.amid_words}"] if self.amid_words else []
        return f"{'; '.join(said)} ({self.parser})"


GENERAL = ReadingRule()
"""The rule for models without a released parser."""
