"""Bodies for collision checks, as Pinocchio and coal have them: below robots and the kernel, which both use them."""
