"""How far an attack of Schemathesis came, for one that ends before it began is no success."""

import collections

from schemathesis import cli, engine


class Reach:
    """Cases that were answered, by phase and operation, and links that were followed."""

    def __init__(self):
        self.cases = collections.defaultdict(collections.Counter)
        self.links = 0

    def add(self, phase, recorder):
        for key, node in recorder.cases.items():
            interaction = recorder.interactions.get(key)
            if interaction is None or interaction.response is None:
                continue
            self.cases[phase][node.value.operation.label] += 1
            # A case that the link's parent gave its values to.
            self.links += phase == "stateful" and node.is_transition_applied

    def __str__(self):
        phases = [f"{phase} {counts.total()} of {len(counts)} operations" for phase, counts in self.cases.items()]
        return f"Cases: {', '.join(phases) or 'none'}; {self.links} links followed."

    def gaps(self, operations, has_links):
        """What was not come to.

        operations: "METHOD /path" of what was to be attacked; has_links: whether there was a link to follow.
        """
        reached = set().union(*self.cases.values())
        gaps = [f"no case of {label}" for label in sorted(set(operations) - reached)]
        if not self.cases["fuzzing"]:
            gaps.append("nothing was fuzzed")
        if has_links and not self.links:
            gaps.append("no link was followed")
        return gaps


REACH = Reach()


@cli.handler()
class Reached(cli.EventHandler):
    """Hears what Schemathesis did."""

    def handle_event(self, ctx, event):
        if isinstance(event, engine.events.ScenarioFinished):
            REACH.add(event.phase.value, event.recorder)
