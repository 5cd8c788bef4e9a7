import ArgumentParser
import ConsoleCommands
import Foundation

/// A command that is `belfry-dev`'s since: whoever types it is told what to type instead.
protocol MovedCommand: ConsoleCommand {
  /// What does it now, e.g. `belfry-dev run`.
  static var successor: String { get }
}

extension MovedCommand {
  func run(on console: Console) async throws {
    let name = Self.configuration.commandName ?? ""
    try console.note("belfry: '\(name)' moved to belfry-dev: '\(Self.successor)' takes the same arguments")
    throw ExitCode.validationFailure
  }
}

/// `belfry dev`
struct MovedDevCommand: MovedCommand {
  static let configuration = CommandConfiguration(
    commandName: "dev",
    abstract: "Moved to `belfry-dev run`.",
    shouldDisplay: false
  )
  static let successor = "belfry-dev run"

  @Argument(parsing: .captureForPassthrough) var arguments: [String] = []

  init() {}
}

/// `belfry demo`
struct MovedDemoCommand: MovedCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo",
    abstract: "Moved to `belfry-dev demo`.",
    shouldDisplay: false
  )
  static let successor = "belfry-dev demo"

  @Argument(parsing: .captureForPassthrough) var arguments: [String] = []

  init() {}
}

/// The name `belfry-simulator`, which was a link to `belfry`.
public enum MovedSimulator {
  /// Ends the process.
  public static func refuse() -> Never {
    let words = "belfry: 'belfry-simulator' moved to belfry-dev: make that name a link to belfry-dev\n"
    FileHandle.standardError.write(Data(words.utf8))
    exit(ExitCode.validationFailure.rawValue)
  }
}
