"""The kernel's means of confinement, by system call: prctl, capabilities, seccomp, Landlock, namespaces.

Each function does one thing to the calling process, for good, and raises OSError where
the kernel refuses. Nothing is decided here: jail.py says what is wanted. Linux on x86-64
and aarch64; elsewhere every function raises OSError(ENOSYS).
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct
import sys
from collections.abc import Iterable
from pathlib import Path

__all__ = [
    "CLONE_NEWIPC",
    "CLONE_NEWNET",
    "CLONE_NEWNS",
    "CLONE_NEWUSER",
    "drop_capabilities",
    "landlock_abi",
    "make_mounts_read_only",
    "map_user",
    "no_new_privs",
    "node_filter",
    "restrict_files",
    "set_filter",
    "undumpable",
    "unshare",
]

CLONE_NEWNS, CLONE_NEWIPC, CLONE_NEWUSER, CLONE_NEWNET = 0x00020000, 0x08000000, 0x10000000, 0x40000000

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_CAPBSET_DROP = 1, 4, 22, 24
PR_SET_NO_NEW_PRIVS, PR_GET_NO_NEW_PRIVS, PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL = 38, 39, 47, 4
SECCOMP_MODE_FILTER = 2

MACHINES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}
"""machine -> (AUDIT_ARCH, column of SYSCALLS)"""

_libc: ctypes.CDLL | None = None


def libc() -> ctypes.CDLL:
    """The C library; ENOSYS where its system calls are not those we know."""
    global _libc
    if _libc is None:
        if sys.platform != "linux" or platform.machine() not in MACHINES or sys.maxsize < 1 << 32:
            raise OSError(errno.ENOSYS, f"no confinement is known on {sys.platform} {platform.machine()}")
        _libc = ctypes.CDLL(None, use_errno=True)
        _libc.syscall.restype = ctypes.c_long
    return _libc


def checked(result: object, what: str) -> int:
    """The result of a call; OSError with the kernel's reason where it is -1."""
    assert isinstance(result, int)
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{what}: {os.strerror(code)}")
    return result


def prctl(option: int, second: int = 0, third: int = 0, *, what: str) -> int:
    """prctl with plain numbers."""
    return checked(libc().prctl(option, ctypes.c_ulong(second), ctypes.c_ulong(third), 0, 0), what)


def system_call(number: int, *args: object, what: str) -> int:
    """A system call by number: ints, and ctypes objects as they are."""
    wide = [ctypes.c_long(item) if isinstance(item, int) else item for item in args]
    return checked(libc().syscall(ctypes.c_long(number), *wide), what)


def no_new_privs() -> None:
    """No program that is started from here on gains a privilege."""
    prctl(PR_SET_NO_NEW_PRIVS, 1, what="no_new_privs")


def has_no_new_privs() -> bool:
    """Is no_new_privs set?"""
    return prctl(PR_GET_NO_NEW_PRIVS, what="no_new_privs") == 1


def undumpable() -> None:
    """No core dump, and no other process of this user may look into this one."""
    prctl(PR_SET_DUMPABLE, 0, what="dumpable")


def die_with_parent(signal: int) -> None:
    """Send this signal here when the parent's thread ends."""
    prctl(PR_SET_PDEATHSIG, signal, what="parent death signal")


# -- capabilities ----------------------------------------------------------------------

CAPGET, CAPSET = (125, 90), (126, 91)
CAPABILITY_VERSION = 0x20080522


def drop_capabilities() -> None:
    """Give up every capability, those of the bounding set too where that is allowed."""
    library, column = libc(), MACHINES[platform.machine()][1]
    for number in range(64):
        if library.prctl(PR_CAPBSET_DROP, ctypes.c_ulong(number), 0, 0, 0) < 0:
            break
    library.prctl(PR_CAP_AMBIENT, ctypes.c_ulong(PR_CAP_AMBIENT_CLEAR_ALL), 0, 0, 0)
    header = ctypes.create_string_buffer(struct.pack("=Ii", CAPABILITY_VERSION, 0))
    data = ctypes.create_string_buffer(bytes(24))
    system_call(CAPSET[column], header, data, what="capset")


def capabilities() -> int:
    """The capabilities that this process has or may take, as bits."""
    number = CAPGET[MACHINES[platform.machine()][1]]
    header = ctypes.create_string_buffer(struct.pack("=Ii", CAPABILITY_VERSION, 0))
    data = ctypes.create_string_buffer(24)
    system_call(number, header, data, what="capget")
    low, low_permitted, _, high, high_permitted, _ = struct.unpack("=6I", data.raw[:24])
    held: int = (low | low_permitted) | (high | high_permitted) << 32
    return held


# -- seccomp ---------------------------------------------------------------------------

ALLOW, ERRNO, KILL = 0x7FFF0000, 0x00050000, 0x80000000
LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
NUMBER_AT, ARCH_AT, ARGS_AT = 0, 4, 16

