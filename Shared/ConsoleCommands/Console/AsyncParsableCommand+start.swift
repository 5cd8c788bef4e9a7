public import ArgumentParser

extension AsyncParsableCommand {
  /// Runs the command that the program's arguments name, and ends the process.
  public static func start() async {
    do {
      var command = try parsed(Array(CommandLine.arguments.dropFirst()))
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch {
      exit(withError: CommandFailure(advising: error) ?? error)
    }
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
