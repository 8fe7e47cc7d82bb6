"""The wheel alone, in a clean environment: the README's lines run, and what is missing says how to get it."""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
import venv
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
ROOMS = {init.parent.name for init in (ROOT / "src" / "pincite").glob("*/__init__.py")}
# The first Python block of the README: up to the next fence, linear.
BLOCK = re.compile(r"^```python[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)
# What pip says when it cannot reach a registry, or the registry lacks what is pinned.
UNREACHABLE = re.compile(r"No matching distribution|Connection|Temporary failure|timed out", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Installed:
    """A clean environment that holds the wheel, and the folder to work in."""

    python: Path
    desk: Path

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run a program of the environment in the desk, without this environment's variables."""
        environ = {
            "PATH": "/usr/bin:/bin",
            "PINCITE_HOME": str(self.desk / "library"),
            "HOME": str(self.desk),
        }
        program, *rest = arguments
        return subprocess.run(
            [str(self.python.with_name(program)), *rest],
            check=False,
            capture_output=True,
            text=True,
            cwd=self.desk,
            env=environ,
            timeout=120,
        )


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """Build the sdist, of it the wheel, and install that with the pinned base requirement, nothing else."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    done = subprocess.run(build, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    venv.create(folder / "venv", with_pip=True)
    python = folder / "venv" / "bin" / "python"
    pip = [str(python), "-m", "pip", "--disable-pip-version-check", "--no-input", "install", "--quiet"]
    base = subprocess.run(
        [*pip, "--require-hashes", "-r", str(ROOT / "requirements" / "base.txt")],
        check=False,
        capture_output=True,
        text=True,
    )
    if base.returncode != 0 and UNREACHABLE.search(base.stderr):
        pytest.skip(
            "No package registry can be reached, so the wheel cannot be tried in a clean environment."
        )
    assert base.returncode == 0, base.stderr
    (wheel,) = folder.glob("*.whl")
    subprocess.run([*pip, "--no-deps", str(wheel)], check=True, capture_output=True)
    desk = folder / "desk"
    desk.mkdir()
    return Installed(python, desk)


def test_the_sdist_is_the_project(installed: Installed) -> None:
    """Everything that is under version control stands in it, and nothing that was made from it."""
    (sdist,) = installed.desk.parent.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()} - {"PKG-INFO", ".gitignore"}
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        check=False,
        capture_output=True,
        text=True,
        cwd=ROOT,
    )
    if listed.returncode != 0:
        pytest.skip("This is no clone, so there is nothing to hold the sdist against.")
    kept = {name for name in listed.stdout.splitlines() if (ROOT / name).is_file()}
    assert held <= kept
    assert {name for name in kept - held if not name.startswith(".")} == set()


def test_the_wheel_holds_what_it_should(installed: Installed) -> None:
    """Types marker, licence, notice, vocabulary, console, schemas and revisions are in it; tests and tools are not."""
    program = (
        "from importlib.metadata import distribution\n"
        "print(*(f for f in distribution('pincite').files or () if not str(f).endswith('.pyc')), sep='\\n')"
    )
    files = installed.run("python", "-c", program).stdout.split()
    assert "pincite/py.typed" in files
    assert "pincite/search/data/bert-base-uncased-vocab.txt" in files
    assert "pincite/server/static/index.html" in files
    assert "pincite/protocols/schemas/answer.json" in files
    assert "pincite/library/_migrations/versions/r0001_library.py" in files
    assert {Path(file).name for file in files} >= {"LICENSE", "NOTICE"}
    assert {Path(file).parts[0] for file in files} & {"tests", "tools", "benchmarks", "docs"} == set()


def test_the_readme_runs_without_extras(installed: Installed) -> None:
    """The first Python block of the README needs the base install alone, and is 15 lines at most."""
    found = BLOCK.search((ROOT / "README.md").read_text(encoding="utf-8"))
    assert found is not None
    lines = [line for line in found[1].splitlines() if line.strip() and not line.lstrip().startswith("#")]
    assert len(lines) <= 15
    done = installed.run("python", "-W", "error", "-c", found[1])
    assert done.returncode == 0, done.stderr


# What needs an extra, as a program, and the extra that the sentence must name.
NEEDS: dict[str, tuple[str, str, str]] = {
    "a PDF": (
        "reading",
        "pdf",
        "from pincite.reading import ReadingPool\nReadingPool().read(b'%PDF-1.7\\n%%EOF', name='a.pdf')",
    ),
    "Markdown": (
        "reading",
        "search",
        "from pincite.reading import ReadingPool\nReadingPool().read(b'# A\\n\\nB.', name='a.md')",
    ),
    "HTML": (
        "reading",
        "search",
        "from pincite.reading import ReadingPool\nReadingPool().read(b'<p>A.</p>', name='a.html')",
    ),
    "a library": (
        "library",
        "search",
        "from pathlib import Path\nfrom pincite.library import Library\nLibrary.open(Path('home'))",
    ),
    "MOCA": ("protocols", "moca", "import pincite.protocols.moca"),
    "AG-UI": ("protocols", "ag-ui", "import pincite.protocols.ag_ui"),
    "a search": (
        "search",
        "search",
        "import pincite.search\n[getattr(pincite.search, name) for name in pincite.search.__all__]",
    ),
    "agents": (
        "agents",
        "agents",
        "import pincite.agents\n[getattr(pincite.agents, name) for name in pincite.agents.__all__]",
    ),
    "the server": (
        "server",
        "server",
        "import pincite.server\n[getattr(pincite.server, name) for name in pincite.server.__all__]",
    ),
    "the MCP server": ("protocols", "mcp", "import pincite.protocols.mcp"),
    "injection": ("citing", "di", "import pincite.citing.di"),
}


@pytest.mark.parametrize("what", [what for what, (room, _, _) in NEEDS.items() if room in ROOMS])
def test_a_missing_extra_is_one_sentence(installed: Installed, what: str) -> None:
    """Whatever needs an extra raises `MissingExtraError`, whose message is the command that installs it."""
    _, extra, program = NEEDS[what]
    frame = (
        "from pincite.core import MissingExtraError\n"
        "try:\n"
        + "".join(f"    {line}\n" for line in program.split("\n"))
        + "except MissingExtraError as error:\n"
        "    print(error)\n"
    )
    done = installed.run("python", "-c", frame)
    assert done.stderr == ""
    assert done.stdout.endswith(f"needs the extra `{extra}`: pip install 'pincite[{extra}]'.\n")
    assert done.stdout.count("\n") == 1


def test_the_command_line_without_its_extra_is_one_sentence(installed: Installed) -> None:
    """`pincite` without the extra `cli` prints the command that installs it and ends with 2."""
    done = installed.run("pincite", "ls")
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert "pip install 'pincite[cli]'" in done.stderr
