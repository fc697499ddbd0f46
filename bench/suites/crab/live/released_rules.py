"""What CRAB's released code judges where it says something else than it means, by the name of the kind of judge.

`-o suite.rules=release` judges so. Only what differs from `judges.py` is here, by the same names and parameters. Where
the released code would raise an error, which ends its run, nothing is reached here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from omnipilot.bench.judges import DeviceEvidence, as_verdict, document_paragraphs, sheet_cells
from omnipilot.bench.suites.crab.live import judges
from omnipilot.bench.tasks.judges import Case, Verdict

OLD_LIST = "android.support.v7.widget.RecyclerView"
LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
ADDRESS = re.compile(
    rf"https?://(?:(?:{LABEL}\.)+[a-z]{{2,6}}\.?|localhost|\d{{1,3}}(?:\.\d{{1,3}}){{3}})(?::\d+)?(?:/?|[/?]\S+)"
    r"|data:image/(?:png|jpeg|gif|svg\+xml|bmp|webp);base64,[a-z0-9+/]+={0,2}",
    re.IGNORECASE,
)
PLACE = re.compile(r"https://maps\.app\.goo\.gl/[a-z0-9]+", re.IGNORECASE)
TAKEN = re.compile(r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), [A-Z][a-z]{2} \d{2}, \d{4} • \d{2}:\d{2}\s(?:AM|PM)")
Rule = Callable[..., tuple[bool, str]]


def _texts(evidence: DeviceEvidence, id: str) -> list[str]:
    return [one.attributes.get("text", "") for one in evidence.nodes() if one.attributes.get("resource-id") == id]


def _resumed(evidence: DeviceEvidence) -> str:
    return evidence.shell("dumpsys activity activities | grep mResumedActivity; true").strip()


def _check_front_package(evidence: DeviceEvidence, package: str) -> tuple[bool, str]:
    """Only phones that print `mResumedActivity` tell what is in front, and its whole line may contain the name."""
    found = _resumed(evidence)
    return package in found, f"in front: {found!r}"


def _front_activity(evidence: DeviceEvidence, activity: str) -> tuple[bool, str]:
    """The same of a whole activity."""
    return _check_front_package(evidence, activity)


def _contact_registered(evidence: DeviceEvidence, mail: str, name: str) -> tuple[bool, str]:
    """What is shown is a part of what is wanted: the other way round."""
    names = _texts(evidence, "com.android.contacts:id/large_title")
    mails = _texts(evidence, "com.android.contacts:id/header")
    return bool(names and mails) and names[0] in name and mails[0] in mail, f"{names!r}: {mails!r}"


def _contact_has_mail(evidence: DeviceEvidence, name: str) -> tuple[bool, str]:
    """The first line of the contact is a mail address with word characters alone, of a domain such as `x.com`."""
    holds, found = judges.contact_has_mail(evidence, name)
    shown = _texts(evidence, "com.android.contacts:id/header")
    return holds and bool(re.match(r"\w+@\w+.com", shown[0])), found


def _list_tells(evidence: DeviceEvidence, first: str, second: str) -> tuple[bool, str]:
    """Only lists from before AndroidX count; a date without an event is compared as it is written."""
    lists = [one for one in evidence.nodes() if one.attributes.get("class") == OLD_LIST]
    told = [one.attributes.get("content-desc", "") for one in lists[0].children] if lists else []
    if not second:
        return any(first in one for one in told), f"entries: {told!r}"
    return all(any(text.lower() in one.lower() for one in told) for text in (first, second)), f"entries: {told!r}"


def _node_has_text(evidence: DeviceEvidence, id: str, text: str) -> tuple[bool, str]:
    """Of Bluetooth's settings, the first summary on the screen alone."""
    found = _texts(evidence, id)
    if id == "android:id/summary":
        found = found[:1]
    return any(text in one for one in found), f"{id}: {found!r}"


def _photo_dated(evidence: DeviceEvidence, name: str) -> tuple[bool, str]:
    """The first label tells the date, with two digits for the day and for the hour."""
    holds, found = judges.photo_dated(evidence, name)
    labels = _texts(evidence, "com.google.android.apps.photos:id/label")
    return holds and bool(TAKEN.match(labels[0])), found


