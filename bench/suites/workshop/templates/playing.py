"""Sound and motion: recordings and films in the player."""

from __future__ import annotations

from random import Random

from omnipilot.bench.suites.workshop.kit.checks import paused_between, played, text_is
from omnipilot.bench.suites.workshop.kit.content import code
from omnipilot.bench.suites.workshop.kit.media import BLUE, GREEN, GREY, RED, film, speech, tones
from omnipilot.bench.suites.workshop.kit.steps import keys, listen, open_program, save_as, step, type_text
from omnipilot.bench.suites.workshop.template import Draft, Template
from omnipilot.envs import Wait

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


TEMPLATES = (
    Template(
        "player-spoken-code", "write down a code from a voice memo", ("mpv", "mousepad"), spoken_code, hangs_on="sound"
    ),
    Template("player-stop-at-tone", "pause a recording at a tone", ("mpv",), stop_at_tone, hangs_on="sound"),
    Template(
        "player-count-flashes", "count the flashes of a film", ("mpv", "mousepad"), count_flashes, hangs_on="motion"
    ),
)
