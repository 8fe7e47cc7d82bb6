"""Write the pages of `docs/` that say what the code says: `reference/`, `cli.md`, `settings.md` and `http-api.md`.

The navigation of the site (`zensical.toml`) gets a line for each page of the reference.

Of `provider-citations.md` the table is written, between two comments; the rest is written by hand.

`make pages` writes them; with `--check` nothing is written and a page that is out of date ends the program with 1.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import sys
from enum import Enum
from functools import cache
from itertools import groupby, pairwise
from pathlib import Path
from types import UnionType
from typing import TYPE_CHECKING, Any, cast, get_origin

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "pincite"
# The rooms in the order of the house; packages that are not listed follow by name.
ORDER = (
    "pincite",
    "pincite.core",
    "pincite.checking",
    "pincite.citing",
    "pincite.providers",
    "pincite.showing",
    "pincite.reading",
    "pincite.library",
    "pincite.search",
    "pincite.agents",
    "pincite.protocols",
    "pincite.server",
    "pincite.cli",
    "pincite.evaluation",
    "pincite.testing",
)
MADE = "<!-- Made by `make pages` from the source. Edit the docstrings, not this page. -->"
# Characters of a signature that still stand on one line.
WIDE = 100
# What a constant may be so that its value says more than its kind.
_PLAIN = {bool, int, float, str}
# Headings of a docstring's sections, as the style of the docstrings has them.
SECTIONS = ("Args:", "Raises:", "Returns:", "Yields:", "Attributes:", "Examples:", "Example:", "Note:")


def packages() -> list[str]:
    """Return the dotted names of all public packages, in the order of the house."""
    found = {".".join(init.parent.relative_to(PACKAGE.parent).parts) for init in PACKAGE.rglob("__init__.py")}
    public = {name for name in found if not any(part.startswith("_") for part in name.split("."))}
    return sorted(public, key=lambda name: (ORDER.index(name) if name in ORDER else len(ORDER), name))


def _page(lines: list[str]) -> str:
    """Join lines into a page: no trailing space, never two empty lines together, one line feed at the end."""
    text = "\n".join(line.rstrip() for line in lines)
    while "\n\n\n" in text:
        text = text.replace("\n\n\n", "\n\n")
    return text.strip() + "\n"


# --- reference/ ------------------------------------------------------------------------------------------------


def reference() -> str:
    """Return the page that leads to the pages of the packages."""
    lines = [
        "# Reference",
        "",
        MADE,
        "",
        "Every public name stands on the page of the package that it is imported from.",
        "",
        "| Package | What it is |",
        "|---|---|",
    ]
    for package in packages():
        said = " ".join((inspect.getdoc(importlib.import_module(package)) or "").partition("\n\n")[0].split())
        lines.append(f"| [`{package}`]({package}.md) | {said.replace('|', ' or ')} |")
    return _page(lines)


def package_page(package: str) -> str:
    """Return the page of a package's public names: signature, docstring, and the public members of classes."""
    module = importlib.import_module(package)
    lines = [f"# `{package}`", "", MADE, "", *_prose(module)]
    elsewhere: list[str] = []
    for name in module.__all__:
        value = getattr(module, name)
        home = getattr(value, "__module__", None)
        if package == "pincite" and isinstance(home, str) and home.startswith("pincite."):
            public = _public_home(home, name)
            elsewhere.append(f"`{name}` ([`{public}`]({public}.md))")
            continue
        lines += ["", f"## `{name}`", "", *(_entry(name, value) or _constant(package, name, value))]
    if elsewhere:
        lines += ["", "Offered here as well, described where they live: " + ", ".join(elsewhere) + "."]
    return _page(lines)


def _public_home(home: str, name: str) -> str:
    """Return the package that exports `name`, where it lives in module `home`."""
    package = home
    while package and name not in getattr(importlib.import_module(package), "__all__", ()):
        package = package.rpartition(".")[0]
    return package or home


def _entry(name: str, value: Any) -> list[str]:
    """Describe a public class or function; nothing of what is neither."""
    if isinstance(value, type):
        return [*_class(name, value)]
    if inspect.isroutine(value):
        return ["```text", _signature(name, value), "```", "", *_prose(value)]
    return []


