import ArgumentParser
import Authentication
import ConsoleCommands
import BelfryJSON

/// `belfry send`
struct SendCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "send",
    abstract: "Sends a notification through the gateway, as a backend would.",
    discussion: """
        belfry send --group family:demo --type AllowanceDeposit --data 'amount=$10.00' --data 'balance=$42.00'
        belfry send --to 4f9c1c1e-0001-4000-8000-000000000001 --type 99 --title Hello --body "Dinner is ready"
        belfry send --everyone --type SystemAnnouncement --title Tonight --body "We are away." --send-at 2026-12-01T18:30:00+01:00

      AllowanceDeposit, 99 and SystemAnnouncement are built in; `belfry types` lists what your catalogue has.

      --everyone asks first, unless --yes. What --send-at put off `belfry requests cancel` takes back.
      """
  )

  @Option(help: ArgumentHelp("A recipient; may be repeated.", valueName: "user"))
  var to: [String] = []

  @Option(help: ArgumentHelp("A group of recipients, e.g. family:demo.", valueName: "group"))
  var group: String?

  @Flag(help: "All who have a profile.")
  var everyone = false

  @Option(help: ArgumentHelp("Whose devices FCM has subscribed to this topic; pushes alone.", valueName: "topic"))
  var topic: String?

  @Option(
    help: ArgumentHelp(
      "Whose topics of FCM fulfil this, e.g. \"'a' in topics && 'b' in topics\".",
      valueName: "condition"
    )
  )
  var condition: String?

  @Option(help: ArgumentHelp("Of a group or everyone, somebody who is left out; may be repeated.", valueName: "user"))
  var except: [String] = []

  @Option(help: "A type's code or name; `belfry types` lists them.")
  var type: String

  @Option(help: "Instead of the type's own title.")
  var title: String?

  @Option(help: "Instead of the type's own text.")
  var body: String?

  @OptionGroup var data: DataOptions

  @OptionGroup var about: EntityOption

  @Option(
    help: ArgumentHelp(
      "Only on this channel, if it is on: inApp, push or email; may be repeated.",
      valueName: "channel"
    )
  )
  var channel: [String] = []

  @Option(
    help: ArgumentHelp("When it is sent, e.g. 2026-12-01T18:30:00+01:00; at once if left out.", valueName: "time")
  )
  var sendAt: String?

  @Option(help: ArgumentHelp("When it is not delivered any more; by the type if left out.", valueName: "time"))
  var expiresAt: String?

  @Option(help: ArgumentHelp("It replaces an earlier one with the same key on devices.", valueName: "key"))
  var collapseKey: String?

  @Flag(help: "For the inbox alone: nobody is disturbed.")
  var silent = false

  @Option(help: ArgumentHelp("Sent twice, the same key makes one notification.", valueName: "key"))
  var idempotencyKey: String?

  @OptionGroup var consent: Consent

  @OptionGroup var options: ShowOptions

  init() {}

  func validate() throws {
    if [!to.isEmpty, group != nil, everyone, topic != nil, condition != nil].count(where: { $0 }) != 1 {
      throw ValidationError(
        "say to whom: --to <user>, --group <group>, --everyone, --topic <topic> or --condition <condition>"
      )
    }
    if !except.isEmpty, group == nil, !everyone { throw ValidationError("--except goes with --group or --everyone") }
  }

  func run(on console: Console) async throws {
    if everyone { try consent.ask("Send \(type) to all who have a profile?", on: console) }
    let headers = idempotencyKey.map { [(name: "Idempotency-Key", value: $0)] } ?? []
    try await options.ask("POST", GatewayPath("notifications"), as: .service, on: console, headers: headers) { answer in
      let isScheduled = answer["status"]?.string == "scheduled"
      return ["\(isScheduled ? "Scheduled" : "Accepted"): request \(answer["requestId"]?.shown ?? "?")"]
    } body: { writer in
      request.write(to: &writer)
    }
  }

  private var request: GatewaySendRequest {
    GatewaySendRequest(
      to: .init(
        users: to.isEmpty ? nil : to,
        group: group,
        isEveryone: everyone,
        topic: topic,
        condition: condition,
        except: except.isEmpty ? nil : except
      ),
      type: type,
      title: title,
      body: body,
      data: data.values,
      entity: about.entity,
      channels: channel.isEmpty ? nil : channel,
      sendAt: sendAt,
      expiresAt: expiresAt,
      collapseKey: collapseKey,
      isSilent: silent
    )
  }
}
