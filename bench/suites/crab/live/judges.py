"""The kinds of judges that CRAB's sub-tasks need, each by name, with the platform it is for and what it is given.

A table of sub-tasks names them with the values of their parameters, so that a judge can stand in a file. What each one
examines is what CRAB's evaluator of that purpose examines; where the released code says something else than it means,
it is the meaning that is judged here, and the docstring says so.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Literal, TypeAlias
from weakref import WeakKeyDictionary

from omnipilot.agents.assembly.registry import describe_unknown
from omnipilot.bench.judges import (
    JUDGES,
    DeviceEvidence,
    JudgeKind,
    as_verdict,
    document_paragraphs,
    judge,
    load_judge,
    picture_brightness,
    sheet_cells,
)
from omnipilot.bench.suites.crab.live.encyclopedia import country_facts
from omnipilot.bench.tasks.judges import Case, Verdict, answer_contains
from omnipilot.envs import Click, ConfigError, TypeText, World
from omnipilot.envs.android import UiNode

Platform: TypeAlias = Literal["android", "ubuntu", ""]
Ask: TypeAlias = Callable[[Case], Verdict]
ENCYCLOPEDIA = "https://en.wikipedia.org/wiki/"
LISTS = ("android.support.v7.widget.RecyclerView", "androidx.recyclerview.widget.RecyclerView")
"""The class of long lists, before and since AndroidX."""
IMAGE_URL = re.compile(
    r"https?://[^\s/]+(?:/\S*)?|data:image/(?:png|jpeg|gif|svg\+xml|bmp|webp);base64,[A-Za-z0-9+/]+=*"
)
REPOSITORY = re.compile(r"https?://github\.com/[^/\s]+/[^/\s]+/?", re.IGNORECASE)
SHARED_PLACE = re.compile(r"https://maps\.app\.goo\.gl/[A-Za-z0-9]+(?:\?\S*)?", re.IGNORECASE)


PLATFORMS: Mapping[Platform, Literal["phone", "desktop", ""]] = {"android": "phone", "ubuntu": "desktop", "": ""}
KINDS: dict[str, JudgeKind] = {}


NOTED: WeakKeyDictionary[World, dict[str, int]] = WeakKeyDictionary()
"""By world, numbers that a judge of a handmade task found when it held, for one that comes after it in the graph; the
released code keeps them in globals. Each task writes its own before it reads them."""


def _kind(
    platform: Platform, name: str = "", reads_controls: bool = False
) -> Callable[[Callable[..., tuple[bool, str]]], Callable[..., tuple[bool, str]]]:
    """Adds a kind of judge; tables name it by `name`, or by the name of its function."""

    def add(examine: Callable[..., tuple[bool, str]]) -> Callable[..., tuple[bool, str]]:
        kind = judge(name, platform=PLATFORMS[platform], reads_controls=reads_controls)(examine)
        KINDS[kind.name] = kind
        return examine

    return add


def make_ask(name: str, device: str, given: Mapping[str, Any]) -> Ask:
    """A judge by the name of its kind: one of CRAB's, or one that every evaluator may name.

    Args:
        device: name of the device that it examines. given: its parameters.

    Raises:
        ConfigError: there is no such kind, or a parameter is missing or unknown.
    """
    if name == "submitted":
        return answer_contains(str(given["text"]))
    kind = KINDS.get(name)
    if kind is None:
        if name not in JUDGES.names():
            raise ConfigError(describe_unknown("judge", name, ("submitted", *KINDS, *JUDGES.names())))
        kind = load_judge(name)
    read = kind.read(given)

    def ask(case: Case, kind: JudgeKind, read: Mapping[str, Any]) -> Verdict:
        return as_verdict(kind.examine(DeviceEvidence(case, device), **read))

    return partial(ask, kind=kind, read=read)


# What the agent did


@_kind("")
def typed_last(evidence: DeviceEvidence, text: str) -> tuple[bool, str]:
    """The agent's last action on the device typed a text that contains this, in upper or lower case."""
    actions = evidence.actions()
    said = actions[-1].text if actions and isinstance(actions[-1], TypeText) else ""
    return text.casefold() in said.casefold() and bool(said), f"typed last: {said!r}"


@_kind("", "typed")
def has_typed(evidence: DeviceEvidence, text: str) -> tuple[bool, str]:
    """The agent has typed a text that contains this, in upper or lower case."""
    said = [action.text for action in evidence.actions() if isinstance(action, TypeText)]
    return any(text.casefold() in one.casefold() for one in said), f"typed: {said!r}"


