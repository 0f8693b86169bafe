"""Installing extensions: reading, vetting, building in the jail, the record; verifying and loading.

    HOME/extensions/NAME/install.json      the record, written last
                        /tree/...          the files as they were vetted
                        /artifact/image    the entries, evaluated once and frozen

An install works on a folder beside the others and renames it at the end. Loading
verifies every byte against the record again and refuses what differs, by itself: one
extension's trouble is no other's. Nothing is evaluated in this process: build and
serving are jobs of a jailed child, and a test holds this module to that.
"""

from __future__ import annotations

import datetime
import getpass
import hashlib
import io
import json
import os
import shutil
import tarfile
import uuid
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

from chibi_bridge.satellite.broker import Broker, Grants
from chibi_bridge.satellite.bus import Extension as OnTheBus
from chibi_bridge.satellite.host import SatelliteHost, jailed
from chibi_bridge.satellite.launch import LaunchFailed, launcher, single_answer
from chibi_bridge.satellite.manifest import FILE, Manifest, ManifestError, read_manifest, tree_digest
from chibi_bridge.satellite.payloads import build_payload, serve_payload
from chibi_bridge.satellite.reply import Reply, reply_of
from chibi_bridge.satellite.vetting import allowlist, vet

__all__ = ["InstallRefused", "Installed", "default_home", "install", "load_extensions", "remove", "verify"]

ENTRIES, FILE_BYTES, TREE_BYTES = 4096, 4 << 20, 32 << 20
BUILD_SECONDS = 180.0
FORMAT = 1
KEPT = ("src/", "schema/", "skills/")


class InstallRefused(Exception):
    """An install that was refused: the layer that did, and why."""

    def __init__(self, layer: str, reason: str) -> None:
        super().__init__(f"install refused: {layer}: {reason}")
        self.layer = layer
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Installed:
    """An extension as it is on disk: verified, or with what is wrong with it."""

    name: str
    folder: Path
    manifest: Manifest | None = None
    image: bytes = field(default=b"", repr=False)
    problem: str = ""

    def host(
        self, grants: Grants | None = None, *, jail: str | Iterable[str] = "default", spares: int = 0
    ) -> SatelliteHost:
        """A host that serves it from its image; `grants` adds to what the manifest says of the network."""
        if self.manifest is None:
            raise ValueError(f"{self.name} cannot be used: {self.problem}")
        given = replace(grants or Grants(), net=self.manifest.net)
        payload = serve_payload(self.manifest, self.image)
        return SatelliteHost(self.name, jailed("serve", payload, jail=jail), Broker(self.name, given), spares=spares)

    def call(self, host: SatelliteHost, tool: str, args: Mapping[str, object], strand: str = "main") -> Reply:
        """Call one of its tools within the time that the manifest gives it; LookupError for another name."""
        assert self.manifest is not None
        row = next((item for item in self.manifest.tools if item.name == tool), None)
        if row is None:
            raise LookupError(f"{self.name} has no tool {tool!r}")
        given = {"args": json.dumps(args, ensure_ascii=False), "strand": strand}
        answer = host.invoke("tool", tool, given, row.timeout_ms)
        return reply_of(answer, extension=self.name, tool=tool, manifest_hash=self.manifest.hash)

    def on_the_bus(self, host: SatelliteHost) -> OnTheBus:
        """The extension for a HookBus."""
        assert self.manifest is not None
        return OnTheBus(self.name, host, tuple(event for event, _ in self.manifest.hooks))


def default_home() -> Path:
    """Where extensions are, unless told otherwise."""
    return Path(os.environ.get("CHIBI_BRIDGE_HOME") or Path.home() / ".chibi-bridge")


# -- reading a source ------------------------------------------------------------------


def read_source(source: str) -> dict[str, bytes]:
    """The files of a folder or an archive, path -> content. Raises InstallRefused."""
    if "://" in source or (":" in source and not Path(source).exists()):
        raise InstallRefused("fetch", f"a local folder or a .tar.gz file is installed, not {source!r}")
    place = Path(source)
    if place.is_dir():
        return kept(read_folder(place))
    if place.is_file() and place.name.endswith((".tar.gz", ".tgz")):
        return kept(read_archive(place.read_bytes()))
    raise InstallRefused("fetch", f"{source!r} is no folder and no .tar.gz file")


