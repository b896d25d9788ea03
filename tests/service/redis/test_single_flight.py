"""One look for all who ask at one moment, with greenlets, as the service has them."""

import subprocess
import sys

PROGRAM = """
from gevent import monkey; monkey.patch_all()
import gevent
from service.redis.single_flight import SingleFlight

there, begun = ["a"], []

def look(name):
    begun.append(name)
    seen = "".join(there)  # what comes later is missed
    gevent.sleep(0.02)
    if name == "broken":
        raise ValueError(name)
    return seen

shared = SingleFlight(look)

def asked(*names):
    begun.clear()
    return [gevent.spawn(shared, name) for name in names]

def until_a_look_has_begun():
    while not begun:
        gevent.sleep(0)

looks = asked(*["x"] * 50, "y")
gevent.joinall(looks)
assert {one.value for one in looks} == {"a"} and begun == ["x", "y"], begun

early = asked(*["x"] * 50)
until_a_look_has_begun()
there.append("b")
late = [gevent.spawn(shared, "x") for _ in range(50)]
gevent.joinall(early + late)
assert {one.value for one in early} == {"a"} and {one.value for one in late} == {"ab"}, begun
assert begun == ["x", "x"], begun

looks = asked(*["broken"] * 3)
gevent.joinall(looks)
assert [type(one.exception) for one in looks] == [ValueError] * 3
assert begun == ["broken"] * 3, begun  # each for himself

first, *others = asked(*["x"] * 3)
until_a_look_has_begun()
first.kill()  # whoever listened has gone
gevent.joinall(others)
assert [one.value for one in others] == ["ab"] * 2
assert not shared._next
print("done")
"""


def test_concurrent_callers_share_one_call_and_later_ones_start_another():
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=30
    )
    assert ran.stdout == "done\n", ran.stderr
