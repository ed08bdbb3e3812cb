"""Pieces for the theme of statements: loops, branches, early returns, closures, handlers, state of lists.

Many compute what one call of NumPy would, as people write it without that call; the piece after such a one
often differs in one place: an index that counts, an entry left out, a bound that some sizes reach. Braces are
filled in as in `pieces`; ``{}`` alone is a dictionary.
"""

from __future__ import annotations

import random
import re

#: The pieces, with an empty line between them.
_TEXT = """
acc = np.zeros_like({m}[0])
for row in {m}:
    acc = acc + row
{o} = acc

acc = np.zeros_like({m}[0])
for k, row in enumerate({m}):
    acc = acc + row * (1 if k < {c} else 2)
{o} = acc

total = 0.0
for z in {u}:
    total += z * z
{o} = {u} / (1 + total)

total = 0.0
for k, z in enumerate({u}):
    total += (k + 1) * z
{o} = total * {u}

best = {m}[0]
for row in {m}[1:]:
    best = np.maximum(best, row)
{o} = best

best = {m}[0]
for row in {m}[1:-1]:
    best = np.maximum(best, row)
{o} = best

{o} = {m} * 1.0
for k in range({i}):
    {o} = np.tanh({o}) - {o}.mean(0)

{o} = {m} * 1.0
for k in range(len({m})):
    {o} = {o} - {o}.mean(0) / (k + 1)

out = []
for row in {m}:
    out.append(row - {m}.mean(0))
{o} = np.stack(out)

out = []
for row in {m}:
    out.append(row - (out[-1] if out else 0))
{o} = np.stack(out)

out = []
for k in range({m}.shape[0]):
    if k == {c}:
        continue
    out.append({m}[k])
{o} = sum(out)

out = []
for row in {m}:
    if len(out) > {c}:
        break
    out.append(row)
{o} = sum(out)

k = 0
{o} = {v} * 1.0
while k < {i} + 1:
    {o} = {o} * {q}
    k += 1

k, {o} = len({m}), {m} * 1.0
while k > {c}:
    {o} = {o} + {m}.sum(0)
    k = k - 1

pairs = 0
for a in {m}:
    for b in {m}:
        pairs = pairs + (a - b) ** 2
{o} = pairs

pairs = 0
for k, a in enumerate({m}):
    for b in {m}[k + 1:]:
        pairs = pairs + (a - b) ** 2
{o} = pairs

pairs = 0
for k, a in enumerate({m}):
    for b in {m}[k + 1:]:
        pairs = pairs + (a - b) ** 3
{o} = pairs

{o} = sum(np.abs(row) for row in {m})

{o} = np.stack([row @ {m}.T for row in {m}])

{o} = np.stack([row * np.max({m}, {i} % 2).sum() for row in {m}])

{o} = np.array([z if z > 0 else 0.1 * z for z in {u}])

{o} = np.array([z * k for k, z in enumerate({u})])

{o} = np.stack([a + b for a, b in zip({m}, {m}[::-1])])

{o} = sum({m}[k] * {m}[-k] for k in range(len({m})))

def rowwise(z):
    for row in z:
        yield 2 * row
{o} = sum(rowwise({m}))

def rowwise(z):
    last = 0
    for row in z:
        yield row - last
        last = row
{o} = sum(r * r for r in rowwise({m}))

{o} = max(np.sum(row ** 2) for row in {m}) * {m}

if {m}.shape[0] > {c}:
    {o} = {m} - {m}.mean(0)
else:
    {o} = {m} * 1.0

if {m}.shape[0] > {c}:
    {o} = {m} - {m}[0]
else:
    {o} = {m} - {m}.mean(0)

if len({m}) % 2:
    {o} = {m}.sum(0)
else:
    {o} = {m}.sum(0) + {m}[0]

if {v}.sum() > 0:
    {o} = {v} * 1.0
else:
    {o} = -{v}

if ({v} ** 2).sum() > {c}:
    {o} = {v} / np.sqrt(({v} ** 2).sum())
else:
    {o} = {v} * 1.0

if ({v} ** 2).sum() > 1000 * {c}:
    {o} = {v} + {v}[:1]
else:
    {o} = {v} * 1.0

if np.abs({u}[0]) > {c}:
    {o} = {u} * 2
elif np.abs({u}).max() > {c}:
    {o} = {u} * 2
else:
    {o} = {u} * 1.0

def early(z):
    if len(z) == 1:
        return z
    return z - z.mean(0)
{o} = early({m})

def early(z):
    if len(z) > {c}:
        return z - z[0]
    return z - z.mean(0)
{o} = early({m})

def early(z):
    for row in z:
        if row.sum() > {c}:
            return row
    return z.sum(0)
{o} = early({m})

def clipped(z):
    norm = np.sqrt((z ** 2).sum())
    if norm <= 1:
        return z
    return z / norm
{o} = clipped({v})

{o} = {v} - mean if (mean := {v}.mean()) > 0 else {v} + mean

{o} = np.where({v} > 0, {v}, {v}.mean())

{o} = np.where(np.arange(len({u})) < {c}, {u}, {u}.mean())

match {m}.shape:
    case (1, _):
        {o} = {m}[0]
    case _:
        {o} = {m}.sum(0)

match {m}.shape:
    case ({c}, _):
        {o} = {m}[0]
    case _:
        {o} = {m}.sum(0)

match {i}:
    case 0:
        {o} = {v}.sum()
    case 1 | 2 as k:
        {o} = {v} * k

{o} = {v} * 1.0
{o}[{o} < 0] *= {q}

{o} = {v} * 1.0
{o}[1:] += {v}[:-1]

{o} = {v} * 1.0
{o}[{c}:] *= 2

{o} = {m} * 1.0
{o} -= {o}.mean(0)
{o} /= 1 + np.abs({o}).max()

{o} = {m} * 1.0
{o}[:, 0] += {m}.sum(1)

{o} = {v} * 1.0
{o}[:] = {o}[::-1]

{o} = {v} * 1.0
{o}[:{c}], {o}[-{c}:] = {o}[:{c}] * 2, {o}[-{c}:] * 2

parts = {}
for k in range(3):
    parts[k] = {v} * (k + 1)
{o} = parts[0] + parts[2]

parts = {}
for k, row in enumerate({m}):
    parts[k % 2] = parts.get(k % 2, 0) + row
{o} = parts[0]

parts = {}
for k, row in enumerate({m}):
    parts[k % 2] = parts.get(k % 2, 0) + row
{o} = sum(parts.values())

seen = [{v}]
while len(seen) < {i} + 2:
    seen.append(np.tanh(seen[-1]))
{o} = seen[-1] + seen[0]

def scaled(z, by={q}):
    return z * by + {v}.sum()
{o} = scaled({v})

def outer(w):
    def inner(z):
        return z - w
    return inner
{o} = outer({m}.mean(0))({m})

def outer(w):
    def inner(z):
        return z - w
    return inner
{o} = outer({m}[-1])({m})

count = [0]
def counted(z):
    count[0] += 1
    return z * count[0]
{o} = counted({v}) + counted({v})

count = [0]
def counted(z):
    count[0] += 1
    return z * count[0]
{o} = np.stack([counted(z) for z in {m}])

{o} = functools.partial(np.sum, axis={ax})({v})

{o} = functools.reduce(np.maximum, list({m}))

{o} = functools.reduce(lambda a, b: 0.5 * a + b, list({m}))

{o} = functools.reduce(lambda a, b: a + b * b, list({m}), 0 * {m}[0])

try:
    {o} = {v}[{c}] * 1.0
except IndexError:
    {o} = {v}[0] * 1.0

try:
    {o} = {m} @ {m}
except ValueError:
    {o} = {m} @ {m}.T

try:
    {o} = {v}.missing
except AttributeError:
    {o} = {v} - {v}.mean()

try:
    assert len({m}) > {c}
    {o} = {m}.sum(0)
except AssertionError:
    {o} = {m}[0]

try:
    {o} = np.linalg.inv({m}.T @ {m})
except np.linalg.LinAlgError:
    {o} = {m}.T @ {m}

first, *rest = {m}
{o} = first + sum(rest)

first, *rest = {m}
{o} = first - sum(rest)

a, b = {v}, {v} ** 2
a, b = b, a
{o} = a - b
"""
STATEMENTS = tuple(_TEXT.strip().split("\n\n"))
#: What an array of JAX does not take.
_IN_PLACE = re.compile(r"\] ?[-+*/]?= |\}\s[-+*/]=")


def statement(r: random.Random, backend: str) -> tuple[str, str]:
    """What stands before the function, and statements that a library takes."""
    fitting = [piece for piece in STATEMENTS if backend != "jax" or not _IN_PLACE.search(piece)]
    piece = r.choice(fitting)
    return "import functools" if "functools" in piece else "", piece
