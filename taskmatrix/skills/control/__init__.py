"""The motion controller of skill 3: commands, and the policy that shares joints by task."""
