"""Threads that serve blocking work."""

from __future__ import annotations

import os
import threading
import time

import pytest

from chibi_bridge.host import workers
from chibi_bridge.host.workers import Workers


def test_no_more_threads_than_allowed_and_all_work_is_done() -> None:
    pool, lock, inside, most, done = Workers(3), threading.Lock(), 0, 0, threading.Semaphore(0)

    def work() -> None:
        nonlocal inside, most
        with lock:
            inside += 1
            most = max(most, inside)
        time.sleep(0.01)
        with lock:
            inside -= 1
        done.release()

    for _ in range(20):
        pool.submit(work)
    for _ in range(20):
        assert done.acquire(timeout=10)
    assert most == 3


def test_a_thread_is_used_again_and_ends_when_idle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "IDLE_SECONDS", 0.1)
    pool, threads, done = Workers(8, "used again"), set(), threading.Semaphore(0)

    def work() -> None:
        threads.add(threading.get_ident())
        done.release()

    for _ in range(5):
        pool.submit(work)
        assert done.acquire(timeout=10)
        time.sleep(0.02)
    assert len(threads) == 1
    deadline = time.monotonic() + 10
    while any(thread.name == "used again" for thread in threading.enumerate()):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    pool.submit(work)
    assert done.acquire(timeout=10)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_child_process_makes_threads_of_its_own() -> None:
    pool, done = Workers(1), threading.Event()
    pool.submit(done.set)
    assert done.wait(10)
    child = os.fork()
    if child == 0:
        again = threading.Event()
        pool.submit(again.set)
        os._exit(0 if again.wait(10) else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
