public import ArgumentParser
import Foundation

extension AsyncParsableCommand {
  /// Runs the command that the program's arguments name, and ends the process.
  ///
  /// - Parameter usageStatuses: By the name of a command: with what the process ends, instead of 64, if its arguments are wrong.
  public static func start(usageStatuses: [String: ExitCode] = [:]) async {
    let arguments = Array(CommandLine.arguments.dropFirst())
    do {
      var command = try parsed(arguments)
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch {
      let error = CommandFailure(advising: error) ?? error
      guard let status = status(ofUsage: error, in: arguments, usageStatuses) else { exit(withError: error) }
      try? FileHandle.standardError.write(contentsOf: Data((fullMessage(for: error) + "\n").utf8))
      Foundation.exit(status.rawValue)
    }
  }

  /// Nil where the error's own status counts.
  package static func status(ofUsage error: any Error, in arguments: [String], _ statuses: [String: ExitCode])
    -> ExitCode?
  {
    guard exitCode(for: error) == .validationFailure, let name = arguments.first else { return nil }
    return statuses[name]
  }

  /// The command that the arguments name.
  ///
  /// - Throws: What the parser does; where a command's name is nearly right, an error that says which one is.
  static func parsed(_ arguments: [String]) throws -> any ParsableCommand {
    do {
      return try parseAsRoot(arguments)
    } catch {
      guard exitCode(for: error) == .validationFailure,
        let problem = MistypedCommand.problem(in: arguments, of: Self.self)
      else { throw error }
      throw ValidationError(problem)
    }
  }
}
