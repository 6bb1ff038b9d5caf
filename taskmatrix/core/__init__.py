"""Words and laws of the library: messages, behaviors, machines, conditions, arbiter, executive, events."""

from typing import TYPE_CHECKING

from .base.lazy import lazy, listing

if TYPE_CHECKING:
    from .base.clock import Clock as Clock
    from .base.clock import RealClock as RealClock
    from .base.clock import SimulatedClock as SimulatedClock
    from .base.errors import ChainError as ChainError
    from .base.errors import ComponentError as ComponentError
    from .base.errors import MachineError as MachineError
    from .base.errors import MissingDependencyError as MissingDependencyError
    from .base.errors import NotFoundError as NotFoundError
    from .base.errors import NotInvertibleError as NotInvertibleError
    from .base.errors import NoValueError as NoValueError
    from .base.errors import ParameterError as ParameterError
    from .base.errors import ReservedNameError as ReservedNameError
    from .base.errors import RobotError as RobotError
    from .base.errors import TaskMatrixError as TaskMatrixError
    from .base.errors import WorldError as WorldError
    from .base.events import Event as Event
    from .base.events import EventStream as EventStream
    from .base.failure import Failure as Failure
    from .base.failure import FailureKind as FailureKind
    from .base.message import Message as Message
    from .base.message import MessageKind as MessageKind
    from .base.message import grammar_violation as grammar_violation
    from .base.parameter import Output as Output
    from .base.parameter import Parameter as Parameter
    from .base.transport import Inbox as Inbox
    from .base.transport import Request as Request
    from .base.transport import Transport as Transport
    from .behavior.behavior import TaskBehavior as TaskBehavior
    from .behavior.condition import Condition as Condition
    from .behavior.condition import Verdict as Verdict
    from .behavior.context import Context as Context
    from .behavior.executive import Executive as Executive
    from .behavior.executive import Outcome as Outcome
    from .behavior.idioms import Timeout as Timeout
    from .behavior.idioms import parallel as parallel
    from .behavior.idioms import selector as selector
    from .behavior.idioms import sequence as sequence
    from .behavior.idioms import timeout as timeout
    from .behavior.inversion import Space as Space
    from .behavior.phase import Phase as Phase
    from .behavior.requirement import Hands as Hands
    from .behavior.requirement import HasChain as HasChain
    from .behavior.requirement import HasHand as HasHand
    from .behavior.requirement import Holds as Holds
    from .behavior.requirement import MovesBase as MovesBase
    from .behavior.requirement import Requirement as Requirement
    from .behavior.requirement import Sees as Sees
    from .behavior.requirement import TakesImpedance as TakesImpedance
    from .behavior.requirement import TurnsView as TurnsView
    from .components.component import Component as Component
    from .components.component import PartFailed as PartFailed
    from .components.cycle import Node as Node
    from .components.modal_component import ModalComponent as ModalComponent
    from .components.mode import Mode as Mode
    from .components.modulation import Modulation as Modulation
    from .components.part import Part as Part
    from .components.stopwatch import Load as Load
    from .machines.machine import Machine as Machine
    from .machines.state import State as State
    from .machines.transition import all_of as all_of
    from .machines.transition import on as on
    from .machines.transition import start as start
    from .machines.transition import whenever as whenever
    from .remote.remote import Remote as Remote
    from .remote.remote_component import age as age
    from .remote.remote_joint_commands import RemoteJointCommands as RemoteJointCommands
    from .robot.arbiter import Arbiter as Arbiter
    from .robot.arbiter import Command as Command
    from .robot.arbiter import Filter as Filter
    from .robot.capability import Capabilities as Capabilities
    from .robot.capability import HandCapability as HandCapability
    from .robot.capability import ViewCapability as ViewCapability
    from .robot.contact_reflex import ContactReaction as ContactReaction
    from .robot.contact_reflex import SensedContact as SensedContact
    from .robot.filters import CollisionGuard as CollisionGuard
    from .robot.filters import LimitFilter as LimitFilter
    from .robot.hand_state import HandState as HandState
    from .robot.impedance import Impedance as Impedance
    from .robot.joint_commands import JointCommands as JointCommands
    from .robot.joint_commands import JointFeedback as JointFeedback
    from .robot.joint_commands import JointTarget as JointTarget
    from .robot.joint_motion import Motion as Motion
    from .robot.plans import AllowedContact as AllowedContact
    from .robot.plans import Contact as Contact
    from .robot.plans import Goal as Goal
    from .robot.plans import GoalSolution as GoalSolution
    from .robot.plans import HandGoal as HandGoal
    from .robot.plans import Job as Job
    from .robot.plans import Plan as Plan
    from .robot.plans import PositionGoal as PositionGoal
    from .robot.plans import Solution as Solution
    from .robot.plans import Trajectory as Trajectory
    from .robot.plant import JointState as JointState
    from .robot.plant import Plant as Plant
    from .robot.plant import WholePlant as WholePlant
    from .robot.policy import Policy as Policy
    from .robot.reflex import Reflex as Reflex
    from .robot.skillset import SkillSet as SkillSet
    from .robot.springs import BoundedSpring as BoundedSpring
    from .robot.springs import GaussianSpring as GaussianSpring
    from .robot.springs import Line as Line
    from .robot.springs import LinearSpring as LinearSpring
    from .robot.springs import Plane as Plane
    from .robot.springs import Point as Point
    from .robot.springs import Spring as Spring
    from .trees.activation_tree import ActivationTree as ActivationTree
    from .trees.behavior_part import BehaviorComponent as BehaviorComponent
    from .trees.behavior_part import BehaviorPart as BehaviorPart
    from .world.geometry import pose as pose
    from .world.geometry import pose_error as pose_error
    from .world.objects import Array as Array
    from .world.objects import Grasp as Grasp
    from .world.objects import ObjectModel as ObjectModel
    from .world.objects import Shape as Shape
    from .world.occupancy import FREE as FREE
    from .world.occupancy import OCCUPIED as OCCUPIED
    from .world.occupancy import UNKNOWN as UNKNOWN
    from .world.perception import Percept as Percept
    from .world.perception import PerceptualModel as PerceptualModel
    from .world.perception import Region as Region

