"""Sound and motion: recordings and films in players."""

from __future__ import annotations

from functools import partial

from omnipilot.bench.suites.workshop.kit.checks import (
    file_gone,
    file_is,
    file_played,
    files_unchanged,
    paused_between,
    says_numbers,
    shows,
    text_is,
)
from omnipilot.bench.suites.workshop.kit.content import code
from omnipilot.bench.suites.workshop.kit.media import COLOURS, GREY, flashes, moving_square, speech, tones
from omnipilot.bench.suites.workshop.kit.playing import (
    MEMO,
    celluloid_played,
    listen_to_all,
    memo,
    memo_played,
    pause_at,
    play,
    play_with_celluloid,
    skip_to,
    waiting_player,
)
from omnipilot.bench.suites.workshop.kit.steps import (
    answer,
    calculate,
    in_terminal,
    open_program,
    save_as,
    type_text,
)
from omnipilot.bench.suites.workshop.template import Draw, TaskDraft, WorkshopTemplate

LONG = 180.0
"""Seconds of a recording in which one moment is to be found; it may be in `SLOTS`, each `SLOT` seconds long."""
SLOT = 5.0
SLOTS = range(1, 35)
SILENT = 60.0
"""Seconds of a recording whose player forgets it at its end."""
SHORT = 3.6
"""Seconds of each of several memos."""


def spoken_code(draw: Draw) -> TaskDraft:
    """A code that is spoken in a recording."""
    number = code(draw.media)
    return TaskDraft(
        "The player holds a voice memo, memo.wav. Play it, and save the code that is said, the digits alone, as "
        "code.txt in the folder Documents.",
        (memo_played(), text_is("Documents/code.txt", number)),
        (
            play(MEMO),
            open_program("mousepad"),
            type_text(number),
            save_as("Documents/code.txt"),
        ),
        open=(waiting_player(MEMO),),
        media={MEMO: memo(draw, f"the code is {number}")},
    )


def stop_at_tone(draw: Draw) -> TaskDraft:
    """A long recording is paused when its tone changes."""
    low, high = draw.choice([(440.0, 880.0), (330.0, 990.0), (500.0, 1000.0)])
    begin = SLOT * draw.media.choice(SLOTS)
    path = "Music/tone.wav"
    pieces = [(low, begin), (high, SLOT), (low, LONG - begin - SLOT)]
    return TaskDraft(
        "The player holds tone.wav, which lasts three minutes. A low tone sounds in it, and once, for 5 "
        "seconds, a high one. Play it, skip ahead if you like, and pause it where the high tone sounds.",
        (paused_between("tone.wav", begin, begin + SLOT),),
        (skip_to(begin), *pause_at(path, begin)),
        open=(waiting_player(path),),
        media={path: partial(tones, pieces, LONG)},
    )


def stop_at_turn(draw: Draw) -> TaskDraft:
    """A long film is paused where what it shows moves the other way."""
    begin = SLOT * draw.media.choice(SLOTS)
    path = "Videos/square.mkv"
    return TaskDraft(
        "The player holds square.mkv, which lasts three minutes. It shows a square that moves to the right, "
        "and once, for 5 seconds, to the left. Play it, skip ahead if you like, and pause it where the square moves to "
        "the left.",
        (paused_between("square.mkv", begin, begin + SLOT),),
        (skip_to(begin), *pause_at(path, begin)),
        open=(waiting_player(path),),
        media={path: partial(moving_square, begin, begin + SLOT, LONG)},
    )


def count_flashes(draw: Draw) -> TaskDraft:
    """How often a film flashes in each of two colours."""
    first, second, other = draw.sample(sorted(COLOURS), 3)
    counts = draw.media.randrange(2, 9), draw.media.randrange(2, 9)
    order = [first] * counts[0] + [second] * counts[1] + [other] * draw.media.randrange(1, 4)
    draw.media.shuffle(order)
    shots = [(GREY, 1.0)]
    for colour in order:
        shots += [(COLOURS[colour], 0.4), (GREY, 0.5)]
    path, seconds = "Videos/signals.mkv", sum(length for _, length in shots)
    text = f"{counts[0]} {counts[1]}"
    return TaskDraft(
        f"Play signals.mkv, which the player holds. How often does it flash {first}, and how often {second}? Save the "
        f"two numbers, {first} first, with a blank between, as flashes.txt in the folder Documents.",
        (file_played("signals.mkv", seconds - 1.0), text_is("Documents/flashes.txt", text)),
        (
            play(path, seconds),
            open_program("mousepad"),
            type_text(text),
            save_as("Documents/flashes.txt"),
        ),
        open=(waiting_player(path),),
        media={path: partial(flashes, shots, 20.0)},
    )