@_kind("")
def typed_all(evidence: DeviceEvidence, first: str, second: str) -> tuple[bool, str]:
    """The agent has typed both texts, at once or one after the other."""
    both = [has_typed(evidence, text) for text in (first, second)]
    return all(holds for holds, _ in both), both[0][1]


# Desktops


@_kind("ubuntu")
def files_copied(evidence: DeviceEvidence, source: str, target: str, extension: str) -> tuple[bool, str]:
    """Two folders have files of the same names with this extension, and there are some."""
    here, there = evidence.names_in(source, extension), evidence.names_in(target, extension)
    return bool(here) and here == there, f"{source}: {sorted(here)}; {target}: {sorted(there)}"


@_kind("ubuntu")
def package_installed(evidence: DeviceEvidence, name: str) -> tuple[bool, str]:
    """A package of Debian or Ubuntu is installed."""
    said = evidence.shell(f"dpkg-query -W -f '${{Status}}' '{name}' 2>/dev/null; true", "dpkg-query")
    return said.startswith("install ok installed"), said


def _is_download(evidence: DeviceEvidence, url: str, path: str) -> tuple[bool, str]:
    data = evidence.read_file(path)
    return data is not None and data == evidence.download(url), f"{path} from {url}"


@_kind("ubuntu")
def downloaded_from_clipboard(evidence: DeviceEvidence, path: str) -> tuple[bool, str]:
    """A file has the content that the web address on the clipboard gives at the time of judging."""
    if not evidence.is_file(path):
        return False, f"no file {path}"
    return _is_download(evidence, evidence.clipboard().strip(), path)


def _clipboard_is(evidence: DeviceEvidence, pattern: re.Pattern[str], keyword: str = "") -> tuple[bool, str]:
    found = evidence.clipboard().strip()
    return pattern.fullmatch(found) is not None and keyword.lower() in found.lower(), f"clipboard: {found!r}"


@_kind("ubuntu")
def clipboard_has_image_address(evidence: DeviceEvidence) -> tuple[bool, str]:
    """A web address, or a picture as a data address, is on the clipboard. As in CRAB, no address is opened."""
    return _clipboard_is(evidence, IMAGE_URL)


@_kind("ubuntu")
def clipboard_has_repository(evidence: DeviceEvidence, keyword: str) -> tuple[bool, str]:
    """The address of a GitHub repository with a keyword in it is on the clipboard, in upper or lower case: the released
    code wants the address in lower case."""
    return _clipboard_is(evidence, REPOSITORY, keyword)


@_kind("ubuntu")
def clipboard_has_shared_place(evidence: DeviceEvidence) -> tuple[bool, str]:
    """A sharing address of Google Maps is on the clipboard; newer ones end in a query, which the released code does not
    know."""
    return _clipboard_is(evidence, SHARED_PLACE)


@_kind("ubuntu")
def clipboard_contains(evidence: DeviceEvidence, *, lines: str) -> tuple[bool, str]:
    """The clipboard contains each of these lines."""
    found = evidence.clipboard()
    return all(line in found for line in lines.splitlines()), f"clipboard: {found!r}"


def _begins_as(text: str, wanted: str) -> bool:
    """Whether each line of a text is contained in the line of the same number; surplus lines are not compared."""
    pairs = zip(wanted.split("\n"), text.split("\n"), strict=False)
    return bool(wanted.strip()) and bool(text.strip()) and all(line in found for line, found in pairs)


@_kind("ubuntu")
def file_has_clipboard(evidence: DeviceEvidence, path: str) -> tuple[bool, str]:
    """A text file has the lines of the clipboard, which is not empty: the released code passes an empty one."""
    data = evidence.read_file(path)
    text = "" if data is None else data.decode("utf-8", "replace")
    return _begins_as(text, evidence.clipboard()), f"{path}: {text!r}"


@_kind("ubuntu")
def document_has_clipboard(evidence: DeviceEvidence, path: str) -> tuple[bool, str]:
    """An OpenDocument text has the lines of the clipboard as its paragraphs; otherwise as `file_has_clipboard`."""
    found = document_paragraphs(evidence.read_file(path) or b"")
    text = "\n".join(found or ())
    return _begins_as(text, evidence.clipboard()), f"{path}: {text!r}"


@_kind("ubuntu")
def brighter(evidence: DeviceEvidence, before: str, after: str) -> tuple[bool, str]:
    """A picture is brighter than another one."""
    return _brightness(evidence, before, after, lambda old, new: new > old)


@_kind("ubuntu")
def not_brighter(evidence: DeviceEvidence, before: str, after: str) -> tuple[bool, str]:
    """A picture is as bright as another one, or darker: CRAB negates its judge for brighter ones."""
    return _brightness(evidence, before, after, lambda old, new: new <= old)


