"""Words and laws of the library: messages, behaviors, machines, conditions, arbiter, executive, events."""

from .activation_tree import ActivationTree as ActivationTree
from .arbiter import Arbiter as Arbiter
from .arbiter import Command as Command
from .arbiter import Filter as Filter
from .behavior import TaskBehavior as TaskBehavior
from .capability import Capabilities as Capabilities
from .capability import HandCapability as HandCapability
from .capability import ViewCapability as ViewCapability
from .clock import Clock as Clock
from .clock import RealClock as RealClock
from .clock import SimulatedClock as SimulatedClock
from .component import Component as Component
from .component import PartFailed as PartFailed
from .condition import Condition as Condition
from .condition import Verdict as Verdict
from .context import Context as Context
from .cycle import Node as Node
from .errors import ChainError as ChainError
from .errors import ComponentError as ComponentError
from .errors import MachineError as MachineError
from .errors import MissingDependencyError as MissingDependencyError
from .errors import NotFoundError as NotFoundError
from .errors import NotInvertibleError as NotInvertibleError
from .errors import NoValueError as NoValueError
from .errors import ParameterError as ParameterError
from .errors import RobotError as RobotError
from .errors import TaskMatrixError as TaskMatrixError
from .errors import WorldError as WorldError
from .events import Event as Event
from .events import EventStream as EventStream
from .executive import Executive as Executive
from .executive import Outcome as Outcome
from .failure import Failure as Failure
from .failure import FailureKind as FailureKind
from .filters import CollisionGuard as CollisionGuard
from .filters import LimitFilter as LimitFilter
from .hand_state import HandState as HandState
from .idioms import Timeout as Timeout
from .idioms import parallel as parallel
from .idioms import selector as selector
from .idioms import sequence as sequence
from .idioms import timeout as timeout
from .machine import Machine as Machine
from .message import Message as Message
from .message import MessageKind as MessageKind
from .message import grammar_violation as grammar_violation
from .modal_component import ModalComponent as ModalComponent
from .mode import Mode as Mode
from .modulation import Modulation as Modulation
from .motion import Motion as Motion
from .objects import Grasp as Grasp
from .objects import ObjectModel as ObjectModel
from .objects import Shape as Shape
from .parameter import Output as Output
from .parameter import Parameter as Parameter
from .part import Part as Part
from .perception import Percept as Percept
from .perception import PerceptualModel as PerceptualModel
from .perception import Region as Region
from .phase import Phase as Phase
from .plans import Contact as Contact
from .plans import Goal as Goal
from .plans import GoalSolution as GoalSolution
from .plans import HandGoal as HandGoal
from .plans import Job as Job
from .plans import Plan as Plan
from .plans import PositionGoal as PositionGoal
from .plans import Solution as Solution
from .plans import Touch as Touch
from .plans import Trajectory as Trajectory
from .plant import JointState as JointState
from .plant import Plant as Plant
from .remote import Remote as Remote
from .remote_component import age as age
from .requirement import Hands as Hands
from .requirement import HasChain as HasChain
from .requirement import HasHand as HasHand
from .requirement import Holds as Holds
from .requirement import Requirement as Requirement
from .requirement import Sees as Sees
from .requirement import TurnsView as TurnsView
from .runs import Running as Running
from .runs import Runs as Runs
from .skillset import SkillSet as SkillSet
from .state import State as State
from .stopwatch import Load as Load
from .transition import all_of as all_of
from .transition import on as on
from .transition import start as start
from .transition import whenever as whenever
from .transport import Inbox as Inbox
from .transport import Request as Request
from .transport import Transport as Transport

__all__ = [
    "ActivationTree",
    "Arbiter",
    "Capabilities",
    "ChainError",
    "Clock",
    "CollisionGuard",
    "Command",
    "Component",
    "ComponentError",
    "Condition",
    "Contact",
    "Context",
    "Event",
    "EventStream",
    "Executive",
    "Failure",
    "FailureKind",
    "Filter",
    "Goal",
    "GoalSolution",
    "Grasp",
    "HandCapability",
    "HandGoal",
    "HandState",
    "Hands",
    "HasChain",
    "HasHand",
    "Holds",
    "Inbox",
    "Job",
    "JointState",
    "LimitFilter",
    "Load",
    "Machine",
    "MachineError",
    "Message",
    "MessageKind",
    "MissingDependencyError",
    "ModalComponent",
    "Mode",
    "Modulation",
    "Motion",
    "NoValueError",
    "Node",
    "NotFoundError",
    "NotInvertibleError",
    "ObjectModel",
    "Outcome",
    "Output",
    "Parameter",
    "ParameterError",
    "Part",
    "PartFailed",
    "Percept",
    "PerceptualModel",
    "Phase",
    "Plan",
    "Plant",
    "PositionGoal",
    "RealClock",
    "Region",
    "Remote",
    "Request",
    "Requirement",
    "RobotError",
    "Running",
    "Runs",
    "Sees",
    "Shape",
    "SimulatedClock",
    "SkillSet",
    "Solution",
    "State",
    "TaskBehavior",
    "TaskMatrixError",
    "Timeout",
    "Touch",
    "Trajectory",
    "Transport",
    "TurnsView",
    "Verdict",
    "ViewCapability",
    "WorldError",
    "age",
    "all_of",
    "grammar_violation",
    "on",
    "parallel",
    "selector",
    "sequence",
    "start",
    "timeout",
    "whenever",
]
