"""Makes program/instructions.py and c/program/instructions.h of program/instructions.toml, which alone says what an
instruction is made of."""
from __future__ import annotations

import hashlib
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

BUFFERS, INTEGERS, FLOATS = 12, 32, 8
INTEGERS_AT = 8 + 4 * BUFFERS
FLOATS_AT = INTEGERS_AT + 8 * INTEGERS
BYTES = FLOATS_AT + 8 * FLOATS
_SECTIONS = {"buffers": ("int32_t", "i", 8, 4, BUFFERS), "integers": ("int64_t", "q", INTEGERS_AT, 8, INTEGERS),
             "floats": ("double", "d", FLOATS_AT, 8, FLOATS)}  # fmt: skip
_FIELD = re.compile(r"(\w+)(\?)?(?:\[(\d+)\])?: (.+)")
_ROOT = Path(__file__).parent / "src" / "ossia_backend_cffi"


@dataclass
class Field:
    """A name for one place of an instruction, or for several in a row."""

    name: str
    optional: bool
    count: int | None
    text: str
    section: str
    at: int

    @property
    def places(self) -> range:
        """The places among the buffers, integers or floats."""
        return range(self.at, self.at + (self.count or 1))

    @property
    def default(self) -> str | None:
        """What stands there if nothing is given; None for what has to be given."""
        if not self.optional:
            return None
        return "()" if self.count is not None else "-1" if self.section == "buffers" else "0"


@dataclass
class Instruction:
    """One section of the schema."""

    name: str
    spec: dict[str, Any]
    results: list[Field] = field(default_factory=list)
    operands: list[Field] = field(default_factory=list)
    parameters: list[Field] = field(default_factory=list)
    records: list[str] = field(default_factory=list)
    number: int = -1

    @property
    def role(self) -> bool:
        """Whether it is how a kernel runs another instruction."""
        return bool(self.spec.get("role"))

    @property
    def fields(self) -> list[Field]:
        """All names."""
        return [*self.results, *self.operands, *self.parameters]

    @property
    def class_name(self) -> str:
        """The name of the Python class."""
        return "".join(part.title() for part in self.name.split("_"))