def _brightness(
    evidence: DeviceEvidence, before: str, after: str, holds: Callable[[float, float], bool]
) -> tuple[bool, str]:
    old, new = (picture_brightness(evidence.read_file(path) or b"") for path in (before, after))
    if old is None or new is None:
        return False, f"{before if old is None else after} is no picture"
    return holds(old, new), f"brightness {old:.2f} and {new:.2f}"


@_kind("ubuntu")
def sheet_has_country(evidence: DeviceEvidence, country: str, path: str, encyclopedia: str) -> tuple[bool, str]:
    """A spreadsheet has a row of a country, its capital and its population, as an encyclopedia says at the time of
    judging; a sheet without that row fails, which the released code lets pass."""
    rows = sheet_cells(evidence.read_file(path) or b"") or []
    page = evidence.download(encyclopedia + country.replace(" ", "_"))
    capital, population = country_facts((page or b"").decode("utf-8", "replace"))
    for row in rows:
        if row[0].strip().lower() == country.lower():
            city, people = [*row[1:3], "", ""][:2]
            digits = "".join(filter(str.isdigit, people))
            holds = bool(city.strip()) and city.strip() in capital and bool(digits) and digits == population
            return holds, f"{row[:3]}; {capital!r}, {population!r}"
    return False, f"{path} has no row of {country}"


# Phones


def _with_id(nodes: list[UiNode], id: str) -> list[UiNode]:
    return [node for node in nodes if node.attributes.get("resource-id") == id]


def _text(node: UiNode) -> str:
    return node.attributes.get("text", "")


def _described(node: UiNode) -> str:
    return node.attributes.get("content-desc", "")


@_kind("android")
def node_has_text(evidence: DeviceEvidence, id: str, text: str) -> tuple[bool, str]:
    """An element of this resource id contains a text."""
    found = [_text(node) for node in _with_id(evidence.nodes(), id)]
    return any(text in one for one in found), f"{id}: {found!r}"


@_kind("android")
def node_mentions(evidence: DeviceEvidence, id: str, text: str) -> tuple[bool, str]:
    """An element of this resource id contains a text, in upper or lower case."""
    found = [_text(node) for node in _with_id(evidence.nodes(), id)]
    return any(text.casefold() in one.casefold() for one in found), f"{id}: {found!r}"


@_kind("android")
def front_activity(evidence: DeviceEvidence, activity: str) -> tuple[bool, str]:
    """What is in front, written as PACKAGE/ACTIVITY, contains this."""
    front = evidence.foreground()
    found = f"{front.package}/{front.activity}"
    return activity in found, f"in front: {found!r}"


@_kind("android")
def node_is(evidence: DeviceEvidence, id: str, text: str) -> tuple[bool, str]:
    """An element of this resource id shows exactly a text."""
    found = [_text(node) for node in _with_id(evidence.nodes(), id)]
    return text in found, f"{id}: {found!r}"


@_kind("android")
def node_has_digits(evidence: DeviceEvidence, id: str, number: str) -> tuple[bool, str]:
    """An element of this resource id shows a number, whatever stands between its digits."""
    found = [re.sub(r"\D", "", _text(node)) for node in _with_id(evidence.nodes(), id)]
    wanted = re.sub(r"\D", "", number)
    return bool(wanted) and wanted in found[:1], f"{id}: {found!r}"


@_kind("android")
def node_described(evidence: DeviceEvidence, description: str) -> tuple[bool, str]:
    """An element has exactly this content description."""
    return any(_described(node) == description for node in evidence.nodes()), f"an element {description!r}"


@_kind("android")
def route_shown(evidence: DeviceEvidence, start: str, end: str) -> tuple[bool, str]:
    """Google Maps shows the directions from one place to another."""
    shown = {_described(node) for node in evidence.nodes()}
    return {f"Start location, {start}", f"Destination, {end}"} <= shown, f"from {start!r} to {end!r}"


@_kind("android")
def conversation_has(evidence: DeviceEvidence, title: str, text: str) -> tuple[bool, str]:
    """Google's Messages shows the conversation of this title, with a message that contains a text."""
    nodes = evidence.nodes()
    titles = [_text(node) for node in _with_id(nodes, "com.google.android.apps.messaging:id/conversation_title")]
    said = [_text(node) for node in _with_id(nodes, "com.google.android.apps.messaging:id/message_text")]
    return titles[:1] == [title] and any(text in one for one in said), f"{titles!r}: {said!r}"


