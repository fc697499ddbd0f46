"""Sound and motion: recordings and films in the player."""

from __future__ import annotations

from random import Random

from omnipilot.bench.suites.workshop.kit.checks import (
    file_gone,
    file_is,
    paused_between,
    played,
    says,
    shows,
    text_is,
    unchanged,
)
from omnipilot.bench.suites.workshop.kit.content import code
from omnipilot.bench.suites.workshop.kit.media import BLUE, GREEN, GREY, RED, film, speech, speeches, tones
from omnipilot.bench.suites.workshop.kit.steps import (
    answer,
    calculate,
    in_terminal,
    keys,
    listen,
    open_program,
    save_as,
    step,
    type_text,
)
from omnipilot.bench.suites.workshop.template import Draft, Template
from omnipilot.envs import OpenApp, TypeText, Wait

COLOURS = {"red": RED, "green": GREEN, "blue": BLUE}


def spoken_code(draw: Random) -> Draft:
    """A code that is spoken in a recording."""
    number, voice = code(draw), draw.choice(["en-a", "en-b"])
    recording = speech(f"{voice}:the code is {number}", lead=1.0, repeat=2)
    return Draft(
        "The player holds a voice memo, memo.wav. Play it, and save the code that is said, the digits alone, as "
        "code.txt in the folder Documents.",
        (played("memo.wav", 2.0), text_is("Documents/code.txt", number)),
        (
            step("play it", keys("space"), Wait(4.0)),
            listen(2.0),
            open_program("mousepad"),
            type_text(number),
            save_as("Documents/code.txt"),
        ),
        {"Music/memo.wav": recording},
        (("mpv", "--pause", "--keep-open=yes", "Music/memo.wav"),),
    )


def stop_at_tone(draw: Random) -> Draft:
    """A long recording is paused when its tone changes."""
    before = draw.randrange(6, 11)
    low, high = draw.choice([(440, 880), (330, 990), (500, 1000)])
    recording = tones([(low, before), (high, 6.0), (low, 20.0)])
    return Draft(
        "Play tone.wav, which the player holds. It begins with a low tone; pause it while the high tone sounds.",
        (paused_between("tone.wav", before, before + 6.0),),
        (
            step("play it", keys("space"), Wait(before + 2.0)),
            step("pause it", keys("space"), Wait(0.5)),
        ),
        {"Music/tone.wav": recording},
        (("mpv", "--pause", "--keep-open=yes", "Music/tone.wav"),),
    )


def count_flashes(draw: Random) -> Draft:
    """How often a film flashes in one colour."""
    wanted, other = draw.sample(sorted(COLOURS), 2)
    count, decoys = draw.randrange(2, 6), draw.randrange(1, 4)
    flashes = [wanted] * count + [other] * decoys
    draw.shuffle(flashes)
    shots = [(GREY, 1.0)]
    for colour in flashes:
        shots += [(COLOURS[colour], 0.5), (GREY, 0.7)]
    return Draft(
        f"Play signals.mkv, which the player holds. How often does it flash {wanted}? Save the number as flashes.txt "
        "in the folder Documents.",
        (played("signals.mkv", 1.5), text_is("Documents/flashes.txt", str(count))),
        (
            step("play it", keys("space"), Wait(1.0 + 1.2 * len(flashes))),
            open_program("mousepad"),
            type_text(str(count)),
            save_as("Documents/flashes.txt"),
        ),
        {"Videos/signals.mkv": film(shots)},
        (("mpv", "--pause", "--keep-open=yes", "Videos/signals.mkv"),),
    )


def count_beeps(draw: Random) -> Draft:
    """How often a recording beeps."""
    count = draw.randrange(3, 9)
    pieces = [(0.0, 1.0)]
    for _ in range(count):
        pieces += [(draw.choice([600.0, 800.0, 1000.0]), 0.25), (0.0, draw.choice([0.3, 0.5, 0.8]))]
    seconds = sum(length for _, length in pieces)
    return Draft(
        "Play beeps.wav, which the player holds, and answer how many beeps it has, as a number.",
        (played("beeps.wav", 1.5), says(str(count))),
        (step("play it", keys("space"), Wait(seconds)), answer(str(count))),
        {"Music/beeps.wav": tones(pieces)},
        (("mpv", "--pause", "--keep-open=yes", "Music/beeps.wav"),),
    )


