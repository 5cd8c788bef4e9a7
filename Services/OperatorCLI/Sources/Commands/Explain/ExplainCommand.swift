import ArgumentParser
import Authentication
import Foundation
import JSON
import Settings
import TerminalText

/// `belfry explain`
struct ExplainCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Tells why somebody hears of something, or does not, in words for a customer.",
    discussion: """
      The gateway answers, from what the router reads and by the rules that the router asks; nothing is sent or stored.

        belfry explain history <user>            (what became of the latest notifications)
        belfry explain send <user> AllowanceDeposit --at 2026-11-22T22:30:00+01:00
        belfry explain event BalanceUpdated \\
          --payload '{"childId":"4f9c1c1e-0001-4000-8000-000000000001","newBalance":8,"previousBalance":12}'
      """,
    subcommands: [ExplainHistoryCommand.self, ExplainSendCommand.self, ExplainEventCommand.self]
  )

  init() {}
}

/// What the subcommands share.
struct ExplainOptions: ParsableArguments {
  @Flag(help: "Prints the gateway's answer as it is, for programs.")
  var json = false

  @Option(help: ArgumentHelp("A token with the role admin; by default one is minted.", valueName: "jwt"))
  var token: String?

  @OptionGroup var stack: StackOptions

  init() {}

  /// Asks the gateway and prints its answer: as it is, or as `words` make of it.
  func ask<Answer: Decodable>(
    _ method: String,
    _ path: String,
    _ words: (Answer) -> [String],
    body: ((inout JSONWriter) -> Void)? = nil
  ) async throws {
    let url = try await stack.read { settings in
      settings.string("cli.gatewayUrl", default: nil, "The gateway, e.g. http://127.0.0.1:8080.")
    }
    let token = if let token { token } else { try await mint() }
    let answer = try await GatewayClient.using(url: url) { gateway in
      try await gateway.call(method, path, token: token, body: body)
    }
    guard !json else { return print(String(decoding: answer, as: UTF8.self)) }
    // Reasons and names come from providers and backends.
    let told: Answer
    do {
      told = try JSONDecoder().decode(Answer.self, from: answer)
    } catch {
      throw CommandFailure(
        "What \(url) answered cannot be read: \(error)\n"
          + "Is it a gateway of this version? --json prints its answer as it is."
      )
    }
    for line in words(told) { print(line.escapedForTerminal()) }
  }

  private func mint() async throws -> String {
    let secret = try await stack.read { DevelopmentSecret.read($0) }
    return try await TokenMinter.mint(secret: secret, subject: "belfry-cli", roles: [.admin], lifetime: .seconds(300))
  }

  /// Judged here, for it becomes part of a path.
  static func identifier(_ text: String) throws -> String {
    guard let id = UUID(uuidString: text) else {
      throw ValidationError(
        "'\(text)' is not a UUID; users go by the id in their tokens (sub), as `belfry send --to` does"
      )
    }
    return id.uuidString.lowercased()
  }
}
