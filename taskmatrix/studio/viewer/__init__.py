"""The viewer: a page in the browser that shows a run or a recording, served by a process of its own.

What it shows comes from the event stream alone. The reducer (:class:`~.view_state.ViewState`) makes of events what is
to be seen, the same from a run that goes on and from a file; :class:`~.timeline.Timeline` keeps a run, so that every
moment of it can be seen again; :class:`~.server.Server` sends browsers what changed; :class:`~.link.Link` leads from
the run to the viewer's process, and never has the run wait; :class:`~.controls.Controls` does in the run what people
ask for.
"""
