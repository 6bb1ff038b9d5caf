"""A forward player: an activation tree of small components, after BICA's (BICA VI)."""

from .body import Body as Body
from .face_ball import FaceBall as FaceBall
from .fixmove import Fixmove as Fixmove
from .follow_ball import FollowBall as FollowBall
from .forward_player import ForwardPlayer as ForwardPlayer
from .go_straight import GoStraight as GoStraight
from .head import Head as Head
from .kick import Kick as Kick
from .locomotion import Locomotion as Locomotion
from .perception import Perception as Perception
from .player import Player as Player
from .search_ball import SearchBall as SearchBall
from .search_net import SearchNet as SearchNet
from .turn import Turn as Turn

__all__ = [
    "Body",
    "FaceBall",
    "Fixmove",
    "FollowBall",
    "ForwardPlayer",
    "GoStraight",
    "Head",
    "Kick",
    "Locomotion",
    "Perception",
    "Player",
    "SearchBall",
    "SearchNet",
    "Turn",
]
