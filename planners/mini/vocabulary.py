"""Words to numbers: greedy longest match first, as WordPiece does it, so that the tokenizers library reads the same."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

UNKNOWN, PAD, END, ACT = "<unk>", "<pad>", "<end>", "<act>"
CONTINUES = "##"
LONGEST_WORD = 100


class Vocabulary:
    """The tokens of a model.

    Args:
        tokens: in the order of their numbers. A token that begins with `##` continues a word.
    """

    def __init__(self, tokens: Sequence[str]) -> None:
        self.tokens = tuple(tokens)
        self._numbers = {token: number for number, token in enumerate(self.tokens)}
        self._words: dict[str, tuple[int, ...]] = {}
        self.end, self.act = self._numbers[END], self._numbers[ACT]
        self.unknown = self._numbers[UNKNOWN]

    def __len__(self) -> int:
        return len(self.tokens)

    def encode(self, text: str) -> list[int]:
        """The numbers of a text whose words are separated by spaces."""
        return [number for word in text.split() for number in self._word(word)]

    def decode(self, numbers: Iterable[int]) -> str:
        """The words of numbers, with a space between any two."""
        return " ".join(self.tokens[number] for number in numbers).replace(f" {CONTINUES}", "")

    def prompt(self, text: str) -> list[int]:
        """The numbers of a prompt, up to where the reply begins."""
        return [*self.encode(text), self.act]

    def _word(self, word: str) -> tuple[int, ...]:
        found = self._words.get(word)
        if found is None:
            found = self._words[word] = tuple(self._pieces(word))
        return found

    def _pieces(self, word: str) -> list[int]:
        unknown = [self.unknown]
        if len(word) > LONGEST_WORD:
            return unknown
        pieces: list[int] = []
        start = 0
        while start < len(word):
            for end in range(len(word), start, -1):
                number = self._numbers.get((CONTINUES if start else "") + word[start:end])
                if number is not None:
                    pieces.append(number)
                    start = end
                    break
            else:
                return unknown
        return pieces
