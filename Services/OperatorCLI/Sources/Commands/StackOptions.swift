import ArgumentParser
import Foundation
import Settings

/// Tells a command which Belfry it works against.
struct StackOptions: ParsableArguments {
  @Option(
    name: .customLong("data-dir"),
    help: ArgumentHelp(
      "Where `belfry dev` keeps its data. Commands find the running stack there, unless BELFRY_ variables say otherwise.",
      valueName: "dir"
    )
  )
  var dataDirectory = ".belfry"

  init() {}

  /// The environment's settings; what is not set comes from the local stack, if one has been started.
  func settings() async throws -> Settings {
    let file = StackEnvironmentFile.path(in: dataDirectory)
    if FileManager.default.fileExists(atPath: file) { setenv("BELFRY_CONFIG_FILE", file, 0) }
    return try await Settings.load()
  }

  /// Reads one kind of configuration, strictly.
  func read<Value>(_ body: (Settings) -> Value) async throws -> Value {
    let settings = try await settings()
    let value = body(settings)
    do {
      try settings.validate()
    } catch {
      throw CommandFailure("\(error)\nStart a local stack with `belfry dev`, or set the variable.")
    }
    return value
  }
}
