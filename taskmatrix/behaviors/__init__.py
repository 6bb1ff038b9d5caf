"""Task behaviors: primitives and the machines composed of them."""

from .along.imitate import Imitate as Imitate
from .along.move import Move as Move
from .along.move_part import MovePart as MovePart
from .along.rub import Rub as Rub
from .along.shove import Shove as Shove
from .along.tilt import Tilt as Tilt
from .common.pursuit import Pursuit as Pursuit
from .common.timer import Timer as Timer
from .force.avoid_body import AvoidBody as AvoidBody
from .force.cartesian_impedance import CartesianImpedance as CartesianImpedance
from .force.demonstrate import Demonstrate as Demonstrate
from .force.guide import Guide as Guide
from .force.hand_over import HandOver as HandOver
from .force.hand_over import Offer as Offer
from .force.posture_spring import PostureSpring as PostureSpring
from .force.press import Press as Press
from .force.virtual_spring import VirtualSpring as VirtualSpring
from .locomotion.forward import Forward as Forward
from .locomotion.random_walk import RandomWalk as RandomWalk
from .locomotion.reverse import Reverse as Reverse
from .locomotion.travel import Travel as Travel
from .locomotion.turn import Turn as Turn
from .looking.choose_view import ChooseView as ChooseView
from .looking.explore import Explore as Explore
from .looking.find import Find as Find
from .looking.fixate import Fixate as Fixate
from .looking.next_best_view import NextBestView as NextBestView
from .looking.notice import Notice as Notice
from .looking.scan import Scan as Scan
from .looking.search import Search as Search
from .manipulation.clear import Clear as Clear
from .manipulation.grasp import Grasp as Grasp
from .manipulation.lift import Lift as Lift
from .manipulation.meet import Meet as Meet
from .manipulation.pickup import Pickup as Pickup
from .manipulation.position import Position as Position
from .manipulation.put_into import PutInto as PutInto
from .manipulation.putdown import Putdown as Putdown
from .manipulation.reach import Reach as Reach
from .manipulation.regrasp import Regrasp as Regrasp
from .manipulation.release import Release as Release
from .manipulation.transfer import Transfer as Transfer
from .motions.aperiodic_canned import AperiodicCanned as AperiodicCanned
from .motions.comply import Comply as Comply
from .motions.follow_commands import FollowCommands as FollowCommands
from .motions.periodic_canned import PeriodicCanned as PeriodicCanned
from .motions.postural import Postural as Postural
from .tasks.bring import Bring as Bring
from .tasks.fetch import Fetch as Fetch
from .tasks.greet import Greet as Greet
from .tasks.open import Close as Close
from .tasks.open import Open as Open
from .tasks.pick_and_place import PickAndPlace as PickAndPlace
from .tasks.pour import Pour as Pour
from .tasks.push import Push as Push
from .tasks.stack import Stack as Stack
from .tasks.store import Store as Store
from .tasks.take_out import TakeOut as TakeOut
from .tasks.unload import Unload as Unload
from .tasks.vacuum import Vacuum as Vacuum
from .tasks.wipe import Wipe as Wipe

__all__ = [
    "AperiodicCanned",
    "AvoidBody",
    "Bring",
    "CartesianImpedance",
    "ChooseView",
    "Clear",
    "Close",
    "Comply",
    "Demonstrate",
    "Explore",
    "Fetch",
    "Find",
    "Fixate",
    "FollowCommands",
    "Forward",
    "Grasp",
    "Greet",
    "Guide",
    "HandOver",
    "Imitate",
    "Lift",
    "Meet",
    "Move",
    "MovePart",
    "NextBestView",
    "Notice",
    "Offer",
    "Open",
    "PeriodicCanned",
    "PickAndPlace",
    "Pickup",
    "Position",
    "Postural",
    "PostureSpring",
    "Pour",
    "Press",
    "Pursuit",
    "Push",
    "PutInto",
    "Putdown",
    "RandomWalk",
    "Reach",
    "Regrasp",
    "Release",
    "Reverse",
    "Rub",
    "Scan",
    "Search",
    "Shove",
    "Stack",
    "Store",
    "TakeOut",
    "Tilt",
    "Timer",
    "Transfer",
    "Travel",
    "Turn",
    "Unload",
    "Vacuum",
    "VirtualSpring",
    "Wipe",
]