def read_folder(root: Path) -> dict[str, bytes]:
    """The files below a folder; links are refused."""
    found: dict[str, bytes] = {}
    for place, folders, names in os.walk(root):
        for name in [*folders, *names]:
            path = Path(place) / name
            shown = path.relative_to(root).as_posix()
            if path.is_symlink():
                raise InstallRefused("extract", f"{shown} is a link")
            if name in names and is_kept(shown):
                if not path.is_file():
                    raise InstallRefused("extract", f"{shown} is no regular file")
                add(found, shown, path.stat().st_size, path.read_bytes)
    return found


def read_archive(data: bytes) -> dict[str, bytes]:
    """The files of an archive, below its single root folder."""
    found: dict[str, bytes] = {}
    roots: set[str] = set()
    try:
        with tarfile.open(fileobj=io.BytesIO(data), mode="r:gz") as archive:
            for count, member in enumerate(archive, 1):
                if count > ENTRIES:
                    raise InstallRefused("extract", f"more than {ENTRIES} entries")
                parts = PurePosixPath(member.name).parts
                if member.name.startswith("/") or ".." in parts or "\\" in member.name or not parts:
                    raise InstallRefused("extract", f"{member.name!r} leads out of the archive")
                if not (member.isreg() or member.isdir()):
                    raise InstallRefused("extract", f"{member.name!r} is a link or a device")
                roots.add(parts[0])
                if member.isreg():
                    file = archive.extractfile(member)
                    assert file is not None
                    add(found, "/".join(parts[1:]) or parts[0], member.size, file.read)
    except (tarfile.TarError, OSError, EOFError) as error:
        raise InstallRefused("extract", f"no archive that can be read: {error}") from error
    if len(roots) != 1:
        raise InstallRefused("extract", "an archive has a single folder at its root")
    return found


def add(found: dict[str, bytes], path: str, size: int, read: Callable[[], bytes]) -> None:
    """Take a file in, within the bounds."""
    if path in found:
        raise InstallRefused("extract", f"{path} is there twice")
    if size > FILE_BYTES:
        raise InstallRefused("extract", f"{path} has more than {FILE_BYTES} bytes")
    if len(found) >= ENTRIES:
        raise InstallRefused("extract", f"more than {ENTRIES} entries")
    found[path] = read()
    if sum(map(len, found.values())) > TREE_BYTES:
        raise InstallRefused("extract", f"more than {TREE_BYTES} bytes in all")


def is_kept(path: str) -> bool:
    """Does this file belong to the extension?"""
    return path == FILE or path.startswith((*KEPT, "README", "LICENSE"))


def kept(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """What belongs to the extension, all of it UTF-8 text."""
    found = {path: content for path, content in files.items() if is_kept(path)}
    if FILE not in found:
        raise InstallRefused("manifest", f"there is no {FILE}")
    for path, content in found.items():
        try:
            content.decode("utf-8")
        except UnicodeDecodeError as error:
            raise InstallRefused("extract", f"{path} is not UTF-8 text, at byte {error.start}") from None
    return found


# -- installing ------------------------------------------------------------------------


def install(source: str, home: Path, *, jail: str | Iterable[str] = "default") -> Installed:
    """Install from a folder or an archive. Raises InstallRefused, and leaves nothing behind then."""
    files = read_source(source)
    manifest = checked("manifest", lambda: read_manifest(files[FILE].decode("utf-8"), files))
    checked("vetting", lambda: vet(files))
    extensions = home / "extensions"
    staging = extensions / ".staging" / uuid.uuid4().hex
    target = extensions / manifest.name
    if target.exists():
        raise InstallRefused("record", f"{manifest.name} is installed already; remove it first")
    try:
        write_tree(staging / "tree", files)
        image = build(manifest, staging / "tree", jail)
        (staging / "artifact").mkdir()
        (staging / "artifact" / "image").write_bytes(image)
        record = record_of(manifest, files, image, source)
        (staging / "install.json").write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
        staging.rename(target)
    except OSError as error:
        raise InstallRefused("record", f"{error}") from error
    finally:
        shutil.rmtree(staging, ignore_errors=True)
    return verify(target)


def checked(layer: str, step: Callable[[], Manifest | None]) -> Manifest:
    """A step whose ManifestError is this layer's."""
    try:
        return step()  # type: ignore[return-value]
    except ManifestError as error:
        raise InstallRefused(layer, str(error)) from None


def write_tree(root: Path, files: Mapping[str, bytes]) -> None:
    """Put the files below a folder."""
    for path, content in files.items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)


