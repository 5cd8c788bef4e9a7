public import ArgumentParser

extension AsyncParsableCommand {
  /// Runs the command that the program's arguments name, and ends the process.
  public static func start() async {
    do {
      var command = try parseAsRoot()
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch {
      exit(withError: CommandFailure(advising: error) ?? error)
    }
  }
}
