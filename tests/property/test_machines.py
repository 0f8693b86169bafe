"""State machines: hash tables against dict, and the life of contexts."""

from __future__ import annotations

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, precondition, rule

from chibi_bridge import Context, ContextClosed, Done, FuelExhausted, Image, Limits, Paused, Policy, Run, SchemeError

KEYS = st.one_of(st.integers(-3, 3), st.text("ab", max_size=2), st.sampled_from([1 << 80, 0.5]))
VALUES = st.integers(-100, 100)


class Tables(RuleBasedStateMachine):
    """A hash table does what a dict does."""

    def __init__(self) -> None:
        super().__init__()
        self.model: dict[object, int] = {}
        self.context = Context(prelude="tools")
        self.context.eval(
            """
            (define t (make-hash-table equal?))
            (define (put! k v) (hash-table-set! t k v))
            (define (get k) (hash-table-ref/default t k 'none))
            (define (del! k) (hash-table-delete! t k))
            (define (add! k n) (hash-table-update!/default t k (lambda (v) (+ v n)) 0))
            (define (size) (hash-table-size t))
            (define (sum) (hash-table-fold t (lambda (k v s) (+ v s)) 0))
            (define (copy!) (set! t (hash-table-copy t #t)))
            (define (clear!) (hash-table-clear! t))
            """
        )

    @rule(key=KEYS, value=VALUES)
    def put(self, key: object, value: int) -> None:
        self.context.call("put!", key, value)
        self.model[key] = value

    @rule(key=KEYS)
    def get(self, key: object) -> None:
        assert self.context.call("get", key) == self.model.get(key, "none")

    @rule(key=KEYS)
    def delete(self, key: object) -> None:
        self.context.call("del!", key)
        self.model.pop(key, None)

    @rule(key=KEYS, amount=VALUES)
    def update(self, key: object, amount: int) -> None:
        self.context.call("add!", key, amount)
        self.model[key] = self.model.get(key, 0) + amount

    @rule()
    def copy(self) -> None:
        self.context.call("copy!")

    @rule()
    def clear(self) -> None:
        self.context.call("clear!")
        self.model.clear()

    @rule()
    def freeze(self) -> None:
        image = self.context.freeze()
        self.context.close()
        self.context = image.instantiate()

    @invariant()
    def same(self) -> None:
        assert self.context.call("size") == len(self.model)
        assert self.context.call("sum") == sum(self.model.values())
        assert self.context["t"] == self.model

    def teardown(self) -> None:
        self.context.close()


class Lives(RuleBasedStateMachine):
    """Contexts are made, run, interrupted, frozen, copied and closed; each keeps its own count."""

    contexts = Bundle("contexts")
    images = Bundle("images")

    def __init__(self) -> None:
        super().__init__()
        self.counts: dict[int, int] = {}
        self.made: list[Context] = []

    def keep(self, context: Context, count: int) -> Context:
        self.made.append(context)  # alive, so that no identity is used twice
        self.counts[id(context)] = count
        return context

    @rule(target=contexts)
    def create(self) -> Context:
        context = Context(Policy(limits=Limits(fuel=50_000)))
        context.eval("(define n 0) (define (step) (set! n (+ n 1)) n) (define (spin) (spin))")
        return self.keep(context, 0)

    @rule(context=contexts)
    def run(self, context: Context) -> None:
        if context.closed:
            with pytest.raises(ContextClosed):
                context.call("step")
            return
        self.counts[id(context)] += 1
        assert context.call("step") == self.counts[id(context)]

    @rule(context=contexts)
    def fail(self, context: Context) -> None:
        if not context.closed:
            with pytest.raises(SchemeError):
                context.eval("(begin (step) (car '()))")
            self.counts[id(context)] += 1

    @rule(context=contexts)
    def exhaust(self, context: Context) -> None:
        if not context.closed:
            with pytest.raises(FuelExhausted):
                context.call("spin")

    @rule(context=contexts)
    def interrupt(self, context: Context) -> None:
        if not context.closed:
            context.interrupt()  # of nothing: the next run is not concerned

    @rule(context=contexts, slices=st.integers(1, 4))
    def stepped(self, context: Context, slices: int) -> None:
        if context.closed:
            return
        run = context.start("(let loop ((i 0)) (if (< i 300) (loop (+ i 1)) (step)))")
        step, count = run.advance(fuel=200), 1
        while isinstance(step, Paused):
            if count == slices:  # what is saved here ends the same elsewhere
                other = Run.restore(run.snapshot(), Policy(), trusted=True)
                ended = other.advance()
                assert isinstance(ended, Done)
                assert ended.value == self.counts[id(context)] + 1
            step, count = run.advance(fuel=200), count + 1
        assert isinstance(step, Done)
        self.counts[id(context)] += 1
        assert step.value == self.counts[id(context)]

    @rule(target=images, context=contexts)
    def freeze(self, context: Context) -> tuple[Image | None, int]:
        if context.closed:
            return None, 0
        return context.freeze(), self.counts[id(context)]

    @rule(target=contexts, image=images, through_bytes=st.booleans())
    def instantiate(self, image: tuple[Image | None, int], through_bytes: bool) -> Context:
        made, count = image
        if made is None:
            return self.create()
        if through_bytes:
            made = Image.from_bytes(made.to_bytes(), trusted=True)
        return self.keep(made.instantiate(Policy(limits=Limits(fuel=50_000))), count)

    @rule(context=contexts)
    def close(self, context: Context) -> None:
        context.close()

    @precondition(lambda self: self.made)
    @invariant()
    def counts_are_kept(self) -> None:
        context = self.made[-1]
        if not context.closed:
            assert context.eval("n") == self.counts[id(context)]

    def teardown(self) -> None:
        for context in self.made:
            context.close()


TestTables = Tables.TestCase
TestTables.settings = settings(max_examples=25, stateful_step_count=25)
TestLives = Lives.TestCase
TestLives.settings = settings(max_examples=25, stateful_step_count=20)
