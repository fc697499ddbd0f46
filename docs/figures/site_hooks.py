"""What the site (mkdocs.yml) has beside the pages in docs/.

- The README as its first page, and the files outside docs/ that pages link to as pages of their own, so that every link
  leads somewhere on the site itself.
- A page for each package that offers names, whose docstrings mkdocstrings reads; the names are those of
  tests/public_names.txt.
- Blocks as wide as the text: commands go on after a `\\`, and sentences that a command prints are wrapped.
- A note on pages with commands for which the wheel has not what they want.
- `llms.txt`: the pages with a sentence each, for language models.
"""

from __future__ import annotations

import os.path
import re
import textwrap
from pathlib import Path, PurePosixPath
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
HOME, SOURCES, REFERENCE = "index.md", "source", "api"
FENCE = re.compile(r"(^```.*?^```[ ]*$)", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(\]\()([^)#\s]+)((?:#[^)\s]*)?\))")
COMMANDS, OUTPUTS = ("sh", "shell", "console"), ("text",)
WIDTHS = dict.fromkeys(COMMANDS, 76) | dict.fromkeys(OUTPUTS, 88)
"""Characters of a line of a block that are seen without scrolling, beside both columns of a window of 1280 pixels and
left of the button that copies; outputs are in smaller type (site.css)."""
_WORD = r"""(?:'[^']*'|"[^"]*"|[^\s'"])+"""
_GROUP = rf"--?[a-z][\w-]*(?: (?!-){_WORD})?(?!\S)|{_WORD}"
"""A word of a command line, an option with its value."""
_REPOSITORY = r"(?:make [a-z]|(?:[\w./~-]*/)?(?:python3?|pytest) (?:tests|docs|bench)/|pip install -e |docker build )"
IN_CHECKOUT = re.compile(rf"`{_REPOSITORY}|^```[^`]*?(?:\n|[;&|] |\$ )(?:\w+=\S+ )*{_REPOSITORY}", re.MULTILINE)
"""Commands, in a sentence or a block, that files of the repository are needed for."""
CHECKOUT_NOTE = """!!! note "Not with the wheel alone"

    Commands with `make`, with a file of `tests/`, `docs/` or `bench/`, and those that install `-e` want a checkout of
    the repository (`git clone …`), not the wheel. All others do with either.
"""
ROOMS = ("envs", "memory", "planners", "grounders", "agents", "bench")


def page_of(path: str) -> str:
    """Where on the site a file of the repository is, both by their paths from the root: "docs/a.md" is "a.md"."""
    if path == "README.md":
        return HOME
    if path.startswith("docs/"):
        return path.removeprefix("docs/")
    return f"{SOURCES}/{path}" if path.endswith(".md") else f"{SOURCES}/{path}.md"


def resolve_link(link: str, path: str) -> str | None:
    """The file of the repository that a link in a file of it leads to; None for links to elsewhere and to folders."""
    if re.match(r"[a-z]+:", link):
        return None
    found = os.path.normpath(PurePosixPath(path).parent / link)
    return found if (ROOT / found).is_file() else None


def relink(text: str, path: str) -> str:
    """A page's text, with links that lead on the site to where they lead in the repository."""
    here = PurePosixPath(page_of(path)).parent

    def change(found: re.Match[str]) -> str:
        target = resolve_link(found[2], path)
        if target is None:
            return found[0]
        return f"{found[1]}{os.path.relpath(page_of(target), here)}{found[3]}"

    parts = FENCE.split(text)
    return "".join(part if part.startswith("```") else LINK.sub(change, part) for part in parts)


def narrow(text: str) -> str:
    """A page's text, with what its blocks hold of commands and sentences no wider than `WIDTHS`."""

    def change(block: str) -> str:
        kind = block.partition("\n")[0].removeprefix("```").strip()
        width = WIDTHS.get(kind, len(block))
        wrap = wrap_command if kind in COMMANDS else wrap_sentence
        return "\n".join(wrap(line, width) if len(line) > width else line for line in block.split("\n"))

    return "".join(change(part) if part.startswith("```") else part for part in FENCE.split(text))


def note_checkout(text: str) -> str:
    """A page's text, with a note where a command of it wants a checkout: at the end of what stands above the first
    section, or below the title if the command stands there already."""
    wanted = IN_CHECKOUT.search(text)
    if wanted is None:
        return text
    section = re.search(r"^## ", FENCE.sub(lambda block: " " * len(block[0]), text), re.MULTILINE)
    title = re.search(r"^# .*\n", text, re.MULTILINE)
    at = title.end() if title is not None else 0
    if section is not None and section.start() < wanted.start():
        at = section.start()
    return f"{text[:at]}\n{CHECKOUT_NOTE}\n{text[at:]}"


def wrap_command(line: str, width: int) -> str:
    """A command over several lines, each but the last with a `\\` at its end; a comment behind it stands above it.

    An option stays with its value, and what is in quotes stays together.
    """
    command, _, comment = line.partition(" # ")
    end = " \\" if command.endswith("\\") else ""
    above = [_fill(f"# {comment}", width, "# ")] if comment else []
    if command.startswith("#"):
        return _fill(line, width, "# ")
    lines, now = [], line[: len(line) - len(line.lstrip())]
    for group in re.findall(_GROUP, command.removesuffix("\\")):
        if now.strip() and len(now) + len(group) + 3 > width:
            lines.append(f"{now} \\")
            now = f"  {group}"
        else:
            now = f"{now} {group}" if now.strip() else now + group
    return "\n".join([*above, *lines, now + end])


def wrap_sentence(line: str, width: int) -> str:
    """A line of words over several; a line with columns as it is: a table is not wrapped."""
    if re.search(r"\S {2,}\S|[─│]", line):
        return line
    return _fill(line, width, line[: len(line) - len(line.lstrip())])


def _fill(line: str, width: int, indent: str) -> str:
    return textwrap.fill(line, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def linked_files(texts: dict[str, str]) -> list[str]:
    """The files outside docs/ that these files of the repository lead to, and those again, in order."""
    found: dict[str, None] = {}
    todo = dict(texts)
    while todo:
        path, text = todo.popitem()
        for _, link, _ in LINK.findall(FENCE.sub("", text)):
            target = resolve_link(link, path)
            if target is not None and not target.startswith("docs/") and target not in found:
                found[target] = None
                if target.endswith(".md"):
                    todo[target] = (ROOT / target).read_text(encoding="utf-8")
    return sorted(found)


def source_page(path: str) -> str:
    """A file outside docs/ as a page: Markdown as it is, anything else as a listing."""
    text = (ROOT / path).read_text(encoding="utf-8")
    if path.endswith(".md"):
        return relink(text, path)
    kind = PurePosixPath(path).suffix.removeprefix(".") or "text"
    return f"# `{path}`\n\n````{kind}\n{text}````\n"


def reference_pages() -> dict[str, str]:
    """For each room the page with what its packages offer, by the page's path."""
    pages: dict[str, list[str]] = {}
    for line in (ROOT / "tests/public_names.txt").read_text(encoding="utf-8").splitlines():
        package, _, names = line.partition(": ")
        room = package.split(".")[1] if "." in package else "omnipilot"
        told = pages.setdefault(f"{REFERENCE}/{room}.md", [f"# {package}\n"])
        told.append(f"## {package}\n" if len(told) > 1 else "")
        constants = [name for name in names.split() if name.isupper()]
        told += [f"Constants: {', '.join(f'`{name}`' for name in constants)}.\n"] if constants else []
        told += [
            f"::: {package}.{name}\n    options:\n      heading_level: 3\n"
            for name in names.split()
            if name not in constants
        ]
    return {path: "\n".join(told) for path, told in pages.items()}


def first_sentence(text: str) -> str:
    """What a page says first below its heading."""
    body = re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.DOTALL)
    plain = [one for one in re.split(r"\n\s*\n", FENCE.sub("", body)) if re.match(r"[\w*`\[]", one.strip())]
    words = " ".join(re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", plain[0]).split()) if plain else ""
    return re.split(r"(?<=[.?])\s", words)[0].rstrip(":")


def llms_text(pages: list[tuple[str, str, str]], base: str) -> str:
    """The file llms.txt.

    Args:
        pages: title, address below `base` and text of each, in the order of the navigation.
    """
    head, *others = pages
    lines = ["# omnipilot", "", f"> {first_sentence(head[2])}", "", "## Pages", ""]
    lines += [f"- [{title}]({base}{url}): {first_sentence(text)}" for title, url, text in others]
    return "\n".join(lines) + "\n"


def on_config(config: Any) -> Any:
    """Put the files of a folder where the navigation names it."""

    def entries(node: Any) -> Any:
        if isinstance(node, list):
            return [entries(one) for one in node]
        if isinstance(node, dict):
            return {title: entries(one) for title, one in node.items()}
        if node == REFERENCE:
            return sorted(reference_pages())
        if (ROOT / "docs" / node).is_dir():
            return [f"{node}/{path.name}" for path in sorted((ROOT / "docs" / node).glob("*.md"), reverse=False)]
        return node

    config.nav = entries(config.nav)
    return config


def on_files(files: Any, config: Any) -> Any:
    """Add the pages that are made."""
    from mkdocs.structure.files import File, InclusionLevel

    docs = {
        f"docs/{one.src_uri}": one.content_string
        for one in files.documentation_pages()
        if not one.src_uri.startswith("figures/")
    }
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    files.append(File.generated(config, HOME, content=relink(readme, "README.md")))
    for path, text in reference_pages().items():
        files.append(File.generated(config, path, content=text))
    for path in linked_files({**docs, "README.md": readme}):
        if path != "README.md":
            made = File.generated(config, page_of(path), content=source_page(path))
            made.inclusion = InclusionLevel.NOT_IN_NAV
            files.append(made)
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Turn the links of a page in docs/ to where they lead on the site, say what wants a checkout, and make the
    blocks of any page narrow."""
    if page.file.generated_by is not None:
        return narrow(markdown)
    return narrow(note_checkout(relink(markdown, f"docs/{page.file.src_uri}")))


def on_post_build(config: Any) -> None:
    """Write llms.txt and the text of each page beside it."""
    Path(config.site_dir, "llms.txt").write_text(llms_text(_PAGES, config.site_url or ""), encoding="utf-8")


def on_nav(nav: Any, **_: Any) -> Any:
    """Remember the pages of the navigation, which llms.txt lists."""
    _PAGES.clear()
    for page in nav.pages:
        if not page.file.src_uri.startswith(f"{REFERENCE}/"):
            text = page.file.content_string
            title = next(iter(re.findall(r"^# (.+)$", text, re.MULTILINE)), page.file.name)
            _PAGES.append((title.replace("`", ""), page.url, text))
    return nav


_PAGES: list[tuple[str, str, str]] = []
"""Title, address and text of each page of the navigation."""
