"""Compare the number primitives with Python's integers, fractions and floats.

Random cases, weighted to edges, go to the driver as lines (num_driver.c); its
answers must be those of Python, character for character.

Usage: python3 check_numbers.py DRIVER [CASES [SEED]]
"""

from __future__ import annotations

import math
import random
import struct
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction

Real = int | Fraction | float
Case = tuple[str, str]

FLOAT_EDGES = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    1.5,
    2.5,
    5e-324,
    2.2250738585072014e-308,
    2.225073858507201e-308,
    1.7976931348623157e308,
    9007199254740992.0,
    9007199254740993.0,
    1e21,
    1e22,
    1e23,
    1e-7,
    1e-6,
    0.1,
    0.3,
    2.0**60,
    2.0**61,
    2.0**63,
    2.0**64,
    4.35,
    1e16,
    1e17,
    123456789.123,
]


def text_of_float(d: float) -> str:
    """The form that the engine prints: like repr, with other thresholds."""
    if math.isnan(d):
        return "+nan.0"
    if math.isinf(d):
        return "+inf.0" if d > 0 else "-inf.0"
    sign = "-" if math.copysign(1.0, d) < 0 else ""
    mantissa, _, exponent = f"{abs(d)!r}".partition("e")
    whole, _, fraction = mantissa.partition(".")
    point = len(whole) + int(exponent or 0)
    digits = whole + fraction
    stripped = digits.lstrip("0")
    point -= len(digits) - len(stripped)
    digits = stripped.rstrip("0")
    if not digits:
        return sign + "0.0"
    if -6 < point <= 21:
        if point <= 0:
            return f"{sign}0.{'0' * -point}{digits}"
        digits = digits.ljust(point, "0")
        return f"{sign}{digits[:point]}.{digits[point:] or '0'}"
    tail = "." + digits[1:] if len(digits) > 1 else ""
    return f"{sign}{digits[0]}{tail}e{point - 1}"


def text(x: Real | bool) -> str:
    if isinstance(x, bool):
        return "#t" if x else "#f"
    if isinstance(x, float):
        return text_of_float(x)
    return str(x)


def to_float(x: Real) -> float:
    """Correctly rounded, infinity where too large."""
    try:
        return x.numerator / x.denominator if isinstance(x, Fraction) else float(x)
    except OverflowError:
        return math.inf if x > 0 else -math.inf


def simplify(x: Real) -> Real:
    return x.numerator if isinstance(x, Fraction) and x.denominator == 1 else x


def to_radix(n: int, radix: int) -> str:
    digits = "0123456789abcdefghijklmnopqrstuvwxyz"
    if n < 0:
        return "-" + to_radix(-n, radix)
    out = ""
    while True:
        n, d = divmod(n, radix)
        out = digits[d] + out
        if n == 0:
            return out


