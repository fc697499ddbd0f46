"""The site: it builds without a warning, its links lead somewhere, and llms.txt lists its pages."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
import yaml
from page_commands import commands
from shared_folders import ROOT, made_once
from site_hooks import (
    CHECKOUT_NOTE,
    COMMANDS,
    OUTPUTS,
    WIDTHS,
    first_sentence,
    linked_files,
    llms_text,
    narrow,
    note_checkout,
    page_of,
    reference_pages,
    relink,
    wrap_command,
    wrap_sentence,
)
from system_needs import SITE

ROW = re.compile(r'<tr class="doc-section-item">\s*<td>(.*?)</td>', re.DOTALL)
DOCS = {path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md")}


def nav_paths() -> set[str]:
    """The pages that mkdocs.yml names."""
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    return set(re.findall(r"[:-] ([\w/-]+\.md)$", text.partition("\nnav:")[2], re.MULTILINE))


def test_every_page_is_in_the_navigation() -> None:
    written = {path.removeprefix("docs/") for path in DOCS if not path.startswith("docs/decisions/")}
    assert nav_paths() == written | {"index.md", "source/bench/doors/SKILL.md"}


def test_links_lead_on_the_site_to_where_they_lead_in_the_repository() -> None:
    text = "[a](docs/duet.md#x) [b](CONTRIBUTING.md) [c](https://x.org) [d](#here)\n```text\n[e](SECURITY.md)\n```\n"
    assert relink(text, "README.md") == (
        "[a](duet.md#x) [b](source/CONTRIBUTING.md) [c](https://x.org) [d](#here)\n```text\n[e](SECURITY.md)\n```\n"
    )
    assert relink("[a](../SECURITY.md)", "docs/duet.md") == "[a](source/SECURITY.md)"
    assert relink("[a](../../tests/plugin/omnipilot_errands.py)", "docs/devices/worlds.md") == (
        "[a](../source/tests/plugin/omnipilot_errands.py.md)"
    )
    assert page_of("README.md") == "index.md"
    assert "SECURITY.md" in linked_files({"docs/duet.md": "[a](../SECURITY.md) [b](memory.md)"})
    assert "docs/memory.md" not in linked_files({"docs/duet.md": "[b](memory.md)"})


def test_long_commands_go_on_in_the_next_line_and_say_the_same() -> None:
    line = "omnipilot run --suite page --url http://127.0.0.1/form.html --task 'Order tea, now' --jobs 0  # in here"
    assert wrap_command(line, WIDTHS["sh"]).splitlines() == [
        "# in here",
        "omnipilot run --suite page --url http://127.0.0.1/form.html \\",
        "  --task 'Order tea, now' --jobs 0",
    ]
    assert wrap_command(f"  --out runs/{'a' * 90} \\", 76) == f"  --out runs/{'a' * 90} \\"
    assert wrap_command("# " + "a comment " * 9, 76).splitlines() == [
        "# " + "a comment " * 7 + "a",
        "# comment a comment",
    ]
    for path in ("README.md", *sorted(DOCS)):
        text = (ROOT / path).read_text(encoding="utf-8")
        assert [one.split() for one in commands(narrow(text))] == [one.split() for one in commands(text)], path


def test_sentences_that_commands_print_are_wrapped_and_tables_are_not() -> None:
    (width,) = {WIDTHS[kind] for kind in OUTPUTS}
    sentence, row = "rules solves more tasks " * 5, f"SR %  {'1' * width}"
    wrapped = wrap_sentence(sentence, width)
    assert max(map(len, wrapped.splitlines())) <= width and wrapped.split() == sentence.split()
    assert wrap_sentence(row, width) == row
    block = f"```{OUTPUTS[0]}\n{sentence}\n\n{row}\n```\n"
    assert narrow(block) == f"```{OUTPUTS[0]}\n{wrapped}\n\n{row}\n```\n"
    assert narrow(f"```python\n{sentence}\n```\n{sentence}") == f"```python\n{sentence}\n```\n{sentence}"


@pytest.mark.parametrize("path", sorted(DOCS))
def test_a_page_with_commands_that_want_a_checkout_says_so(path: str) -> None:
    """Whoever has the wheel has no Makefile and no folder tests."""
    text = (ROOT / path).read_text(encoding="utf-8")
    targets = "|".join(re.findall(r"^([a-z][a-z-]*):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    wants = re.search(rf"(?:^|`)(?:make (?:{targets})\b|python (?:tests|docs|bench)/)", text, re.MULTILINE)
    noted = note_checkout(text)
    assert (CHECKOUT_NOTE in noted) >= (wants is not None) and noted.replace(f"\n{CHECKOUT_NOTE}\n", "") == text


def test_the_note_stands_above_the_command_and_not_in_a_block() -> None:
    below = note_checkout("# A\n\nLead:\n\n```sh\n## x\n```\n\n## B\n\nRun `make test`.\n")
    assert below == f"# A\n\nLead:\n\n```sh\n## x\n```\n\n\n{CHECKOUT_NOTE}\n## B\n\nRun `make test`.\n"
    assert note_checkout("# A\n\n`make test` runs.\n\n## B\n").startswith(f"# A\n\n{CHECKOUT_NOTE}\n")
    for plain in ("# A\n\n`omnipilot run`\n", "# A\n\nThey make tests.\n", "# A\n\n```sh\npython mine.py\n```\n"):
        assert note_checkout(plain) == plain


def test_the_first_page_is_read_without_scrolling_to_the_side() -> None:
    """Beside both columns of a window of 1280 pixels; seen in Chromium: 96 characters of an output, 80 of a program."""
    readme = narrow((ROOT / "README.md").read_text(encoding="utf-8"))
    for kind, most in (("text", 94), ("python", 80), *((kind, WIDTHS[kind]) for kind in COMMANDS)):
        for block in re.findall(rf"```{kind}\n(.*?)```", readme, re.DOTALL):
            lines = [line for line in block.splitlines() if len(line) > most]
            assert lines == [], kind


def test_the_reference_has_a_page_for_each_room_with_every_public_name() -> None:
    pages = reference_pages()
    assert {f"api/{room}.md" for room in ("envs", "memory", "planners", "grounders", "agents", "bench")} <= set(pages)
    for line in (ROOT / "tests/public_names.txt").read_text(encoding="utf-8").splitlines():
        package, _, names = line.partition(": ")
        every = "\n".join(pages.values())
        assert all(f"::: {package}.{name}\n" in every or f"`{name}`" in every for name in names.split())


def test_the_list_for_language_models_has_a_sentence_for_each_page() -> None:
    pages = [
        ("omnipilot", "", "# omnipilot\n\nIt pilots. More."),
        ("Duet", "duet/", "# Duet\n\nA [suite](x.md) of tasks. B."),
    ]
    assert llms_text(pages, "https://x.org/") == (
        "# omnipilot\n\n> It pilots.\n\n## Pages\n\n- [Duet](https://x.org/duet/): A suite of tasks.\n"
    )
    for path in sorted(DOCS):
        text = (ROOT / path).read_text(encoding="utf-8")
        assert len(first_sentence(text)) > 10, f"{path} begins with no sentence"


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    def build(folder: Path) -> None:
        command = [SITE / "mkdocs", "build", "--strict", "--site-dir", folder / "site"]
        environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0 and "WARNING" not in done.stderr, done.stderr[-3000:]

    return made_once(tmp_path_factory, "site", build) / "site"


@pytest.mark.slow
@pytest.mark.needs("mkdocs")
@pytest.mark.timeout(600)
def test_it_builds_without_a_warning_and_is_searched(site: Path) -> None:
    for page in ("tutorial", "api/envs", "source/CONTRIBUTING", "decisions/0001-an-embedded-world-of-our-own"):
        assert (site / page / "index.html").is_file(), page
    assert "AudioClip" in (site / "api/envs/index.html").read_text(encoding="utf-8")
    assert "abstain" in (site / "search/search_index.json").read_text(encoding="utf-8")
    listed = re.findall(r"\]\(([^)]*)\): (.*)", (site / "llms.txt").read_text(encoding="utf-8"))
    assert len(listed) > 40 and all((site / url / "index.html").is_file() and said for url, said in listed)


@pytest.mark.slow
@pytest.mark.needs("mkdocs")
@pytest.mark.timeout(600)
def test_no_name_in_the_reference_is_mangled(site: Path) -> None:
    for page in sorted((site / "api").glob("*/index.html")):
        rows = [re.sub(r"<[^>]+>", "", row).strip() for row in ROW.findall(page.read_text(encoding="utf-8"))]
        assert len(rows) > 100
        assert [row for row in rows if row.endswith(",") or re.match(r"\(\w+, ", row)] == [], page


def test_the_version_switch_is_prepared() -> None:
    class Loader(yaml.SafeLoader):
        pass

    Loader.add_multi_constructor("tag:yaml.org,2002:python/", lambda loader, suffix, node: suffix)
    config = yaml.load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"), Loader)
    assert config["extra"]["version"]["provider"] == "mike"