@_kind("android")
def untitled_note_has(evidence: DeviceEvidence, text: str) -> tuple[bool, str]:
    """Keep shows a note without a title that contains a text."""
    nodes = evidence.nodes()
    titles = [_text(node) for node in _with_id(nodes, "com.google.android.keep:id/editable_title")]
    notes = [_text(node) for node in _with_id(nodes, "com.google.android.keep:id/edit_note_text")]
    return titles[:1] == ["Title"] and text in (notes or [""])[0], f"{titles!r}: {notes!r}"


@_kind("android")
def list_tells(evidence: DeviceEvidence, first: str, second: str) -> tuple[bool, str]:
    """The entries of the first long list on the screen tell both texts, in upper or lower case, in one entry or two;
    the second may be ""."""
    lists = [node for node in evidence.nodes() if node.attributes.get("class") in LISTS]
    told = [_described(node).lower() for node in lists[0].children] if lists else []
    return all(any(text.lower() in one for one in told) for text in (first, second)), f"entries: {told!r}"


@_kind("android")
def contact_registered(evidence: DeviceEvidence, mail: str, name: str) -> tuple[bool, str]:
    """Contacts shows a contact of this name and mail address; the released code asks whether what is shown is a part of
    what is wanted."""
    nodes = evidence.nodes()
    names = [_text(node) for node in _with_id(nodes, "com.android.contacts:id/large_title")]
    mails = [_text(node) for node in _with_id(nodes, "com.android.contacts:id/header")]
    return names[:1] == [name] and mail in mails, f"{names!r}: {mails!r}"


@_kind("android")
def contact_has_mail(evidence: DeviceEvidence, name: str) -> tuple[bool, str]:
    """Contacts shows a contact of this name with a mail address."""
    nodes = evidence.nodes()
    names = [_described(one) for one in _with_id(nodes, "com.android.contacts:id/photo_touch_intercept_overlay")]
    kinds = [_described(one) for one in nodes if one.attributes.get("class") == "android.widget.RelativeLayout"]
    shown = [_text(one) for one in _with_id(nodes, "com.android.contacts:id/header")]
    has = any("Email" in kind for kind in kinds) and any(re.match(r"[\w.+-]+@\w[\w.-]*\.\w+", one) for one in shown)
    return names[:1] == [name] and has, f"{names!r}: {shown!r}"


@_kind("android")
def mail_written(evidence: DeviceEvidence, mail: str, content: str) -> tuple[bool, str]:
    """Gmail shows a mail to an address with a text in it."""
    nodes = evidence.nodes()
    to = [_described(node) for node in _with_id(nodes, "com.google.android.gm:id/peoplekit_chip")]
    bodies = _with_id(nodes, "com.google.android.gm:id/body_wrapper")
    fields = [_text(node) for node in nodes if node.attributes.get("class") == "android.widget.EditText"]
    holds = any(mail in one for one in to) and bool(bodies) and any(content in one for one in fields)
    return holds, f"to {to!r}: {fields!r}"


@_kind("android")
def folder_listed(evidence: DeviceEvidence, name: str) -> tuple[bool, str]:
    """Google Drive lists a folder of this name."""
    listed = [
        (_text(node), _described(node))
        for node in _with_id(evidence.nodes(), "com.google.android.apps.docs:id/entry_label")
    ]
    return (name, f"{name} Folder") in listed, f"entries: {listed!r}"


@_kind("android")
def photo_dated(evidence: DeviceEvidence, name: str) -> tuple[bool, str]:
    """Photos tells the name of a picture and when it was taken; any label may tell the date, where the released code
    stops at the first."""
    nodes = evidence.nodes()
    parts = "exif_item_layout", "datetime_item_layout"
    there = all(_with_id(nodes, f"com.google.android.apps.photos:id/{part}") for part in parts)
    labels = [_text(node) for node in _with_id(nodes, "com.google.android.apps.photos:id/label")]
    date = re.compile(r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), [A-Z][a-z]{2} \d{1,2}, \d{4} • \d{1,2}:\d{2}\s[AP]M")
    dated = any(date.match(label) for label in labels)
    return there and dated and any(name in label for label in labels), f"labels: {labels!r}"


@_kind("android")
def place_found(evidence: DeviceEvidence, number: str, country: str) -> tuple[bool, str]:
    """The search box of Google Maps tells a postal code and a country."""
    boxes = _with_id(evidence.nodes(), "com.google.android.apps.maps:id/search_omnibox_text_box")
    told = [_text(node) for node in boxes[0].children] if boxes else []
    return any(number in one and country in one for one in told), f"search box: {told!r}"


# Handmade tasks


