import ServiceRuntime

/// `belfry-push`, as a process.
public enum PushDispatcherProgram {
  /// Runs until the process is told to stop, and ends it.
  public static func run() async {
    await ServiceMain.run(
      name: "belfry-push",
      summary: "hands notifications to FCM, APNs and browsers' push services and records what became of them.",
      configuration: PushConfiguration.self,
      build: PushDispatcher.build
    )
  }
}
