"""The common skill set over Pinocchio: kinematics, planning, collision checking, view and attachment."""
