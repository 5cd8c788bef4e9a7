"""The commands of a document, run section by section."""

import re


class Chapter:
    def __init__(self, path):
        # Text before the first section is no section.
        sections = re.split(r"(?m)^## (.*)\n", path.read_text())[1:]
        self.blocks = {
            heading: re.findall(r"(?ms)^```sh\n(.*?)^```$", section)
            for heading, section in zip(sections[::2], sections[1::2], strict=True)
        }
        self.never_run = {heading for heading, blocks in self.blocks.items() if blocks}

    def text(self, heading):
        script = "".join(self.blocks[heading])
        assert script, f"the section {heading} has no commands"
        return script

    def run(self, heading, stack, **options):
        """Runs all blocks of the section as an operator would, and returns what they print; fails with the first that fails."""
        self.never_run.discard(heading)
        return stack.run("bash", "-euo", "pipefail", "-c", self.text(heading), **options)
