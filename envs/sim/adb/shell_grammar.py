"""The grammar of the phone's shell: from a line to commands joined by pipes and conditions.

The part of mksh's grammar that adb's clients use: quoting, `;`, `&`, `&&`, `||`, pipes, redirections, variables,
`$(…)`, `if … then … else … fi`, and, for scripts that wait until the phone has started, `while`, `until`, `for`,
`case`, `[[ … ]]` and the counters of their loops, `$((i+1))`. The lines that they send are in
`tests/fixtures/adb_client_commands.py`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

MOST_DEPTH = 20
"""Levels of nesting."""


class ShellSyntaxError(Exception):
    """A line that is no command."""


@dataclass(frozen=True, slots=True)
class WordPart:
    """A part of a word: its own text, a variable's name, a sum such as `i + 1`, or a substituted command."""

    kind: Literal["text", "variable", "sum", "command"]
    text: str
    quoted: bool
    script: Script | None = None


Word: TypeAlias = tuple[WordPart, ...]


@dataclass(frozen=True, slots=True)
class Redirection:
    """`fd` (0, 1 or 2) goes to a file (`<`, `>`, `>>`) or where another one goes (`>&`)."""

    fd: int
    operator: Literal["<", ">", ">>", ">&"]
    target: Word


@dataclass(frozen=True, slots=True)
class Simple:
    """A command with its arguments, after assignments."""

    assignments: tuple[tuple[str, Word], ...]
    words: tuple[Word, ...]
    redirections: tuple[Redirection, ...] = ()


@dataclass(frozen=True, slots=True)
class If:
    """`if CONDITION; then BODY; else OTHERWISE; fi`."""

    condition: Script
    body: Script
    otherwise: Script | None = None
    redirections: tuple[Redirection, ...] = ()


@dataclass(frozen=True, slots=True)
class While:
    """`while CONDITION; do BODY; done`, or `until …` with `until`."""

    condition: Script
    body: Script
    until: bool = False
    redirections: tuple[Redirection, ...] = ()


@dataclass(frozen=True, slots=True)
class For:
    """`for NAME in WORDS; do BODY; done`."""

    name: str
    words: tuple[Word, ...]
    body: Script
    redirections: tuple[Redirection, ...] = ()


@dataclass(frozen=True, slots=True)
class CaseCommand:
    """`case WORD in PATTERN|PATTERN) BODY;; … esac`."""

    word: Word
    branches: tuple[tuple[tuple[Word, ...], Script], ...]
    redirections: tuple[Redirection, ...] = ()


