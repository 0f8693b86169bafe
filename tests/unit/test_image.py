"""Frozen contexts and their bytes."""

from __future__ import annotations

import pickle
import subprocess
import sys

import pytest

from chibi_bridge import Context, Image, ImageError, Policy, SchemeError


@pytest.fixture
def image() -> Image:
    with Context() as context:
        context.eval("(define counter 0) (define (next) (set! counter (+ counter 1)) counter)")
        context.define("ask", lambda: "first")
        context.eval("(next)")
        return context.freeze()


def test_an_instance_is_as_the_context_was(image: Image) -> None:
    with image.instantiate() as one, image.instantiate(Policy()) as two:
        assert [one.call("next"), one.call("next")] == [2, 3]
        assert two.call("next") == 2


def test_host_procedures_are_bound_by_name(image: Image) -> None:
    with image.instantiate() as one, image.instantiate(bindings={"ask": lambda: "second"}) as two:
        assert one.eval("(ask)") == "first"
        assert two.eval("(ask)") == "second"


def test_an_image_goes_through_bytes(image: Image) -> None:
    data = image.to_bytes(key=b"secret")
    again = Image.from_bytes(data, key=b"secret")
    with again.instantiate(bindings={"ask": lambda: "third"}) as context:
        assert context.call("next") == 2
        assert context.eval("(ask)") == "third"
    with again.instantiate() as context, pytest.raises(SchemeError, match="ask"):
        context.eval("(ask)")


def test_bytes_from_elsewhere_need_a_key(image: Image, monkeypatch: pytest.MonkeyPatch) -> None:
    plain, keyed = image.to_bytes(), image.to_bytes(key=b"a")
    with Image.from_bytes(plain).instantiate() as context:  # they never left the process
        assert context.call("next") == 2
    monkeypatch.setattr("chibi_bridge._sealing.PROCESS_KEY", b"of another process")
    with pytest.raises(ImageError, match="key"):
        Image.from_bytes(plain)
    with pytest.raises(ImageError):
        Image.from_bytes(plain, key=b"a")
    with pytest.raises(ImageError):
        Image.from_bytes(keyed, key=b"b")
    with pytest.raises(ImageError):
        Image.from_bytes(plain[:-1] + bytes([plain[-1] ^ 1]), trusted=True)
    for bad in (b"", b"CHIBI", b"x" * 100):
        with pytest.raises(ImageError):
            Image.from_bytes(bad, trusted=True)


def test_an_image_can_be_pickled(image: Image) -> None:
    with pickle.loads(pickle.dumps(image)).instantiate() as context:
        assert context.call("next") == 2


def test_images_stack_and_keep_all_libraries() -> None:
    """What one image brought and what was loaded since is found, generation after generation."""
    with Context() as first:
        first.register_library("(define-library (mine one) (export one) (import (scheme base)) (begin (define one 1)))")
        first.eval("(import (mine one))")
        image = first.freeze()
    with image.instantiate() as second:
        second.register_library(
            "(define-library (mine two) (export two) (import (scheme base) (mine one)) (begin (define two (+ one 1))))"
        )
        assert second.eval("(import (mine two) (only (srfi 1) fold)) (fold + one (list two))") == 3
        with second.freeze().instantiate() as third:
            code = "(import (mine two) (mine one) (only (srfi 1) fold) (srfi 132)) (fold + 0 (list one two))"
            assert third.eval(code) == 3
            assert third.eval("(list-sort < '(2 1))") == [1, 2]


CHAIN = """
(define-record-type link (make-link next) link? (next link-next{modifier}))
(define chain (let loop ((i 0) (c #f)) (if (= i 5000) c (loop (+ i 1) (make-link c)))))
(define (depth) (let loop ((i 0) (c chain)) (if c (loop (+ i 1) (link-next c)) i)))
"""


