import ServiceRuntime

/// `belfry-router`, as a process.
public enum RouterProgram {
  /// Runs until the process is told to stop, and ends it.
  public static func run() async {
    await ServiceMain.run(
      name: "belfry-router",
      summary: "decides who hears of what, on which channels, and in which words.",
      configuration: RouterConfiguration.self,
      build: { try await Router.build($0, logger: $1) }
    )
  }
}
