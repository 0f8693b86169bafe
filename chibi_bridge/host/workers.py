"""Threads for blocking work that an event loop waits for: few, kept, never joined.

Work beyond the number of threads queues. They are daemons, so that one that hangs in
a read does not keep the process from ending; each ends after a while without work.
"""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Callable

__all__ = ["Workers"]

IDLE_SECONDS = 10.0


class Workers:
    """At most `most` threads, made when work comes.

    >>> done = threading.Event()
    >>> Workers(2).submit(done.set)
    >>> done.wait(5)
    True
    """

    def __init__(self, most: int, name: str = "chibi-bridge worker") -> None:
        self.most = most
        self._name = name
        self._reset()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._reset)  # a child has none of the threads

    def _reset(self) -> None:
        self._work: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._threads = 0
        self._idle = 0

    def submit(self, work: Callable[[], None]) -> None:
        """Do `work`, which must not raise, on some thread."""
        with self._lock:
            self._work.put(work)
            if self._idle >= self._work.qsize() or self._threads >= self.most:
                return
            self._threads += 1
        threading.Thread(target=self._serve, name=self._name, daemon=True).start()

    def _serve(self) -> None:
        while True:
            with self._lock:
                self._idle += 1
            try:
                work = self._work.get(timeout=IDLE_SECONDS)
            except queue.Empty:
                if self._retire():
                    return
                continue
            with self._lock:
                self._idle -= 1
            work()

    def _retire(self) -> bool:
        """End this thread, unless work came in the last moment."""
        with self._lock:
            self._idle -= 1
            if not self._work.empty():
                return False
            self._threads -= 1
            return True
