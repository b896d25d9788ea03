"""Decorators that compile the functions of this package.

``outer``  what Python calls
``inner``  what only other functions call: it gets no wrapper for Python (to unpack a board and a
           game, all their arrays, takes as much code as what it wraps) and no machine code of its
           own, which would be made again in each function that calls it
"""

from __future__ import annotations

from numba import njit
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler


class _Part(JITCodeLibrary):
    """The code of an ``inner``: linked into an ``outer``, and optimized there."""

    @property
    def codegen(self):
        """Tell the code generator that the function's environment is not in memory."""
        return self

    def set_env(self, name, env) -> None:
        pass

    def get_pointer_to_function(self, name) -> int:
        self._ensure_finalized()
        return 0

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True

    def serialize_using_object_code(self):
        return self.serialize_using_bitcode()


class _PartCompiler(Compiler):
    def define_pipelines(self):
        state = self.state
        state.library = _Part(state.targetctx.codegen(), state.func_id.func_qualname)
        return super().define_pipelines()


outer = njit(cache=True, no_cfunc_wrapper=True)
inner = njit(cache=True, no_cfunc_wrapper=True, no_cpython_wrapper=True,
             pipeline_class=_PartCompiler)
