"""Sixteen numbers at once: a type for compiled functions, which become vector instructions.

Numba's own vectoriser gives up on loops that branch or that read and write one array. A value of type :class:`Lanes` is
one LLVM vector of single precision, whatever the loop around it does. One lane is one configuration.
"""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin, models, register_model
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Number = float | np.floating[Any]

LANES = 16
ALL = (1 << LANES) - 1
_FLOAT, _INT = ir.FloatType(), ir.IntType(32)
_VECTOR = ir.VectorType(_FLOAT, LANES)


class _LanesType(types.Type):
    def __init__(self) -> None:
        super().__init__(name="Lanes")


_lanes = _LanesType()


@register_model(_LanesType)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager: Any, type: Any) -> None:
        super().__init__(manager, type, _VECTOR)


def _splat(builder: Any, value: Any) -> Any:
    undefined = ir.Constant(_VECTOR, ir.Undefined)
    zeros = ir.Constant(ir.VectorType(_INT, LANES), [0] * LANES)
    return builder.shuffle_vector(builder.insert_element(undefined, value, _INT(0)), undefined, zeros)


def _arithmetic(operation: Any, instruction: str) -> None:
    @infer_global(operation)
    class Template(AbstractTemplate):
        def generic(self, args: Any, kws: Any) -> Any:
            if len(args) == 2 and _lanes in args:
                return signature(_lanes, *(a if a == _lanes else types.float32 for a in args))
            return None

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        a, b = (x if t == _lanes else _splat(builder, x) for x, t in zip(args, sig.args, strict=True))
        return getattr(builder, instruction)(a, b, flags=("fast",))

    for kinds in ((_lanes, _lanes), (_lanes, types.float32), (types.float32, _lanes)):
        lower_builtin(operation, *kinds)(lower)


for _operation, _instruction in (
    (operator.add, "fadd"),
    (operator.sub, "fsub"),
    (operator.mul, "fmul"),
    (operator.truediv, "fdiv"),
):
    _arithmetic(_operation, _instruction)


def _pointer(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    array = context.make_array(sig.args[0])(context, builder, args[0])
    return builder.bitcast(builder.gep(array.data, [args[1]]), _VECTOR.as_pointer())


def _unary(name: str) -> Any:
    @intrinsic
    def function(typing: Any, a: Any) -> Any:
        def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            kind = ir.FunctionType(_VECTOR, [_VECTOR])
            called = cgutils.get_or_insert_function(builder.module, kind, f"llvm.{name}.v{LANES}f32")
            return builder.call(called, args)

        return _lanes(_lanes), lower

    return function


def _chosen(comparison: str) -> Any:
    @intrinsic
    def function(typing: Any, a: Any, b: Any) -> Any:
        def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            return builder.select(builder.fcmp_ordered(comparison, *args), *args)

        return _lanes(_lanes, _lanes), lower

    return function


if TYPE_CHECKING:

    class Lanes:
        """Sixteen numbers in single precision; arithmetic with each other and with numbers."""

        def __add__(self, other: Lanes | Number) -> Lanes: ...
        def __sub__(self, other: Lanes | Number) -> Lanes: ...
        def __mul__(self, other: Lanes | Number) -> Lanes: ...
        def __truediv__(self, other: Lanes | Number) -> Lanes: ...

    def splat(value: Number) -> Lanes: ...
    def load(array: Floats, index: int) -> Lanes: ...
    def store(array: Floats, index: int, value: Lanes) -> None: ...
    def below(a: Lanes, b: Lanes) -> int: ...
    def where_below(a: Lanes, b: Lanes, then: Lanes, otherwise: Lanes) -> Lanes: ...
    def least(a: Lanes, b: Lanes) -> Lanes: ...
    def greatest(a: Lanes, b: Lanes) -> Lanes: ...
    def root(a: Lanes) -> Lanes: ...
    def nearest_integer(a: Lanes) -> Lanes: ...
    def magnitude(a: Lanes) -> Lanes: ...
    def largest(a: Lanes) -> float: ...
    def component(a: Lanes, lane: int) -> float: ...
    def number(array: Floats, index: int) -> float: ...

else:
    Lanes = _lanes
    root, nearest_integer, magnitude = _unary("sqrt"), _unary("rint"), _unary("fabs")
    least, greatest = _chosen("<"), _chosen(">")

    @intrinsic
    def splat(typing, value):
        """The same number in all lanes."""

        def lower(context, builder, sig, args):
            return _splat(builder, args[0])

        return _lanes(types.float32), lower

    @intrinsic
    def load(typing, array, index):
        """Sixteen numbers from a flat array, from an index on."""

        def lower(context, builder, sig, args):
            value = builder.load(_pointer(context, builder, sig, args))
            value.align = 4
            return value

        return _lanes(array, types.intp), lower

    @intrinsic
    def store(typing, array, index, value):
        """Sixteen numbers into a flat array, from an index on."""

        def lower(context, builder, sig, args):
            builder.store(args[2], _pointer(context, builder, sig, args)).align = 4
            return context.get_dummy_value()

        return types.void(array, types.intp, _lanes), lower

    @intrinsic
    def below(typing, a, b):
        """Bits of the lanes in which a < b."""

        def lower(context, builder, sig, args):
            bits = builder.bitcast(builder.fcmp_ordered("<", *args), ir.IntType(LANES))
            return builder.zext(bits, ir.IntType(64))

        return types.int64(_lanes, _lanes), lower

    @intrinsic
    def where_below(typing, a, b, then, otherwise):
        """In each lane ``then`` if a < b, else ``otherwise``."""

        def lower(context, builder, sig, args):
            return builder.select(builder.fcmp_ordered("<", args[0], args[1]), args[2], args[3])

        return _lanes(_lanes, _lanes, _lanes, _lanes), lower

    @intrinsic
    def largest(typing, a):
        """The largest of sixteen numbers."""

        def lower(context, builder, sig, args):
            kind = ir.FunctionType(_FLOAT, [_VECTOR])
            name = f"llvm.vector.reduce.fmax.v{LANES}f32"
            called = cgutils.get_or_insert_function(builder.module, kind, name)
            return builder.call(called, args, fastmath=("nnan",))

        return types.float32(_lanes), lower

    @intrinsic
    def component(typing, a, lane):
        """The number in one lane."""

        def lower(context, builder, sig, args):
            return builder.extract_element(*args)

        return types.float32(_lanes, types.intp), lower

    @intrinsic
    def number(typing, array, index):
        """A number of a flat array; the index is taken as it is."""

        def lower(context, builder, sig, args):
            data = context.make_array(sig.args[0])(context, builder, args[0]).data
            return builder.load(builder.gep(data, [args[1]]))

        return types.float32(array, types.intp), lower
