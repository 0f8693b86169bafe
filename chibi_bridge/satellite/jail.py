"""The jail: what a node's process may do, layer by layer, and the proof of each.

    descriptors    nothing is open but the channel; 0 and 1 are /dev/null
    environment    a few harmless variables and no others
    no_new_privs   no program gains privileges
    capabilities   none, not even root's
    rlimits        memory, files, file size, core, processes
    seccomp        a list of system calls; no sockets, programs, processes, writing
    landlock       files: the installation, for reading; no TCP, no signals to others
    network        a network namespace without interfaces
    mount          a mount namespace in which everything is read-only

`enter_early` is for the parent that nodes are forked from, `enter` for each node.
Both go on where a layer cannot be had, and say so; whoever started them decides by
`missing` whether that will do. A layer counts only where `prove` found that it holds.

>>> status = JailStatus((Layer("seccomp", True), Layer("network", False, "not permitted")))
>>> status.missing()
('network',)
>>> status.line()
'jail without network (not permitted)'
"""

from __future__ import annotations

import errno
import fcntl
import functools
import os
import resource
import socket
import sysconfig
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from chibi_bridge.satellite import kernel

__all__ = [
    "ENVIRONMENT",
    "LAYERS",
    "JailRefused",
    "JailStatus",
    "Layer",
    "Limits",
    "enter",
    "enter_early",
    "jail_status",
    "prove",
    "required",
]

LAYERS = (
    "descriptors",
    "environment",
    "no_new_privs",
    "capabilities",
    "rlimits",
    "seccomp",
    "landlock",
    "network",
    "mount",
)
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "LANG": "C.UTF-8", "TERM": "dumb"}
"""The whole environment of a node."""


class JailRefused(RuntimeError):
    """A jail lacks a layer that was asked for; nothing was started."""


@dataclass(frozen=True, slots=True)
class Layer:
    """One layer: does it hold, and if not, why not."""

    name: str
    active: bool
    detail: str = ""


@dataclass(frozen=True, slots=True)
class JailStatus:
    """The layers as they were proved."""

    layers: tuple[Layer, ...]

    def missing(self) -> tuple[str, ...]:
        """The layers that do not hold."""
        return tuple(layer.name for layer in self.layers if not layer.active)

    def line(self) -> str:
        """All of it in one line."""
        lacking = [f"{layer.name} ({layer.detail})" for layer in self.layers if not layer.active]
        return f"jail without {', '.join(lacking)}" if lacking else "jail complete"

    def check(self, wanted: Iterable[str]) -> None:
        """Raise JailRefused where one of these layers does not hold."""
        lacking = sorted(set(wanted) & set(self.missing()))
        if lacking:
            raise JailRefused(f"the jail lacks {', '.join(lacking)}: {self.line()}")


def required(jail: str | Iterable[str]) -> tuple[str, ...]:
    """The layers that must hold: none for "default", all for "strict", else those named.

    >>> required(("seccomp", "network"))
    ('seccomp', 'network')
    """
    if jail == "default":
        return ()
    if jail == "strict":
        return LAYERS
    names = (jail,) if isinstance(jail, str) else tuple(jail)
    for name in names:
        if name not in LAYERS:
            raise ValueError(f'a jail is "default", "strict" or layers of {", ".join(LAYERS)}: {name!r}')
    return names


@dataclass(frozen=True, slots=True)
class Limits:
    """What the kernel lets a node use: bytes of address space, open descriptors."""

    memory: int = 2 << 30
    descriptors: int = 64


def attempt(name: str, step: Callable[[], object]) -> Layer:
    """Take a step; the layer it makes."""
    try:
        step()
    except (OSError, ValueError) as error:
        return Layer(name, False, reason(error))
    return Layer(name, True)


def reason(error: Exception) -> str:
    """An error in a few words."""
    return error.strerror or str(error) if isinstance(error, OSError) else str(error)


# -- entering --------------------------------------------------------------------------


def enter_early() -> list[Layer]:
    """The layers that are alike for all nodes, for the process that they are forked from."""
    installation()  # found once, for all children
    return [attempt("network", own_network), attempt("mount", own_mounts)]


def leave(flags: int) -> None:
    """New namespaces: by right where we have it, else inside a user namespace."""
    uid, gid = os.getuid(), os.getgid()
    try:
        kernel.unshare(flags)
    except OSError as error:
        if error.errno != errno.EPERM:
            raise
        kernel.unshare(flags | kernel.CLONE_NEWUSER)
        kernel.map_user(uid, gid)


def own_network() -> None:
    """A network with nothing in it; shared memory and message queues of our own."""
    leave(kernel.CLONE_NEWNET | kernel.CLONE_NEWIPC)


def own_mounts() -> None:
    """A mount namespace in which everything is read-only."""
    leave(kernel.CLONE_NEWNS)
    kernel.make_mounts_read_only()


def enter(keep: Iterable[int], readable: Iterable[str] = (), limits: Limits | None = None) -> list[Layer]:
    """Jail this process, for good: it is to have one thread. `keep` are its descriptors.

    `readable`: paths beside the installation. What is not granted here cannot be had
    later, by nobody in this process.
    """
    limits = Limits() if limits is None else limits
    paths = [*installation(), *readable]
    return [
        attempt("descriptors", lambda: close_descriptors(set(keep))),
        attempt("environment", scrub_environment),
        attempt("capabilities", kernel.drop_capabilities),
        attempt("no_new_privs", no_privileges),
        attempt("rlimits", lambda: set_limits(limits)),
        attempt("landlock", lambda: kernel.restrict_files(paths, ())),
        attempt("seccomp", lambda: kernel.set_filter(kernel.node_filter())),
    ]


