"""Files: the file manager, the terminal and the image viewer."""

from __future__ import annotations

from random import Random

from omnipilot.bench.suites.workshop.kit.archives import archive_holds
from omnipilot.bench.suites.workshop.kit.checks import (
    file_changed,
    file_gone,
    file_is,
    files_unchanged,
    picture_turned,
    says_numbers,
    text_is,
)
from omnipilot.bench.suites.workshop.kit.content import PLACES, THINGS, TOPICS, code, list_text, names, png, written_png
from omnipilot.bench.suites.workshop.kit.steps import (
    answer,
    in_terminal,
    keys,
    move_to_folder,
    open_program,
    save,
    save_as,
    select_file,
    step,
    type_text,
    until,
)
from omnipilot.bench.suites.workshop.template import TaskDraft, WorkshopTemplate
from omnipilot.envs import TypeText, Wait


def move_file(draw: Random) -> TaskDraft:
    """One file from a folder to another."""
    topics = draw.sample(TOPICS, 4)
    texts = {f"Documents/{topic}.txt": list_text([f"{topic}: {code(draw)}"]) for topic in topics}
    source, target = f"Documents/{topics[0]}.txt", f"Pictures/{topics[0]}.txt"
    return TaskDraft(
        f"Move the file {topics[0]}.txt from the folder Documents, which is open in the file manager, to the folder "
        "Pictures.",
        (file_is(target, texts[source]), file_gone(source), files_unchanged(*list(texts)[1:])),
        (
            select_file(f"{topics[0]}.txt"),
            *move_to_folder(target),
        ),
        texts,
        (("pcmanfm-qt", "Documents"),),
    )


def rename_photo(draw: Random) -> TaskDraft:
    """A picture gets a name that says what it shows."""
    place, thing = draw.choice(PLACES), draw.choice(THINGS)
    number = code(draw)
    old, new = f"Pictures/IMG_{number}.png", f"Pictures/{place}.png"
    data = png(320, 200, (draw.randrange(60, 200), 120, 90), (240, 230, 200))
    other = png(200, 320, (90, draw.randrange(60, 200), 120), (20, 30, 60))
    return TaskDraft(
        f"The folder Pictures is open in the file manager. Rename IMG_{number}.png to {place}.png.",
        (file_is(new, data), file_gone(old), files_unchanged(f"Pictures/{thing}.png")),
        (
            select_file(f"IMG_{number}.png"),
            step("rename it", keys("f2"), Wait(0.5), keys("ctrl", "a")),
            step("type the name", TypeText(f"{place}.png", submit=True), until(file_changed(new))),
        ),
        {old: data, f"Pictures/{thing}.png": other},
        (("pcmanfm-qt", "Pictures"),),
    )


def turn_picture(draw: Random) -> TaskDraft:
    """A picture that lies on its side is turned and saved."""
    width, height = draw.choice([(320, 200), (360, 240), (400, 220)])
    path = f"Pictures/{draw.choice(PLACES)}.png"
    data = png(width, height, (draw.randrange(60, 200), 120, 90), (250, 240, 210))
    return TaskDraft(
        "The picture that is open in the image viewer lies on its side. Turn it clockwise by 90 degrees, and save it "
        "under its own name.",
        (picture_turned(path, data),),
        (step("turn it", keys("ctrl", "r"), Wait(2.0)), save(path)),
        {path: data},
        (("eog", path),),
    )


def count_lines(draw: Random) -> TaskDraft:
    """How often a name is in a log file, by a command."""
    people = names(draw, 5)
    lines = [f"{hour:02d}:{draw.randrange(60):02d} {draw.choice(people)} logged in" for hour in range(24) for _ in "ab"]
    wanted = people[0]
    count = sum(wanted in line for line in lines)
    return TaskDraft(
        f"The file Documents/visits.log has a line for each time that somebody logged in. With the terminal, write how "
        f"many of its lines name {wanted} into the file Documents/count.txt: the number alone.",
        (text_is("Documents/count.txt", str(count)), files_unchanged("Documents/visits.log")),
        (in_terminal(f"grep -c '{wanted}' Documents/visits.log > Documents/count.txt", "Documents/count.txt"),),
        {"Documents/visits.log": list_text(lines)},
        (("xfce4-terminal",),),
    )