@_kind("", reads_controls=True)
def tapped_last(evidence: DeviceEvidence, text: str) -> tuple[bool, str]:
    """The agent's last action on the device was a tap on a control whose name contains this, in upper or lower case;
    in CRAB, on a numbered mark whose recognized text does."""
    done = evidence.executed()
    name = done[-1].control if done and isinstance(done[-1].action, Click) else ""
    return bool(text) and text.casefold() in name.casefold(), f"tapped last: {name!r}"


@_kind("ubuntu")
def front_title_has_all(evidence: DeviceEvidence, texts: str) -> tuple[bool, str]:
    """The title of the window in front contains each of these lines."""
    title = evidence.context().title
    return bool(texts) and all(text in title for text in texts.splitlines()), f"in front: {title!r}"


@_kind("ubuntu")
def new_picture(evidence: DeviceEvidence, folder: str) -> tuple[bool, str]:
    """A folder has a file .jpg that was written within the last three minutes."""
    where = shlex.quote(folder)
    said = evidence.shell(f"find {where} -maxdepth 1 -name '*.jpg' -mmin -3 2>/dev/null; true", "find")
    return bool(said.strip()), f"new in {folder}: {said.split()}"


@_kind("ubuntu")
def usage_asked(evidence: DeviceEvidence, text: str) -> tuple[bool, str]:
    """The agent has typed a text that contains this; how full the disk was then, in percent, is noted for the note."""
    said = evidence.shell("df / | tail -n 1 | awk '{print $5}'; true", "df", "awk").strip()
    if not said.removesuffix("%").isdigit():
        return False, f"df says {said!r}"
    holds, found = has_typed(evidence, text)
    if holds:
        NOTED.setdefault(evidence.case.world, {})["usage"] = int(said.removesuffix("%"))
    return holds, f"{found}; used: {said}"


@_kind("ubuntu")
def boxes_match_day(evidence: DeviceEvidence, path: str) -> tuple[bool, str]:
    """A Markdown file has as many empty boxes as Calendar had entries when it showed the day."""
    data = evidence.read_file(path)
    boxes = None if data is None else data.decode("utf-8", "replace").count("- [ ]")
    entries = NOTED.get(evidence.case.world, {}).get("entries")
    return boxes is not None and boxes == entries, f"{boxes} boxes, {entries} entries"


@_kind("android")
def day_shown(evidence: DeviceEvidence) -> tuple[bool, str]:
    """Calendar shows today, by the phone's clock; how many entries it has is noted for the file."""
    long, short = (evidence.shell(f"date '+%A {day} %B %Y'").strip() for day in ("%d", "%e"))
    wanted = {f"{' '.join(date.split())}, Open Schedule View" for date in (long, short)}
    holders = [node for node in evidence.nodes() if any(_described(one) in wanted for one in node.children)]
    if len(holders) != 1:
        return False, f"no day {long!r}"
    entries = len(holders[0].children) - 2
    if entries >= 0:
        NOTED.setdefault(evidence.case.world, {})["entries"] = entries
    return entries >= 0, f"{entries} entries on {long!r}"


@_kind("android")
def node_shown(evidence: DeviceEvidence, query: str) -> tuple[bool, str]:
    """An element has an attribute of a value, written `@resource-id="…"`."""
    found = re.fullmatch(r"@([\w-]+)=[\"']([^\"']*)[\"']", query.strip())
    if found is None:
        raise ConfigError(f'an element is asked for by one attribute, such as @text="Send", not by {query!r}')
    name, value = found.groups()
    return any(node.attributes.get(name) == value for node in evidence.nodes()), query


def _note_texts(evidence: DeviceEvidence) -> list[str]:
    """The texts of notes that Keep shows within one that is open, each note of one paragraph."""
    nodes = evidence.nodes()
    if len(_with_id(nodes, "com.google.android.keep:id/editor_bottom_bar")) != 1:
        return []
    notes = _with_id(nodes, "com.google.android.keep:id/browse_note_interior_content")
    return [_text(note.children[0]) for note in notes if len(note.children) == 1]


@_kind("android")
def open_note_is(evidence: DeviceEvidence, text: str) -> tuple[bool, str]:
    """The note that is open in Keep has exactly this text."""
    found = _note_texts(evidence)
    return found == [text], f"notes: {found!r}"


@_kind("android")
def note_tells_usage(evidence: DeviceEvidence) -> tuple[bool, str]:
    """A note that is open in Keep contains how full the disk was when the agent asked, in percent."""
    found, usage = _note_texts(evidence), NOTED.get(evidence.case.world, {}).get("usage")
    return usage is not None and any(str(usage) in one for one in found), f"used: {usage}; notes: {found!r}"
