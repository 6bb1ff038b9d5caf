"""Configuration of the documentation: ``sphinx-build -W --keep-going -b html docs OUT``."""

import taskmatrix
from taskmatrix.core import TaskBehavior

project = "taskmatrix"
author = "The taskmatrix developers"
copyright = author
version = release = taskmatrix.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx.ext.viewcode"]
exclude_patterns = ["_build"]
suppress_warnings = ["ref.python"]  # the builtin `object` in a signature, where parameters are called so too

html_theme = "furo"
html_title = f"taskmatrix {version}"
html_copy_source = False

myst_heading_anchors = 3

autodoc_default_options = {"members": True, "member-order": "bysource", "show-inheritance": True}
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
autodoc_type_aliases = {"Array": "Array", "Indices": "Indices"}
napoleon_numpy_docstring = False
python_use_unqualified_type_names = True
toc_object_entries = False  # every page would copy the names of all methods: a build takes four times as long


def keep_colons(app, what, name, obj, options, lines):
    """Let a line under a field have a colon, which napoleon would take for the end of a type."""
    if what in {"attribute", "data", "property"}:
        lines[:0] = ["..", ""]


def list_parameters(app, what, name, obj, options, lines):
    """Add what a behavior declares to its docstring."""
    if what != "class" or not issubclass(obj, TaskBehavior) or obj.__module__.startswith("taskmatrix.core"):
        return
    for title, declared in (("Parameters", obj.declared), ("Outputs", obj.published)):
        if declared:
            lines += ["", f"**{title}**", ""]
        for key, item in declared.items():
            required = getattr(item, "required", False)
            default = "" if title == "Outputs" else ", required" if required else f", default ``{item.default!r}``"
            lines.append(f"- ``{key}`` ({item.type.__name__}{default}): {item.doc}")


def setup(app):
    app.connect("autodoc-process-docstring", keep_colons, priority=100)
    app.connect("autodoc-process-docstring", list_parameters, priority=900)
