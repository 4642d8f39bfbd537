"""Arrays whose references are not counted, for kernels that pass many arrays around in a short loop.

Numba counts the references to an array whenever a function that calls others takes or unpacks it: an atomic operation
each time, which can take longer than the function's work.  A kernel's caller holds its arguments until it returns, so
a kernel that neither returns nor replaces them need not count.
"""

from numba.core import cgutils, types
from numba.extending import intrinsic

__all__ = ["borrowed"]


@intrinsic
def borrowed(_, arrays):
    """An array, or a tuple of arrays and numbers, without counting references to it.

    Only for arguments that the caller of a kernel holds.  The result must not be returned to Python.
    """

    def codegen(context, builder, signature, arguments):
        return _uncounted(context, builder, signature.return_type, arguments[0])

    return arrays(arrays), codegen


def _uncounted(context, builder, kind, value):
    if isinstance(kind, types.BaseTuple):
        parts = zip(kind.types, cgutils.unpack_tuple(builder, value), strict=True)
        return context.make_tuple(builder, kind, [_uncounted(context, builder, *part) for part in parts])
    if not isinstance(kind, types.Array):
        return value
    array = context.make_array(kind)(context, builder, value)
    array.meminfo = cgutils.get_null_value(array.meminfo.type)
    return array._getvalue()
