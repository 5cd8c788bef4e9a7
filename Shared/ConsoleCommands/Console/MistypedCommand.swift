import ArgumentParser
import TerminalText

/// A word where a command's name stands, which is nearly one: `belfry sned`.
enum MistypedCommand {
  /// What is said of it; nil where no word is nearly a command's name.
  ///
  /// - Parameter arguments: Without the program's own name.
  static func problem(in arguments: [String], of program: any ParsableCommand.Type) -> String? {
    var command = program
    var words = program._commandName
    for argument in arguments {
      if argument == "--" { return nil }
      // What an option is, the parser says; `help` is a command of its own.
      if argument.hasPrefix("-") || argument == "help" { continue }
      let below = command.configuration.subcommands
      if let next = below.first(where: { isCalled(argument, $0) }) {
        command = next
        words += " \(argument)"
        continue
      }
      let names = below.filter { $0.configuration.shouldDisplay }.map { $0._commandName }
      guard let name = NearestName.of(argument, among: names) else { return nil }
      return "'\(argument)' is not a command of `\(words)`; did you mean `\(words) \(name)`?"
    }
    return nil
  }

  private static func isCalled(_ word: String, _ command: any ParsableCommand.Type) -> Bool {
    command._commandName == word || command.configuration.aliases.contains(word)
  }
}