def archive_folder(draw: Random) -> TaskDraft:
    """A folder is packed into an archive by a command."""
    topic = draw.choice(TOPICS)
    texts = {f"{name}.txt": list_text([code(draw)]) for name in draw.sample(THINGS, 3)}
    return TaskDraft(
        f"With the terminal, pack the three files of the folder Documents/{topic} into the archive {topic}.tar.gz in "
        "the folder Documents.",
        (
            archive_holds(f"Documents/{topic}.tar.gz", texts),
            files_unchanged(*(f"Documents/{topic}/{one}" for one in texts)),
        ),
        (in_terminal(f"tar czf Documents/{topic}.tar.gz -C Documents {topic}", f"Documents/{topic}.tar.gz"),),
        {f"Documents/{topic}/{name}": data for name, data in texts.items()},
        (("xfce4-terminal",),),
    )


def which_file(draw: Random) -> TaskDraft:
    """The number in the one file of many that names a thing."""
    things, topics = draw.sample(THINGS, 8), draw.sample(TOPICS, 8)
    numbers = [code(draw) for _ in topics]
    files = {
        f"Documents/{topic}.txt": list_text([f"For the {thing}", f"Number {number}"])
        for topic, thing, number in zip(topics, things, numbers, strict=True)
    }
    at = draw.randrange(8)
    return TaskDraft(
        f"One of the files in the folder Documents is about the {things[at]}. Answer with the number that it names.",
        (says_numbers(int(numbers[at])),),
        (in_terminal(f"grep -A1 {things[at]} Documents/*", needed=False), answer(numbers[at])),
        files,
        (("xfce4-terminal",),),
    )


def move_photo(draw: Random) -> TaskDraft:
    """Of several photos, the one on which a number is written is moved."""
    numbers = [code(draw, 3) for _ in range(3)]
    letters = draw.sample("ABCDEFGH", 3)
    plates = zip(letters, numbers, strict=True)
    files = {f"Pictures/{letter}.png": written_png([f"Room {number}"]) for letter, number in plates}
    source, *kept = files
    target = f"Documents/{letters[0]}.png"
    return TaskDraft(
        f"Three photos of door plates are in the folder Pictures, which is open in the file manager. Move the one of "
        f"room {numbers[0]} to the folder Documents.",
        (file_is(target, files[source]), file_gone(source), files_unchanged(*kept)),
        (
            select_file(f"{letters[0]}.png"),
            *move_to_folder(target),
        ),
        files,
        (("pcmanfm-qt", "Pictures"),),
    )


def read_picture(draw: Random) -> TaskDraft:
    """A number that is written in a picture is saved as text."""
    number = code(draw, 6)
    path = f"Pictures/{draw.choice(PLACES)}.png"
    return TaskDraft(
        "The picture that is open in the image viewer shows a ticket. Save the number of the ticket, the digits alone, "
        "as ticket.txt in the folder Documents.",
        (text_is("Documents/ticket.txt", number),),
        (open_program("mousepad"), type_text(number), save_as("Documents/ticket.txt")),
        {path: written_png(["Ticket", number, f"Row {draw.randrange(1, 30)}"])},
        (("eog", path),),
    )


TEMPLATES = (
    WorkshopTemplate("terminal-archive", "pack a folder into an archive", ("xfce4-terminal",), archive_folder),
    WorkshopTemplate("terminal-which-file", "find a number in the file about a thing", ("xfce4-terminal",), which_file),
    WorkshopTemplate("files-move-photo", "move the photo of a room", ("pcmanfm-qt",), move_photo),
    WorkshopTemplate("image-number-to-text", "copy a number from a picture", ("eog", "mousepad"), read_picture),
    WorkshopTemplate("files-move", "move a file to another folder", ("pcmanfm-qt",), move_file),
    WorkshopTemplate("files-rename-photo", "rename a picture", ("pcmanfm-qt",), rename_photo),
    WorkshopTemplate("image-turn", "turn a picture and save it", ("eog",), turn_picture),
    WorkshopTemplate("terminal-count", "count lines of a file by a command", ("xfce4-terminal",), count_lines),
)
