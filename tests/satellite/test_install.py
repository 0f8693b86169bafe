"""Manifest, vetting, install and load: the cases of section I."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from chibi_bridge.cli import group
from chibi_bridge.satellite.envelope import Ok
from chibi_bridge.satellite.install import InstallRefused, install, load_extensions, remove, verify
from chibi_bridge.satellite.manifest import ManifestError, read_manifest, tree_digest

HEAD = """
[extension]
name = "weather"
version = "1.0"
description = "Forecasts."
license = "MIT"
tier = "jailed"
"""
TOOL = """
[[tool]]
name = "forecast"
description = "The weather of a city."
prompt_snippet = "forecast: the weather"
parameters = "schema/forecast.json"
entry = "forecast.scm"
timeout_ms = 5000
"""
NET = """
[net]
hosts = ["api.example.test"]
methods = ["GET"]
max_response_bytes = 1000
requests_per_call = 2
"""
SECRET = """
[[net.secret]]
env = "KEY"
host = "api.example.test"
header = "X-Key"
"""
SOURCE = """
(import (scheme base) (ext) (util))
(define (run args ctx) (text (shout "sunny")))
"""
UTIL = '(define-library (util) (export shout) (import (scheme base)) (begin (define (shout s) (string-append s "!"))))'
SCHEMA = '{"type": "object", "properties": {"city": {"type": "string"}}}'
FILES = {
    "extension.toml": HEAD + TOOL,
    "src/forecast.scm": SOURCE,
    "src/util.sld": UTIL,
    "schema/forecast.json": SCHEMA,
}


def as_bytes(files: dict[str, str]) -> dict[str, bytes]:
    return {path: text.encode() for path, text in files.items()}


def read(text: str, **files: str) -> object:
    return read_manifest(text, as_bytes({**FILES, **files}))


@pytest.fixture
def tree(tmp_path: Path) -> Callable[..., Path]:
    """A folder with the files, changed as told; None leaves one out."""

    def make(changes: dict[str, str | None] | None = None, name: str = "weather") -> Path:
        root = tmp_path / "sources" / name
        for path, text in {**FILES, **(changes or {})}.items():
            if text is not None:
                place = root / path
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_text(text)
        return root

    return make


def test_I1_a_minimal_manifest_is_accepted_and_has_no_network() -> None:
    made = read_manifest(HEAD + TOOL, as_bytes(FILES))
    assert (made.name, made.net, made.tools[0].timeout_ms) == ("weather", None, 5000)
    assert made.tools[0].parameters == json.loads(SCHEMA)


@pytest.mark.parametrize(
    ("case", "text", "words"),
    [
        ("I2", HEAD + TOOL + 'color = "red"', ["tool", "color", "prompt_snippet"]),
        ("I3", HEAD + TOOL + "[client]\nx = 1", ["client"]),
        ("I4", HEAD.replace('"weather"', '"Weather"') + TOOL, ["name", "Weather"]),
        ("I4", HEAD.replace('"weather"', '"9x"') + TOOL, ["name", "9x"]),
        ("I5", HEAD.replace("jailed", "harness") + TOOL, ["tier", "harness", "not installable yet"]),
        ("I5", HEAD.replace("jailed", "root") + TOOL, ["tier", "root"]),
        ("I6", HEAD + TOOL.replace("schema/forecast.json", "../x.json"), ["parameters", "../x.json"]),
        ("I6", HEAD + TOOL.replace("schema/forecast.json", "schema/../../x.json"), ["parameters"]),
        ("I6", HEAD + TOOL.replace("schema/forecast.json", "schema/none.json"), ["schema/none.json"]),
        ("I6", HEAD + TOOL.replace("schema/forecast.json", "schema/bad.json"), ["schema/bad.json", "JSON"]),
        ("I7", HEAD + TOOL + TOOL, ["forecast", "twice"]),
        ("I8", HEAD, ["[[tool]]"]),
        ("I9", HEAD + TOOL.replace("5000", "0"), ["timeout_ms"]),
        ("I10", HEAD + TOOL + '[[hook]]\nevent = "on_fire"\nentry = "forecast.scm"', ["on_fire", "tool_call", "usage"]),
        ("I11", HEAD + TOOL + NET.replace("GET", "get"), ["methods", "get"]),
        ("I12", HEAD + TOOL + NET + SECRET.replace("api.example", "other.example"), ["other.example.test", "hosts"]),
        ("hook twice", HEAD + 2 * '[[hook]]\nevent = "usage"\nentry = "forecast.scm"\n', ["usage", "twice"]),
        ("entry", HEAD + TOOL.replace('"forecast.scm"', '"../forecast.scm"'), ["entry"]),
        ("wildcard", HEAD + TOOL + NET.replace("api.example", "*.example"), ["hosts"]),
        ("header", HEAD + TOOL + NET + SECRET.replace("X-Key", "Host"), ["header", "Host"]),
        ("zero", HEAD + TOOL + NET.replace("requests_per_call = 2", "requests_per_call = 0"), ["requests_per_call"]),
        ("empty", HEAD.replace('"MIT"', '" "') + TOOL, ["license"]),
        ("toml", "[extension", ["extension.toml"]),
        ("boolean", HEAD + TOOL.replace("5000", "true"), ["timeout_ms"]),
    ],
)
def test_I2_to_I12_a_manifest_that_is_refused_says_why(case: str, text: str, words: list[str]) -> None:
    with pytest.raises(ManifestError) as caught:
        read(text, **{"schema/bad.json": "{oops"})
    for word in words:
        assert word in str(caught.value), case


def test_a_digest_covers_paths_and_contents() -> None:
    base = as_bytes(FILES)
    assert tree_digest(base) == tree_digest(dict(reversed(base.items())))
    assert tree_digest(base) != tree_digest({**base, "src/x.scm": b""})
    assert tree_digest({"a": b"bc"}) != tree_digest({"ab": b"c"})


@pytest.mark.parametrize(
    ("case", "changes", "layer", "words"),
    [
        ("I13", {"src/forecast.scm": "(import (tein http))" + SOURCE}, "vetting", ["tein http", "forecast.scm"]),
        ("I14", {"src/forecast.scm": "(import (only (chibi process) fork))" + SOURCE}, "vetting", ["chibi process"]),
        (
            "I14",
            {"src/util.sld": UTIL.replace("(scheme base)", "(scheme base) (harness io)")},
            "vetting",
            ["harness io"],
        ),
        ("I15", {"src/ext/hook.sld": "(define-library (ext hook))"}, "vetting", ["ext/hook"]),
        ("I15", {"src/forecast.scm": "(define-library (ext) (export))" + SOURCE}, "vetting", ["(ext)"]),
        ("I17", {"src/evil.erl": "-module(evil)."}, "vetting", ["evil.erl", ".scm"]),
        ("compile", {"src/forecast.scm": "(import (scheme base)) (car 5)"}, "compile", ["car"]),
        ("no run", {"src/forecast.scm": "(import (scheme base)) (define x 1)"}, "compile", ["run"]),
        ("endless", {"extension.toml": None}, "manifest", ["extension.toml"]),
    ],
)
def test_I13_to_I17_a_tree_that_is_refused_leaves_nothing_behind(
    tree: Callable[..., Path], tmp_path: Path, case: str, changes: dict[str, str | None], layer: str, words: list[str]
) -> None:
    with pytest.raises(InstallRefused) as caught:
        install(str(tree(changes)), tmp_path / "home")
    assert caught.value.layer == layer, caught.value
    for word in words:
        assert word in str(caught.value), case
    assert load_extensions(tmp_path / "home") == []


def archive_of(files: dict[str, str], place: Path, link: str | None = None, root: str = "weather-1.0") -> Path:
    with tarfile.open(place, "w:gz") as archive:
        for path, text in files.items():
            info = tarfile.TarInfo(f"{root}/{path}")
            info.size = len(text.encode())
            archive.addfile(info, io.BytesIO(text.encode()))
        if link is not None:
            info = tarfile.TarInfo(f"{root}/src/link.scm")
            info.type, info.linkname = tarfile.SYMTYPE, link
            archive.addfile(info)
    return place


def test_I18_links_and_paths_that_lead_out_are_refused(tree: Callable[..., Path], tmp_path: Path) -> None:
    for place in (
        archive_of(FILES, tmp_path / "a.tar.gz", link="/etc/passwd"),
        archive_of({"../../evil": "x", **FILES}, tmp_path / "b.tar.gz"),
    ):
        with pytest.raises(InstallRefused, match="extract"):
            install(str(place), tmp_path / "home")
    root = tree()
    (root / "src" / "link.scm").symlink_to("/etc/passwd")
    with pytest.raises(InstallRefused, match="extract"):
        install(str(root), tmp_path / "home")


def test_an_installed_extension_serves_from_its_image_and_state_is_its_own(
    tree: Callable[..., Path], tmp_path: Path
) -> None:
    place = archive_of(FILES, tmp_path / "weather.tar.gz")
    made = install(str(place), tmp_path / "home")
    assert made.problem == ""
    with made.host() as host:
        answer = host.invoke("tool", "forecast", {"args": '{"city": "Oslo"}', "strand": "main"}, 20_000)
        reply = made.call(host, "forecast", {"city": "Oslo"})
        with pytest.raises(LookupError, match="storm"):
            made.call(host, "storm", {})
    assert (reply.text, reply.is_error, reply.details["status"]) == ("sunny!", False, "completed")
    assert answer == Ok({"content": [{"type": "text", "text": "sunny!"}], "terminate": False})
    record = json.loads((made.folder / "install.json").read_text())
    assert (record["name"], record["tools"], record["revision"]) == ("weather", ["forecast"], "local")


def test_I19_an_install_over_an_existing_name_is_refused_at_record(tree: Callable[..., Path], tmp_path: Path) -> None:
    home = tmp_path / "home"
    install(str(tree()), home)
    with pytest.raises(InstallRefused, match="install refused: record: weather"):
        install(str(tree()), home)
    remove("weather", home)
    assert install(str(tree()), home).problem == ""
    for name in ("nobody", "../home", ".staging"):
        with pytest.raises(LookupError):
            remove(name, home)


def test_I20_one_changed_byte_refuses_that_extension_and_the_others_load(
    tree: Callable[..., Path], tmp_path: Path
) -> None:
    home = tmp_path / "home"
    install(str(tree()), home)
    other = {"extension.toml": FILES["extension.toml"].replace('name = "weather"', 'name = "other"')}
    made = install(str(tree(other, "other")), home)
    for place in ("tree/src/forecast.scm", "tree/schema/forecast.json", "tree/extension.toml", "artifact/image"):
        file = made.folder / place
        before = file.read_bytes()
        file.write_bytes(before[:-1] + bytes([before[-1] ^ 1]))
        found = {item.name: item.problem for item in load_extensions(home)}
        assert found["other"], place
        assert found["weather"] == "", place
        with pytest.raises(ValueError, match="other cannot be used"):
            verify(made.folder).host()
        file.write_bytes(before)
    assert verify(made.folder).problem == ""
    (made.folder / "tree" / "src" / "new.scm").write_text("")
    assert verify(made.folder).problem
    (made.folder / "tree" / "src" / "new.scm").unlink()
    (made.folder / "install.json").write_text("{}")
    assert verify(made.folder).problem


@pytest.mark.parametrize("source", ["git+ssh://host/x", "https://host/x.tar.gz", "git@host:x.git", "/nowhere/at/all"])
def test_I21_other_sources_are_refused_at_fetch_with_exit_code_1(source: str, tmp_path: Path) -> None:
    result = CliRunner().invoke(group, ["ext", "install", source, "--home", str(tmp_path)])
    assert result.exit_code == 1
    assert "install refused: fetch:" in result.output


def test_the_commands(tree: Callable[..., Path], tmp_path: Path) -> None:
    home = ["--home", str(tmp_path / "home")]

    def run(*args: str) -> tuple[int, str]:
        result = CliRunner().invoke(group, ["ext", *args, *home])
        return result.exit_code, result.output

    assert run("list") == (0, "")
    assert run("install", str(tree())) == (0, "installed weather 1.0: forecast\n")
    assert run("list") == run("verify") == run("verify", "weather") == (0, "weather 1.0: forecast\n")
    assert run("verify", "nobody")[0] == 2
    file = tmp_path / "home" / "extensions" / "weather" / "tree" / "src" / "forecast.scm"
    file.write_text(file.read_text() + " ")
    assert run("verify")[0] == 1
    assert run("list")[0] == 0
    assert run("remove", "weather")[0] == 0
    assert run("remove", "weather")[0] == 1


def test_the_harness_process_evaluates_no_extension(tree: Callable[..., Path], tmp_path: Path) -> None:
    program = (
        "import sys\n"
        "from pathlib import Path\n"
        "import chibi_bridge.context as context\n"
        "def never(*args, **options): raise SystemExit('the harness made a context')\n"
        "context.Context.__init__ = context.Context._open = never\n"
        "from chibi_bridge.satellite.install import install\n"
        "made = install(sys.argv[1], Path(sys.argv[2]))\n"
        "with made.host() as host:\n"
        "    answer = host.invoke('tool', 'forecast', {'args': '{}', 'strand': ''}, 20000)\n"
        "print(answer.value['content'][0]['text'])\n"
        "wrong = [name for name in sys.modules if name.startswith('chibi_bridge.satellite.')\n"
        "         and name.rpartition('.')[2] in ('entries', 'served', 'node', 'jobs', 'dispatch', 'warm')]\n"
        "assert not wrong, wrong\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(tree()), str(tmp_path / "home")],
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "sunny!\n"), done.stderr
