"""How fast a client of this folder is, for the benchmarks."""

import time

from arguments import report


class Rate:
    """Of what is done in a `with` block; it is printed as {"perSecond": …, "microsecondsEach": …}, the processor time of one."""

    def __init__(self, count):
        self.count = count

    def __enter__(self):
        self.started, self.used = time.perf_counter(), time.process_time()

    def __exit__(self, kind, *_):
        if kind is None:
            seconds, used = time.perf_counter() - self.started, time.process_time() - self.used
            report(perSecond=self.count / seconds, microsecondsEach=used / self.count * 1e6)