__all__ = [
    "FREE",
    "OCCUPIED",
    "UNKNOWN",
    "ActivationTree",
    "AllowedContact",
    "Arbiter",
    "Array",
    "BehaviorComponent",
    "BehaviorPart",
    "BoundedSpring",
    "Capabilities",
    "ChainError",
    "Clock",
    "CollisionGuard",
    "Command",
    "Component",
    "ComponentError",
    "Condition",
    "Contact",
    "ContactReaction",
    "Context",
    "Event",
    "EventStream",
    "Executive",
    "Failure",
    "FailureKind",
    "Filter",
    "GaussianSpring",
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
    "Impedance",
    "Inbox",
    "Job",
    "JointCommands",
    "JointFeedback",
    "JointState",
    "JointTarget",
    "LimitFilter",
    "Line",
    "LinearSpring",
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
    "MovesBase",
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
    "Plane",
    "Plant",
    "Point",
    "Policy",
    "PositionGoal",
    "RealClock",
    "Reflex",
    "Region",
    "Remote",
    "RemoteJointCommands",
    "Request",
    "Requirement",
    "ReservedNameError",
    "RobotError",
    "Sees",
    "SensedContact",
    "Shape",
    "SimulatedClock",
    "SkillSet",
    "Solution",
    "Space",
    "Spring",
    "State",
    "TakesImpedance",
    "TaskBehavior",
    "TaskMatrixError",
    "Timeout",
    "Trajectory",
    "Transport",
    "TurnsView",
    "Verdict",
    "ViewCapability",
    "WholePlant",
    "WorldError",
    "age",
    "all_of",
    "grammar_violation",
    "on",
    "parallel",
    "pose",
    "pose_error",
    "selector",
    "sequence",
    "start",
    "timeout",
    "whenever",
]

# Loaded when they are first asked for: whoever needs a clock or an error needs no more.
__getattr__ = lazy(
    __name__,
    {
        ".base.clock": "Clock RealClock SimulatedClock",
        ".base.errors": "ChainError ComponentError MachineError MissingDependencyError NoValueError NotFoundError "
        "NotInvertibleError ParameterError ReservedNameError RobotError TaskMatrixError WorldError",
        ".base.events": "Event EventStream",
        ".base.failure": "Failure FailureKind",
        ".base.message": "Message MessageKind grammar_violation",
        ".base.parameter": "Output Parameter",
        ".base.transport": "Inbox Request Transport",
        ".behavior.behavior": "TaskBehavior",
        ".behavior.condition": "Condition Verdict",
        ".behavior.context": "Context",
        ".behavior.executive": "Executive Outcome",
        ".behavior.idioms": "Timeout parallel selector sequence timeout",
        ".behavior.inversion": "Space",
        ".behavior.phase": "Phase",
        ".behavior.requirement": "Hands HasChain HasHand Holds MovesBase Requirement Sees TakesImpedance TurnsView",
        ".components.component": "Component PartFailed",
        ".components.cycle": "Node",
        ".components.modal_component": "ModalComponent",
        ".components.mode": "Mode",
        ".components.modulation": "Modulation",
        ".components.part": "Part",
        ".components.stopwatch": "Load",
        ".machines.machine": "Machine",
        ".machines.state": "State",
        ".machines.transition": "all_of on start whenever",
        ".remote.remote": "Remote",
        ".remote.remote_component": "age",
        ".remote.remote_joint_commands": "RemoteJointCommands",
        ".robot.arbiter": "Arbiter Command Filter",
        ".robot.capability": "Capabilities HandCapability ViewCapability",
        ".robot.contact_reflex": "ContactReaction SensedContact",
        ".robot.filters": "CollisionGuard LimitFilter",
        ".robot.hand_state": "HandState",
        ".robot.joint_motion": "Motion",
        ".robot.plans": "AllowedContact Contact Goal GoalSolution HandGoal Job Plan PositionGoal Solution Trajectory",
        ".robot.impedance": "Impedance",
        ".robot.joint_commands": "JointCommands JointFeedback JointTarget",
        ".robot.plant": "JointState Plant WholePlant",
        ".robot.policy": "Policy",
        ".robot.reflex": "Reflex",
        ".robot.skillset": "SkillSet",
        ".robot.springs": "BoundedSpring GaussianSpring Line LinearSpring Plane Point Spring",
        ".trees.activation_tree": "ActivationTree",
        ".trees.behavior_part": "BehaviorComponent BehaviorPart",
        ".world.geometry": "pose pose_error",
        ".world.objects": "Array Grasp ObjectModel Shape",
        ".world.occupancy": "FREE OCCUPIED UNKNOWN",
        ".world.perception": "Percept PerceptualModel Region",
    },
)
__dir__ = listing(__name__)
