import LocalStack

/// What a newcomer reads when everything runs: one address.
enum Welcome {
  static func text(_ stack: BelfryStack) -> String {
    """

      Belfry is running. Open \(stack.simulator.url)/

    Ctrl-C stops it. `belfry-dev demo --help` tells how to do from a terminal what the page does.
    Logs: \(stack.configuration.directory)/logs/
    """
  }
}
