public import ArgumentParser
import Foundation
public import Settings

/// Tells a command which Belfry it works against.
public struct StackOptions: ParsableArguments {
  @Option(
    name: .customLong("data-dir"),
    help: ArgumentHelp(
      "Where `belfry-dev run` keeps its data. Commands find the running stack there, unless BELFRY_ variables say otherwise.",
      valueName: "dir"
    )
  )
  public var dataDirectory = ".belfry"

  public init() {}

  /// The environment's settings; what is not set comes from the local stack, if one has been started.
  private func settings() async throws -> Settings {
    let file = StackEnvironmentFile.path(in: dataDirectory)
    if FileManager.default.fileExists(atPath: file) { setenv("BELFRY_CONFIG_FILE", file, 0) }
    return try await Settings.load()
  }

  /// Reads one kind of configuration, strictly.
  ///
  /// - Parameter instead: Options that say the same as what may be missing.
  public func read<Value>(instead: String? = nil, _ body: (Settings) -> Value) async throws -> Value {
    let settings = try await settings()
    let value = body(settings)
    do {
      try settings.validate()
    } catch {
      let file = StackEnvironmentFile.path(in: dataDirectory)
      // What names another file counts, and not the folder's.
      let named = ProcessInfo.processInfo.environment["BELFRY_CONFIG_FILE"]
      throw CommandFailure("\(error)\n\(Self.advice(stack: file, settings: named, instead: instead))")
    }
    return value
  }

  /// What to do about a setting that is missing or wrong.
  ///
  /// - Parameters:
  ///   - stack: The file that a stack in the folder would have.
  ///   - settings: The file that was read; nil if there was none.
  static func advice(stack: String, settings: String?, instead: String?) -> String {
    let remedy = "set the variable\(instead.map { ", or say \($0)" } ?? "")"
    let run = CallerOptions.current.stack("belfry-dev run")
    guard let settings else {
      return
        "No stack was found, for there is no \(stack): start one with `\(run)`, name the folder of another with"
        + " --data-dir, \(remedy)."
    }
    return
      "What the environment does not have was looked for in \(settings): \(remedy), or name another stack's folder with"
      + " --data-dir\(settings == stack ? "" : " where BELFRY_CONFIG_FILE is not set")."
  }
}
