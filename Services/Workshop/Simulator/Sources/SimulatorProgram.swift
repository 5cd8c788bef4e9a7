import ServiceRuntime

/// `belfry-simulator`, as a process.
public enum SimulatorProgram {
  /// Runs until the process is told to stop, and ends it.
  public static func run() async {
    await ServiceMain.run(
      name: "belfry-simulator",
      summary: "A stand-in for FCM and a mail server, for development and tests.",
      configuration: SimulatorConfiguration.self,
      build: buildSimulator
    )
  }
}