def build(manifest: Manifest, tree: Path, jail: str | Iterable[str]) -> bytes:
    """The image of the entries, evaluated by a jailed child that may read the tree and nothing else."""
    folder = tree.resolve()
    process = launcher().start("build", build_payload(manifest, str(folder)), jail=jail, readable=[str(folder)])
    try:
        answer = single_answer(process, BUILD_SECONDS)
    except LaunchFailed as error:
        raise InstallRefused("compile", str(error)) from error
    finally:
        process.close()
    image = answer.get("image") if isinstance(answer, dict) else None
    if type(image) is not bytes or not image:
        said = answer.get("error") if isinstance(answer, dict) else None
        raise InstallRefused("compile", said if type(said) is str else "the build gave no image")
    return image


def record_of(manifest: Manifest, files: Mapping[str, bytes], image: bytes, source: str) -> dict[str, object]:
    """install.json."""
    net = manifest.net
    return {
        "format": FORMAT,
        "name": manifest.name,
        "version": manifest.version,
        "source": source,
        "revision": "local",
        "tree_digest": tree_digest(files),
        "manifest_hash": manifest.hash,
        "allowlist": allowlist(),
        "net": None
        if net is None
        else {
            "hosts": list(net.hosts),
            "methods": list(net.methods),
            "max_response_bytes": net.max_response_bytes,
            "requests_per_call": net.requests_per_call,
            "secret_env": [name for name, _, _ in net.secrets],
        },
        "tools": [tool.name for tool in manifest.tools],
        "hooks": [event for event, _ in manifest.hooks],
        "approved_at": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        "approved_by": user_name(),
        "artifact": hashlib.sha256(image).hexdigest(),
    }


def user_name() -> str:
    """Who installs."""
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return "unknown"


# -- verifying and loading ---------------------------------------------------------------


def verify(folder: Path) -> Installed:
    """An installed extension, every byte compared with its record; `problem` says what differs."""
    try:
        return Installed(folder.name, folder, *verified(folder))
    except (ManifestError, InstallRefused, OSError, ValueError, TypeError, KeyError) as error:
        reason = error.reason if isinstance(error, InstallRefused) else str(error)
        return Installed(folder.name, folder, problem=reason or type(error).__name__)


def verified(folder: Path) -> tuple[Manifest, bytes]:
    """The manifest and the image; raises for whatever differs."""
    record = json.loads((folder / "install.json").read_text(encoding="utf-8"))
    if not isinstance(record, dict) or record.get("format") != FORMAT:
        raise ManifestError(f"the record's format is not {FORMAT}")
    found = read_folder(folder / "tree")
    extra = [path for path in walk(folder / "tree") if path not in found]
    if extra:
        raise ManifestError(f"the tree holds {min(extra)}, which was not installed")
    if tree_digest(found) != record["tree_digest"]:
        raise ManifestError("the files are not those that were installed (tree digest)")
    vet(found)
    manifest = read_manifest(found[FILE].decode("utf-8"), found)
    image = (folder / "artifact" / "image").read_bytes()
    compared = {
        "manifest hash": (manifest.hash, record["manifest_hash"]),
        "name": (manifest.name, record["name"]),
        "folder's name": (manifest.name, folder.name),
        "allow-list": (allowlist(), record["allowlist"]),
        "image": (hashlib.sha256(image).hexdigest(), record["artifact"]),
    }
    for what, (now, then) in compared.items():
        if now != then:
            raise ManifestError(f"the {what} is not the one that was recorded")
    return manifest, image


def walk(root: Path) -> Iterable[str]:
    """The files below a folder."""
    return (path.relative_to(root).as_posix() for path in root.rglob("*") if not path.is_dir())


def load_extensions(home: Path) -> list[Installed]:
    """All that is installed, by name, each verified by itself."""
    extensions = home / "extensions"
    if not extensions.is_dir():
        return []
    return [verify(folder) for folder in sorted(extensions.iterdir()) if not folder.name.startswith(".")]


def remove(name: str, home: Path) -> None:
    """Remove an extension; LookupError where there is none of that name."""
    folder = home / "extensions" / name
    if "/" in name or name.startswith(".") or not folder.is_dir() or folder.is_symlink():
        raise LookupError(f"no extension is called {name}")
    doomed = home / "extensions" / ".staging" / uuid.uuid4().hex
    doomed.parent.mkdir(exist_ok=True)
    folder.rename(doomed)
    shutil.rmtree(doomed)