def stop_at_colour(draw: Random) -> Draft:
    """A film is paused while it shows one colour."""
    before = draw.randrange(5, 10)
    wanted, other = draw.sample(sorted(COLOURS), 2)
    shots = [(GREY, 2.0), (COLOURS[other], before - 2.0), (COLOURS[wanted], 6.0), (GREY, 15.0)]
    return Draft(
        f"Play signal.mkv, which the player holds, and pause it while it shows {wanted}.",
        (paused_between("signal.mkv", before, before + 6.0),),
        (
            step("play it", keys("space"), Wait(before + 2.0)),
            step("pause it", keys("space"), Wait(0.5)),
        ),
        {"Videos/signal.mkv": film(shots)},
        (("mpv", "--pause", "--keep-open=yes", "Videos/signal.mkv"),),
    )


def keep_memo(draw: Random) -> Draft:
    """Of several memos, the one that says a code is kept."""
    letters = draw.sample("ABCDEFGH", 3)
    numbers = [code(draw) for _ in letters]
    voice = draw.choice(["en-a", "en-b"])
    memos = {
        f"Music/{letter}.wav": speech(f"{voice}:the code is {number}", lead=0.5, repeat=1)
        for letter, number in zip(letters, numbers, strict=True)
    }
    at = draw.randrange(3)
    wanted = f"Music/{letters[at]}.wav"
    line = "timeout 12 mpv --no-terminal Music/*.wav"
    return Draft(
        f"Three voice memos are in the folder Music. Move the one that says the code {' '.join(numbers[at])} to the "
        "folder Documents, and leave the two others where they are. The terminal is open; mpv plays them.",
        (
            file_is(f"Documents/{letters[at]}.wav", memos[wanted]),
            file_gone(wanted),
            unchanged(*(path for path in memos if path != wanted)),
        ),
        (
            step("listen to them", TypeText(line, submit=True), Wait(15.0), needed=False),
            in_terminal(f"mv {wanted} Documents/", f"Documents/{letters[at]}.wav"),
        ),
        memos,
        (("xfce4-terminal",),),
    )


def sum_of_memos(draw: Random) -> Draft:
    """Two spoken numbers are added."""
    first, second = code(draw, 3), code(draw, 3)
    voices = draw.sample(["en-a", "en-b"], 2)
    total = int(first) + int(second)
    return Draft(
        "The player holds a voice memo in which two voices say a number of three digits each. Play it, work out the "
        "sum of the two numbers with the calculator, and answer with it.",
        (played("numbers.wav", 3.0), shows("galculator", str(total)), says(str(total))),
        (
            step("play it", keys("space"), Wait(7.0)),
            step("open the calculator", OpenApp("galculator"), Wait(3.0)),
            calculate(f"{first}+{second}="),
            answer(str(total)),
        ),
        {
            "Music/numbers.wav": speeches(
                [f"{voice}:the code is {n}" for voice, n in zip(voices, (first, second), strict=True)]
            )
        },
        (("mpv", "--pause", "--keep-open=yes", "Music/numbers.wav"),),
    )


TEMPLATES = (
    Template("player-count-beeps", "count the beeps of a recording", ("mpv",), count_beeps, hangs_on="sound"),
    Template("player-stop-at-colour", "pause a film at a colour", ("mpv",), stop_at_colour, hangs_on="motion"),
    Template("memo-to-keep", "move the memo that says a code", ("mpv", "xfce4-terminal"), keep_memo, hangs_on="sound"),
    Template("memo-sum", "add two spoken numbers", ("mpv", "galculator"), sum_of_memos, hangs_on="sound"),
    Template(
        "player-spoken-code", "write down a code from a voice memo", ("mpv", "mousepad"), spoken_code, hangs_on="sound"
    ),
    Template("player-stop-at-tone", "pause a recording at a tone", ("mpv",), stop_at_tone, hangs_on="sound"),
    Template(
        "player-count-flashes", "count the flashes of a film", ("mpv", "mousepad"), count_flashes, hangs_on="motion"
    ),
)
