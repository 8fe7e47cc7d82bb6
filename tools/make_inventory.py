"""Say what pincite is made of: the page of licences, and a software bill of materials for a release.

    python tools/make_inventory.py                 write docs/licences.md where it is out of date
    python tools/make_inventory.py --check         say whether it is, and fail
    python tools/make_inventory.py --sbom FILE     write the bill (CycloneDX 1.6, JSON), after checking it

What is listed is what `pip install 'pincite[all]'` brings with the pinned versions, and what lies in the package
itself. Licences are read from the installed packages, so it runs in the environment of `make dev`. A licence that is
not on the list of those we take ends it with 1.
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, metadata, requires
from pathlib import Path
from typing import TYPE_CHECKING, Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "licences.md"
PINS = ROOT / "requirements" / "demo.txt"
MADE = "<!-- Made by `make pages` from the installed packages. -->"

# `name==version` at the start of a line; each part linear.
PIN = re.compile(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)", re.MULTILINE)

# How packages write a licence that has an identifier of SPDX.
SPDX = {
    "3-Clause BSD License": "BSD-3-Clause",
    "Apache License, Version 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "BSD License": "BSD-3-Clause",
    "BSD-3-Clause, Apache-2.0, dependency licenses": "BSD-3-Clause AND Apache-2.0",
    "BSD License; Apache Software License": "Apache-2.0 OR BSD-3-Clause",
    "ISC License (ISCL)": "ISC",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "OSI Approved; MIT License": "MIT",
}
# What packages do not say in their metadata, from the text of the licence that they bring; and those that are for other
# systems alone, from their own files. None: it could not be looked at here.
BY_HAND: dict[str, str | None] = {
    "async-timeout": "Apache-2.0",
    "httpx2-jsfetch": None,
    "pyromark": "MIT",
    "pywin32": "PSF-2.0",
    "tzdata": "Apache-2.0",
}
# What we take. LGPL-3.0 is `psycopg`, which is loaded and never changed; see the page of the stack.
TAKEN = frozenset(
    "0BSD Apache-2.0 BSD-2-Clause BSD-3-Clause CC0-1.0 ISC LGPL-3.0-only MIT MIT-0 MIT-CMU MPL-2.0 PSF-2.0 Zlib".split()
)
# What lies in the package: name, version (None: that of the lock file of npm), licence, what it is there for.
BUNDLED = (
    ("lit", None, "BSD-3-Clause", "the elements of the console"),
    ("marked", None, "MIT", "the Markdown of answers in console and widget"),
    ("bert-base-uncased-vocab", "2018", "Apache-2.0", "the vocabulary of the embedder"),
)


@dataclass(frozen=True, slots=True)
class Part:
    """A package that comes with pincite: its pinned versions, licence, and the extras that ask for it.

    `versions` has more than one where other versions of Python get another.
    """

    name: str
    versions: tuple[str, ...]
    licence: str | None
    extras: tuple[str, ...]


def pins() -> dict[str, list[str]]:
    """Return the versions of everything that is pinned, by name."""
    found: dict[str, list[str]] = {}
    for name, version in PIN.findall(PINS.read_text(encoding="utf-8")):
        found.setdefault(canonicalize_name(name), []).append(version)
    return found


def licence_of(name: str) -> str | None:
    """Return the licence of a package as an expression of SPDX, None where nothing tells it."""
    if name in BY_HAND:
        return BY_HAND[name]
    try:
        said = metadata(name)
    except PackageNotFoundError:
        return None
    listed: list[str] = said.get_all("Classifier") or []
    classified = "; ".join(one.split(" :: ")[-1] for one in listed if one.startswith("License :: "))
    told = [*(said.get_all("License-Expression") or []), classified, *(said.get_all("License") or [])]
    written = next((one for one in told if one), "").partition("\n")[0]
    return SPDX.get(written, written) or None


def asked(name: str, extras: frozenset[str]) -> Iterator[Requirement]:
    """Yield what an installed package asks for on this system, with these of its extras."""
    try:
        lines = requires(name) or ()
    except PackageNotFoundError:
        return
    for line in lines:
        one = Requirement(line)
        if one.marker is None or any(one.marker.evaluate({"extra": extra}) for extra in ("", *extras)):
            yield one


@cache
def closure(extra: str) -> frozenset[str]:
    """Return the names of all packages that an extra of pincite brings; of the base for an empty name."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted: list[str] = project["optional-dependencies"][extra] if extra else project["dependencies"]
    found: set[str] = set()
    seen: set[tuple[str, frozenset[str]]] = set()
    rest = [Requirement(line) for line in wanted]
    while rest:
        one = rest.pop()
        name, of = canonicalize_name(one.name), frozenset(one.extras)
        if (name, of) in seen:
            continue
        seen.add((name, of))
        if name == "pincite":
            found |= {part for inner in of for part in closure(inner)}
            continue
        found.add(name)
        rest += asked(name, of)
    return frozenset(found)


