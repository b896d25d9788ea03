"""How the functions of this package are compiled. Only what is called from Python gets a wrapper
for that: to unpack a board and a game, all their arrays, takes as much code as what it wraps.
"""

from __future__ import annotations

from numba import njit

outer = njit(cache=True, no_cfunc_wrapper=True)
inner = njit(cache=True, no_cfunc_wrapper=True, no_cpython_wrapper=True)
