"""The public face: each package offers exactly its sorted `__all__`, and the base install stays small."""

from __future__ import annotations

import ast
import importlib
import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

SOURCE = Path(__file__).resolve().parent.parent / "src"
PACKAGES = sorted(
    ".".join(init.parent.relative_to(SOURCE).parts) for init in (SOURCE / "pincite").rglob("__init__.py")
)
MODULES = sorted((SOURCE / "pincite").rglob("*.py"))
# The base install, as `import pincite.<name>`; those that are not there yet join when they come.
BASE = [name for name in ("citing", "checking", "showing", "providers") if f"pincite.{name}" in PACKAGES]
MOST_LINES = 600
# Private modules that other packages of ours may import all the same, each with its reason.
SHARED = {
    "pincite._version": "the version is said in several places",
    "pincite._lazy": "how packages export lazily",
    "pincite._quick": "how frozen nouns are made in bulk",
    "pincite.citing._scan": "the one scan of an answer for markers; rendering needs its places, nobody outside does",
    "pincite.citing._fields": "fields of a mapping or an object are read alike, by agents too",
    "pincite.citing._written": "how an evidence id may be written, for rendering too: said once",
    "pincite.citing._marks": "what a link's target is, for rendering too: said once",
}


def place(name: str) -> tuple[int, str]:
    """Return the sort key of a public name: constants, then classes, then functions, each in plain order."""
    kind = 0 if name.isupper() and len(name) > 1 else 1 if name[0].isupper() else 2
    return kind, name


def name_of(path: Path) -> str:
    """Return the dotted name of a source file."""
    return ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")


@pytest.mark.parametrize("package", PACKAGES)
def test_all_is_sorted_and_importable(package: str) -> None:
    """Every package has an `__all__`, sorted, without repeats, and each name in it is there."""
    module = importlib.import_module(package)
    exported: list[str] = list(module.__all__)
    assert exported == sorted(set(exported), key=place)
    assert [name for name in exported if not hasattr(module, name)] == []


@pytest.mark.parametrize("package", PACKAGES)
def test_nothing_else_is_public(package: str) -> None:
    """What of ours stands in a package's namespace under a public name is in its `__all__`."""
    module = importlib.import_module(package)
    leaked = {
        name
        for name, value in vars(module).items()
        if not name.startswith("_")
        and name not in module.__all__
        and not isinstance(value, ModuleType)
        # Constants have no home; what has one outside pincite (typing, importlib) is nobody's to export.
        and getattr(value, "__module__", "pincite").startswith("pincite")
        and name != "TYPE_CHECKING"
    }
    assert leaked == set()


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_a_private_module_stays_in_its_package(path: Path) -> None:
    """A module whose name begins with `_` is imported only from inside the package that holds it."""
    importer = name_of(path)
    foreign: list[str] = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        for name in names:
            parts = name.split(".")
            private = next((i for i, part in enumerate(parts) if part.startswith("_")), None)
            if private is None or parts[0] != "pincite" or ".".join(parts[: private + 1]) in SHARED:
                continue
            owner = ".".join(parts[:private])
            if importer != owner and not importer.startswith(f"{owner}."):
                foreign.append(name)
    assert foreign == []


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_a_module_can_be_held_in_the_head(path: Path) -> None:
    """No module has more than 600 lines."""
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MOST_LINES


def loaded_by(statement: str) -> dict[str, str | None]:
    """Return the top-level modules that `statement` loads in a new interpreter, each with its file."""
    program = (
        "import sys, json\n"
        "before = set(sys.modules)\n"
        f"{statement}\n"
        "new = {name.partition('.')[0] for name in set(sys.modules) - before}\n"
        "print(json.dumps({n: getattr(sys.modules.get(n), '__file__', None) for n in new}))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    found: dict[str, str | None] = json.loads(done.stdout)
    return found


def third_party(loaded: dict[str, str | None]) -> set[str]:
    """Return the modules of `loaded` that come neither from the standard library nor from this project.

    A module without a file is one that a compiled module makes up as it loads.
    """
    ours = {"pincite", *sys.stdlib_module_names}
    return {name for name, file in loaded.items() if file is not None and name not in ours}


def test_the_base_packages_load_rapidfuzz_at_most() -> None:
    """`import pincite.citing, pincite.checking, pincite.showing` loads nothing from outside but `rapidfuzz`."""
    statement = "import " + ", ".join(f"pincite.{name}" for name in ("core", *BASE))
    assert third_party(loaded_by(statement)) <= {"rapidfuzz"}


def test_every_base_name_loads_rapidfuzz_at_most() -> None:
    """Asking for each public name of the base packages loads nothing heavier either."""
    statement = "\n".join(
        f"import pincite.{name}\n[getattr(pincite.{name}, n) for n in pincite.{name}.__all__]"
        for name in BASE
    )
    assert third_party(loaded_by(statement or "pass")) <= {"rapidfuzz"}


def test_importing_pincite_loads_no_room() -> None:
    """`import pincite` alone loads none of its packages: names come when they are asked for."""
    program = "import sys, pincite\nprint(*sorted(n for n in sys.modules if n.startswith('pincite.')))"
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    rooms = {name.split(".")[1] for name in done.stdout.split()}
    assert [name for name in rooms if not name.startswith("_")] == []
