"""What is spoken to train and to measure the small ears: digits, letters, codes, times, names, commands, words.

Words that the ears are measured with and never trained on are told by a hash of the word, and so are the sequences of
signs. The names of the embedded world's people are never trained on.
"""

from __future__ import annotations

import hashlib
import string
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from types import MappingProxyType

from omnipilot.bench.training.ears.word_list import WORDS
from omnipilot.envs.sim.words.people_and_texts import FIRST_NAMES, NAMES, NEAR_NAMES, OWNERS

ONE_IN = 8
"""Of the words, and of the sequences of signs, one in so many is only measured with."""
WORLD_PEOPLE = tuple(
    sorted({*OWNERS, *NAMES, *(name for pair in NEAR_NAMES for name in pair), *(f"{one} Avery" for one in FIRST_NAMES)})
)
"""The people of the embedded world, first and last name."""
PEOPLE = tuple(
    """
    aaron abdul adam adele agnes ahmed aisha alan alba albert alice alma amara amelia amina amos amy andrea
    andrew angela anita anna anton arjun arthur astrid aurora ava beatrice bella ben bianca boris brian bruno
    camila carla carmen caroline cecilia chloe chris claire claude colin cora cristina daniel daphne david deepa
    denis diana diego dmitri dora doris edith edward elena eliza ella elsa emil emily emma enzo esther ethan eva
    evan fatima felix fiona flora frank frida gabriel george gina giulia gloria greta gustav hanna hannah harold
    harriet hassan helen henry hilda holly ian ibrahim ida igor ines ingrid isaac isabel jack jacob james jane
    jasmine jean jennifer joan joel johanna jonas jorge joseph joy judith julia julian karen karim kate keiko
    kenji kevin khadija klaus lara laura leo lena liam lily linda lisa lorenzo louis lucas lucia luis luna lydia
    malik manuel marco margaret mario mark marta martha mateo max maya mehmet mia michael miguel mila miriam
    mona nadia naomi natalie nathan nicola noah nora olga oliver olivia pablo pamela patrick pedro peter philip
    rachel rahul raj rania raul rebecca rita robert rosa rose roy samir samuel sandra sanjay sebastian selma
    sergei simon sofia sonia stefan stella steven sunita susan sven tara teresa theo thomas tina ursula uma
    valeria vera vincent viola walter wendy william xenia yara yasmin yusuf zainab zara zoe adams ahmad alvarez
    andersen baker banerjee barnes bauer bell bennett berg bianchi brown campbell carter castro clark cohen cole
    collins cook cooper cruz davies diaz dubois edwards evans fernandez ferrari foster garcia gomez gonzalez
    green gupta hall hansen harris hernandez hill hoffman hughes ivanov jackson jacobs johnson jones kaur keller
    kelly khan kim king klein kowalski kumar larsen lewis lopez mendes meyer miller mitchell moore morales
    morgan morris muller murphy nelson nguyen nielsen novak olsen ortiz park parker patel perez phillips popov
    price ramirez reed reyes richards rivera roberts robinson rogers romano ross russo sanchez sanders santos
    sato schmidt schneider scott sharma silber simons singh smith stewart suzuki taylor thompson torres turner
    walker wagner ward watson weber white williams wilson wright yamamoto young zhang zimmer
    """.split()
)
"""Names that are trained on, unless one of the world's people has them."""
COMMANDS = (
    "the code is {code}",
    "the room is {room}",
    "the time is {clock}",
    "call back {digits}",
    "the number is {digits}",
    "please {word}",
    "please call back",
    "open the {word}",
    "close the {word}",
    "send the {word} to {first}",
    "delete the {word}",
    "archive the {word}",
    "reply to {first}",
    "save the {word}",
    "stop",
    "snooze the alarm",
    "answer",
    "ignore",
    "yes",
    "no",
    "first {word}",
    "second {word}",
    "third {word}",
    "last {word}",
    "open the {word} then close the {word}",
    "not the {word}",
    "{color}",
    "the {color} one",
    "turn {side}",
    "set an alarm for {time}",
    "wake me at {time}",
    "call {first} at {time}",
    "meet {first} {last} {day}",
    "{color} the code is {code}",
    "{color} please {word}",
    "type {code}",
    "write {word} {word}",
    "please {word} today",
    "room {room} at {time}",
    "the meeting is {day} at {time}",
    "add {number} to the {word}",
    "go to page {number}",
    "send {first} the code {code}",
    "my name is {first} {last}",
    "press {letter}",
    "call {digits} tomorrow",
)
COLORS, SIDES, DAYS = ("red", "green", "blue", "yellow"), ("left", "right"), ("today", "tomorrow", "monday", "friday")
HOMOPHONES = frozenset(("a", "i", "to", "too", "for", "be", "see", "you", "are", "why"))
"""Words that sound like a sign: they are spoken only among others."""
_SPOKEN_NUMBERS = frozenset(("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "twelve"))
"""Words that are written as numbers."""


@dataclass(frozen=True, slots=True)
class SpokenText:
    """A text: as it is given to the synthesiser, and as the ears should write it.

    Attributes:
        kind: one of `KINDS`.
    """

    kind: str
    spoken: str
    written: str


def is_held_out(text: str) -> bool:
    """Whether a word or a sequence of signs is only measured with: by the first byte of its SHA-256."""
    return hashlib.sha256(text.lower().encode()).digest()[0] % ONE_IN == 0


WORLD_NAMES = frozenset(name.lower() for person in WORLD_PEOPLE for name in person.split())
_WORDS = tuple(word for word in WORDS if word not in WORLD_NAMES and word not in _SPOKEN_NUMBERS)
TAUGHT_WORDS = tuple(word for word in _WORDS if not is_held_out(word) or word in HOMOPHONES)
_SAID_ANYWAY = frozenset((*" ".join(COMMANDS).split(), *COLORS, *SIDES, *DAYS, *HOMOPHONES))
TAUGHT_NAMES = tuple(name for name in PEOPLE if name not in WORLD_NAMES)
UNHEARD_WORDS = tuple(
    word
    for word in _WORDS
    if is_held_out(word) and word not in _SAID_ANYWAY and word not in TAUGHT_NAMES and len(word) > 2
)


def draw_digits(random: Random, unheard: bool) -> SpokenText:
    """Two to six digits that are said one by one."""
    said = _sequence(random, string.digits, 2, 6, unheard)
    return SpokenText("digits", speak_signs(said, random), said)


def draw_letters(random: Random, unheard: bool) -> SpokenText:
    """Two to five letters that are spelled."""
    said = _sequence(random, string.ascii_uppercase, 2, 5, unheard)
    return SpokenText("letters", speak_signs(said, random), said)


def draw_code(random: Random, unheard: bool) -> SpokenText:
    """Three to six digits and letters."""
    said = _sequence(random, string.digits + string.ascii_uppercase, 3, 6, unheard)
    return SpokenText("codes", speak_signs(said, random), said)


def draw_time(random: Random, unheard: bool) -> SpokenText:
    """A time in words: "9:30" is "nine thirty", "9:05" is "nine oh five", "9:00" is "nine o'clock"."""
    del unheard  # all of the 720 times are made of the same words
    hour, minute = random.randint(1, 12), random.choice((0, 5, 15, 30, 45, random.randrange(60)))
    spoken = f"{hour} o'clock" if not minute else f"{hour} oh {minute}" if minute < 10 else f"{hour} {minute}"
    return SpokenText("times", spoken, f"{hour}:{minute:02d}")


def draw_number(random: Random, unheard: bool) -> SpokenText:
    """A number of two digits."""
    del unheard
    said = str(random.randint(10, 99))
    return SpokenText("numbers", said, said)


def draw_name(random: Random, unheard: bool) -> SpokenText:
    """A person's first and last name; an unheard one is of the embedded world's people."""
    if unheard:
        person = random.choice(WORLD_PEOPLE).lower()
    else:
        person = f"{random.choice(TAUGHT_NAMES)} {random.choice(TAUGHT_NAMES)}"
    return SpokenText("names", person, person)


def draw_words(random: Random, unheard: bool) -> SpokenText:
    """One to six words in no order, all of one kind: heard or unheard."""
    known = UNHEARD_WORDS if unheard else TAUGHT_WORDS
    chosen = [random.choice(known) for _ in range(random.randint(1, 6))]
    if len(chosen) < 3:
        chosen = [one for one in chosen if one not in HOMOPHONES] or [random.choice(("please", "answer"))]
    return SpokenText("words", " ".join(chosen), " ".join(chosen))


def draw_command(random: Random, unheard: bool) -> SpokenText:
    """What is said to an assistant, of heard or unheard words, names and codes."""
    spoken, written = [], []
    for part in random.choice(COMMANDS).split():
        said, wrote = _SLOTS[part](random, unheard) if part in _SLOTS else (part, part)
        spoken.append(said)
        written.append(wrote)
    return SpokenText("commands", " ".join(spoken), " ".join(written))


KINDS: Mapping[str, Callable[[Random, bool], SpokenText]] = MappingProxyType(
    {
        "digits": draw_digits,
        "letters": draw_letters,
        "codes": draw_code,
        "times": draw_time,
        "names": draw_name,
        "commands": draw_command,
        "words": draw_words,
        "numbers": draw_number,
    }
)
"""The kinds of texts: each makes one, that was heard in training or may have been, or is certain to be unheard."""


def speak_signs(signs: str, random: Random) -> str:
    """Digits and letters as the synthesiser is told them, with pauses or without.

    The letter A is always followed by a pause: without, the synthesiser takes it for the article.
    """
    pauses = random.random() < 0.5
    return "".join(f"{sign}, " if pauses or sign == "A" else f"{sign} " for sign in signs).rstrip(", ")


def _sequence(random: Random, signs: str, least: int, most: int, unheard: bool) -> str:
    while True:
        said = "".join(random.choice(signs) for _ in range(random.randint(least, most)))
        if is_held_out(said) == unheard:
            return said


def _signs(kind: Callable[[Random, bool], SpokenText]) -> Callable[[Random, bool], tuple[str, str]]:
    def make(random: Random, unheard: bool) -> tuple[str, str]:
        made = kind(random, unheard)
        return made.spoken, made.written

    return make


def _one_of(choices: tuple[str, ...]) -> Callable[[Random, bool], tuple[str, str]]:
    def make(random: Random, unheard: bool) -> tuple[str, str]:  # noqa: ARG001 all were heard
        return (random.choice(choices),) * 2

    return make


def _spelled(draw: Callable[[Random], str]) -> Callable[[Random, bool], tuple[str, str]]:
    """Signs, none of which are held out where they may be trained on."""

    def make(random: Random, unheard: bool) -> tuple[str, str]:
        signs = draw(random)
        while not unheard and is_held_out(signs):
            signs = draw(random)
        return speak_signs(signs, random), signs

    return make


def _room(random: Random) -> str:
    return random.choice(string.ascii_uppercase) + "".join(random.choices(string.digits, k=random.choice((1, 2, 2, 3))))


def _clock(random: Random) -> str:
    return f"{random.randrange(24):02d}{random.randrange(60):02d}"


def _word(random: Random, unheard: bool) -> tuple[str, str]:
    return (random.choice(UNHEARD_WORDS if unheard else TAUGHT_WORDS),) * 2


def _person(random: Random, unheard: bool) -> tuple[str, str]:
    return (random.choice(sorted(WORLD_NAMES) if unheard else TAUGHT_NAMES),) * 2


_SLOTS = {
    "{code}": _signs(draw_code),
    "{digits}": _signs(draw_digits),
    "{time}": _signs(draw_time),
    "{number}": _signs(draw_number),
    "{room}": _spelled(_room),
    "{clock}": _spelled(_clock),
    "{word}": _word,
    "{first}": _person,
    "{last}": _person,
    "{color}": _one_of(COLORS),
    "{side}": _one_of(SIDES),
    "{day}": _one_of(DAYS),
    "{letter}": _one_of(tuple(string.ascii_uppercase)),
}
