import ArgumentParser
import ConsoleCommands

/// Asks before what cannot be taken back.
struct Consent: ParsableArguments {
  @Flag(help: "Does not ask first.")
  var yes = false

  init() {}

  /// Throws unless somebody has said yes.
  func ask(_ question: String, on console: Console) throws {
    guard !yes else { return }
    guard let answer = try console.ask("\(question) [y/N]") else {
      throw CommandFailure("Nobody is there to be asked: say --yes.")
    }
    guard ["y", "yes"].contains(answer.lowercased()) else { throw CommandFailure("Nothing was done.") }
  }
}
