"""The decorator of kernels that only other kernels call.

Numba makes no wrapper through which Python could call them, which saves a sixth of the time to compile a method.
A call from Python would end the process: only kernels may import them, and a test of the house holds them to it.
"""

from sfumato.kernels.compiled import njit

__all__ = ["inner"]

inner = njit(no_cpython_wrapper=True, no_cfunc_wrapper=True)
