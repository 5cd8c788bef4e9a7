import ArgumentParser
import Authentication
import ConsoleCommands
import Foundation
import BelfryJSON

/// `belfry export`
struct ExportCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Writes everything that is kept about a user, as JSON.",
    discussion: """
      It has push tokens, addresses and texts. A file appears when all is there, and only its owner reads it. What breaks off ends \
      with exit status 1: do not use what standard output has then.

        belfry export 4f9c1c1e-0001-4000-8000-000000000001 --output ann.json
      """
  )

  @OptionGroup var user: UserArgument

  @Option(
    help: ArgumentHelp("Where to write it; without it, to standard output.", valueName: "file"),
    completion: .file()
  )
  var output: String?

  @OptionGroup var gateway: GatewayOptions

  init() {}

  func run(on console: Console) async throws {
    guard let output, output != "-" else {
      var text = TerminalJSON()
      try await download { try console.write(text.take($0)) }
      return try console.write(text.end() + Array("\n".utf8))
    }
    let file = try WholeFile(output)
    do {
      try await download { try file.write($0) }
      try file.finish()
    } catch {
      file.discard()
      throw error
    }
    try console.note("Written to \(output).")
  }

  /// - Throws: Unless all has come.
  private func download(_ take: ([UInt8]) throws -> Void) async throws {
    var scanner = JSONObjectScanner(capturing: ["isComplete"])
    try await gateway.using(as: .service) { gateway in
      try await gateway.download(user.exportPath.text) { piece in
        scanner.take(piece)
        try take(piece)
        return true
      }
    }
    // A gateway that meets a fault on the way does not come to the last member.
    guard scanner.hasEnded, scanner.captured["isComplete"] == Array("true".utf8) else {
      throw CommandFailure("The export broke off before its end: it is incomplete. Try again.")
    }
  }
}
