import ArgumentParser
import ConsoleCommands
import Foundation
import BelfryJSON
import Settings

/// `belfry bounce`
struct BounceCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "bounce",
    abstract: "Hands a mail that came back to the gateway: a bounce or a complaint. For a mail server's pipe.",
    discussion: """
        belfry bounce --gateway https://belfry.example.com --key-file /etc/belfry/bounces.key < mail

      It reads one mail, needs neither database nor broker, and prints what came of it. The key is an API key of the scope bounces: \
      `belfry keys make mail --scope bounces` makes one.

      Exit status: 0 if the gateway took the mail, whatever it says, also if it cannot be read; 75 if it is to be tried again, as when the \
      gateway is away or refuses the key, when something else answers in its place, or when these options are wrong. A mail server keeps the mail at 75.
      """
  )

  /// What `sysexits.h` calls EX_TEMPFAIL.
  static let again = ExitCode(75)
  /// Bytes that are handed on, as many as the gateway takes. A report comes before the mail that it is about: the rest is not needed.
  static let maximum = 10 * 1_024 * 1_024
  private static let maximumKey = 200

  @OptionGroup var address: GatewayAddressOption

  @Option(
    help: ArgumentHelp("The file with the API key; nobody else should be able to read it.", valueName: "file"),
    completion: .file()
  )
  var keyFile: String

  @OptionGroup var stack: StackOptions

  init() {}

  func run(on console: Console) async throws {
    let mail = try mail(on: console)
    guard !mail.isEmpty else {
      try console.note("Standard input is empty: expected a mail.")
      return
    }
    do {
      let key = try key(on: console)
      let answer = try await GatewayClient.using(url: try await url()) { gateway in
        try await gateway.exchange(
          "POST",
          GatewayPath("webhooks", "bounces", "mail").text,
          headers: [(name: "X-Api-Key", value: key)],
          content: (type: "message/rfc822", bytes: mail)
        ).body
      }
      try console.say(Self.words(of: answer))
    } catch let refusal as GatewayRefusal where refusal.status == 400 && refusal.kind == "malformed" {
      // A failure would send it to whom it names as its sender, who often never wrote it. It would not be read the next time either. A proxy
      // says 400, too, and has not read it: to plain HTTP at a port of TLS.
      try console.note("It cannot be read, and nothing was done. \(refusal)")
    } catch let code as ExitCode {
      throw code
    } catch {
      try console.note("\(error)")
      throw Self.again
    }
  }

  private func mail(on console: Console) throws -> [UInt8] {
    var mail: [UInt8] = []
    do {
      // All of it is read: a mail server that cannot write on takes it for a failure.
      try console.read("-") { piece in mail += piece.prefix(max(0, Self.maximum - mail.count)) }
    } catch {
      try console.note("\(error)")
      throw Self.again
    }
    return mail
  }

  private func key(on console: Console) throws -> String {
    var bytes: [UInt8] = []
    try console.read(keyFile) { piece in bytes += piece.prefix(max(0, Self.maximumKey + 1 - bytes.count)) }
    let key = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    guard !key.isEmpty, key.utf8.count <= Self.maximumKey, key.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else {
      throw CommandFailure("\(keyFile): expected an API key, on one line.")
    }
    return key
  }

  private func url() async throws -> String {
    if let url = address.gateway { return url }
    return try await stack.read(instead: "--gateway") { settings in
      _ = settings.optionalString("cli.token", "The token with which the gateway is asked.", isSecret: true)
      return settings.string("cli.gatewayUrl", default: nil, "The gateway, e.g. http://127.0.0.1:8080.")
    }
  }

  static func words(of answer: [UInt8]) -> String {
    guard let json = try? JSONParser.parse(answer) else { return "The gateway took it." }
    func count(_ name: String) -> Int { json[name]?.integer ?? 0 }
    return switch () {
    case _ where count("recorded") > 0: "Recorded."
    case _ where count("forged") > 0: "Not proven: nothing was done."
    case _ where count("unmatched") > 0: "About no mail that is known: nothing was done."
    default: "It says nothing about an address: nothing was done."
    }
  }
}
