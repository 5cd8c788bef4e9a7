import ArgumentParser
import Authentication
import Foundation
import Settings

/// `belfry send`
struct SendCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "send",
    abstract: "Sends a notification through the gateway, as a backend would.",
    discussion: """
        belfry send --group family:demo --type AllowanceDeposit --data amount=$10.00 --data balance=$42.00
        belfry send --to 4f9c1c1e-0001-4000-8000-000000000001 --type 99 --title Hello --body "Dinner is ready"
      """
  )

  @Option(help: ArgumentHelp("A recipient; may be repeated.", valueName: "user"))
  var to: [String] = []

  @Option(help: ArgumentHelp("A group of recipients, e.g. family:demo.", valueName: "group"))
  var group: String?

  @Option(help: ArgumentHelp("A member of the group who is left out; may be repeated.", valueName: "user"))
  var except: [String] = []

  @Option(help: "A type's code or name; `belfry types` lists them.")
  var type: String

  @Option(help: "Instead of the type's own title.")
  var title: String?

  @Option(help: "Instead of the type's own text.")
  var body: String?

  @Option(help: ArgumentHelp("A template variable and part of the payload; may be repeated.", valueName: "name=value"))
  var data: [String] = []

  @Option(help: ArgumentHelp("Sent twice, the same key makes one notification.", valueName: "key"))
  var idempotencyKey: String?

  @Option(help: ArgumentHelp("A token with the role service; by default one is minted.", valueName: "jwt"))
  var token: String?

  @OptionGroup var stack: StackOptions

  init() {}

  func validate() throws {
    if to.isEmpty == (group == nil) { throw ValidationError("say to whom: either --to <user> or --group <group>") }
    if !except.isEmpty, group == nil { throw ValidationError("--except goes with --group") }
    for pair in data where !pair.contains("=") { throw ValidationError("--data: expected name=value, got '\(pair)'") }
  }

  func run() async throws {
    let url = try await stack.read { settings in
      settings.string("cli.gatewayUrl", default: nil, "The gateway, e.g. http://127.0.0.1:8080.")
    }
    let token = if let token { token } else { try await mint() }
    let answer = try await GatewayClient.using(url: url) { gateway in
      try await gateway.send(request, token: token, idempotencyKey: idempotencyKey)
    }
    print("Accepted: request \(answer.requestId)")
  }

  private func mint() async throws -> String {
    let secret = try await stack.read { DevelopmentSecret.read($0) }
    return try await TokenMinter.mint(secret: secret, subject: "belfry-cli", roles: [.service], lifetime: .seconds(300))
  }

  private var request: GatewaySendRequest {
    let pairs = data.map { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (String(parts[0]), String(parts[1]))
    }
    return GatewaySendRequest(
      to: .init(
        users: to.isEmpty ? nil : to,
        group: group,
        except: except.isEmpty ? nil : except
      ),
      type: type,
      title: title,
      body: body,
      data: Dictionary(pairs) { $1 }
    )
  }
}