SYSCALLS: dict[str, tuple[int | None, int | None]] = {
    # what a node does all day stands first
    "read": (0, 63),
    "write": (1, 64),
    "recvfrom": (45, 207),
    "sendto": (44, 206),
    "poll": (7, None),
    "ppoll": (271, 73),
    "futex": (202, 98),
    "clock_gettime": (228, 113),
    "mmap": (9, 222),
    "munmap": (11, 215),
    "madvise": (28, 233),
    "brk": (12, 214),
    "mprotect": (10, 226),
    "mremap": (25, 216),
    "recvmsg": (47, 212),
    "sendmsg": (46, 211),
    "readv": (19, 65),
    "writev": (20, 66),
    "pread64": (17, 67),
    "close": (3, 57),
    "fstat": (5, 80),
    "stat": (4, None),
    "lstat": (6, None),
    "newfstatat": (262, 79),
    "statx": (332, 291),
    "lseek": (8, 62),
    "getdents64": (217, 61),
    "readlink": (89, None),
    "readlinkat": (267, 78),
    "access": (21, None),
    "faccessat": (269, 48),
    "faccessat2": (439, 439),
    "getcwd": (79, 17),
    "dup": (32, 23),
    "dup2": (33, None),
    "dup3": (292, 24),
    "fcntl": (72, 25),
    "pipe2": (293, 59),
    "eventfd2": (290, 19),
    "epoll_create1": (291, 20),
    "epoll_ctl": (233, 21),
    "epoll_wait": (232, None),
    "epoll_pwait": (281, 22),
    "select": (23, None),
    "pselect6": (270, 72),
    "nanosleep": (35, 101),
    "clock_nanosleep": (230, 115),
    "clock_getres": (229, 114),
    "gettimeofday": (96, 169),
    "time": (201, None),
    "getrandom": (318, 278),
    "rt_sigaction": (13, 134),
    "rt_sigprocmask": (14, 135),
    "rt_sigreturn": (15, 139),
    "sigaltstack": (131, 132),
    "setitimer": (38, 103),
    "timer_create": (222, 107),
    "timer_settime": (223, 110),
    "timer_delete": (226, 111),
    "restart_syscall": (219, 128),
    "sched_yield": (24, 124),
    "sched_getaffinity": (204, 123),
    "set_robust_list": (273, 99),
    "rseq": (334, 293),
    "membarrier": (324, 283),
    "getpid": (39, 172),
    "gettid": (186, 178),
    "getppid": (110, 173),
    "getuid": (102, 174),
    "geteuid": (107, 175),
    "getgid": (104, 176),
    "getegid": (108, 177),
    "getrusage": (98, 165),
    "getrlimit": (97, 163),
    "uname": (63, 160),
    "sysinfo": (99, 179),
    "shutdown": (48, 210),
    "getsockname": (51, 204),
    "getpeername": (52, 205),
    "getsockopt": (55, 209),
    "setsockopt": (54, 208),
    "capget": (125, 90),
    "exit": (60, 93),
    "exit_group": (231, 94),
}
"""What a node may do, whatever the arguments: (x86-64, aarch64)."""

PRCTL = (157, 167)
OPENAT, OPEN, IOCTL, CLONE, CLONE3, PRLIMIT, TGKILL = (
    (257, 56),
    (2, None),
    (16, 29),
    (56, 220),
    (435, 435),
    (302, 261),
    (234, 131),
)
WRITING = 0o3 | 0o100 | 0o1000 | 0o20000000
"""O_WRONLY, O_RDWR, O_CREAT, O_TRUNC, O_TMPFILE's own bit."""
COMMANDS = (
    (IOCTL, 1, 0x5401),  # is it a terminal
    (IOCTL, 1, 0x5421),  # do not block
    (IOCTL, 1, 0x5451),  # close on exec
    (PRCTL, 0, PR_GET_NO_NEW_PRIVS),
    (PRCTL, 0, 15),  # a thread's name
)
"""Calls that are allowed with these values of an argument."""
CLONE_THREAD = 0x00010000


def statement(code: int, value: int, yes: int = 0, no: int = 0) -> bytes:
    """One instruction of the filter."""
    return struct.pack("=HBBI", code, yes, no, value)


def node_filter() -> bytes:
    """What a node may ask of the kernel; everything else is EPERM, another architecture's calls kill.

    No sockets, processes, programs, signals to others, tracing, mounts, keys. Files
    are opened for reading only, threads are started but no processes.
    """
    arch, column = MACHINES[platform.machine()]
    refused = ERRNO | errno.EPERM
    code = [
        statement(LOAD, ARCH_AT),
        statement(EQUAL, arch, yes=1),
        statement(RETURN, KILL),
        statement(LOAD, NUMBER_AT),
    ]
    for row in SYSCALLS.values():
        if row[column] is not None:
            code += [statement(EQUAL, row[column] or 0, no=1), statement(RETURN, ALLOW)]
    code += argument_test(OPENAT[column], 2, statement(ANY_BIT, WRITING, no=1), refused, ALLOW)
    code += argument_test(OPEN[column], 1, statement(ANY_BIT, WRITING, no=1), refused, ALLOW)
    code += argument_test(CLONE[column], 0, statement(ANY_BIT, CLONE_THREAD, no=1), ALLOW, refused)
    for call, index, wanted in COMMANDS:
        test = statement(EQUAL, wanted, no=1)
        code += [statement(LOAD, NUMBER_AT), statement(EQUAL, call[column], no=3)]
        code += [statement(LOAD, ARGS_AT + 8 * index), test, statement(RETURN, ALLOW)]
    code += [statement(LOAD, NUMBER_AT)]
    code += argument_test(PRLIMIT[column], 2, statement(EQUAL, 0, no=1), ALLOW, refused)  # looking, not setting
    code += argument_test(TGKILL[column], 0, statement(EQUAL, os.getpid(), no=1), ALLOW, refused)
    code += [
        statement(EQUAL, CLONE3[column], no=1),
        statement(RETURN, ERRNO | errno.ENOSYS),  # its flags are out of sight: the C library takes clone then
        statement(RETURN, refused),
    ]
    return b"".join(code)