Command: TypeAlias = Simple | If | While | For | CaseCommand


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Commands, each reading what the one before writes."""

    commands: tuple[Command, ...]


@dataclass(frozen=True, slots=True)
class AndOrList:
    """Pipelines joined by `&&` and `||`; the first joint is "". `background` if `&` follows."""

    pipelines: tuple[tuple[Literal["", "&&", "||"], Pipeline], ...]
    background: bool = False


@dataclass(frozen=True, slots=True)
class Script:
    """Steps, one after the other."""

    steps: tuple[AndOrList, ...]


Token: TypeAlias = tuple[str, Word | str]
"""("word", parts), ("operator", text), or ("number", digits) before a redirection."""
_OPERATORS = ("&&", "||", ">>", "<<", ">&", "<&", "&>", ";;", ";", "&", "|", "(", ")", "<", ">", "\n")
_SUM = re.compile(
    r"\$\(\(\s{0,20}\$?([A-Za-z_]\w{0,80}|\d{1,9})\s{0,20}(?:([+-])\s{0,20}\$?([A-Za-z_]\w{0,80}|\d{1,9})\s{0,20})?\)\)",
    re.ASCII,
)
"""A variable or a number, and one that is added or taken away: how scripts count the turns of a loop."""
_MISPLACED = ("then", "else", "fi", "do", "done", "esac")
_REFUSED = ("function", "elif", "select", "{", "}", "!")


def parse(line: str, depth: int = 0) -> Script:
    """Parse a line or a script.

    Raises:
        ShellSyntaxError: it is incomplete, nested too deeply, or uses what this shell does not have.
    """
    if depth > MOST_DEPTH:
        raise ShellSyntaxError("nested too deeply")
    parser = _Parser(_tokens(line, depth), depth)
    script = parser.script(())
    if parser.now is not None:
        raise ShellSyntaxError(f"unexpected {parser.shown()}")
    return script


def is_name(text: str) -> bool:
    """Whether it may be the name of a variable."""
    return bool(text) and text.isascii() and text.replace("_", "a").isalnum() and not text[0].isdigit()


def is_literal(word: Word, text: str) -> bool:
    """Whether a word was written as this text, without quotes."""
    return len(word) == 1 and word[0].kind == "text" and not word[0].quoted and word[0].text == text


def _tokens(line: str, depth: int) -> list[Token]:
    found: list[Token] = []
    at = 0
    while at < len(line):
        char = line[at]
        if char in " \t\r":
            at += 1
        elif line.startswith("\\\n", at):
            at += 2
        elif char == "#":
            end = line.find("\n", at)
            at = len(line) if end < 0 else end
        elif (operator := next((o for o in _OPERATORS if line.startswith(o, at)), "")) and operator:
            found.append(("operator", operator))
            at += len(operator)
        else:
            start = at
            word, at = _word(line, at, depth)
            text = line[start:at]
            if text.isdigit() and at < len(line) and line[at] in "<>":
                found.append(("number", text))
            else:
                found.append(("word", word))
    return found


def _word(line: str, at: int, depth: int) -> tuple[Word, int]:
    parts: list[WordPart] = []
    text: list[str] = []

    def flush() -> None:
        if text:
            parts.append(WordPart("text", "".join(text), False))
            text.clear()

    while at < len(line) and line[at] not in " \t\r\n;&|()<>":
        char = line[at]
        if char == "\\":
            flush()
            if at + 1 < len(line) and line[at + 1] != "\n":
                parts.append(WordPart("text", line[at + 1], True))
            at += 2
        elif char == "'":
            flush()
            end = line.find("'", at + 1)
            if end < 0:
                raise ShellSyntaxError("no closing quote")
            parts.append(WordPart("text", line[at + 1 : end], True))
            at = end + 1
        elif char == '"':
            flush()
            inside, at = _quoted(line, at + 1, depth)
            parts += inside or [WordPart("text", "", True)]
        elif char in "$`":
            part, end = _dollar(line, at, False, depth)
            if part is None:
                text.append(char)
                at += 1
            else:
                flush()
                parts.append(part)
                at = end
        else:
            text.append(char)
            at += 1
    flush()
    return tuple(parts), at


def _quoted(line: str, at: int, depth: int) -> tuple[list[WordPart], int]:
    parts: list[WordPart] = []
    text: list[str] = []
    while at < len(line):
        char = line[at]
        if char == '"':
            if text:
                parts.append(WordPart("text", "".join(text), True))
            return parts, at + 1
        if char == "\\" and at + 1 < len(line):
            if line[at + 1] not in '$`"\\\n':
                text.append("\\")
            text.append("" if line[at + 1] == "\n" else line[at + 1])
            at += 2
            continue
        part, end = _dollar(line, at, True, depth) if char in "$`" else (None, at)
        if part is None:
            text.append(char)
            at += 1
            continue
        if text:
            parts.append(WordPart("text", "".join(text), True))
            text.clear()
        parts.append(part)
        at = end
    raise ShellSyntaxError("no closing quote")


def _dollar(line: str, at: int, quoted: bool, depth: int) -> tuple[WordPart | None, int]:
    """A variable or a command at `$`; None if it stands for itself."""
    if line[at] == "`":
        raise ShellSyntaxError("this shell has no backticks; write $(…), or quote them with '…'")
    rest = line[at + 1 : at + 2]
    if line.startswith("$((", at):
        counted = _SUM.match(line, at)
        if counted is None:
            raise ShellSyntaxError("this shell only counts, as in $((i+1)); send the value that $((…)) would have")
        return WordPart("sum", " ".join(filter(None, counted.groups())), quoted), counted.end()
    if rest == "(":
        end = _closing(line, at + 2)
        return WordPart("command", "", quoted, parse(line[at + 2 : end], depth + 1)), end + 1
    if rest == "{":
        end = line.find("}", at)
        if end < 0:
            raise ShellSyntaxError("bad substitution")
        name = line[at + 2 : end]
        if not is_name(name) and name not in ("?", "!", "#", "@", "$") and not (name.isascii() and name.isdigit()):
            raise ShellSyntaxError(f"bad substitution: ${{{name}}}")
        return WordPart("variable", name, quoted), end + 1
    if rest and (rest in "?!#@$" or (rest.isascii() and rest.isdigit())):
        return WordPart("variable", rest, quoted), at + 2
    end = at + 1
    while end < len(line) and line[end].isascii() and (line[end].isalnum() or line[end] == "_"):
        end += 1
    return (WordPart("variable", line[at + 1 : end], quoted), end) if end > at + 1 else (None, at)


def _closing(line: str, at: int) -> int:
    """Where the parenthesis that was opened before `at` is closed."""
    level, quote = 1, ""
    while at < len(line):
        char = line[at]
        if char == "\\" and quote != "'":
            at += 1
        elif quote:
            quote = "" if char == quote else quote
        elif char in "'\"":
            quote = char
        elif char in "()":
            level += 1 if char == "(" else -1
            if not level:
                return at
        at += 1
    raise ShellSyntaxError("no closing parenthesis")


class _Parser:
    def __init__(self, tokens: list[Token], depth: int) -> None:
        self._tokens, self._at, self._depth = tokens, 0, depth

    @property
    def now(self) -> Token | None:
        return self._tokens[self._at] if self._at < len(self._tokens) else None

    def shown(self) -> str:
        now = self.now
        if now is None:
            return "the end"
        return repr(now[1]) if isinstance(now[1], str) else repr("".join(part.text for part in now[1]))

    def operator(self, *texts: str) -> str:
        """Take one of these operators, if it comes next."""
        now = self.now
        if now is not None and now[0] == "operator" and now[1] in texts:
            self._at += 1
            return str(now[1])
        return ""

    def reserved(self) -> str:
        """The reserved word that comes next, or ""."""
        now = self.now
        if now is None or now[0] != "word" or len(now[1]) != 1:
            return ""
        part = now[1][0]
        return part.text if isinstance(part, WordPart) and part.kind == "text" and not part.quoted else ""

    def expect(self, *words: str) -> str:
        word = self.reserved()
        if word not in words:
            raise ShellSyntaxError(f"unexpected {self.shown()}")
        self._at += 1
        return word

    def script(self, ends: tuple[str, ...]) -> Script:
        steps: list[AndOrList] = []
        while True:
            while self.operator(";", "\n"):
                pass
            now = self.now
            if now is None or self.reserved() in ends or (now[0] == "operator" and now[1] in ends):
                return Script(tuple(steps))
            step = self._step()
            background = bool(self.operator("&"))
            steps.append(AndOrList(step, background))
            following = self.now
            if not background and not (
                following is None or (following[0] == "operator" and following[1] in (";", "\n", *ends))
            ):
                raise ShellSyntaxError(f"unexpected {self.shown()}")

    def _step(self) -> tuple[tuple[Literal["", "&&", "||"], Pipeline], ...]:
        found: list[tuple[Literal["", "&&", "||"], Pipeline]] = [("", self._pipeline())]
        while joint := self.operator("&&", "||"):
            self._skip_lines()
            found.append((joint, self._pipeline()))  # type: ignore[arg-type]
        return tuple(found)

    def _pipeline(self) -> Pipeline:
        commands = [self._command()]
        while self.operator("|"):
            self._skip_lines()
            commands.append(self._command())
        return Pipeline(tuple(commands))

    def _command(self) -> Command:
        self._depth += 1
        if self._depth > MOST_DEPTH:
            raise ShellSyntaxError("nested too deeply")
        try:
            return self._compound() or self._simple()
        finally:
            self._depth -= 1

    def _compound(self) -> If | While | For | CaseCommand | None:
        word = self.reserved()
        if word in _REFUSED:
            raise ShellSyntaxError(f"this shell has no {word!r}; send the commands one by one, joined with ; or &&")
        if word in _MISPLACED:
            raise ShellSyntaxError(f"unexpected {word!r}")
        if word not in ("if", "while", "until", "for", "case"):
            return None
        self._at += 1
        if word == "if":
            return self._if()
        if word == "for":
            return self._for()
        if word == "case":
            return self._case()
        condition = self._commands("do")
        return While(condition, self._body(), word == "until", self._redirections())

    def _if(self) -> If:
        condition = self._commands("then")
        self.expect("then")
        body = self.script(("else", "fi"))
        otherwise = None
        if self.expect("else", "fi") == "else":
            otherwise = self.script(("fi",))
            self.expect("fi")
        return If(condition, body, otherwise, self._redirections())

    def _commands(self, end: str) -> Script:
        """What stands before a reserved word; at least one command."""
        found = self.script((end,))
        if not found.steps:
            raise ShellSyntaxError(f"unexpected {self.shown()}")
        return found

    def _body(self) -> Script:
        self.expect("do")
        body = self._commands("done")
        self.expect("done")
        return body

    def _for(self) -> For:
        name = self.reserved()
        if not is_name(name):
            raise ShellSyntaxError(f"unexpected {self.shown()}")
        self._at += 1
        self.expect("in")
        words = []
        while (now := self.now) is not None and now[0] == "word":
            words.append(self._word())
        if not self.operator(";", "\n"):
            raise ShellSyntaxError(f"unexpected {self.shown()}")
        self._skip_lines()
        return For(name, tuple(words), self._body(), self._redirections())

    def _case(self) -> CaseCommand:
        word = self._word()
        self._skip_lines()
        self.expect("in")
        branches = []
        self._skip_lines()
        while self.reserved() != "esac":
            self.operator("(")
            patterns = [self._word()]
            while self.operator("|"):
                patterns.append(self._word())
            if not self.operator(")"):
                raise ShellSyntaxError(f"unexpected {self.shown()}")
            branches.append((tuple(patterns), self.script((";;", "esac"))))
            self.operator(";;")
            self._skip_lines()
        self.expect("esac")
        return CaseCommand(word, tuple(branches), self._redirections())

    def _word(self) -> Word:
        now = self.now
        if now is None or now[0] != "word" or isinstance(now[1], str):
            raise ShellSyntaxError(f"unexpected {self.shown()}")
        self._at += 1
        return now[1]

    def _skip_lines(self) -> None:
        while self.operator("\n"):
            pass

    def _redirections(self) -> tuple[Redirection, ...]:
        found = []
        while (one := self._redirection()) is not None:
            found.append(one)
        return tuple(found)

    def _redirection(self) -> Redirection | None:
        now = self.now
        if now is None or now[0] == "word":
            return None
        fd = None
        if now[0] == "number":
            if now[1] not in ("0", "1", "2"):
                raise ShellSyntaxError(f"{now[1]}: bad file descriptor")
            fd = int(str(now[1]))
            self._at += 1
        operator = self.operator("<", ">", ">>", ">&")
        if not operator:
            if fd is not None:
                raise ShellSyntaxError(f"unexpected {self.shown()}")
            return None
        target = self.now
        if target is None or target[0] == "operator":
            raise ShellSyntaxError(f"unexpected {self.shown()}")
        self._at += 1
        word: Word = (WordPart("text", target[1], False),) if isinstance(target[1], str) else target[1]
        return Redirection(fd if fd is not None else int(operator != "<"), operator, word)  # type: ignore[arg-type]

    def _simple(self) -> Simple:
        assignments: list[tuple[str, Word]] = []
        words: list[Word] = []
        redirections: list[Redirection] = []
        while (now := self.now) is not None:
            if now[0] != "word":
                one = self._redirection()
                if one is None:
                    break
                redirections.append(one)
                continue
            self._at += 1
            word = now[1]
            assert not isinstance(word, str)
            first = word[0] if word else None
            name, equals, rest = first.text.partition("=") if first is not None else ("", "", "")
            if (
                not words
                and first is not None
                and first.kind == "text"
                and not first.quoted
                and equals
                and is_name(name)
            ):
                assignments.append((name, (WordPart("text", rest, False), *word[1:])))
            else:
                words.append(word)
        if now is not None and now[1] == "(":
            raise ShellSyntaxError("this shell has no functions and no (…); send the commands one by one")
        if not (assignments or words or redirections):
            raise ShellSyntaxError(f"unexpected {self.shown()}")
        if words and is_literal(words[0], "[[") and not is_literal(words[-1], "]]"):
            raise ShellSyntaxError("missing ]]; this shell joins only whole tests: [[ … ]] && [[ … ]]")
        return Simple(tuple(assignments), tuple(words), tuple(redirections))
