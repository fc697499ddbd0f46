"""CRAB's 36 sub-tasks as records: which judges each has, and in which order (crab-benchmark-v0/dataset, CRAB §4.4).

Ids, attribute names and what is judged are CRAB's, so that its task files find them; the judges are ours.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from omnipilot.bench.suites.crab.live.judges import ENCYCLOPEDIA

Chosen: TypeAlias = tuple[str, Mapping[str, str]]
"""A kind of judge, and its parameters; `{name}` in one stands for an attribute of the sub-task."""

MATMUL = "tensor1 = torch.randn\ntensor2 = torch.randn\ntorch.matmul(tensor1, tensor2).size()"


@dataclass(frozen=True, slots=True)
class LiveSubTask:
    """A sub-task.

    Attributes:
        id: in CRAB's files. platform: of the device. words: its instruction, with `{attributes}`.
        attributes: name → type. output: the type of what it finds out, "" for nothing.
        judges: in order. diamond: whether the two in the middle may be reached in either order.
    """

    id: str
    platform: Literal["android", "ubuntu"]
    app: str
    words: str
    attributes: Mapping[str, str]
    output: str
    judges: tuple[Chosen, ...]
    diamond: bool = False


def _android(
    id: str,
    app: str,
    package: str,
    words: str,
    attributes: tuple[str, ...],
    *judges: Chosen,
    output: str = "",
    diamond: bool = False,
) -> LiveSubTask:
    types = {name: name for name in attributes}
    chosen: Chosen = ("check_front_package", {"package": package})
    return LiveSubTask(id, "android", app, words, types, output, (chosen, *judges), diamond)


def _ubuntu(
    id: str, app: str, words: str, attributes: Mapping[str, str], *judges: Chosen, output: str = ""
) -> LiveSubTask:
    return LiveSubTask(id, "ubuntu", app, words, attributes, output, judges)


def _typed_last(attribute: str) -> Chosen:
    return "typed_last", {"text": f"{{{attribute}}}"}


def _title(text: str) -> Chosen:
    return "check_front_title", {"text": text}


def _file(attribute: str) -> Chosen:
    return "check_file_exists", {"file_path": f"{{{attribute}}}"}


ANDROID = (
    _android(
        "1a1b72d7-78c9-4027-8278-86083ae01045",
        "maps",
        "com.google.android.apps.maps",
        'find the length of the shortest route from "{place_name_1}" to "{place_name_2}" with Google Maps',
        ("place_name_1", "place_name_2"),
        _typed_last("place_name_1"),
        _typed_last("place_name_2"),
        ("route_shown", {"start": "{place_name_1}", "end": "{place_name_2}"}),
        output="number",
        diamond=True,
    ),
    _android(
        "eb92a1e6-4c86-4d56-baac-95fc8397732e",
        "keep",
        "com.google.android.keep",
        'write "{content}" into a new note without a title in Keep',
        ("content",),
        _typed_last("content"),
        ("untitled_note_has", {"text": "{content}"}),
    ),
    _android(
        "caa29623-1811-402d-963a-19f7eecc63d8",
        "messages",
        "com.google.android.apps.messaging",
        'send "{content}" to "{number}" with Messages',
        ("content", "number"),
        ("node_is", {"id": "com.google.android.apps.messaging:id/conversation_title", "text": "{number}"}),
        _typed_last("content"),
        ("conversation_has", {"title": "{number}", "text": "{content}"}),
    ),
    _android(
        "955d8773-dd7a-4072-b87c-7e546be7de4e",
        "phone",
        "com.android.dialer",
        'call "{number}"',
        ("number",),
        ("node_has_digits", {"id": "com.android.dialer:id/digits", "number": "{number}"}),
        ("node_has_digits", {"id": "com.android.dialer:id/contactgrid_contact_name", "number": "{number}"}),
    ),
    _android(
        "a3d11574-2acf-4b26-a569-a5dbc9d548af",
        "tasks",
        "com.google.android.apps.tasks",
        'add a task "{content}" in Tasks',
        ("content",),
        _typed_last("content"),
        ("node_has_text", {"id": "com.google.android.apps.tasks:id/task_name", "text": "{content}"}),
    ),
    _android(
        "a3d11574-2acf-4b26-a569-a5dbc9d548ac",
        "calendar",
        "com.google.android.calendar",
        'add an event "{content}" on {date}, all day, in Calendar',
        ("content", "date"),
        _typed_last("content"),
        ("list_tells", {"first": "{date}", "second": "{content}"}),
    ),
    _android(
        "a3d11574-2acf-4b26-a569-a5dbc9d548ag",
        "contacts",
        "com.android.contacts",
        'add a contact "{name}" with the mail address "{mail}" in Contacts',
        ("mail", "name"),
        _typed_last("mail"),
        _typed_last("name"),
        ("contact_registered", {"mail": "{mail}", "name": "{name}"}),
        diamond=True,
    ),
    _android(
        "a3d11574-2acf-4b26-a569-a5dbc9d548ap",
        "contacts",
        "com.android.contact",
        "find the mail address of the contact {name} in Contacts",
        ("name",),
        ("contact_has_mail", {"name": "{name}"}),
        output="mail",
    ),
    _android(
        "0090f116-e02b-4562-a20d-b5df38be963a",
        "gmail",
        "com.google.android.gm",
        "send {mail} the message {content} with Gmail",
        ("content", "mail"),
        _typed_last("mail"),
        _typed_last("content"),
        ("mail_written", {"mail": "{mail}", "content": "{content}"}),
        diamond=True,
    ),
    _android(
        "a3d11574-2acf-4b26-a569-a5dbc9d548ar",
        "drive",
        "com.google.android.apps.docs",
        "create a folder {content} in Google Drive",
        ("content",),
        ("folder_listed", {"name": "{content}"}),
    ),
    _android(
        "a3d11574-2acf-4b26-a569-a5dbc9d548ak",
        "photos",
        "com.google.android.apps.photos",
        "find when {file_path} was created, with Files",
        ("file_path",),
        ("photo_dated", {"name": "{file_path}"}),
        output="Date",
    ),
    _android(
        "a3d11574-2acf-4b26-a569-a5dbc9d548an",
        "settings",
        "com.android.settings",
        "rename this phone's Bluetooth device to {content} in Settings",
        ("content",),
        _typed_last("content"),
        ("node_has_text", {"id": "android:id/summary", "text": "{content}"}),
    ),
    _android(
        "a3d11574-2acf-4b26-a569-a5dbc9d548ah",
        "clock",
        "com.google.android.deskclock",
        "add {place_name} to the cities of Clock and find its time difference",
        ("place_name",),
        ("node_is", {"id": "com.google.android.deskclock:id/city_name", "text": "{place_name}"}),
        output="content",
    ),
    _android(
        "a3d11574-2acf-4b26-a569-a5dbc9d548aw",
        "maps",
        "com.google.android.apps.maps",
        "find the address of {content} with Google Maps",
        ("content",),
        ("node_described", {"description": "{content}"}),
        output="content",
    ),
    _android(
        "51b2463c-9904-4a32-81ba-507bfb89d61f",
        "maps",
        "com.google.android.apps.maps",
        'find the city of the postal code "{number}" in "{country}" with Google Maps',
        ("number", "country"),
        _typed_last("country"),
        _typed_last("number"),
        ("place_found", {"number": "{number}", "country": "{country}"}),
        output="content",
    ),
    _android(
        "2394b768-2ca7-45e9-b41e-2aa4e9573192",
        "calendar",
        "com.google.android.calendar",
        'find the title of an event on "{date}" in Calendar',
        ("date",),
        ("list_tells", {"first": "{date}", "second": ""}),
        output="content",
    ),
    # Commented out in the release, since its authors could not read the number; no task of theirs has it.
    _android(
        "fa9c0b01-9835-4932-824d-0990cb20e5f7",
        "settings",
        "com.android.settings",
        "find the phone number of this phone in the panel About of Settings",
        (),
        output="phone_number",
    ),
)
UBUNTU = (
    _ubuntu(
        "0f589bf9-9b26-4581-8b78-2961b115ab49",
        "vim",
        'open "{file_path}" with vim in a terminal, write "{content}", save and leave vim',
        {"file_path": "file_path", "content": "message"},
        ("check_front_process", {"name": "gnome-terminal-server"}),
        ("check_process_runs", {"name": "vim"}),
        ("check_process_ended", {"name": "vim"}),
        ("check_file_contains", {"path": "{file_path}", "text": "{content}"}),
        output="file_path",
    ),
    _ubuntu(
        "5b527839-0e58-426d-bab6-7160200b0d24",
        "terminal",
        'print the content of "{file_path}" in a terminal',
        {"file_path": "file_path"},
        ("check_front_process", {"name": "gnome-terminal-server"}),
        ("typed", {"text": "cat {file_path}"}),
        output="message",
    ),
    _ubuntu(
        "1c3bedc3-ea5a-453c-a15b-223d72ab756d",
        "submit",
        'submit "{content}"',
        {"content": "message"},
        ("submitted", {"text": "{content}"}),
    ),
    _ubuntu(
        "a313ea4d-e501-4971-b4fe-db2aad19eac1",
        "download",
        'download "{url}" to "{file_path}"',
        {"url": "url", "file_path": "file_path"},
        ("check_downloaded", {"url": "{url}", "path": "{file_path}"}),
        output="file_path",
    ),
    _ubuntu(
        "a313ea4d-e501-4971-b4fe-db2aad19acsd",
        "download",
        'download what the address on the clipboard gives to "{file_path}"',
        {"file_path": "file_path"},
        ("downloaded_from_clipboard", {"path": "{file_path}"}),
        output="file_path",
    ),
    _ubuntu(
        "017102b6-d2c3-466b-96f7-37c8bcddc41a",
        "firefox",
        'search an image of "{keyword}" with Firefox and copy its address',
        {"keyword": "keyword"},
        _title("Mozilla Firefox"),
        ("typed", {"text": "{keyword}"}),
        ("clipboard_has_image_address", {}),
    ),
    _ubuntu(
        "bcd03c9f-62c9-4001-8d86-78358c59ce22",
        "firefox",
        'find a code repository about "{keyword}" on GitHub with Firefox and copy its address',
        {"keyword": "keyword"},
        _title("GitHub — Mozilla Firefox"),
        ("typed", {"text": "{keyword}"}),
        ("clipboard_has_repository", {"keyword": "{keyword}"}),
    ),
    _ubuntu(
        "a207ef38-b3b2-4c6c-a1e3-75c38162f5ba",
        "settings",
        'make "{photo_path}" the background of the desktop',
        {"photo_path": "photo_path"},
        ("check_wallpaper", {"path": "{photo_path}"}),
    ),
    _ubuntu(
        "217ababc-ccc7-4b9f-af07-c239d92848fe",
        "files",
        'create a folder "{target_dir}" and copy all files with the extension "{file_extension}" from "{source_dir}"',
        {"file_extension": "file_extension", "source_dir": "dir_path", "target_dir": "dir_path"},
        ("check_folder_exists", {"path": "{target_dir}"}),
        ("files_copied", {"source": "{source_dir}", "target": "{target_dir}", "extension": "{file_extension}"}),
        output="message",
    ),
    _ubuntu(
        "2b189dc2-c77f-4fa3-8432-ba4355cc294c",
        "firefox",
        'find a "{place_type}" around "{place_name}" on Google Maps with Firefox and copy its sharing address',
        {"place_type": "place_type", "place_name": "place_name"},
        _title("Google Maps — Mozilla Firefox"),
        ("typed_all", {"first": "{place_name}", "second": "{place_type}"}),
        ("clipboard_has_shared_place", {}),
    ),
    _ubuntu(
        "cc1adae7-bef9-4c8a-865d-00d44486dd69",
        "gimp",
        'brighten "{image_path_before_edit}" with GIMP and save it as "{image_path_after_edit}"',
        {"image_path_before_edit": "photo_path", "image_path_after_edit": "photo_path"},
        _title("GNU Image Manipulation Program"),
        _file("image_path_after_edit"),
        ("brighter", {"before": "{image_path_before_edit}", "after": "{image_path_after_edit}"}),
        output="photo_path",
    ),
    _ubuntu(
        "434402f3-647a-4a9a-9d8f-10f5bb6c7cf0",
        "impress",
        'darken "{image_path_before_edit}" with LibreOffice Impress and save it as "{image_path_after_edit}"',
        {"image_path_before_edit": "photo_path", "image_path_after_edit": "photo_path"},
        _title("LibreOffice Impress"),
        _file("image_path_after_edit"),
        ("not_brighter", {"before": "{image_path_before_edit}", "after": "{image_path_after_edit}"}),
        output="photo_path",
    ),
    *(
        _ubuntu(
            id,
            app,
            f'put "{{image_path_1}}" {words} "{{image_path_2}}" with {program} and save both as "{{output_path}}"',
            {"image_path_1": "photo_path_1", "image_path_2": "photo_path_2", "output_path": kind},
            _title(program),
            _file("output_path"),
            (
                "check_pictures_beside",
                {"first": "{image_path_1}", "second": "{image_path_2}", "path": "{output_path}", "side": side},
            ),
            output=output,
        )
        for id, app, program, words, side, kind, output in (
            (
                "4cf246ea-0a7f-43da-84b6-61d74a2699af",
                "gimp",
                "GNU Image Manipulation Program",
                "to the left of",
                "left",
                "photo_path_ouput",
                "photo_path",
            ),
            (
                "0111384f-38ca-41a2-9504-cb1c55002b3c",
                "writer",
                "LibreOffice Writer",
                "above",
                "above",
                "file_path",
                "file_path",
            ),
            (
                "467f17a6-c42f-4eda-996f-a53385eb3efd",
                "impress",
                "LibreOffice Impress",
                "to the right of",
                "right",
                "file_path",
                "file_path",
            ),
        )
    ),
    _ubuntu(
        "49b614c5-c4bb-4c20-aab8-ab9dcc7de1b5",
        "firefox",
        "copy the example of torch.matmul in the documentation of PyTorch 1.13 with Firefox",
        {},
        _title("torch.matmul — PyTorch 1.13 documentation — Mozilla Firefox"),
        ("clipboard_contains", {"lines": MATMUL}),
    ),
    _ubuntu(
        "76de4bdb-c980-4b3a-9bd3-c87db467dffe",
        "writer",
        'paste the clipboard into LibreOffice Writer and save it as "{file_path}"',
        {"file_path": "file_path"},
        _title("LibreOffice Writer"),
        _file("file_path"),
        ("document_has_clipboard", {"path": "{file_path}"}),
        output="file_path",
    ),
    _ubuntu(
        "8491e674-596b-452b-9e0e-58a44d90f947",
        "vscode",
        'paste the clipboard into Visual Studio Code and save it as "{file_path}"',
        {"file_path": "file_path"},
        _title("Visual Studio Code"),
        _file("file_path"),
        ("file_has_clipboard", {"path": "{file_path}"}),
        output="file_path",
    ),
    _ubuntu(
        "1cd6519a-9ee0-442b-ba5a-9238aeb00ff6",
        "firefox+calc",
        'save "{country}", its capital and its population from Wikipedia as a row of "{file_path}", with Firefox and '
        "LibreOffice Calc",
        {"country": "country", "file_path": "file_path"},
        _title("Wikipedia — Mozilla Firefox"),
        _title("LibreOffice Calc"),
        _file("file_path"),
        ("sheet_has_country", {"country": "{country}", "path": "{file_path}", "encyclopedia": ENCYCLOPEDIA}),
        output="file_path",
    ),
)
SUBTASKS: Mapping[str, LiveSubTask] = {one.id: one for one in (*ANDROID, *UBUNTU)}