def argument_test(number: int | None, index: int, test: bytes, yes: int, no: int) -> list[bytes]:
    """For one call: test an argument's low half; the number is loaded again behind it."""
    if number is None:
        return []
    return [
        statement(LOAD, NUMBER_AT),
        statement(EQUAL, number, no=4),
        statement(LOAD, ARGS_AT + 8 * index),
        test,
        statement(RETURN, yes),
        statement(RETURN, no),
        statement(LOAD, NUMBER_AT),
    ]


class FilterProgram(ctypes.Structure):
    """struct sock_fprog."""

    _fields_ = (("count", ctypes.c_ushort), ("code", ctypes.c_char_p))


def set_filter(code: bytes) -> None:
    """Install a seccomp filter; wants no_new_privs."""
    program = FilterProgram(len(code) // 8, code)
    checked(libc().prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(program), 0, 0), "seccomp")


# -- Landlock --------------------------------------------------------------------------

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
READ_FILE, READ_DIR = 1 << 2, 1 << 3
FILE_RIGHTS = (13, 13, 14, 15, 15, 16)
"""How many rights an ABI (from 1) knows; the last one for all later."""
OF_FILES = (1 << 0) | (1 << 1) | READ_FILE | (1 << 14) | (1 << 15)


def landlock_abi() -> int:
    """The version of Landlock; OSError without one."""
    return system_call(CREATE_RULESET, 0, 0, 1, what="landlock")


def restrict_files(readable: Iterable[str], writable: Iterable[str] = ()) -> int:
    """From now on only these paths, and what is below them; answers the ABI.

    `writable` ones are readable too. No TCP, and no signal or abstract socket beyond
    this process's own, where the ABI knows of them. Wants no_new_privs.
    """
    abi = landlock_abi()
    rights = (1 << FILE_RIGHTS[min(abi, len(FILE_RIGHTS)) - 1]) - 1
    attributes = struct.pack("=QQQ", rights, 3 if abi >= 4 else 0, 3 if abi >= 6 else 0)
    size = 24 if abi >= 6 else 16 if abi >= 4 else 8
    ruleset = system_call(
        CREATE_RULESET, ctypes.create_string_buffer(attributes), ctypes.c_size_t(size), 0, what="landlock"
    )
    try:
        for path in readable:
            add_path(ruleset, path, (READ_FILE | READ_DIR) & rights)
        for path in writable:
            add_path(ruleset, path, rights & ~1)
        system_call(RESTRICT_SELF, ruleset, 0, what="landlock")
    finally:
        os.close(ruleset)
    return abi


def add_path(ruleset: int, path: str, rights: int) -> None:
    """Grant rights below a path; one that is not there is passed over."""
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        if not Path(path).is_dir():
            rights &= OF_FILES
        rule = ctypes.create_string_buffer(struct.pack("=Qi", rights, place))
        system_call(ADD_RULE, ruleset, 1, rule, 0, what=f"landlock: {path}")
    finally:
        os.close(place)


# -- namespaces ------------------------------------------------------------------------


def unshare(flags: int) -> None:
    """Leave the namespaces of the parent."""
    checked(libc().unshare(ctypes.c_int(flags)), "unshare")


def map_user(uid: int, gid: int) -> None:
    """Stay who one was, in a user namespace just made."""
    for name, text in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
        handle = os.open(f"/proc/self/{name}", os.O_WRONLY)
        try:
            os.write(handle, text.encode())
        finally:
            os.close(handle)


MOUNT_SETATTR, AT_RECURSIVE, MOUNT_READ_ONLY = 442, 0x8000, 1
MS_PRIVATE, MS_RECURSIVE = 1 << 18, 1 << 14


def make_mounts_read_only() -> None:
    """Every mount of this mount namespace, which is to be our own: private, and read-only for good."""
    library = libc()
    checked(library.mount(b"none", b"/", None, ctypes.c_ulong(MS_PRIVATE | MS_RECURSIVE), None), "mount")
    attributes = ctypes.create_string_buffer(struct.pack("=QQQQ", MOUNT_READ_ONLY, 0, 0, 0))
    system_call(MOUNT_SETATTR, -100, b"/", AT_RECURSIVE, attributes, ctypes.c_size_t(32), what="mount_setattr")