class Schema:
    """What instructions.toml says.

    Raises:
      ValueError: two names have one place, or a line is no field.
    """

    def __init__(self, text: str) -> None:
        self.digest = hashlib.sha256(text.encode()).hexdigest()[:16]
        given = tomllib.loads(text)
        self.records = {
            name: _fields(spec[section], section, spec["at"])
            for name, spec in given["records"].items() for section in ("integers", "floats") if section in spec
        }
        self.does = {name: spec["does"] for name, spec in given.pop("records").items()}
        self.instructions = [self._instruction(name, spec) for name, spec in given.items()]
        self.kernels = [found for found in self.instructions if "function" in found.spec]
        for number, found in enumerate(self.kernels):
            found.number = number
        by_name = {found.name: found.number for found in self.kernels}
        for found in self.instructions:
            if found.number < 0:
                found.number = by_name[found.spec["runs"]]
        own, roles = (
            {place for found in self.instructions if found.role is role for f in found.parameters
             if f.section == "integers" for place in f.places}
            for role in (False, True)
        )  # fmt: skip
        if own & roles:
            raise ValueError("a role lies over the fields of instructions")

    def _instruction(self, name: str, spec: dict[str, Any]) -> Instruction:
        made = Instruction(name, spec)
        made.results = _fields(spec.get("results", []), "buffers", 0)
        made.operands = _fields(spec.get("operands", []), "buffers", sum(len(f.places) for f in made.results))
        for section in ("integers", "floats"):
            at = 0
            for line in spec.get(section, []):
                if line.startswith("="):
                    made.records.append(line[1:])
                    found = self.records[line[1:]]
                else:
                    found = _fields([line], section, at)
                made.parameters += found
                at = found[-1].places.stop
        names = [f.name for f in made.fields]
        places = [(f.section, place) for f in made.fields for place in f.places]
        if len(set(names)) != len(names) or len(set(places)) != len(places):
            raise ValueError(f"{name}: two fields of one name or place")
        for f in made.fields:
            if f.places.stop > _SECTIONS[f.section][4]:
                raise ValueError(f"{name}.{f.name}: no place is left")
        return made

    # -- C ----------------------------------------------------------------------------------------------------

    def header(self) -> str:
        """The declarations that C files include."""
        lines = [
            "// Made of instructions.toml by instruction_schema.py; what to change stands there.",
            "#ifndef OSSIA_INSTRUCTIONS_H",
            "#define OSSIA_INSTRUCTIONS_H",
            "",
            "#include <stddef.h>",
            "#include <stdint.h>",
            "",
            f"enum {{ OC_BUFFERS = {BUFFERS}, OC_INTS = {INTEGERS}, OC_FLOATS = {FLOATS} }};",
            f'#define OC_SCHEMA "{self.digest}"',
            "",
        ]
        for name, fields in self.records.items():
            lines += [f"// {self.does[name]}", f"typedef struct {{ {_members(fields)} }} {_type_of(name)};"]
        views = [
            f"int32_t _b[{BUFFERS}]; "
            f"{_padding('int64_t', '_i', fields[0].at if fields[0].section == 'integers' else INTEGERS)} "
            f"{_type_of(name)} {name};"
            for name, fields in self.records.items()
        ]
        lines += ["", "typedef struct {", "    int32_t kernel;  // which kernel runs it"]
        lines += ["    int32_t node;    // what it belongs to, for errors", "    union {"]
        lines += [f"        struct {{ {view} }};" for view in _unique(views)]
        for found in self.instructions:
            if not found.role:
                lines += ["", f"        // {found.spec['does']}", "        struct {"]
                lines += [f"            {line}" for line in self._layout(found)]
                lines += [f"        }} {found.name};"]
        lines += ["    };", "} oc_instr;", ""]
        lines += [f'_Static_assert(sizeof(oc_instr) == {BYTES}, "instructions have another size");']
        for found in self.instructions:
            if not found.role:
                for f in found.fields:
                    _, _, start, size, _ = _SECTIONS[f.section]
                    where = self._path(found, f)
                    place = f"offsetof(oc_instr, {found.name}.{where}) == {start + size * f.at}"
                    lines.append(f'_Static_assert({place}, "{found.name}.{where}");')
        for name, fields in self.records.items():
            start = _SECTIONS[fields[0].section][2] + 8 * fields[0].at
            lines.append(f'_Static_assert(offsetof(oc_instr, {name}) == {start}, "{name}");')
        lines += ["", "#define OC_KERNELS \\"]
        lines += [f"    {k.spec['function']}, \\" for k in self.kernels]
        lines += ["", "#define OC_DECLARED_KERNELS \\"]
        lines += [f"    OC_KERNEL({k.spec['function']}); \\" for k in self.kernels]
        lines += ["", "#endif", ""]
        return "\n".join(lines)

    def _path(self, found: Instruction, f: Field) -> str:
        for record in found.records:
            if any(f is other for other in self.records[record]):
                return f"{record}.{f.name}"
        return f.name

    def _layout(self, found: Instruction) -> list[str]:
        lines, gap = [], 0
        for section, fields in (
            ("buffers", [*found.results, *found.operands]),
            *((s, [f for f in found.parameters if f.section == s]) for s in ("integers", "floats")),
        ):
            kind, _, _, _, size = _SECTIONS[section]
            at = 0
            for f in fields:
                record = next((r for r in found.records if f is self.records[r][0]), None)
                inside = any(f is other for r in found.records for other in self.records[r][1:])
                if inside:
                    at = f.places.stop
                    continue
                if f.at > at:
                    lines.append(_padding(kind, f"_gap{gap}", f.at - at))
                    gap += 1
                if record is not None:
                    lines.append(f"{_type_of(record)} {record};")
                else:
                    lines.append(f"{kind} {f.name}{f'[{f.count}]' if f.count else ''};  // {f.text}")
                at = f.places.stop
            if at < size:
                lines.append(_padding(kind, f"_gap{gap}", size - at))
                gap += 1
        return lines

    # -- Python -----------------------------------------------------------------------------------------------

    def module(self) -> str:
        """The classes of instructions."""
        lines = [
            '"""The instructions of programs: one class for each, with a name for each operand and parameter.',
            "",
            'Made of instructions.toml by instruction_schema.py; what to change stands there."""',
            "from __future__ import annotations",
            "",
            "import struct",
            "from collections.abc import Callable, Sequence",
            "from typing import Any, ClassVar",
            "",
            f'SCHEMA = "{self.digest}"',
            f"BYTES, INTEGERS_AT, FLOATS_AT = {BYTES}, {INTEGERS_AT}, {FLOATS_AT}",
            f"KERNELS = {tuple(k.name for k in self.kernels)!r}",
            f'_BUFFERS = [struct.Struct(f"<{{count}}i") for count in range({BUFFERS + 1})]',
            f'_INTEGERS = [struct.Struct(f"<{{count}}q") for count in range({INTEGERS + 1})]',
            f'_FLOATS = [struct.Struct(f"<{{count}}d") for count in range({FLOATS + 1})]',
            "",
            "",
            "class Instruction:",
            '    """One entry of a program.',
            "",
            "    Attributes:",
            "      name: of the kernel that runs it: its own, or that of the role that it has been given.",
            "      node: what it belongs to, for errors.",
            "      role: how another kernel runs it; None if it runs by itself.",
            '    """',
            "",
            '    __slots__ = ("kernel", "name", "node", "role")',
            "    KERNEL: ClassVar[int]",
            "    MOVES: ClassVar[bool]",
            '    FIRST: ClassVar[str]',
            "    kernel: int",
            "    name: str",
            "    node: int",
            "    role: Instruction | None",
            "",
            "    def take(self, role: Instruction) -> None:",
            '        """Let the kernel of a role run the instruction."""',
            "        self.role, self.name, self.kernel = role, role.name, role.kernel",
            "",
            "    def place(self, buffer_of: Callable[[Any], int]) -> list[int]:",
            '        """Let the operands be buffers; returns those that there are."""',
            "        return []",
            "",
            "    def results(self) -> list[int]:",
            '        """The buffers that it writes."""',
            "        return []",
            "",
            "    def operands_read(self) -> list[int]:",
            '        """The buffers that it reads."""',
            "        return []",
            "",
            "    def buffers(self) -> list[int]:",
            '        """The buffers that it writes, then those that it reads."""',
            "        return self.results() + self.operands_read()",
            "",
            "    def pack(self, table: bytearray, at: int) -> None:",
            '        """Write it into the table that the native code reads."""',
            "        raise NotImplementedError",
        ]
        for found in self.instructions:
            lines += ["", "", *self._class(found)]
        lines += [
            "",
            "",
            "def kernels_of(table: bytearray) -> list[str]:",
            '    """The kernels that run the instructions of a table, in its order."""',
            '    return [KERNELS[struct.unpack_from("<i", table, at)[0]] for at in range(0, len(table), BYTES)]',
            "",
            "",
            "def node_of(table: bytearray, position: int) -> int:",
            '    """What the instruction at a position of a table belongs to."""',
            '    return struct.unpack_from("<i", table, position * BYTES + 4)[0]',
        ]
        return "\n".join([*lines, ""])

    def _class(self, found: Instruction) -> list[str]:
        buffers = [*found.results, *found.operands]
        names = tuple(sorted(f.name for f in found.fields))
        lines = [f"class {found.class_name}(Instruction):", f'    """{found.spec["does"]}']
        if found.fields:
            lines += ["", "    Attributes:"] + [f"      {f.name}: {f.text}." for f in found.fields]
            lines += ['    """']
        else:
            lines[-1] += '"""'
        lines += ["", f"    __slots__ = {names!r}"]
        lines.append(f"    KERNEL, MOVES = {found.number}, {bool(found.spec.get('moves'))}")
        if found.results:
            lines.append(f"    FIRST = {found.results[0].name!r}")
        for f in found.fields:
            lines.append(f"    {f.name}: {self._type(f)}")
        given = [f"{f.name}: {'Any' if f.section == 'buffers' and f.count is None else self._taken(f)}"
                 + (f" = {f.default}" if f.default is not None else "")
                 for f in sorted(found.fields, key=lambda f: f.default is not None)]
        star = ["*"] if given else []
        lines += ["", f"    def __init__({', '.join(['self', *star, *given])}) -> None:"]
        lines += [f"        self.kernel, self.name, self.role = {found.number}, {self._kernel(found)!r}, None"]
        for f in found.fields:
            value = f"[*{f.name}]" if f.count is not None else f.name
            lines.append(f"        self.{f.name} = {value}")
        if buffers:
            lines += ["", "    def place(self, buffer_of: Callable[[Any], int]) -> list[int]:", *_placing(buffers)]
            for title, fields in (("results", found.results), ("operands_read", found.operands)):
                if fields:
                    lines += ["", f"    def {title}(self) -> list[int]:", f"        return {_listed(fields)}"]
        lines += self._packing(found)
        return lines

    def _kernel(self, found: Instruction) -> str:
        return self.kernels[found.number].name

    @staticmethod
    def _type(f: Field) -> str:
        if f.count is not None:
            return "list[float]" if f.section == "floats" else "list[int]"
        return "float" if f.section == "floats" else "int"

    @staticmethod
    def _taken(f: Field) -> str:
        if f.count is None:
            return "float" if f.section == "floats" else "int"
        return {"floats": "Sequence[float]", "buffers": "Sequence[Any]", "integers": "Sequence[int]"}[f.section]

    def _packing(self, found: Instruction) -> list[str]:
        single = [f for f in found.fields if f.count is None]
        lines = ["", "    def pack(self, table: bytearray, at: int) -> None:"]
        code, at, values = "<", 0, []
        if not found.role:
            code, at, values = "<ii", 8, ["self.kernel", "self.node"]
        first = at
        for f in single:
            _, letter, start, size, _ = _SECTIONS[f.section]
            place = start + size * f.at
            if found.role and code == "<":
                first = at = place
            if place > at:
                code += f"{place - at}x"
            code += letter
            at = place + size
            values.append(f"self.{f.name}")
        offset = f"at + {first}" if found.role and first else "at"
        if values:
            lines.insert(0, f"    _PACKED: ClassVar[struct.Struct] = struct.Struct({code!r})")
            lines.insert(0, "")
            lines.append(f"        self._PACKED.pack_into(table, {offset}, {', '.join(values)})")
        for f in found.fields:
            if f.count is not None:
                _, _, start, size, _ = _SECTIONS[f.section]
                table = {"buffers": "_BUFFERS", "integers": "_INTEGERS", "floats": "_FLOATS"}[f.section]
                lines += [
                    f"        if self.{f.name}:",
                    f"            packed, place = {table}[len(self.{f.name})], at + {start + size * f.at}",
                    f"            packed.pack_into(table, place, *self.{f.name})",
                ]
        if not found.role:
            lines += ["        if self.role is not None:", "            self.role.pack(table, at)"]
        return lines


