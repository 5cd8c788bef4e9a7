import ArgumentParser
import Authentication
import JSON

/// `belfry send`
struct SendCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "send",
    abstract: "Sends a notification through the gateway, as a backend would.",
    discussion: """
        belfry send --group family:demo --type AllowanceDeposit --data 'amount=$10.00' --data 'balance=$42.00'
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

  @OptionGroup var data: DataOptions

  @Option(help: ArgumentHelp("Sent twice, the same key makes one notification.", valueName: "key"))
  var idempotencyKey: String?

  @OptionGroup var options: ShowOptions

  init() {}

  func validate() throws {
    if to.isEmpty == (group == nil) { throw ValidationError("say to whom: either --to <user> or --group <group>") }
    if !except.isEmpty, group == nil { throw ValidationError("--except goes with --group") }
  }

  func run(on console: Console) async throws {
    let headers = idempotencyKey.map { [(name: "Idempotency-Key", value: $0)] } ?? []
    try await options.ask("POST", GatewayPath("notifications"), as: .service, on: console, headers: headers) { answer in
      ["Accepted: request \(answer["requestId"]?.shown ?? "?")"]
    } body: { writer in
      request.write(to: &writer)
    }
  }

  private var request: GatewaySendRequest {
    GatewaySendRequest(
      to: .init(
        users: to.isEmpty ? nil : to,
        group: group,
        except: except.isEmpty ? nil : except
      ),
      type: type,
      title: title,
      body: body,
      data: data.values
    )
  }
}
