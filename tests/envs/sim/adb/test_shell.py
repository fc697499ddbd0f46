"""The phone's shell: quoting, joints, pipes, redirections, variables, jobs, and its limits."""

from __future__ import annotations

import pytest
from adb_client_commands import SCREEN_RECORDER
from adb_shell import Bench
from hypothesis import given, settings
from hypothesis import strategies as st


@pytest.fixture(scope="module")
def bench() -> Bench:
    return Bench()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("echo a  b", "a b\n"),
        ("echo 'a  b' \"c  $HOME\" d\\ e", "a  b c  / d e\n"),
        ('echo "a\\"b" \'$X\' "\\$X"', 'a"b $X $X\n'),
        ("echo -n x; echo y", "xy\n"),
        ("false && echo no; false || echo yes", "yes\n"),
        ("true && echo one || echo two", "one\n"),
        ("nope 2>/dev/null; echo $?", "127\n"),
        ("X=5; echo $X ${X} [$Y] $?", "5 5 [] 0\n"),
        ("X=5 sh -c 'echo $X'; echo [$X]", "5\n[]\n"),
        ("export X=''; exec echo \"[$X]\"", "[]\n"),
        ("printf 'a\\nb\\nc\\n' | grep -v b | tail -n 1", "c\n"),
        ("echo a b c | cut -d' ' -f2,3; echo abc | cut -c1-2", "b c\nab\n"),
        ("printf '3\\n1\\n2\\n' | sort -nr | head -2", "3\n2\n"),
        ("printf 'a\\nb\\n' | wc -l", "2\n"),
        ("echo line | sh -c 'read N; echo n$N'", "nline\n"),
        ("if [ -d /sdcard ]; then echo dir; else echo no; fi", "dir\n"),
        ("if [ -d /sdcard ]; then if false; then echo no; fi; fi | wc -l", "0\n"),
        ("if [ 3 -gt 4 ]; then echo no; else echo ok; fi", "ok\n"),
        ("echo $(echo in; echo side)", "in side\n"),
        ("echo x > /sdcard/t; echo y >> /sdcard/t; cat < /sdcard/t; rm /sdcard/t", "x\ny\n"),
        ("sh -c 'cd /sdcard; pwd'; pwd", "/sdcard\n/\n"),
        ("echo out; echo err 1>&2", "out\n"),
        ("sh -c 'echo $1 $#' name one two", "one 2\n"),
        ("cd /sdcard; touch q1.png q2.png; ls q*.png; rm q?.png; ls q*", "q1.png\nq2.png\n"),
        ("echo a | egrep 'a|b' && echo 'x.y' | grep -F . | grep -c x", "a\n1\n"),
        ("echo aab | grep -o a | wc -l", "2\n"),
        ("echo one two | tr a-z A-Z", "ONE TWO\n"),
        ("# a remark\necho b # another", "b\n"),
        ("toybox echo x; /system/bin/echo y", "x\ny\n"),
        ('while [ "$(getprop sys.boot_completed)" != 1 ]; do sleep 1; done; echo up', "up\n"),
        ("while [[ -z $(getprop sys.boot_completed) ]]; do sleep 1; done; echo up", "up\n"),
        ('while true; do [ "$(getprop sys.boot_completed)" = 1 ] && break; sleep 1; done; echo up', "up\n"),
        ("until [ -d /sdcard ]; do sleep 1; done; echo there", "there\n"),
        ("for i in 1 2 3; do [ $i = 2 ] && continue; echo $i; done", "1\n3\n"),
        ("for i in 1 2; do for k in a b; do [ $k = b ] && continue 2; echo $i$k; done; done", "1a\n2a\n"),
        ("for i in 1 2; do while true; do break 2; done; done; echo $i", "1\n"),
        ("for F in /sdcard/none*; do echo $F; done | cat", "/sdcard/none*\n"),
        ("printf 'a\\nb\\n' | while read N; do echo got $N; done", "got a\ngot b\n"),
        ("case $(getprop sys.boot_completed) in 1) echo yes;; *) echo no;; esac", "yes\n"),
        ("case ab in\n (b*|x) echo no;;\n a?) echo two;;\nesac", "two\n"),
        ("case '*' in a) echo no;; '*') echo star; esac; case b in '*') echo no;; esac", "star\n"),
        ("if [[ 1 == 1 ]]; then echo same; fi", "same\n"),
        ("[[ ab == a* ]] && echo fits; [[ ab != 'a*' ]] && echo not", "fits\nnot\n"),
        ("i=0; while [ $i -lt 3 ]; do i=$((i+1)); done; echo $i", "3\n"),
        ("n=3; until [ $n -eq 0 ]; do echo -n $n; n=$(( $n - 1 )); done", "321"),
        ("i=0; until [ $i -ge 2 ]; do i=$((i + 1)); echo \"turn $((i))\"; done", "turn 1\nturn 2\n"),
        ("i=x; echo $((i+1)) $((7)) $((nothing-2)); i=-5; echo $((i+1))", "1 7 -2\n-4\n"),
        ("i=2147483647; echo $((i+1))", "-2147483648\n"),
        ("while false; do echo no; done; echo $?; for i in; do echo no; done; echo $?", "0\n0\n"),
        ("echo hi > /storage/emulated/0/l; cat /sdcard/l; rm /sdcard/l", "hi\n"),
    ],
)  # fmt: skip
def test_a_line_says(bench: Bench, line: str, said: str) -> None:
    assert bench.out(line) == said


