"""Commands that look at a running program and change it."""

from __future__ import annotations

import cmd
import math
import shlex
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from taskmatrix.core.base.errors import NotFoundError, ParameterError, TaskMatrixError
from taskmatrix.session.live.messages import BREAKS

from .connection import Connection

PATIENCE = 5.0  # [s] for which the run may be busy until it says what came of a command
STOPPING = 60.0  # [s] for which it may take to stop
ROWS = 20  # of the log


class Shell(cmd.Cmd):
    """Reads commands and does them.

    Args:
        connection: To the run.
        stdin: Where commands come from, if not from a person.
        stdout: Where it says what came of them; the standard output unless given.

    Attributes:
        failed: Whether a command was refused.
    """

    intro = "help lists the commands, Tab completes them, quit leaves the run alone"
    prompt = "> "

    def __init__(self, connection: Connection, stdin: IO[str] | None = None, stdout: IO[str] | None = None) -> None:
        super().__init__(stdin=stdin, stdout=stdout)
        self._connection = connection
        self.failed = False
        if stdin is not None:
            self.use_rawinput, self.prompt, self.intro = False, "", ""

    # what cmd.Cmd asks for

    def preloop(self) -> None:
        """Have words end at spaces only, for completion."""
        if self.use_rawinput:
            with suppress(ImportError):  # not on every system
                import readline  # noqa: PLC0415 - needs a terminal

                readline.set_completer_delims(" ")

    def onecmd(self, line: str) -> bool:
        """Do one command; whether it was the last."""
        try:
            self._connection.check()
            self._refused()
            ends = super().onecmd(line.partition("#")[0].strip())
            self._refused()
        except TaskMatrixError as error:
            self._say(f"! {error}")
            self.failed = True
            try:
                self._connection.check()
            except TaskMatrixError:
                return True
            return False
        return ends

    def emptyline(self) -> bool:
        """Do nothing."""
        return False

    def default(self, line: str) -> None:
        """Say that there is no such command."""
        known = [name.removeprefix("do_") for name in self.get_names() if name.startswith("do_") and name != "do_EOF"]
        raise NotFoundError("command", line.split(maxsplit=1)[0], known)

    def do_help(self, arg: str) -> None:
        """List the commands, or say what one does: ``help [COMMAND]``."""
        names = [arg] if arg else [each.removeprefix("do_") for each in self.get_names() if each.startswith("do_")]
        for name in names:
            does = getattr(self, f"do_{name}", None)
            if does is None:
                self.default(name)
            elif name != "EOF":
                self._say(f"{name}: {does.__doc__.replace('``', '')}")

    # looking

    def do_status(self, arg: str) -> None:
        """What runs, how it stands, what was set, and where it stops."""
        self._tell()
        run = self._run()
        for each in run.get("adjusted", ()):
            self._say(f"  set {each['where']} {each['name']} {each['value']}")
        for each in run.get("breakpoints", ()):
            self._say(f"  break {each['on']} {each['what']}")

    def do_tree(self, arg: str) -> None:
        """The states that run and their phases; the active components with rates and modulations."""
        for path, state in sorted(self._section("machine").items()):
            self._say(f"{path}: {state['phase']}")
        for node in self._connection.sections.get("tree") or ():
            rate = f", {node['frequency']:g} Hz" if node.get("frequency") else ""
            asked = "".join(f", {name} {value}" for name, value in node["modulations"].items())
            self._say(f"{'  ' * node['depth']}{node['name']}: {node['state']}{rate}{asked}")

    def do_chains(self, arg: str) -> None:
        """Who moves which chain."""
        for chain, owned in sorted(self._section("chains").items()):
            if owned["owner"]:
                others = f", then {', '.join(owned['shared'])}" if owned["shared"] else ""
                self._say(f"{chain}: {owned['owner']}{others}")

    def do_parameters(self, arg: str) -> None:
        """Parameters of what runs: ``parameters [PATH]``."""
        for path, values in sorted(self._section("parameters").items()):
            if not arg or path == arg or path.endswith(f"/{arg}"):
                told = ", ".join(f"{name}={value}" for name, value in values.items() if value is not None)
                self._say(f"{path}: {told}")

    def do_failures(self, arg: str) -> None:
        """What failed in this run, and why."""
        for each in self._connection.sections.get("failures") or ():
            self._say(f"{each['time']:.2f} s {each['text']}")

    def do_log(self, arg: str) -> None:
        """The last lines of the log, 20 unless said: ``log [N]``."""
        count = int(_number(arg, "the number of lines")) if arg else ROWS
        rows = list(self._connection.rows)
        for _, time, _, _, source, text, _ in rows[max(len(rows) - count, 0) :]:
            self._say(f"{time:8.2f} s  {source}: {text}")

    def do_behaviors(self, arg: str) -> None:
        """What can be started, or the parameters of one: ``behaviors [NAME]``."""
        if not arg:
            for name, form in self._forms().items():
                self._say(f"{name}: {form['doc']}")
            return
        for field in self._form(arg)["parameters"]:
            default = "" if field["default"] is None else f" = {field['default']}"
            self._say(f"{field['name']}: {field['type']}{default}; {field['doc']}")

    # doing

    def do_start(self, arg: str) -> None:
        """Start a behavior when nothing runs: ``start NAME [PARAMETER=VALUE ...]``."""
        words = _words(arg, 1)
        form = self._form(words[0])
        known = [field["name"] for field in form["parameters"]]
        values = {}
        for word in words[1:]:
            name, equals, value = word.partition("=")
            if not equals:
                raise ParameterError(f"parameters are given as name=value, not '{word}'")
            if name not in known:
                raise NotFoundError("parameter", name, known, words[0])
            values[name] = value
        asked = {"behavior": words[0], "parameters": values}
        self._ask(self._news("run"), "start", asked)
        self._tell()

    def do_again(self, arg: str) -> None:
        """Put everything back to where the last run began, and run it again."""
        self._ask(self._news("run"), "again")
        self._tell()

    def do_replace(self, arg: str) -> None:
        """Stop what runs, and start another behavior: ``replace NAME [PARAMETER=VALUE ...]``."""
        self._form(_words(arg, 1)[0])
        if self._run()["status"] in ("running", "paused"):
            self._ask(lambda: self._run()["status"] == "idle", "stop", {}, STOPPING)
        self._connection.wait(lambda: self._run()["status"] == "idle", STOPPING)
        self.do_start(arg)

    def do_stop(self, arg: str) -> None:
        """End what runs; the robot holds where it is."""
        self._ask(lambda: self._run()["status"] in ("ended", "idle"), "stop", {}, STOPPING)
        self._tell()

    def do_pause(self, arg: str) -> None:
        """Have the run stand still before its next control step."""
        self._ask(lambda: self._run()["status"] != "running", "pause")
        self._tell()

    def do_resume(self, arg: str) -> None:
        """Let the run go on."""
        self._ask(lambda: not self._run().get("paused_by"), "resume")
        self._tell()

    def do_step(self, arg: str) -> None:
        """Run one control step."""
        told = self._news_of_run()
        self._ask(lambda: told() and (self._run().get("paused_by") or self._run()["status"] != "running"), "step")
        self._tell()

    def do_next(self, arg: str) -> None:
        """Run until a machine changes its state."""
        told = self._news_of_run()
        self._ask(lambda: told() and self._run()["status"] != "running", "step-transition", {}, STOPPING)
        self._tell()

    def do_speed(self, arg: str) -> None:
        """Simulated seconds for each real one, 0 for as fast as possible: ``speed X``."""
        value = _number(arg, "the speed")
        self._ask(lambda: (self._run().get("speed") or 0) == value, "speed", {"value": value})

    def do_break(self, arg: str) -> None:
        """Stop at a state, message, condition or failure: ``break ON WHAT``."""
        self._break(arg, True)

    def do_unbreak(self, arg: str) -> None:
        """Stop there no longer: ``unbreak ON WHAT``."""
        self._break(arg, False)

    def do_set(self, arg: str) -> None:
        """Set a parameter, a modulation, or the frequency of a component: ``set WHERE NAME VALUE``."""
        where, name, value = _words(arg, 3, 3)
        rows = self._news("adjusted")
        self._ask(rows, "set", {"where": where, "name": name, "value": value})

    def do_unset(self, arg: str) -> None:
        """Have it as it was before it was set: ``unset WHERE NAME``."""
        where, name = _words(arg, 2, 2)
        self._ask(self._news("adjusted"), "unset", {"where": where, "name": name})

    def do_move(self, arg: str) -> None:
        """Put an object somewhere, in metres in the world: ``move OBJECT X Y Z``."""
        id, *place = _words(arg, 4, 4)
        position = [_number(each, "a place") for each in place]
        self._ask(self._news("moved"), "move", {"object": id, "position": position})

    def do_save(self, arg: str) -> None:
        """Write what runs and what was set, as commands: ``save FILE``."""
        (name,) = _words(arg, 1, 1)
        run, lines = self._run(), list[str]()
        adjusted = list(run.get("adjusted", ()))
        behavior = run.get("behavior")
        if run["status"] in ("running", "paused") and behavior in self._forms():
            fields = {field["name"] for field in self._forms()[behavior]["parameters"]}
            set_here = {each["name"]: each["value"] for each in adjusted if each["where"] == behavior}
            values = {**self._section("parameters").get(behavior, {}), **set_here}.items()
            given = [f"{key}={value}" for key, value in values if value is not None and key in fields]
            adjusted = [each for each in adjusted if each["where"] != behavior]  # it starts with them
            lines.append(shlex.join(["replace", behavior, *given]))
        lines += [shlex.join(["set", each["where"], each["name"], _typed(each["value"])]) for each in adjusted]
        lines += [shlex.join(["break", each["on"], each["what"]]) for each in run.get("breakpoints", ())]
        if not run.get("real_time"):
            lines.append(f"speed {run.get('speed') or 0:g}")
        try:
            Path(name).write_text("\n".join([*lines, ""]))
        except OSError as error:
            raise ParameterError(f"cannot write {name}: {error.strerror}") from error

    def do_load(self, arg: str) -> None:
        """Do the commands of a file, up to the first that is refused: ``load FILE``."""
        (name,) = _words(arg, 1, 1)
        try:
            lines = Path(name).read_text().splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise ParameterError(f"cannot read {name}: {error}") from error
        for number, line in enumerate(lines, 1):
            if line.split()[:1] == ["load"]:
                raise ParameterError(f"line {number} of {name} loads another file; only a person does that")
            before, self.failed = self.failed, False
            self.onecmd(line)
            if self.failed:
                raise ParameterError(f"line {number} of {name} was refused: {line}")
            self.failed = before

    def do_quit(self, arg: str) -> bool:
        """Leave the run alone."""
        return True

    def do_EOF(self, arg: str) -> bool:  # noqa: N802 - the name that cmd.Cmd asks for
        """End of what is read."""
        return True

    # completion

    def complete_start(self, text: str, line: str, begin: int, end: int) -> list[str]:
        """Names of behaviors, then their parameters, then what these may be."""
        words = line[:begin].split()
        if len(words) < 2:
            return _beginning(text, self._forms())
        fields = {field["name"]: field for field in self._forms().get(words[1], {"parameters": ()})["parameters"]}
        name, equals, value = text.partition("=")
        if equals:
            return [f"{name}={each}" for each in _beginning(value, fields.get(name, {}).get("choices") or ())]
        return _beginning(text, (f"{each}=" for each in fields))

    complete_replace = complete_start

    def complete_behaviors(self, text: str, line: str, begin: int, end: int) -> list[str]:
        """Names of behaviors."""
        return _beginning(text, self._forms())

    def complete_set(self, text: str, line: str, begin: int, end: int) -> list[str]:
        """Paths, then names of what can be set there."""
        words, settable = line[:begin].split(), self._settable()
        if len(words) < 2:
            return _beginning(text, settable)
        return _beginning(text, settable.get(words[1], ())) if len(words) == 2 else []

    complete_unset = complete_set

    def complete_parameters(self, text: str, line: str, begin: int, end: int) -> list[str]:
        """Paths of behaviors."""
        return _beginning(text, self._section("parameters"))

    def complete_break(self, text: str, line: str, begin: int, end: int) -> list[str]:
        """What to stop at, then paths."""
        return _beginning(text, BREAKS if len(line[:begin].split()) < 2 else self._section("machine"))

    complete_unbreak = complete_break

    def complete_move(self, text: str, line: str, begin: int, end: int) -> list[str]:
        """Ids of objects that can be moved."""
        return _beginning(text, self._connection.hello.get("objects", ())) if len(line[:begin].split()) < 2 else []

    # what is known of the run

    def _run(self) -> Mapping[str, Any]:
        return self._section("run")

    def _section(self, name: str) -> Mapping[str, Any]:
        return self._connection.sections.get(name) or {}

    def _forms(self) -> dict[str, Any]:
        return {form["name"]: form for form in self._connection.hello.get("behaviors", ())}

    def _form(self, name: str) -> Any:
        if name not in self._forms():
            raise NotFoundError("behavior", name, self._forms())
        return self._forms()[name]

    def _tell(self) -> None:
        """What runs, in one line."""
        run = self._run()
        by = f" ({run['paused_by']})" if run.get("paused_by") else ""
        speed = "real time" if run.get("real_time") else f"{run['speed']:g}x" if run.get("speed") else "full speed"
        self._say(f"{run.get('behavior') or 'nothing'}: {run['status']}{by}, at {self._connection.time:.2f} s, {speed}")
        if run.get("outcome"):
            self._say(f"  ended: {run['outcome']['text']}")

    def _settable(self) -> dict[str, list[str]]:
        """What can be set, by path."""
        found = {path: list(values) for path, values in self._section("parameters").items()}
        for node in self._connection.sections.get("tree") or ():
            path = node["source"] if node["depth"] == 0 else f"{node['source']}/{node['name']}"
            found.setdefault(path, []).extend([*node["modulations"], "frequency"])
        return found

    def _news(self, kind: str) -> Callable[[], bool]:
        """Whether the log has a new row of a kind."""
        rows = self._connection.rows
        last = rows[-1][0] if rows else -1
        return lambda: any(row[0] > last and row[3] == kind for row in tuple(rows))

    def _news_of_run(self) -> Callable[[], bool]:
        """Whether it has been told anew how the run stands."""
        before = self._connection.told
        return lambda: self._connection.told > before

    def _break(self, arg: str, enabled: bool) -> None:
        on, what = _words(arg, 2, 2)
        if on not in BREAKS:
            raise NotFoundError("kind of breakpoint", on, BREAKS)

        def done() -> bool:
            points = [(each["on"], each["what"]) for each in self._run().get("breakpoints", ())]
            return ((on, what) in points) is enabled

        self._ask(done, "break", {"on": on, "what": what, "enabled": enabled})

    def _ask(
        self,
        done: Callable[[], object],
        kind: str,
        fields: Mapping[str, object] | None = None,
        seconds: float = PATIENCE,
    ) -> None:
        """Ask for something, and wait until it is done or refused."""
        self._connection.say(kind, **(fields or {}))
        if not self._connection.wait(done, seconds):
            self._refused()
            self._connection.check()
            self._say(f"asked for; the run has not done it within {seconds:g} s")

    def _refused(self) -> None:
        """Raise ParameterError where something was refused."""
        if self._connection.refusals:
            raise ParameterError(self._connection.refusals.popleft())

    def _say(self, text: str) -> None:
        self.stdout.write(f"{text}\n")
        self.stdout.flush()


def _words(text: str, least: int, most: int | None = None) -> list[str]:
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise ParameterError(f"cannot read '{text}': {error}") from None
    if len(words) < least or (most is not None and len(words) > most):
        count = f"{least}" if most == least else f"at least {least}"
        raise ParameterError(f"this takes {count} word{'s' * (least > 1)}, not {len(words)}; help says which")
    return words


def _typed(value: object) -> str:
    """How a value is typed in a command."""
    return str(value).lower() if isinstance(value, bool) or value is None else str(value)


def _number(text: str, what: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ParameterError(f"{what} is a number, not '{text}'")
    return value


def _beginning(text: str, names: Iterable[str]) -> list[str]:
    return [name for name in names if name.startswith(text)]
