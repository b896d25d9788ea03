"""The functions of ``features``, compiled, for many games at once."""

from inspect import isfunction
from types import FunctionType
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from fogg_simulator import features
from fogg_simulator.arrays import sizes
from fogg_simulator.chart import LANES, chart_of, ways_of, work_type
from fogg_simulator.compiled import copy, entry, inner
from fogg_simulator.threads import in_parts

BLOCK = 32  # actions: a register of AVX2 has as many bytes
LINE = 64  # bytes of a line of the cache

# The twins of some functions of ``features``, as loops: these are the ones that take the time.


def nearest(chart, to, one, other):
    for place in range(chart.width):
        to[place] = min(one[place], other[place])


def lower(chart, work, row, known, place, first, last, pairs):
    ids = chart.numbers[:] if pairs else chart.reach[place][:]
    for block in range(0, chart.width, LANES):
        lower_block(work.rows, row, known, block, place, ids, first, last, pairs)


@intrinsic
def lower_block(_, rows, row, known, block, place, ids, first, last, pairs):
    """Do the work of ``lower`` for ``LANES`` distances, which stay in three registers meanwhile."""
    number, vector = ir.IntType(64), ir.VectorType(ir.FloatType(), LANES // 3)
    same = ir.VectorType(ir.IntType(32), LANES // 3)(None)

    def build(context, builder, signature, values):
        rows, row, known, block, place, ids, first, last, pairs = (
            context.make_array(kind)(context, builder, value)
            if isinstance(kind, types.Array)
            else value
            for kind, value in zip(signature.args, values, strict=True)
        )
        width = builder.extract_value(rows.shape, 1)

        def at(row, column):
            return builder.gep(rows.data, [builder.add(builder.mul(row, width), column)])

        def vectors(row):
            start = builder.bitcast(at(row, block), vector.as_pointer())
            return [builder.gep(start, [number(n)]) for n in range(3)]

        first_lows, before = [builder.load(each, align=4) for each in vectors(known)], builder.block
        loop, after = builder.append_basic_block(), builder.append_basic_block()
        builder.cbranch(builder.icmp_signed("<", first, last), loop, after)
        builder.position_at_end(loop)
        i, lows, next_lows = builder.phi(number), [builder.phi(vector) for _ in first_lows], []
        over = builder.zext(builder.load(builder.gep(ids.data, [i])), number)
        cost = builder.insert_element(
            vector(ir.Undefined), builder.load(at(over, place)), number(0)
        )
        cost = builder.shuffle_vector(cost, cost, same)
        for low, beyond in zip(lows, vectors(builder.xor(over, pairs)), strict=True):
            total = builder.fadd(cost, builder.load(beyond, align=4))
            is_less = builder.fcmp_ordered("<", total, low)
            next_lows.append(builder.select(is_less, total, low))
        next_i = builder.add(i, number(1))
        builder.cbranch(builder.icmp_signed("<", next_i, last), loop, after)
        builder.position_at_end(after)
        results = [builder.phi(vector) for _ in lows]
        for phi, start, following in zip(
            [i, *lows, *results],
            [first, *first_lows, *first_lows],
            [next_i, *next_lows, *next_lows],
            strict=True,
        ):
            phi.add_incoming(start, before)
            phi.add_incoming(following, loop)
        for to, result in zip(vectors(row), results, strict=True):
            builder.store(result, to, align=4)
        return context.get_dummy_value()

    return types.none(rows, *[types.int64] * 4, ids, *[types.int64] * 3), build


def far_of_tickets(chart, work):
    rows = work.rows
    for ticket in range(chart.tickets):
        a, b, far = chart.ticket_a[ticket], chart.ticket_b[ticket], features.FAR
        for i in range(chart.shared_count[ticket]):
            over = chart.shared[ticket, i]
            far = min(far, rows[over, a] + rows[over, b])
        for i in range(work.first, work.built, 2):
            far = min(far, min(rows[i, a] + rows[i + 1, b], rows[i + 1, a] + rows[i, b]))
        work.ticket_far[ticket] = far


def legal_actions(masks, game, start, actions):
    mask, count, some = masks[game], 0, np.uint8(0)
    if len(mask) - start >= BLOCK:
        for place in range(BLOCK):
            some = np.uint8(some | mask[start + place])
        if not some:
            return 0
    for action in range(start, min(start + BLOCK, len(mask))):
        actions[count] = action
        count += mask[action]
    return count


def cost_of(chart, work, plan):
    cost = np.float32(0)
    for route in range(chart.routes):
        if plan[route] > 0:
            cost += work.costs[route]
    return cost


def compiled(module: Any, twins: dict[str, Any]) -> dict[str, Any]:
    """Return a module's functions, compiled to call each other; some replaced by ``twins``."""
    names = vars(module) | {"BLOCK": BLOCK}
    for name, function in vars(module).items():
        if isfunction(function) and function.__module__ == module.__name__:
            code = twins.get(name, function).__code__
            names[name] = inner(
                FunctionType(code, names | globals() if name in twins else names, name)
            )
    return names


describe = compiled(
    features,
    {
        function.__name__: function
        for function in (nearest, lower, far_of_tickets, legal_actions, cost_of)
    }
    | {"copy": copy.py_func},
)["describe"]


@entry
def describe_all(charts, ways, works, observations, masks, rows, actions, ends):
    """Write the rows of some games one after the other; ``ends`` is where each game's rows end."""
    count = 0
    for game in range(len(observations)):
        count += describe(
            charts[0], ways, works[0], observations, masks, game, rows, actions, count
        )
        ends[game] = count


def aligned(record):
    """Return an array of one record that begins at a line of the cache."""
    data = np.zeros(record.itemsize + LINE, np.uint8)
    start = -data.ctypes.data % LINE
    return data[start : start + record.itemsize].view(record)


class Rows:
    """The rows of the games of one board, divided into parts for threads."""

    def __init__(self, board, seats, games, parts):
        self._parts, self._chart, self._ways = parts, chart_of(board, seats), ways_of(board, seats)
        self._works = [aligned(work_type(sizes(board, seats))) for _ in parts]
        self._rows = np.zeros((games * features.ROWS, len(features.NAMES)), np.float32)
        self._actions, self._ends = (
            np.zeros(games * features.ROWS, np.int64),
            np.zeros(games, np.int64),
        )

    def of(self, observe, observations, masks):
        """``observe`` writes the observations of a part, by its number and slice. Each thread
        writes its rows where they must be if all games before have as many as they can."""

        def write(n, part):
            observe(n, part)
            first = part.start * features.ROWS
            describe_all(
                self._chart,
                self._ways,
                self._works[n],
                observations[part],
                masks[part],
                self._rows[first:],
                self._actions[first:],
                self._ends[part],
            )

        in_parts(write, self._parts)
        count = self._ends[self._parts[0]][-1]
        for part in self._parts[1:]:
            first, more = part.start * features.ROWS, self._ends[part][-1]
            for each in (self._rows, self._actions):
                each[count : count + more] = each[first : first + more]
            self._ends[part] += count
            count += more
        return self._rows[:count], self._actions[:count], self._ends
