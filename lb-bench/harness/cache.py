"""Tools without a distribution package: built or installed once, outside the tree, and cached for later runs."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from harness.workplace import BENCH, Failure, say

_TIMEOUT_SECONDS = 900


def directory():
    """Returns LB_BENCH_CACHE, or ballast-bench in the user's cache directory."""
    given = os.environ.get("LB_BENCH_CACHE")
    return Path(given) if given else Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "ballast-bench"


def go_tool(package, version):
    """Returns the binary of a Go program at a version, such as `github.com/summerwind/h2spec/cmd/h2spec`."""
    name = program_name(package)
    built = directory() / "go" / f"{package.replace('/', '_')}@{version}"
    if not (built / name).exists():
        _run(["go", "install", f"{package}@{version}"], {"GOBIN": str(built), "GOFLAGS": "-modcacherw"})
    return built / name


def go_module_tool(package, version):
    """Like `go_tool`, for a program whose module replaces or excludes modules, which `go install` refuses."""
    built = directory() / "go" / f"{package.replace('/', '_')}@{version}"
    name = program_name(package)
    if not (built / name).exists():
        module = built / "module"
        module.mkdir(parents=True, exist_ok=True)
        (module / "go.mod").write_text("module tool\n")
        _run(["go", "get", "-C", module, "-tool", f"{package}@{version}"], {"GOFLAGS": "-modcacherw"})
        _run(["go", "build", "-C", module, "-o", built / name, package], {"GOFLAGS": "-modcacherw"})
    return built / name


def program_name(package):
    """Returns the name that `go install` gives the program of a package; a major version such as /v7 is not part of it."""
    return re.sub(r"/v[0-9]+$", "", package).rsplit("/", 1)[1]


def go_program(name):
    """Returns the binary of a program in lb-bench/programs, built if it is missing or older than its sources."""
    sources = BENCH / "programs" / name
    built = directory() / "programs" / name
    newest = max(source.stat().st_mtime for source in sources.iterdir())
    if not built.exists() or built.stat().st_mtime < newest:
        _run(["go", "build", "-C", sources, "-o", built, "."], {"GOFLAGS": "-modcacherw"})
        # A build without changes does not update the time.
        os.utime(built)
    return built


def venv(name, *packages):
    """Returns the directory with the programs of PyPI packages, in a virtual environment of their own."""
    home = directory() / "venv" / name
    done = home / "installed"
    if not done.exists() or done.read_text().split() != list(packages):
        _run([sys.executable, "-m", "venv", "--clear", home])
        _run([home / "bin" / "pip", "install", "-q", *packages])
        done.write_text("\n".join(packages))
    return home / "bin"


def npm(name, *packages):
    """Returns a directory whose scripts can import npm packages, each given as name@version."""
    home = directory() / "npm" / name
    done = home / "installed"
    if not done.exists() or done.read_text().split() != list(packages):
        home.mkdir(parents=True, exist_ok=True)
        _run(["npm", "install", "--prefix", home, "--no-audit", "--no-fund", "--ignore-scripts", *packages])
        done.write_text("\n".join(packages))
    return home


def git_checkout(repository, commit):
    """Returns the directory of a Git repository at a commit."""
    home = directory() / "git" / f"{program_name(repository.removesuffix('.git'))}@{commit}"
    if not (home / "checked-out").exists():
        home.mkdir(parents=True, exist_ok=True)
        _run(["git", "init", "-q", home])
        _run(["git", "-C", home, "fetch", "-q", "--depth", "1", repository, commit])
        _run(["git", "-C", home, "checkout", "-q", "-f", "FETCH_HEAD"])
        (home / "checked-out").touch()
    return home


def npm_packages(project, *packages):
    """Installs packages for a Node.js project, without those that it names itself."""
    home = npm("_".join(packages), *packages)
    (project / "node_modules").symlink_to(home / "node_modules", target_is_directory=True)


def python2_packages(name, *packages):
    """Returns (Python 2.7, its directory of PyPI packages), for programs that do not support Python 3."""
    python = _python2()
    home = directory() / "python2" / name
    done = home / "installed"
    if not done.exists() or done.read_text().split() != list(packages):
        _run([python, "-m", "pip", "install", "-q", "--upgrade", "--target", home, *packages])
        done.write_text("\n".join(packages))
    return python, home


def _python2():
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    places = [os.environ.get("PYTHON2"), shutil.which("python2.7"), *sorted(pyenv.glob("2.7*/bin/python"))]
    for python in filter(None, places):
        done = subprocess.run([str(python), "-c", "import pip"], capture_output=True, check=False)
        if done.returncode == 0:
            return python
    raise Failure("Python 2.7 with pip is missing (pyenv install 2.7.18, or set PYTHON2)")


def _run(command, environment=()):
    words = [str(word) for word in command]
    if shutil.which(words[0]) is None:
        raise Failure(f"{words[0]} is missing")
    say(" ".join(words))
    environment = {**os.environ, **dict(environment)}
    done = subprocess.run(
        words, env=environment, capture_output=True, text=True, check=False, timeout=_TIMEOUT_SECONDS
    )
    if done.returncode != 0:
        raise Failure(f"{' '.join(words)}:\n{(done.stdout + done.stderr)[-2000:]}")
