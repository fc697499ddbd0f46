"""Files: the file manager, the terminal and the image viewer."""

from __future__ import annotations

from random import Random

from omnipilot.bench.suites.workshop.kit.checks import file_gone, file_is, picture_size, text_is, unchanged
from omnipilot.bench.suites.workshop.kit.content import PLACES, THINGS, TOPICS, code, list_text, names, png
from omnipilot.bench.suites.workshop.kit.steps import click, in_terminal, keys, save, step
from omnipilot.bench.suites.workshop.template import Draft, Template
from omnipilot.envs import TypeText, Wait


def move_file(draw: Random) -> Draft:
    """One file from a folder to another."""
    topics = draw.sample(TOPICS, 4)
    texts = {f"Documents/{topic}.txt": list_text([f"{topic}: {code(draw)}"]) for topic in topics}
    source, target = f"Documents/{topics[0]}.txt", f"Pictures/{topics[0]}.txt"
    return Draft(
        f"Move the file {topics[0]}.txt from the folder Documents, which is open in the file manager, to the folder "
        "Pictures.",
        (file_is(target, texts[source]), file_gone(source), unchanged(*list(texts)[1:])),
        (
            click(f'the list item "{topics[0]}.txt"'),
            step("cut it", keys("ctrl", "x"), Wait(0.5)),
            step("go to the folder", keys("ctrl", "l"), TypeText("/home/user/Pictures", submit=True), Wait(1.5)),
            step("put it there", keys("ctrl", "v"), Wait(2.0)),
        ),
        texts,
        (("pcmanfm-qt", "Documents"),),
    )


def rename_photo(draw: Random) -> Draft:
    """A picture gets a name that says what it shows."""
    place, thing = draw.choice(PLACES), draw.choice(THINGS)
    number = code(draw)
    old, new = f"Pictures/IMG_{number}.png", f"Pictures/{place}.png"
    data = png(320, 200, (draw.randrange(60, 200), 120, 90), (240, 230, 200))
    other = png(200, 320, (90, draw.randrange(60, 200), 120), (20, 30, 60))
    return Draft(
        f"The folder Pictures is open in the file manager. Rename IMG_{number}.png to {place}.png.",
        (file_is(new, data), file_gone(old), unchanged(f"Pictures/{thing}.png")),
        (
            click(f'the list item "IMG_{number}.png"'),
            step("rename it", keys("f2"), Wait(1.0), keys("ctrl", "a")),
            step("type the name", TypeText(f"{place}.png", submit=True), Wait(1.0)),
        ),
        {old: data, f"Pictures/{thing}.png": other},
        (("pcmanfm-qt", "Pictures"),),
    )


def turn_picture(draw: Random) -> Draft:
    """A picture that lies on its side is turned and saved."""
    width, height = draw.choice([(320, 200), (360, 240), (400, 220)])
    path = f"Pictures/{draw.choice(PLACES)}.png"
    data = png(width, height, (draw.randrange(60, 200), 120, 90), (250, 240, 210))
    return Draft(
        "The picture that is open in the image viewer lies on its side. Turn it clockwise by 90 degrees, and save it "
        "under its own name.",
        (picture_size(path, height, width),),
        (step("turn it", keys("ctrl", "r"), Wait(1.0)), save()),
        {path: data},
        (("eog", path),),
    )


def count_lines(draw: Random) -> Draft:
    """How often a name is in a log file, by a command."""
    people = names(draw, 5)
    lines = [f"{hour:02d}:{draw.randrange(60):02d} {draw.choice(people)} logged in" for hour in range(24) for _ in "ab"]
    wanted = people[0]
    count = sum(wanted in line for line in lines)
    return Draft(
        f"The file Documents/visits.log has a line for each time that somebody logged in. With the terminal, write how "
        f"many of its lines name {wanted} into the file Documents/count.txt: the number alone.",
        (text_is("Documents/count.txt", str(count)), unchanged("Documents/visits.log")),
        (in_terminal(f"grep -c '{wanted}' Documents/visits.log > Documents/count.txt"),),
        {"Documents/visits.log": list_text(lines)},
        (("xfce4-terminal",),),
    )


TEMPLATES = (
    Template("files-move", "move a file to another folder", ("pcmanfm-qt",), move_file),
    Template("files-rename-photo", "rename a picture", ("pcmanfm-qt",), rename_photo),
    Template("image-turn", "turn a picture and save it", ("eog",), turn_picture),
    Template("terminal-count", "count lines of a file by a command", ("xfce4-terminal",), count_lines),
)