def no_privileges() -> None:
    """Nothing to be gained from here on, nothing to be looked into."""
    kernel.no_new_privs()
    kernel.undumpable()


def close_descriptors(keep: set[int]) -> None:
    """0 and 1 lead nowhere, 2 stays as it is, the rest is closed but what is kept."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1):
        if standard not in keep:
            os.dup2(nowhere, standard)
    last = 2
    for kept in sorted(number for number in keep if number > 2):
        os.closerange(last + 1, kept)
        last = kept
    most = min(resource.getrlimit(resource.RLIMIT_NOFILE)[0], 1 << 20)
    os.closerange(last + 1, max(most, last + 2))


def scrub_environment() -> None:
    """The variables of ENVIRONMENT and no others."""
    os.environ.clear()
    os.environ.update(ENVIRONMENT)


def set_limits(limits: Limits) -> None:
    """Resource limits, hard ones; below what is allowed where that is less."""
    wanted = {
        resource.RLIMIT_AS: limits.memory,
        resource.RLIMIT_NOFILE: limits.descriptors,
        resource.RLIMIT_FSIZE: 0,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_NPROC: 512,
    }
    for kind, most in wanted.items():
        hard = resource.getrlimit(kind)[1]
        value = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (value, value))


@functools.lru_cache(maxsize=1)
def installation() -> list[str]:
    """The paths that a running interpreter reads from."""
    package = Path(__file__).resolve().parent.parent
    names = ("stdlib", "platstdlib", "purelib", "platlib")
    paths = [sysconfig.get_path(name) for name in names] + [str(package), str(package.parent / "scheme")]
    return [*paths, "/usr/lib", "/lib", "/lib64", "/etc/ld.so.cache", "/usr/share/zoneinfo", "/dev/urandom"]


# -- proving ---------------------------------------------------------------------------


def prove(keep: Iterable[int], secret: str, stranger: int) -> list[Layer]:
    """Try what each layer forbids, from inside; a layer holds where that fails.

    `secret` is a file that no node may read, `stranger` the id of a process that no
    node may signal.
    """
    checks: Mapping[str, Callable[[], str]] = {
        "descriptors": lambda: open_beside({2, *keep}),
        "environment": lambda: " ".join(sorted(set(os.environ) - set(ENVIRONMENT))),
        "no_new_privs": lambda: "" if kernel.has_no_new_privs() else "not set",
        "capabilities": held_capabilities,
        "rlimits": too_many_descriptors,
        "seccomp": lambda: allowed(lambda: socket.socket().close()) or allowed(lambda: os.kill(stranger, 0)),
        "landlock": lambda: allowed(lambda: os.close(os.open(secret, os.O_RDONLY)), errno.EACCES),
    }
    return [proved(name, check) for name, check in checks.items()]


def proved(name: str, check: Callable[[], str]) -> Layer:
    """The layer, by a check that answers what is wrong."""
    try:
        wrong = check()
    except (OSError, ValueError) as error:
        wrong = reason(error)
    return Layer(name, not wrong, wrong)


def allowed(step: Callable[[], object], code: int = errno.EPERM) -> str:
    """ "" where a step is refused with this code."""
    try:
        step()
    except OSError as error:
        return "" if error.errno == code else f"refused for another reason: {reason(error)}"
    return "not refused"


def open_beside(keep: set[int]) -> str:
    """The descriptors that are open and should not be; what 0 and 1 are."""
    found = []
    for number in range(3, 1024):
        with suppress(OSError):
            fcntl.fcntl(number, fcntl.F_GETFD)
            found.append(number)
    extra = sorted(set(found) - keep)
    if extra:
        return f"open: {extra}"
    nowhere = all(os.fstat(number).st_rdev == os.makedev(1, 3) for number in (0, 1))
    return "" if nowhere else "0 or 1 leads somewhere"


def held_capabilities() -> str:
    """Capabilities this process has."""
    held = kernel.capabilities()
    return f"capabilities {held:#x}" if held else ""


def too_many_descriptors() -> str:
    """Open until the limit says no."""
    made: list[int] = []
    try:
        for _ in range(2048):
            made.append(os.dup(0))
    except OSError as error:
        return "" if error.errno == errno.EMFILE else reason(error)
    finally:
        for number in made:
            os.close(number)
    return "thousands of descriptors can be opened"


def prove_early(outside_network: str) -> list[Layer]:
    """Do the namespaces hold? For the parent; `outside_network` is where the harness is."""

    def network() -> str:
        names = [name for _, name in socket.if_nameindex() if name != "lo"]
        same = str(Path("/proc/self/ns/net").readlink()) == outside_network
        return "the harness's own" if same else " ".join(names)

    def mount() -> str:
        place = Path(f"/tmp/chibi-bridge-probe-{os.getpid()}")
        return allowed(lambda: place.mkdir(0o700), errno.EROFS)

    return [proved("network", network), proved("mount", mount)]


def jail_status() -> JailStatus:
    """The layers that nodes get on this machine, each proved by trying; starts the warm parent.

    >>> "seccomp" in {layer.name for layer in jail_status().layers}
    True
    """
    from chibi_bridge.satellite.launch import launcher  # it imports this module

    return launcher().status()
