"""A run that is shown in the browser, and controlled from there."""
