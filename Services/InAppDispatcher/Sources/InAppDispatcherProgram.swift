import ServiceRuntime

/// `belfry-inapp`, as a process.
public enum InAppDispatcherProgram {
  /// Runs until the process is told to stop, and ends it.
  public static func run() async {
    await ServiceMain.run(
      name: "belfry-inapp",
      summary: "Holds the open connections of apps and browsers and tells them what is new, over SignalR.",
      configuration: InAppConfiguration.self,
      build: InAppDispatcher.build
    )
  }
}
