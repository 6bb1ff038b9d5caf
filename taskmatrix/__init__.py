"""Program humanoid robots by behavior: one task program runs on any humanoid."""

from typing import TYPE_CHECKING

from taskmatrix.core.base.lazy import lazy, listing

if TYPE_CHECKING:
    from taskmatrix.core.base.errors import ComponentError as ComponentError
    from taskmatrix.core.base.errors import MachineError as MachineError
    from taskmatrix.core.base.errors import NotFoundError as NotFoundError
    from taskmatrix.core.base.errors import ParameterError as ParameterError
    from taskmatrix.core.base.errors import TaskMatrixError as TaskMatrixError
    from taskmatrix.core.base.failure import Failure as Failure
    from taskmatrix.core.base.failure import FailureKind as FailureKind
    from taskmatrix.core.base.parameter import Output as Output
    from taskmatrix.core.base.parameter import Parameter as Parameter
    from taskmatrix.core.behavior.behavior import TaskBehavior as TaskBehavior
    from taskmatrix.core.behavior.condition import Condition as Condition
    from taskmatrix.core.behavior.condition import Verdict as Verdict
    from taskmatrix.core.behavior.executive import Outcome as Outcome
    from taskmatrix.core.behavior.idioms import parallel as parallel
    from taskmatrix.core.behavior.idioms import selector as selector
    from taskmatrix.core.behavior.idioms import sequence as sequence
    from taskmatrix.core.behavior.idioms import timeout as timeout
    from taskmatrix.core.components.component import Component as Component
    from taskmatrix.core.components.modal_component import ModalComponent as ModalComponent
    from taskmatrix.core.components.mode import Mode as Mode
    from taskmatrix.core.components.modulation import Modulation as Modulation
    from taskmatrix.core.components.part import Part as Part
    from taskmatrix.core.machines.machine import Machine as Machine
    from taskmatrix.core.machines.machine import State as State
    from taskmatrix.core.machines.machine import all_of as all_of
    from taskmatrix.core.machines.machine import on as on
    from taskmatrix.core.machines.machine import start as start
    from taskmatrix.core.machines.machine import whenever as whenever
    from taskmatrix.core.trees.activation_tree import ActivationTree as ActivationTree
    from taskmatrix.core.trees.behavior_part import BehaviorPart as BehaviorPart
    from taskmatrix.session.connection import connect as connect
    from taskmatrix.session.multi_robot import simulate_robots as simulate_robots
    from taskmatrix.session.session import Session as Session
    from taskmatrix.session.session import simulate as simulate

__version__ = "0.1.0"

__all__ = [
    "ActivationTree",
    "BehaviorPart",
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
    "Session",
    "State",
    "TaskBehavior",
    "TaskMatrixError",
    "Verdict",
    "all_of",
    "connect",
    "on",
    "parallel",
    "selector",
    "sequence",
    "simulate",
    "simulate_robots",
    "start",
    "timeout",
    "whenever",
]

# Loaded when they are first asked for: whoever needs a clock or an error needs no more.
__getattr__ = lazy(
    __name__,
    {
        ".core.base.errors": "ComponentError MachineError NotFoundError ParameterError TaskMatrixError",
        ".core.base.failure": "Failure FailureKind",
        ".core.base.parameter": "Output Parameter",
        ".core.behavior.behavior": "TaskBehavior",
        ".core.behavior.condition": "Condition Verdict",
        ".core.behavior.executive": "Outcome",
        ".core.behavior.idioms": "parallel selector sequence timeout",
        ".core.components.component": "Component",
        ".core.components.modal_component": "ModalComponent",
        ".core.components.mode": "Mode",
        ".core.components.modulation": "Modulation",
        ".core.components.part": "Part",
        ".core.machines.machine": "Machine State all_of on start whenever",
        ".core.trees.activation_tree": "ActivationTree",
        ".core.trees.behavior_part": "BehaviorPart",
        ".session.connection": "connect",
        ".session.multi_robot": "simulate_robots",
        ".session.session": "Session simulate",
    },
)
__dir__ = listing(__name__)