REFUSED = (
    "{ ls; }",
    "! true",
    "f() { echo got $1; }; f it",
    "function f { ls; }",
    "(cd /sdcard; ls)",
    "if true; then ls; elif true; then ls; fi",
)


@pytest.mark.parametrize(
    ("line", "status", "complaint"),
    [
        ("nope", 127, "/system/bin/sh: nope: inaccessible or not found\n"),
        ("echo one two | sed 's/one/1/'", 127, "sed: inaccessible or not found; this phone has grep, cut, tr"),
        ("echo one two | awk '{print $2}'", 127, "awk: inaccessible or not found; this phone has grep, cut, tr"),
        ("echo 'a", 1, "syntax error"),
        ("echo a |", 1, "syntax error"),
        ("; ;)", 1, "syntax error"),
        *((line, 1, "send the commands one by one") for line in REFUSED),
        ("echo `ls`", 1, "this shell has no backticks"),
        ("echo $((2*3))", 1, "this shell only counts, as in $((i+1))"),
        ("echo $((i+1+1))", 1, "this shell only counts"),
        ("echo $((i=1))", 1, "this shell only counts"),
        ("echo $((i+1)", 1, "this shell only counts"),
        ("[[ a == a && b == b ]]", 1, "missing ]]"),
        ("while true; do", 1, "syntax error: unexpected the end"),
        ("while do done", 1, "syntax error"),
        ("while true; do done", 1, "syntax error: unexpected 'done'"),
        ("for 1 in a; do ls; done", 1, "syntax error"),
        ("done", 1, "syntax error: unexpected 'done'"),
        ("case a in a) ls", 1, "syntax error"),
        ("break", 0, "break: can't break"),
        ("echo ${X:-y}", 1, "bad substitution"),
        ("cat /nope", 1, "No such file or directory"),
        ("echo a > /system/x", 1, "Read-only file system"),
        ("exit 7", 7, ""),
        ("cat /etc/passwd", 1, "No such file"),
        ("grep -E '((a{99}){99}){99}' /proc/uptime", 2, "too big"),
        ("grep -E '(a' /proc/uptime", 2, "bad regex"),
        ("grep -E '(a)\\1' /proc/uptime", 2, "not supported"),
        ("screencap -p /sdcard/none/x.png", 1, "No such file"),
    ],
)
def test_what_fails_says_so(bench: Bench, line: str, status: int, complaint: str) -> None:
    found, _, err = bench.run(line)
    assert (found, complaint in err) == (status, True), err


def test_the_script_of_adbutils_recorder_stops_at_a_line(bench: Bench) -> None:
    bench.phone.files.write("/sdcard/rec.sh", SCREEN_RECORDER.encode(), 1)
    status, out, err = bench.run("sh /sdcard/rec.sh /sdcard/film.mp4", b"\n")
    assert (status, out, err) == (0, "", "")
    assert bench.phone.files.read("/sdcard/film.mp4")[4:8] == b"ftyp"


@pytest.mark.parametrize(
    "line",
    [
        "echo 'true; . /sdcard/loop.sh; sh /sdcard/loop.sh' > /sdcard/loop.sh; sh /sdcard/loop.sh",
        "X=aaaaaaaa" + "; X=$X$X" * 60,
        "if " * 60,
        "$(" * 60 + ")" * 60,
        "echo 'sh /sdcard/loop.sh' > /sdcard/loop.sh; sh /sdcard/loop.sh",
        "sleep 999999 & " * 100,
        "while true; do true; done",
        "while true; do X=1; done",
        "while true; do true | while true; do true; done; done",
    ],
)
def test_what_never_ends_is_ended(line: str) -> None:
    status, _, _ = Bench().run(line)
    assert status


WORDS = st.sampled_from(
    "echo cat ls grep sort head input tap swipe text am start settings put dumpsys window screencap -p rm -rf / "
    "/sdcard /sdcard/* ' \" $ ( ) ` | & && || ; > >> < 2>&1 $X ${ } { if then fi for do done while ! -n 1 2 "
    "99999999999999 \\ /proc/self /etc/passwd ../../.. uiautomator dump find xargs tr cut -d sh -c test [ ] kill wm "
    "size".split()
)


@settings(deadline=None)
@given(st.lists(WORDS, max_size=12).map(" ".join) | st.text(max_size=60))
def test_whatever_line_comes_the_shell_answers(bench: Bench, line: str) -> None:
    status, _, _ = bench.run_raw(line)
    assert 0 <= status <= 255