def _place_found(evidence: DeviceEvidence, number: str, country: str) -> tuple[bool, str]:
    """The last text of the search box alone."""
    id = "com.google.android.apps.maps:id/search_omnibox_text_box"
    boxes = [one for one in evidence.nodes() if one.attributes.get("resource-id") == id]
    told = [one.attributes.get("text", "") for one in boxes[0].children][-1:] if boxes else []
    return any(number in one and country in one for one in told), f"search box: {told!r}"


def _clipboard_is(evidence: DeviceEvidence, pattern: re.Pattern[str]) -> tuple[bool, str]:
    """Addresses of the forms that the released code knows, with nothing around them."""
    found = evidence.clipboard()
    return pattern.fullmatch(found.removesuffix("\n")) is not None, f"clipboard: {found!r}"


def _clipboard_has_repository(evidence: DeviceEvidence, keyword: str) -> tuple[bool, str]:
    """The address has the keyword in lower case."""
    holds, found = judges.clipboard_has_repository(evidence, keyword)
    return holds and keyword.lower() in evidence.clipboard(), found


def _begins_as(text: str, wanted: str) -> bool:
    return all(line in found for line, found in zip(wanted.split("\n"), text.split("\n"), strict=False))


def _file_has_clipboard(evidence: DeviceEvidence, path: str) -> tuple[bool, str]:
    """An empty clipboard is in any file."""
    data = evidence.read_file(path)
    text = "" if data is None else data.decode("utf-8", "replace")
    return data is not None and _begins_as(text, evidence.clipboard()), f"{path}: {text!r}"


def _document_has_clipboard(evidence: DeviceEvidence, path: str) -> tuple[bool, str]:
    """An empty clipboard is in any document."""
    found = document_paragraphs(evidence.read_file(path) or b"")
    text = "" if found is None else "\n".join(found)
    return found is not None and _begins_as(text, evidence.clipboard()), f"{path}: {text!r}"


def _sheet_has_country(evidence: DeviceEvidence, country: str, path: str, encyclopedia: str) -> tuple[bool, str]:
    """A sheet without the country passes."""
    rows = sheet_cells(evidence.read_file(path) or b"")
    if rows and all(row[0].strip().lower() != country.lower() for row in rows):
        return True, f"{path} has no row of {country}"
    return judges.sheet_has_country(evidence, country, path, encyclopedia)


def _files_copied(evidence: DeviceEvidence, source: str, target: str, extension: str) -> tuple[bool, str]:
    """Two folders without such a file are alike, too."""
    here, there = evidence.names_in(source, extension), evidence.names_in(target, extension)
    both = all(evidence.is_folder(one) for one in (source, target))
    return both and here == there, f"{source}: {sorted(here)}; {target}: {sorted(there)}"


RULES: Mapping[str, Rule] = {
    "front_activity": _front_activity,
    "check_front_package": _check_front_package,
    "contact_registered": _contact_registered,
    "contact_has_mail": _contact_has_mail,
    "list_tells": _list_tells,
    "node_has_text": _node_has_text,
    "photo_dated": _photo_dated,
    "place_found": _place_found,
    "clipboard_has_image_address": partial(_clipboard_is, pattern=ADDRESS),
    "clipboard_has_shared_place": partial(_clipboard_is, pattern=PLACE),
    "clipboard_has_repository": _clipboard_has_repository,
    "file_has_clipboard": _file_has_clipboard,
    "document_has_clipboard": _document_has_clipboard,
    "sheet_has_country": _sheet_has_country,
    "files_copied": _files_copied,
}
"""The rules of the release, by the names of the kinds of judges that they stand for."""


def make_released(name: str, device: str, given: Mapping[str, Any]) -> judges.Ask:
    """A judge by the name of its kind, as the release judges; see `judges.make_ask`.

    Raises:
        ConfigError: there is no such kind, or a parameter is missing or unknown.
    """
    ask, rule = judges.make_ask(name, device, given), RULES.get(name)
    if rule is None:
        return ask

    def ask_released(case: Case, rule: Rule) -> Verdict:
        return as_verdict(rule(DeviceEvidence(case, device), **given))

    return partial(ask_released, rule=rule)