class Generator:
    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.operations: list[Callable[[], Case]] = [
            getattr(self, name) for name in sorted(dir(self)) if name.startswith("case_")
        ]

    def integer(self, bits: int = 0) -> int:
        r = self.random
        bits = bits or r.choice([3, 8, 30, 58, 60, 61, 62, 64, 65, 127, 128, 129, 200, 700, 2500])
        kind = r.randrange(8)
        if kind == 0:
            n = (1 << r.randrange(bits)) + r.randrange(-2, 3)
        elif kind == 1:
            n = (1 << bits) - (1 << r.randrange(bits)) + r.randrange(-1, 2)
        elif kind == 2:
            n = sum(r.choice([0, 2**64 - 1, 1, 2**63]) << (64 * i) for i in range(bits // 64 + 1))
        else:
            n = r.getrandbits(bits)
        return -n if r.random() < 0.5 else n

    def long_integer(self) -> int:
        return self.integer(self.random.choice([3000, 6500, 9000, 13000, 26000, 60000]))

    def nonzero(self, bits: int = 0) -> int:
        return self.integer(bits) or 7

    def ratio(self) -> Fraction:
        return Fraction(self.integer(), self.nonzero())

    def float(self) -> float:
        r = self.random
        kind = r.randrange(6)
        if kind == 0:
            return r.choice(FLOAT_EDGES) * r.choice([1, -1])
        if kind == 1:
            return float(r.randrange(-(10**6), 10**6)) / r.choice([1, 2, 4, 10, 100])
        if kind == 2:
            return r.uniform(-1e6, 1e6)
        while True:
            bits = r.getrandbits(64)
            if kind == 3:
                bits &= ~((1 << r.randrange(52)) - 1)
            d = struct.unpack("<d", struct.pack("<Q", bits))[0]
            if math.isfinite(d):
                return float(d)

    def exact(self) -> int | Fraction:
        return self.integer() if self.random.random() < 0.6 else simplify(self.ratio())  # type: ignore[return-value]

    def real(self) -> Real:
        return self.float() if self.random.random() < 0.4 else self.exact()

    def near(self, x: Real) -> Real:
        """Something that is hard to tell from x."""
        r = self.random
        kind = r.randrange(5)
        if kind == 0:
            return to_float(x) if math.isfinite(to_float(x)) else x
        if isinstance(x, float):
            exact = Fraction(x)
            return simplify(exact + Fraction(r.randrange(-1, 2), 10 ** r.randrange(1, 400)))
        if kind == 1:
            return x + r.randrange(-1, 2)
        if kind == 2:
            return simplify(x + Fraction(r.randrange(-1, 2), 10**300))
        return self.real()

    def arithmetic(self, op: str, a: Real, b: Real) -> str:
        if isinstance(a, float) or isinstance(b, float):
            if op == "*" and (a is not True) and any(type(x) is int and x == 0 for x in (a, b)):
                return "0"
            if op == "+" and type(a) is int and a == 0:
                return text(b)
            if op == "+" and type(b) is int and b == 0:
                return text(a)
            x, y = to_float(a), to_float(b)
            if op == "/":
                if type(b) is int and b == 0:
                    return "divide"
                if y == 0:
                    if x == 0 or math.isnan(x):
                        return "+nan.0"
                    sign = math.copysign(1, x) * math.copysign(1, y)
                    return text(math.inf * sign)
                return text(x / y)
            return text({"+": x + y, "-": x - y, "*": x * y}[op])
        if op == "/":
            return "divide" if b == 0 else text(simplify(Fraction(a) / Fraction(b)))
        return text(simplify({"+": a + b, "-": a - b, "*": a * b}[op]))

    def case_arithmetic(self) -> Case:
        op, a, b = self.random.choice("+-*/"), self.real(), self.real()
        return f"{op} {text(a)} {text(b)}", self.arithmetic(op, a, b)

    def case_integers(self) -> Case:
        op, a, b = self.random.choice("+-*"), self.integer(), self.integer()
        if self.random.random() < 0.2:
            b = a + self.random.randrange(-3, 4)
        return f"{op} {a} {b}", self.arithmetic(op, a, b)

    def case_fold(self) -> Case:
        items = [self.exact() for _ in range(self.random.randrange(12))]
        return "+ " + " ".join(map(text, items)), text(simplify(sum(items, Fraction(0))))

    def case_long(self) -> Case:
        if self.random.random() > 0.05:
            return self.case_integers()
        a, b = self.long_integer(), self.long_integer() or 1
        op = self.random.choice(["*", "quotient", "remainder", "gcd", "square", "text", "read", "hex"])
        if op == "*":
            return f"* {a} {b}", text(a * b)
        if op == "square":
            return f"* {a} {a}", text(a * a)
        if op == "quotient":
            q = abs(a) // abs(b)
            return f"quotient {a} {b}", text(q if (a < 0) == (b < 0) else -q)
        if op == "remainder":
            r = abs(a) % abs(b)
            return f"remainder {a} {b}", text(-r if a < 0 else r)
        if op == "gcd":
            c = self.integer(500)
            return f"gcd {a * c} {b * c}", text(math.gcd(a * c, b * c))
        if op == "hex":
            return f"number->string {a} 16", f"{a:x}"
        if op == "text":
            radix = self.random.choice([3, 7, 10, 36])
            return f"number->string {a} {radix}", to_radix(a, radix)
        return f"string->number 7 {to_radix(a, 7)}", text(a)

    def case_division(self) -> Case:
        a, b = self.integer(), self.nonzero()
        kind = self.random.randrange(4)
        if kind == 0:
            q = abs(a) // abs(b)
            return f"quotient {a} {b}", text(q if (a < 0) == (b < 0) else -q)
        if kind == 1:
            r = abs(a) % abs(b)
            return f"remainder {a} {b}", text(-r if a < 0 else r)
        if kind == 2:
            return f"modulo {a} {b}", text(a % b)
        return f"floor-quotient {a} {b}", text(a // b)

    def case_gcd(self) -> Case:
        a, b, c = self.integer(), self.integer(), self.integer()
        if self.random.random() < 0.5:
            return f"gcd {a * c} {b * c}", text(math.gcd(a * c, b * c))
        return f"lcm {a} {b}", text(math.lcm(a, b))

    def case_compare(self) -> Case:
        a = self.real()
        b = self.near(a)
        op = self.random.choice(["=", "<", "<="])
        x = Fraction(a)
        y = Fraction(b)
        return f"{op} {text(a)} {text(b)}", text({"=": x == y, "<": x < y, "<=": x <= y}[op])

    def case_inexact(self) -> Case:
        x = self.exact()
        if self.random.random() < 0.5:  # close to half way between two doubles
            d = self.float()
            half = (Fraction(d) + Fraction(math.nextafter(d, math.inf))) / 2 if abs(d) < 1e308 else Fraction(d)
            x = simplify(half + Fraction(self.random.randrange(-1, 2), 10 ** self.random.choice([1, 30, 700])))  # type: ignore[assignment]
        return f"inexact {text(x)}", text(to_float(x) if x != 0 else 0.0)

    def case_exact(self) -> Case:
        d = self.float()
        return f"exact {text(d)}", text(simplify(Fraction(d)))

    def case_print(self) -> Case:
        d = self.float()
        return f"number->string {d!r}", text(d)

    def case_read(self) -> Case:
        r = self.random
        digits = str(r.getrandbits(r.choice([10, 50, 60, 64, 70, 200, 3000])))
        at = r.randrange(len(digits) + 1)
        s = digits[:at] + "." + digits[at:] if r.random() < 0.7 else digits + "."
        if r.random() < 0.7:
            s += f"e{r.choice([r.randrange(-30, 30), r.randrange(-400, 400)])}"
        return f"string->number 10 {s}", text(float(s))

    def case_read_half(self) -> Case:
        """Decimals at and next to the middle of two doubles."""
        d = abs(self.float())
        up = math.nextafter(d, math.inf)
        if not math.isfinite(up):
            return self.case_read()
        half = (Fraction(d) + Fraction(up)) / 2
        places = max(0, half.denominator.bit_length() - 1)
        digits = str(half.numerator * 5**places).rjust(places + 1, "0")
        s = digits[: len(digits) - places] + "." + digits[len(digits) - places :]
        s += self.random.choice(["", "0", "1", "00000000000000000001"])
        return f"string->number 10 {s}", text(float(s))

    def case_read_exact(self) -> Case:
        n, e = self.integer(), self.random.randrange(-60, 60)
        return f"string->number 10 #e{n}e{e}", text(simplify(Fraction(n) * Fraction(10) ** e))

    def case_radix(self) -> Case:
        n, radix = self.integer(), self.random.randrange(2, 37)
        if self.random.random() < 0.5:
            return f"number->string {n} {radix}", to_radix(n, radix)
        return f"string->number {radix} {to_radix(n, radix)}", text(n)

    def case_bits(self) -> Case:
        a, b = self.integer(), self.integer()
        op = self.random.choice(["and", "ior", "xor"])
        return f"bitwise-{op} {a} {b}", text({"and": a & b, "ior": a | b, "xor": a ^ b}[op])

    def case_bits_more(self) -> Case:
        a, s = self.integer(), self.random.randrange(-300, 300)
        return self.random.choice(
            [
                (f"arithmetic-shift {a} {s}", text(a << s if s >= 0 else a >> -s)),
                (f"bit-count {a}", text((a if a >= 0 else ~a).bit_count())),
                (f"integer-length {a}", text((a if a >= 0 else ~a).bit_length())),
                (f"bitwise-not {a}", text(~a)),
                (f"bit-set? {abs(s)} {a}", text(bool(a >> abs(s) & 1))),
            ]
        )

    def case_round(self) -> Case:
        x = self.real()
        if self.random.random() < 0.3:
            x = simplify(Fraction(self.integer(), 2))
        op = self.random.choice(["floor", "ceiling", "truncate", "round"])
        if isinstance(x, float):
            f: dict[str, Callable[[float], int]] = {
                "floor": math.floor,
                "ceiling": math.ceil,
                "truncate": math.trunc,
                "round": round,
            }
            return f"{op} {text(x)}", text(math.copysign(float(f[op](x)), x))
        g = {"floor": math.floor, "ceiling": math.ceil, "truncate": math.trunc, "round": round}
        return f"{op} {text(x)}", text(g[op](x))

    def case_power(self) -> Case:
        r = self.random
        base: int | Fraction = self.integer(r.choice([2, 10, 64, 130]))
        if r.random() < 0.3:
            base = Fraction(base, self.nonzero(10))
        e = r.randrange(-20, 60)
        if base == 0 and e < 0:
            return f"expt 0 {e}", "divide"
        return f"expt {text(simplify(base))} {e}", text(simplify(Fraction(base) ** e))

    def case_root(self) -> Case:
        r = self.random
        n = abs(self.integer())
        kind = r.randrange(4)
        if kind == 0:
            s = math.isqrt(n)
            return f"isqrt {n}", f"{s} {n - s * s}"
        if kind == 1:
            n = n * n + r.choice([-1, 0, 0, 1]) if n else 1
            s = math.isqrt(n)
            return f"isqrt {n}", f"{s} {n - s * s}"
        if kind == 2:
            q = abs(self.ratio()) or Fraction(1)
            return f"sqrt {text(simplify(q * q))}", text(simplify(q))
        k = r.randrange(2, 9)
        n = abs(self.integer(r.choice([3, 20, 44, 46, 50, 100, 300]))) or 1
        return f"expt {n**k} 1/{k}", text(n)

    def case_extreme(self) -> Case:
        a = self.real()
        b = self.near(a)
        op = self.random.choice(["max", "min"])
        if Fraction(a) == Fraction(b):
            return f"+ 1 {text(a)}", self.arithmetic("+", 1, a)
        best = max(a, b, key=Fraction) if op == "max" else min(a, b, key=Fraction)
        inexact = isinstance(a, float) or isinstance(b, float)
        return f"{op} {text(a)} {text(b)}", text(to_float(best) if inexact else best)

    def case_rationalize(self) -> Case:
        x, y = self.ratio(), abs(self.ratio())
        y = Fraction(1, abs(self.nonzero(self.random.choice([4, 20, 200]))))
        return f"rationalize {text(simplify(x))} {text(simplify(y))}", text(simplify(simplest(x - y, x + y)))


def simplest(low: Fraction, high: Fraction) -> Fraction:
    if low <= 0 <= high:
        return Fraction(0)
    if high < 0:
        return -simplest(-high, -low)
    floor = math.floor(low)
    if floor == low:
        return Fraction(floor)
    if floor < math.floor(high):
        return Fraction(floor + 1)
    return floor + 1 / simplest(1 / (high - floor), 1 / (low - floor))


def main() -> int:
    sys.set_int_max_str_digits(0)
    sys.setrecursionlimit(100_000)
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 200_000
    generator = Generator(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    cases = [generator.random.choice(generator.operations)() for _ in range(count)]
    done = subprocess.run(
        [sys.argv[1]], input="".join(line + "\n" for line, _ in cases), capture_output=True, text=True, check=False
    )
    answers = done.stdout.split("\n")[:-1]
    failed = 0
    for (line, wanted), got in zip(cases, answers, strict=False):
        if got != wanted:
            failed += 1
            if failed <= 10:
                print(f"{line[:300]}\n  wanted {wanted[:300]}\n  got    {got[:300]}")
    if len(answers) != len(cases):
        print(f"the driver stopped after {len(answers)} of {len(cases)}: {cases[len(answers)][0][:300]}")
        print(done.stderr[-3000:])
        failed += 1
    print(f"{len(answers)} cases, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