def count_beeps(draw: Draw) -> TaskDraft:
    """How many low and how many high beeps a recording has."""
    low, high = draw.choice([(300.0, 900.0), (400.0, 1000.0), (350.0, 1200.0)])
    counts = draw.media.randrange(2, 9), draw.media.randrange(2, 9)
    order = [low] * counts[0] + [high] * counts[1]
    draw.media.shuffle(order)
    pieces = [(0.0, 1.0)]
    for frequency in order:
        pieces += [(frequency, 0.25), (0.0, draw.media.choice([0.3, 0.5]))]
    path, seconds = "Music/beeps.wav", sum(length for _, length in pieces)
    return TaskDraft(
        "Play beeps.wav, which the player holds. How many low beeps does it have, and how many high ones? Answer with "
        "the two numbers, the low ones first.",
        (file_played("beeps.wav", seconds - 1.0), says_numbers(*counts)),
        (play(path, seconds), answer(f"{counts[0]} {counts[1]}")),
        open=(waiting_player(path),),
        media={path: partial(tones, pieces, 14.0)},
    )


def keep_memo(draw: Draw) -> TaskDraft:
    """Of several memos, two that say certain codes are moved, each to a folder of its own."""
    letters = draw.sample("ABCDEFGH", 6)
    numbers = list(dict.fromkeys(code(draw) for _ in range(20)))[:6]
    said = draw.media.sample(numbers, 6)
    voice = draw.choice(["en-a", "en-b"])
    media = {
        f"Music/{letter}.wav": partial(speech, f"{voice}:{number}", seconds=SHORT, lead=0.2)
        for letter, number in zip(letters, said, strict=True)
    }
    wanted = [letters[said.index(number)] for number in numbers[:2]]
    folders = "Documents", "Pictures"
    judges = []
    for letter, folder in zip(wanted, folders, strict=True):
        path = f"Music/{letter}.wav"
        judges += [file_is(f"{folder}/{letter}.wav", media[path]()), file_gone(path)]
    kept = sorted(path for path in media if path[6] not in wanted)
    return TaskDraft(
        f"Six voice memos are in the folder Music. Move the one that says {' '.join(numbers[0])} to the folder "
        f"Documents, the one that says {' '.join(numbers[1])} to the folder Pictures, and leave the others where they "
        "are. The terminal is open; mpv plays them.",
        (*judges, files_unchanged(*kept)),
        (
            listen_to_all(len(media) * SHORT),
            in_terminal(f"mv Music/{wanted[0]}.wav Documents/", f"Documents/{wanted[0]}.wav"),
            in_terminal(f"mv Music/{wanted[1]}.wav Pictures/", f"Pictures/{wanted[1]}.wav"),
        ),
        open=(("xfce4-terminal",),),
        media=media,
    )


def sum_of_memos(draw: Draw) -> TaskDraft:
    """Two spoken numbers are added."""
    first, second = code(draw.media, 3), code(draw.media, 3)
    voices = draw.sample(["en-a", "en-b"], 2)
    total = int(first) + int(second)
    path = "Music/numbers.wav"
    spoken = [f"{voice}:the code is {number}" for voice, number in zip(voices, (first, second), strict=True)]
    return TaskDraft(
        "Play the voice memo Music/numbers.wav with the player Celluloid, for instance from the open terminal. In it, "
        "two voices say a number of three digits each. Work out the sum of the two numbers with the calculator, and "
        "answer with it.",
        (celluloid_played(path, 7.0), shows("galculator", str(total)), says_numbers(total)),
        (
            play_with_celluloid(path, 7.0),
            open_program("galculator"),
            calculate(f"{first}+{second}="),
            answer(str(total)),
        ),
        open=(("xfce4-terminal",),),
        media={path: partial(speech, *spoken, seconds=SILENT)},
    )


TEMPLATES = (
    WorkshopTemplate(
        "player-count-beeps", "count the low and high beeps of a recording", ("mpv",), count_beeps, hangs_on="sound"
    ),
    WorkshopTemplate("player-stop-at-turn", "pause a film where it turns", ("mpv",), stop_at_turn, hangs_on="motion"),
    WorkshopTemplate(
        "memo-to-keep", "move the memos that say codes", ("mpv", "xfce4-terminal"), keep_memo, hangs_on="sound"
    ),
    WorkshopTemplate(
        "memo-sum",
        "add two spoken numbers",
        ("celluloid", "xfce4-terminal", "galculator"),
        sum_of_memos,
        hangs_on="sound",
    ),
    WorkshopTemplate(
        "player-spoken-code", "write down a code from a voice memo", ("mpv", "mousepad"), spoken_code, hangs_on="sound"
    ),
    WorkshopTemplate("player-stop-at-tone", "pause a recording at a tone", ("mpv",), stop_at_tone, hangs_on="sound"),
    WorkshopTemplate(
        "player-count-flashes", "count the flashes of a film", ("mpv", "mousepad"), count_flashes, hangs_on="motion"
    ),
)
