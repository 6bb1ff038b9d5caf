"""What the bodies of a bare URDF are: limbs, heading, floor, view."""