def _fields(lines: list[str], section: str, at: int) -> list[Field]:
    made = []
    for line in lines:
        found = _FIELD.fullmatch(line)
        if found is None:
            raise ValueError(f"no field: {line}")
        name, optional, count, text = found.groups()
        made.append(Field(name, bool(optional), int(count) if count else None, text, section, at))
        at += int(count) if count else 1
    return made


def _members(fields: list[Field]) -> str:
    return " ".join(f"{_SECTIONS[f.section][0]} {f.name}{f'[{f.count}]' if f.count else ''};" for f in fields)


def _type_of(record: str) -> str:
    return "oc_geometry" if record == "geometry" else f"oc_{record}_fields"


def _padding(kind: str, name: str, count: int) -> str:
    return f"{kind} {name}[{count}];" if count else ""


def _unique(views: list[str]) -> list[str]:
    """Views with padding that has names of its own: members of anonymous structs share one space of names."""
    return [view.replace("_b[", f"_b{n}[").replace("_i[", f"_i{n}[") for n, view in enumerate(views)]


def _placing(buffers: list[Field]) -> list[str]:
    """The body of the method that lets operands, which may be values, be buffers. Every instruction of a program goes
    through it: what lies in a buffer takes no call."""
    lines, found = [], []
    for f in buffers:
        if f.count is not None:
            lines.append(f"        self.{f.name} = [buffer_of(value) for value in self.{f.name}]")
            found.append(f"*self.{f.name}")
            continue
        lines += [
            f"        {f.name}: Any = self.{f.name}",
            f"        if {f.name}.__class__ is not int:",
            f"            {f.name} = {f.name}.buffer if {f.name}.constant is None else buffer_of({f.name})",
            f"            self.{f.name} = {f.name}",
        ]
        if not f.optional:
            found.append(f.name)
    lines.append(f"        found = [{', '.join(found)}]")
    for f in buffers:
        if f.optional:
            lines += [f"        if {f.name} >= 0:", f"            found.append({f.name})"]
    return [*lines, "        return found"]


def _listed(fields: list[Field]) -> str:
    """An expression for the buffers of fields, less those that are absent."""
    if any(f.optional for f in fields):
        inside = ", ".join(f"self.{f.name}" for f in fields)
        return f"[buffer for buffer in ({inside}{',' if len(fields) == 1 else ''}) if buffer >= 0]"
    return "[" + ", ".join(f"*self.{f.name}" if f.count is not None else f"self.{f.name}" for f in fields) + "]"


def write(root: Path = _ROOT) -> None:
    """Make the two files, where they are not there already or have become others."""
    schema = Schema((root / "program" / "instructions.toml").read_text())
    header, module = root / "c" / "program" / "instructions.h", root / "program" / "instructions.py"
    for path, text in ((header, schema.header()), (module, schema.module())):
        if not path.exists() or path.read_text() != text:
            path.write_text(text)


if __name__ == "__main__":
    write()
