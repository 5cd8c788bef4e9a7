import ArgumentParser
import Authentication
import ConsoleCommands
import Foundation
import BelfryJSON

/// What the commands share that show an answer of the gateway's.
struct ShowOptions: ParsableArguments {
  @Flag(help: "Prints the gateway's answer as it is, for programs.")
  var json = false

  @OptionGroup var gateway: GatewayOptions

  init() {}

  /// Asks the gateway and shows its answer: as it is, or as `words` make of it.
  ///
  /// - Parameter role: The one that the call needs.
  func ask(
    _ method: String,
    _ path: GatewayPath,
    as role: Role,
    on console: Console,
    headers: [(name: String, value: String)] = [],
    _ words: (JSONValue) throws -> [String],
    body: ((inout JSONWriter) -> Void)? = nil
  ) async throws {
    let answer = try await gateway.using(as: role) { gateway in
      try await gateway.call(method, path.text, headers: headers, body: body)
    }
    try show(answer, on: console, words)
  }

  /// Shows an answer: as it is, or as `words` make of it.
  func show(_ answer: Data, on console: Console, _ words: (JSONValue) throws -> [String]) throws {
    guard !json else { return try console.json(answer) }
    for line in try words(try Self.value(of: answer)) { try console.say(line) }
  }

  /// The same for an answer of which the form is known.
  func ask<Answer: Decodable>(
    _ method: String,
    _ path: GatewayPath,
    on console: Console,
    _ words: (Answer) -> [String],
    body: ((inout JSONWriter) -> Void)? = nil
  ) async throws {
    let answer = try await gateway.using(as: .admin) { gateway in
      try await gateway.call(method, path.text, body: body)
    }
    guard !json else { return try console.json(answer) }
    let decoded: Answer
    do {
      decoded = try JSONDecoder().decode(Answer.self, from: answer)
    } catch {
      throw Self.unreadable(error)
    }
    for line in words(decoded) { try console.say(line) }
  }

  /// An answer as a tree.
  static func value(of answer: Data) throws(CommandFailure) -> JSONValue {
    do {
      return try JSONParser.parse(Array(answer))
    } catch {
      throw unreadable(error)
    }
  }

  private static func unreadable(_ error: any Error) -> CommandFailure {
    CommandFailure(
      "The gateway's answer cannot be read: \(error)\n"
        + "Is it a gateway of this version? --json prints its answer as it is."
    )
  }
}