@pytest.mark.parametrize(("modifier", "shared"), [("", True), (" set-link-next!", False)])
def test_records_that_nothing_can_change_are_shared(modifier: str, shared: bool) -> None:
    with Context() as context:
        context.eval(CHAIN.format(modifier=modifier))
        frozen = context.freeze()
    with frozen.instantiate() as one, frozen.instantiate() as two:
        assert (one._native.stats()["used"] < 60_000) is shared
        if not shared:
            one.eval("(set-link-next! chain #f)")
            assert one.call("depth") == 1
        assert two.call("depth") == 5000


def test_what_a_program_imported_is_shared_by_the_contexts_of_an_image() -> None:
    """A context costs what its program defined, not what it can see."""
    with Context(Policy(), "tools") as maker:
        maker.eval("(define (twice x) (* 2 x)) (define-syntax two (syntax-rules () ((_) (twice 1))))")
        image = maker.freeze()
        names = maker.names("string-")
    with image.instantiate() as context:
        assert context.stats()["used"] < 32 << 10
        assert context.names("string-") == names
        assert context.eval("(list (two) (length (iota 3)))") == [2, 3]


def test_a_context_of_an_image_may_define_what_it_imported() -> None:
    with Context(Policy(), "tools") as maker:
        maker.eval('(define (mine) (string-join \'("a" "b")))')
        image = maker.freeze()
        assert maker.eval("(define (string-join . x) 'own) (string-join)") == "own"
    with image.instantiate() as context:
        assert context.eval("(mine)") == "a b"
        assert context.eval("(define (string-join . x) 'other) (define (when x) x) (list (string-join) (when 1))") == [
            "other",
            1,
        ]
        assert context.eval("(mine)") == "a b"
        again = context.freeze()
    with again.instantiate() as context:
        assert context.eval("(list (string-join) (when 1))") == ["other", 1]
        assert context.eval("(import (only (srfi 1) iota)) (iota 2)") == [0, 1]
        assert "did you mean" in hint_of(context, "(strng-join)")
    with image.instantiate() as context:
        assert context.eval('(string-join \'("x" "y"))') == "x y"


def hint_of(context: Context, source: str) -> str:
    with pytest.raises(SchemeError) as caught:
        context.eval(source)
    return caught.value.hint or ""


def test_continuations_are_frozen_too() -> None:
    """A generator that is half way, and a continuation that is entered again in each instance."""
    with Context() as maker:
        maker.eval(
            "(define k #f) (define n 0) (define (count) (let ((x (+ 1 (call/cc (lambda (c) (set! k c) 0))))) (set! n x) x))"
            "(count)"
            "(define next #f) (define back #f)"
            "(define (walk l) (for-each (lambda (x) (call/cc (lambda (on) (set! next (lambda () (on #f))) (back x)))) l)"
            " (back 'end))"
            "(define (step) (call/cc (lambda (b) (set! back b) (if next (next) (walk '(1 2 3))))))"
            "(step)"
        )
        image = maker.freeze()
    for made in (image, Image.from_bytes(image.to_bytes())):
        with made.instantiate() as one, made.instantiate() as two:
            assert [one.call("step"), one.call("step"), two.call("step")] == [2, 3, 2]
            one.eval("(if (< n 5) (k n))")
            assert (one.eval("n"), two.eval("n")) == (2, 1)
        with made.instantiate() as third, third.freeze().instantiate() as fourth:
            assert fourth.call("step") == 2


def test_images_that_nobody_has_are_freed() -> None:
    """In a process of its own: a hundred images, of which one is alive, take the room of a few."""
    program = (
        "import gc, resource\n"
        "from chibi_bridge import Context\n"
        "with Context() as context:\n"
        "    context.eval('(define x 41)')\n"
        "    image = context.freeze()\n"
        "    kept = image.instantiate()\n"
        "    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "    for _ in range(100):\n"
        "        image = context.freeze()\n"
        "    gc.collect()\n"
        "    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before\n"
        "    print(grown, kept.eval('(+ x 1)'))\n"
        "kept.close()\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    grown, value = map(int, done.stdout.split())
    assert value == 42
    assert grown < 200_000  # KiB; a leak would be more than a GiB