def _constant(package: str, name: str, value: Any) -> list[str]:
    """Describe a public constant or alias: its value where that fits on a line, and what is said below it."""
    lines = [f"A constant, `{type(value).__name__}`."]
    if isinstance(value, UnionType):
        lines = ["Any of " + ", ".join(f"`{kind.__name__}`" for kind in value.__args__) + "."]
    elif get_origin(value) is not None:
        lines = ["An alias: `" + str(value).replace("typing.", "").replace("collections.abc.", "") + "`."]
    elif type(value) in _PLAIN or (
        isinstance(value, tuple) and {type(one) for one in cast("tuple[object, ...]", value)} <= _PLAIN
    ):
        shown = f"{name} = {value!r}"
        if len(shown) <= WIDE:
            lines = ["```text", shown, "```"]
    said = _said_below(package).get(name)
    return [*lines, "", said] if said else lines


@cache
def _said_below(package: str) -> dict[str, str]:
    """Return what stands below each constant of a package, in a string of its own; no other program sees that."""
    found: dict[str, str] = {}
    folder = PACKAGE.joinpath(*package.split(".")[1:])
    for path in sorted(folder.rglob("*.py")):
        body = ast.parse(path.read_text(encoding="utf-8")).body
        for one, below in pairwise(body):
            target = one.targets[0] if isinstance(one, ast.Assign) else getattr(one, "target", None)
            if not isinstance(target, ast.Name) or not isinstance(below, ast.Expr):
                continue
            if isinstance(below.value, ast.Constant) and isinstance(below.value.value, str):
                found.setdefault(target.id, inspect.cleandoc(below.value.value))
    return found


def _class(name: str, value: type[Any]) -> Iterator[str]:
    if issubclass(value, Enum):
        yield from _prose(value)
        yield ""
        yield "Values: " + ", ".join(f"`{member.value}`" for member in value) + "."
        return
    if issubclass(value, BaseException):
        yield from (f"A kind of `{value.__mro__[1].__name__}`.", "")
    elif getattr(value, "_is_protocol", False):
        yield from ("A protocol: anything with these members will do.", "")
    else:
        yield from ("```text", _signature(name, value), "```", "")
    yield from _prose(value)
    yield ""
    for how, raw in _members(value):
        text = (inspect.getdoc(raw) or "").partition("\n\n")[0].replace("\n", " ")
        yield f"- `{how}`: {text}" if text else f"- `{how}`"


def _members(value: type[Any]) -> Iterator[tuple[str, Any]]:
    """Yield the public members that `value` itself defines, each as it is written and as an object."""
    for name, raw in vars(value).items():
        inner: Any = getattr(raw, "__func__", raw)
        if name.startswith("_"):
            continue
        if isinstance(raw, property):
            yield name, raw
        elif inspect.isfunction(inner):
            yield " ".join(_signature(name, inner, bound=not isinstance(raw, staticmethod)).split()), inner