def parts() -> list[Part]:
    """Return all packages that pincite can bring, by name."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = [name for name in project["optional-dependencies"] if name != "all"]
    pinned = pins()
    found: list[Part] = []
    for name in sorted(closure("all") | closure("") | (BY_HAND.keys() & pinned.keys())):
        by = ("base",) if name in closure("") else tuple(one for one in extras if name in closure(one))
        found.append(Part(name, tuple(pinned[name]), licence_of(name), by))
    return found


def bundled() -> list[tuple[str, str, str, str]]:
    """Return what lies in the package: name, version, licence, what for."""
    lock = json.loads((ROOT / "web" / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    return [
        (name, version or lock[f"node_modules/{name}"]["version"], licence, use)
        for name, version, licence, use in BUNDLED
    ]


def refused(found: list[Part]) -> list[str]:
    """Return a sentence for each package whose licence we do not take, or do not know."""
    bad: list[str] = []
    for part in found:
        if part.licence is None:
            if part.name not in BY_HAND:
                bad.append(f"{part.name} does not say its licence.")
        elif not set(re.split(r" AND | OR ", part.licence.replace("(", "").replace(")", ""))) <= TAKEN:
            bad.append(f"{part.name} is under {part.licence}.")
    return bad


def page(found: list[Part]) -> str:
    """Return the page of licences."""
    lines = [
        "# Licences",
        "",
        MADE,
        "",
        "pincite is under Apache-2.0. This is everything that it can bring, in the versions that are pinned, and",
        "which extras ask for it. None of it is under the GPL or AGPL. A wheel may hold libraries of others (FFmpeg,",
        "OpenSSL, the runtime of a compiler); it names them itself, and they are never changed here. What only",
        "builds and tests pincite stands in [the stack](stack.md).",
        "",
        "| Package | Version | Licence | Comes with |",
        "|---|---|---|---|",
    ]
    for part in found:
        by = ", ".join(f"`{one}`" for one in part.extras) or "other systems, or other versions of Python"
        licence = part.licence or "not looked at"
        lines.append(f"| {part.name} | {', '.join(part.versions)} | {licence} | {by} |")
    lines += [
        "",
        "## In the package itself",
        "",
        "Their notices stand in `NOTICE`.",
        "",
        "| What | Version | Licence | For |",
        "|---|---|---|---|",
        *(f"| {name} | {version} | {licence} | {use} |" for name, version, licence, use in bundled()),
        "",
        "`make sbom` writes the same as a bill of materials (CycloneDX 1.6). The hashes of all files are in",
        "`requirements/demo.txt`.",
    ]
    return "\n".join(lines) + "\n"


def bill(found: list[Part]) -> str:
    """Return the bill of materials as CycloneDX 1.6.

    Raises:
        ValueError: it does not hold to the schema.
    """
    from cyclonedx.schema import SchemaVersion
    from cyclonedx.validation.json import JsonStrictValidator

    from pincite import __version__

    listed = [_component("pypi", part.name, one, part.licence) for part in found for one in part.versions]
    listed += [
        _component("generic" if name.startswith("bert") else "npm", name, version, licence)
        for name, version, licence, _ in bundled()
    ]
    whole = _component("pypi", "pincite", __version__, "Apache-2.0") | {"type": "application"}
    made = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": whole},
        "components": listed,
        "dependencies": [{"ref": whole["bom-ref"], "dependsOn": [one["bom-ref"] for one in listed]}],
    }
    text = json.dumps(made, indent=2)
    fault = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)
    if fault is not None:
        raise ValueError(str(fault))
    return text + "\n"


def _component(kind: str, name: str, version: str, licence: str | None) -> dict[str, Any]:
    url = f"pkg:{kind}/{name}@{version}"
    made: dict[str, Any] = {"type": "library", "bom-ref": url, "name": name, "version": version, "purl": url}
    if licence is not None:
        is_one = " " not in licence
        made["licenses"] = [{"license": {"id": licence}} if is_one else {"expression": licence}]
    return made


def main(arguments: list[str]) -> int:
    """Write or check the page, or write the bill."""
    found = parts()
    bad = refused(found)
    print("".join(f"{one}\n" for one in bad), end="")
    if arguments[:1] == ["--sbom"]:
        path = Path(arguments[1])
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(bill(found), encoding="utf-8")
        print(f"{path}: {len(found)} packages, {len(BUNDLED)} parts of the package itself.")
        return bool(bad)
    text = page(found)
    if PAGE.is_file() and PAGE.read_text(encoding="utf-8") == text:
        return bool(bad)
    if "--check" in arguments:
        print("docs/licences.md is out of date: run `make pages` and commit it.")
        return 1
    PAGE.write_text(text, encoding="utf-8")
    print("docs/licences.md written.")
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
