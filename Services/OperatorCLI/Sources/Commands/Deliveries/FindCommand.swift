import ArgumentParser
import Authentication
import ConsoleCommands
import Foundation
import BelfryJSON
import Settings

/// `belfry find`
struct FindCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "find",
    abstract: "Finds deliveries: to whom, of which request, with which outcome.",
    discussion: """
      The newest first, of the last day unless --since says otherwise. With none of --user, --request and --outcome: whatever was not \
      delivered, for nearly all is. With --notification, what became of that one on each channel, as `belfry explain history` tells it.

        belfry find --since 1h
        belfry find --outcome rejected --since 2h
        belfry find --user 4f9c1c1e-0001-4000-8000-000000000001 --since 2026-11-21T00:00:00Z
      """
  )

  /// How a delivery ended.
  enum Outcome: String, CaseIterable, ExpressibleByArgument {
    case delivered, rejected, exhausted, expired, uncertain
  }

  @Option(help: ArgumentHelp("Only to this user.", valueName: "user"), transform: Identifier.user)
  var user: String?

  @Option(help: ArgumentHelp("Only of this request.", valueName: "id"), transform: Identifier.uuid)
  var request: String?

  @Option(help: "Only those that ended so.")
  var outcome: Outcome?

  @Option(help: ArgumentHelp("Only since then: a time, or a span such as 30min, 2h or 7d.", valueName: "time"))
  var since: String?

  @Option(
    help: ArgumentHelp("What became of this notification; needs --user.", valueName: "id"),
    transform: Identifier.uuid
  )
  var notification: String?

  @OptionGroup var page: PageOptions

  @OptionGroup var options: ShowOptions

  init() {}

  func validate() throws {
    guard notification != nil else { return }
    if user == nil { throw ValidationError("--notification needs --user: whose it is") }
    if request != nil || outcome != nil || since != nil || page.after != nil {
      throw ValidationError("--notification goes with --user alone")
    }
  }

  func run(on console: Console) async throws {
    if let notification, let user {
      return try await ExplainHistoryCommand.show(notification, of: user, options, on: console)
    }
    try await options.ask("GET", path(now: .now), as: .admin, on: console) { answer in
      PageOptions.lines(answer, "deliveries", Self.columns, nothing: "No such deliveries.")
    }
  }

  func path(now: Date) -> GatewayPath {
    page.page(of: GatewayPath("admin", "deliveries")).with("user", user).with("request", request)
      .with("outcome", outcome?.rawValue).with("since", Self.instant(since ?? "1d", now: now))
  }

  /// A span is counted back from now; what is none is a time, for the gateway to refuse.
  private static func instant(_ text: String, now: Date) -> String {
    guard let span = Duration(settingText: text) else { return text }
    return now.addingTimeInterval(-(span / .seconds(1))).formatted(.iso8601)
  }

  private static let columns: [JSONColumn] = [
    JSONColumn("at", "at"), JSONColumn("user", "userId"),
    JSONColumn("type") { ($0["typeName"] ?? $0["type"])?.shown ?? "-" }, JSONColumn("channel", "channelName"),
    JSONColumn("target", "target"), JSONColumn("outcome", "outcome"), JSONColumn("reason", "reason"),
    JSONColumn.number("tries", "attempts"), JSONColumn("notification", "notificationId"),
  ]
}
