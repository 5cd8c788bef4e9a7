"""What a page costs: time of the main thread in each frame, and memory."""

import bisect
import contextlib
import math
import threading

CATEGORIES = ["toplevel", "devtools.timeline", "disabled-by-default-devtools.timeline"]


class Measuring:
    """What a page costs; a part of Page."""

    @contextlib.contextmanager
    def frames(self):
        """Gives a list that has, when the block is over, the milliseconds of the main thread in each frame meanwhile.

        They are those that it had a processor: others that run on this machine do not count.
        """
        events, complete = [], threading.Event()

        def hear(method, event):
            if method == "Tracing.dataCollected":
                events.extend(event["value"])
            elif method == "Tracing.tracingComplete":
                complete.set()

        result = []
        self.browser.listen(self.session, hear)
        self.call("Tracing.start", traceConfig={"includedCategories": CATEGORIES}, transferMode="ReportEvents")
        try:
            yield result
        finally:
            self.call("Tracing.end")
            arrived = complete.wait(30)
            self.browser.ignore(self.session, hear)
        if not arrived:
            raise TimeoutError("The trace did not arrive within 30 s")
        result.extend(frame_times(events, self.target))

    def heap(self):
        """Bytes that the page's scripts and documents hold after all that nobody needs is collected."""
        self.call("HeapProfiler.enable")
        self.call("HeapProfiler.collectGarbage")
        self.call("HeapProfiler.collectGarbage")
        usage = self.call("Runtime.getHeapUsage")
        return usage["usedSize"] + usage["embedderHeapUsedSize"] + usage["backingStorageSize"]


def frame_times(events, frame):
    """From a trace: what the tasks of the frame's main thread took, from the commit of each to the next one's."""
    process = next(
        each["processId"]
        for event in events
        if event["name"] == "TracingStartedInBrowser"
        for each in event["args"]["data"]["frames"]
        if each["frame"] == frame
    )
    thread = next(
        event["tid"]
        for event in events
        if event["pid"] == process and event["name"] == "thread_name" and event["args"]["name"] == "CrRendererMain"
    )
    own = [event for event in events if event["pid"] == process and event["tid"] == thread]
    # What was going on when the trace ended has no duration.
    commits = sorted(event["ts"] + event["dur"] for event in own if event["name"] == "Commit" and "dur" in event)
    times = [0.0] * max(0, len(commits) - 1)
    for event in own:
        if event["name"] == "RunTask":
            # The task that commits a frame ends just after it, so the end of a task would name the wrong one.
            frame = bisect.bisect(commits, event["ts"]) - 1
            if 0 <= frame < len(times):
                times[frame] += event.get("tdur", 0) / 1000
    return times


def percentile(values, share):
    """The smallest value that at least that share of the values does not exceed."""
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]
