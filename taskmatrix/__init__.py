"""Program humanoid robots by behavior: one task program runs on any humanoid."""

from importlib import import_module
from typing import TYPE_CHECKING

from taskmatrix.core.activation_tree import ActivationTree as ActivationTree
from taskmatrix.core.behavior import TaskBehavior as TaskBehavior
from taskmatrix.core.component import Component as Component
from taskmatrix.core.condition import Condition as Condition
from taskmatrix.core.condition import Verdict as Verdict
from taskmatrix.core.errors import ComponentError as ComponentError
from taskmatrix.core.errors import MachineError as MachineError
from taskmatrix.core.errors import NotFoundError as NotFoundError
from taskmatrix.core.errors import ParameterError as ParameterError
from taskmatrix.core.errors import TaskMatrixError as TaskMatrixError
from taskmatrix.core.executive import Outcome as Outcome
from taskmatrix.core.failure import Failure as Failure
from taskmatrix.core.failure import FailureKind as FailureKind
from taskmatrix.core.idioms import parallel as parallel
from taskmatrix.core.idioms import selector as selector
from taskmatrix.core.idioms import sequence as sequence
from taskmatrix.core.idioms import timeout as timeout
from taskmatrix.core.machine import Machine as Machine
from taskmatrix.core.machine import State as State
from taskmatrix.core.machine import all_of as all_of
from taskmatrix.core.machine import on as on
from taskmatrix.core.machine import start as start
from taskmatrix.core.machine import whenever as whenever
from taskmatrix.core.modal_component import ModalComponent as ModalComponent
from taskmatrix.core.mode import Mode as Mode
from taskmatrix.core.modulation import Modulation as Modulation
from taskmatrix.core.parameter import Output as Output
from taskmatrix.core.parameter import Parameter as Parameter
from taskmatrix.core.part import Part as Part
from taskmatrix.core.runs import Runs as Runs

if TYPE_CHECKING:
    from taskmatrix.studio.session import Session as Session
    from taskmatrix.studio.session import simulate as simulate

__all__ = [
    "ActivationTree",
    "Component",
    "ComponentError",
    "Condition",
    "Failure",
    "FailureKind",
    "Machine",
    "MachineError",
    "ModalComponent",
    "Mode",
    "Modulation",
    "NotFoundError",
    "Outcome",
    "Output",
    "Parameter",
    "ParameterError",
    "Part",
    "Runs",
    "Session",
    "State",
    "TaskBehavior",
    "TaskMatrixError",
    "Verdict",
    "all_of",
    "on",
    "parallel",
    "selector",
    "sequence",
    "simulate",
    "start",
    "timeout",
    "whenever",
]

_SIMULATION = "taskmatrix.studio.session"  # loads planners and simulations, which nobody needs to define behaviors


def __getattr__(name: str) -> object:
    """Load what simulates when it is first asked for."""
    if name not in ("Session", "simulate"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_SIMULATION), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