class _Written:
    """An annotation or default that prints as it is written in the source."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return self._text


def _signature(name: str, value: Callable[..., Any], *, bound: bool = False) -> str:
    """Return how `value` is called, with annotations as they are written and only plain defaults spelt out."""
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):
        return name
    parameters = list(signature.parameters.values())[1 if bound else 0 :]
    shown = [
        parameter.replace(annotation=_annotation(parameter.annotation), default=_default(parameter.default))
        for parameter in parameters
    ]
    given = _annotation(signature.return_annotation)
    if inspect.isclass(value):
        given = inspect.Signature.empty
    signature = signature.replace(parameters=shown, return_annotation=given)
    asynchronous = "async " if inspect.iscoroutinefunction(value) else ""
    text = f"{asynchronous}{name}{signature}"
    if len(text) <= WIDE or bound:
        return text
    # Too wide for a line: one parameter a line, as the formatter would set it.
    rest = str(signature.replace(parameters=[]))[2:]
    inside = str(signature.replace(return_annotation=inspect.Signature.empty))[1:-1]
    return f"{asynchronous}{name}(\n" + "".join(f"    {part},\n" for part in _split(inside)) + f"){rest}"


def _split(text: str) -> Iterator[str]:
    """Yield the parts of `text` between the commas that stand in no bracket."""
    depth, start = 0, 0
    for index, char in enumerate(text):
        depth += (char in "([{") - (char in ")]}")
        if char == "," and not depth:
            yield text[start:index].strip()
            start = index + 1
    yield text[start:].strip()


def _annotation(given: Any) -> Any:
    if given is inspect.Parameter.empty or isinstance(given, type):
        return given
    return _Written(given if isinstance(given, str) else str(given).replace("typing.", ""))


def _default(given: Any) -> Any:
    if given is inspect.Parameter.empty or given is None or type(given) in (bool, int, float, str):
        return given
    if isinstance(given, Enum):
        return _Written(f"{type(given).__name__}.{given.name}")
    return _Written("()" if given == () else "...")


def _prose(value: Any) -> Iterator[str]:
    """Turn a docstring into Markdown: sections become bold lines, their items a list."""
    listing = False
    for line in (inspect.getdoc(value) or "").split("\n"):
        if line in SECTIONS:
            listing = True
            yield from (f"**{line.removesuffix(':')}**", "")
        elif listing and line.startswith("    ") and not line.startswith("     "):
            yield f"- {line.strip()}"
        elif listing and line.startswith("     "):
            yield f"  {line.strip()}"
        else:
            listing = listing and not line.strip()
            # Anything drawn (a tree of errors, a table in a docstring) stays as it is drawn.
            yield f"    {line}" if line.startswith((" ", "├", "└", "│")) else line


# --- cli.md ----------------------------------------------------------------------------------------------------


def cli() -> str:
    """Return the page of all commands with their arguments and options."""
    from rich.text import Text
    from typer.main import get_command

    from pincite.cli.main import app

    root: Any = get_command(app)
    lines = ["# Commands", "", MADE, "", Text.from_markup(root.help or "").plain]
    lines += ["", "Every command takes `--help`.", *_parameters(root)]
    for name, command in root.commands.items():
        if command.hidden:
            continue
        pieces = " ".join(_usage(parameter) for parameter in command.params if not _hidden(parameter))
        text = inspect.cleandoc(Text.from_markup(command.help or "").plain)
        lines += [
            "",
            f"## `pincite {name}`",
            "",
            "```text",
            f"pincite {name} {pieces}".rstrip(),
            "```",
            "",
            text,
        ]
        lines += _parameters(command)
    return _page(lines)


def _hidden(parameter: Any) -> bool:
    return bool(getattr(parameter, "hidden", False)) or parameter.name == "help"


def _usage(parameter: Any) -> str:
    if parameter.param_type_name == "argument":
        name = (parameter.metavar or parameter.name).upper()
        name += "..." if parameter.nargs == -1 and not name.endswith("...") else ""
        return name if parameter.required else f"[{name}]"
    return f"[{parameter.opts[0]}]" if not parameter.required else parameter.opts[0]


def _parameters(command: Any) -> list[str]:
    from rich.text import Text

    rows: list[str] = []
    for parameter in command.params:
        if _hidden(parameter):
            continue
        if parameter.param_type_name == "argument":
            name = f"`{(parameter.metavar or parameter.name).upper()}`"
        else:
            name = ", ".join(f"`{option}`" for option in (*parameter.opts, *parameter.secondary_opts))
        text = Text.from_markup(parameter.help or "").plain.replace("\n", " ").replace("|", "\\|")
        default = parameter.default
        plain = type(default) in (int, float, str) and default != ""
        rows.append(f"| {name} | {text} | {f'`{default}`' if plain else ''} |")
    return ["", "| Name | What it does | Default |", "|---|---|---|", *rows] if rows else []


# --- settings.md -----------------------------------------------------------------------------------------------


def settings() -> str:
    """Return the page of all settings and limits."""
    from pincite.core.limits import limits_table
    from pincite.core.settings import SETTINGS

    lines = [
        "# Settings and limits",
        "",
        MADE,
        "",
        "Both are environment variables. A value that cannot be read, or the name of a limit that does not exist, is",
        "an error before anything else happens; nothing is ignored in silence.",
        "",
        "## Settings",
        "",
        "| Name | What it does |",
        "|---|---|",
        *(f"| `{name}` | {text} |" for name, text in SETTINGS.items()),
        "",
        "## Limits",
        "",
        "What may be large in an input has a limit, so that a hostile one costs a known amount at most. In Python",
        "the same table is `pincite.core.Limits`; `dataclasses.replace` makes another.",
        "",
        "| Name | Default | What it bounds |",
        "|---|---|---|",
        *(f"| `{name}` | {default:,} | {text} |" for name, default, text in limits_table()),
    ]
    return _page(lines)


# --- The table of provider-citations.md ------------------------------------------------------------------------


TABLE = ("<!-- table: made by `make pages` from `pincite.providers.asking` -->", "<!-- end of table -->")
NAMES = {
    "anthropic": "Anthropic",
    "bedrock": "Amazon Bedrock",
    "google": "Google Gemini API",
    "vertex": "Google Vertex AI",
    "openai": "OpenAI",
    "openrouter": "OpenRouter",
    "xai": "xAI",
    "cohere": "Cohere",
    "mistral": "Mistral",
    "perplexity": "Perplexity",
    "groq": "Groq",
    "openai_compatible": "OpenAI-compatible servers",
}
ANCHORS = {"part": "the whole part", "content": "the text", "marker": "the marker", "none": "none"}


def provider_citations() -> str:
    """Return the page about providers with its table made anew."""
    from pincite.providers.asking import RULES

    rows = [
        "| Provider | Citations of | How to turn them on | Anchor | Other than text output | Forced tool | Notes |",
        "|---|---|---|---|---|---|---|",
        *(
            f"| {cells[0]} | {', '.join(kind for _, kind in alike)} | {' | '.join(cells[1:])} |"
            for cells, alike in groupby(map(_provider_row, RULES), key=lambda row: row[0])
        ),
    ]
    text = (ROOT / "docs" / "provider-citations.md").read_text(encoding="utf-8")
    before, _, rest = text.partition(TABLE[0])
    return "\n".join((before + TABLE[0], "", *rows, "", TABLE[1])) + rest.partition(TABLE[1])[2]


def _provider_row(rule: Any) -> tuple[tuple[str, ...], str]:
    """Return the cells of a rule without its kind of source, and that kind."""
    name = NAMES[rule.provider] + (f" ({rule.models})" if rule.models else "")
    if rule.apis:
        name += f", {' and '.join(rule.apis)}"
    kind = rule.kind.replace("_", " ")
    if rule.switch == "never":
        return (name, f"No. {rule.how}", "", "", "", rule.note), kind
    other, forced = "none in arguments, positions in JSON text", "as usual"
    if rule.switch == "asked" and (rule.leaks or rule.text_only):
        other = "not asked for"
    if rule.leaks:
        forced = "refused before the request" if rule.switch == "asked" else "may leak markup"
        other += "" if rule.switch == "asked" else "; may leak markup"
    if rule.refuses_native:
        other += "; a schema is refused"
    return (name, rule.how, ANCHORS[rule.anchor], other, forced, rule.note), kind


# --- http-api.md -----------------------------------------------------------------------------------------------


def http_api() -> str:
    """Return the page of all routes: what each takes and answers, as the OpenAPI has it."""
    import tempfile

    from pincite.core.limits import Limits
    from pincite.core.settings import Settings
    from pincite.server import Service, build_app

    with (
        tempfile.TemporaryDirectory() as folder,
        Service(Path(folder), settings=Settings(), limits=Limits()) as service,
    ):
        described = build_app(service).openapi()
    lines = [
        "# HTTP routes",
        "",
        MADE,
        "",
        (
            "Every route of `pincite serve`, by room; [Serve a team](server.md) shows them at work. "
            "`/openapi.json` has the same for programs, with the shape of every body."
        ),
        "",
        (
            "Send an API key as `Authorization: Bearer pck_...`. Every error is "
            '`{"error": {"code", "message", "field"}}`; beside what is said under a route, each may answer 401, 403, '
            "413, 422, 429, 500 and 503."
        ),
    ]
    for tag in described["tags"]:
        lines += ["", f"## {tag['name'].capitalize()}", "", str(tag["description"])]
        for path, methods in described["paths"].items():
            for method, found in methods.items():
                if tag["name"] in found["tags"]:
                    lines += ["", *_route(method, path, found, described["components"]["schemas"])]
    return _page(lines)


# What every route may answer; said once on the page, and not under each route.
_EVERYWHERE = frozenset({"401", "403", "413", "422", "429", "500", "503"})


def _route(method: str, path: str, found: dict[str, Any], shapes: dict[str, Any]) -> Iterator[str]:
    yield f"### `{method.upper()} {path}`"
    yield ""
    yield " ".join(str(found["description"]).split())
    rows = [
        (one["name"], one["in"], one["schema"], one.get("description", ""))
        for one in found.get("parameters", ())
        if one["in"] in ("query", "header")
    ]
    for kind, given in found.get("requestBody", {}).get("content", {}).items():
        shape = shapes.get(_name_of(given["schema"]), given["schema"])
        where = "form" if kind.startswith("multipart/") else "JSON"
        for name, field in shape.get("properties", {}).items():
            rows.append((name, where, field, field.get("description", "")))
    if rows:
        yield from ("", "| Takes | In | Kind | What |", "|---|---|---|---|")
        for name, where, field, said in rows:
            yield f"| `{name}` | {where} | {_kind(field)} | {' '.join(str(said).split()).replace('|', ' or ')} |"
    yield ""
    replies: list[str] = []
    for status, reply in sorted(found["responses"].items()):
        content: dict[str, Any] = reply.get("content", {})
        name = next((_name_of(one.get("schema", {})) for one in content.values()), "")
        if status not in _EVERYWHERE or name != "Fault":
            replies.append(f"{status} `{name}`" if name and name != "Fault" else status)
    yield f"Answers: {', '.join(replies)}."


def _name_of(schema: dict[str, Any]) -> str:
    return str(schema.get("$ref", "")).rpartition("/")[2]


def _kind(schema: dict[str, Any]) -> str:
    """Return what a value is in a few words."""
    if "anyOf" in schema:
        kinds = dict.fromkeys(_kind(one) for one in schema["anyOf"])
        return " or ".join(kinds)
    if "enum" in schema:
        return ", ".join(f"`{one}`" for one in schema["enum"])
    if schema.get("type") == "array":
        return f"list of {_kind(schema.get('items', {}))}"
    return _name_of(schema) or str(schema.get("type", "anything"))


REFERENCE = "docs/reference"


def site() -> str:
    """Return the settings of the site, with the pages of the packages in its navigation."""
    before, first, rest = (
        (ROOT / "zensical.toml").read_text(encoding="utf-8").partition('    "reference/index.md",\n')
    )
    led = "".join(f'    "reference/{package}.md",\n' for package in packages())
    return before + first + led + rest[rest.index("  ] },") :]


def pages() -> Iterator[tuple[str, str]]:
    """Yield the path and the text of each page."""
    yield f"{REFERENCE}/index.md", reference()
    for package in packages():
        yield f"{REFERENCE}/{package}.md", package_page(package)
    yield "zensical.toml", site()
    yield "docs/cli.md", cli()
    yield "docs/settings.md", settings()
    yield "docs/http-api.md", http_api()
    yield "docs/provider-citations.md", provider_citations()


def main(arguments: list[str]) -> int:
    """Write the pages, or with `--check` name those that are out of date."""
    old, checks = 0, "--check" in arguments
    gone = {path.relative_to(ROOT).as_posix() for path in (ROOT / REFERENCE).glob("*.md")}
    for name, text in pages():
        gone.discard(name)
        path = ROOT / name
        if path.is_file() and path.read_text(encoding="utf-8") == text:
            continue
        old = 1
        if checks:
            print(f"{name} is out of date: run `make pages` and commit it.")
        else:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
            print(f"{name} written.")
    for name in sorted(gone):
        old = 1
        if checks:
            print(f"{name} is of no package: run `make pages` and commit that it is gone.")
        else:
            (ROOT / name).unlink()
            print(f"{name} removed.")
    return old if checks else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
