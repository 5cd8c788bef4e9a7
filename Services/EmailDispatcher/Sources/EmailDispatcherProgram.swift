import ServiceRuntime

/// `belfry-email`, as a process.
public enum EmailDispatcherProgram {
  /// Runs until the process is told to stop, and ends it.
  public static func run() async {
    await ServiceMain.run(
      name: "belfry-email",
      summary: "hands notifications to a mail server and records what became of them.",
      configuration: EmailConfiguration.self,
      build: EmailDispatcher.build
    )
  }
}
