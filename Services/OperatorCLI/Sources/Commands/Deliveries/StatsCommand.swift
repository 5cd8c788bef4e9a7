import ArgumentParser
import Authentication
import ConsoleCommands
import BelfryJSON

/// `belfry stats`
struct StatsCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "stats",
    abstract: "Shows how many notifications were sent, delivered, opened and acted on, and the rates.",
    discussion: "Of the last 30 days unless said, by days in UTC."
  )

  /// What a row stands for.
  enum Grouping: String, CaseIterable, ExpressibleByArgument {
    case type, channel, day
  }

  @Option(help: ArgumentHelp("The first day.", valueName: "yyyy-mm-dd"))
  var from: String?

  @Option(help: ArgumentHelp("The last day.", valueName: "yyyy-mm-dd"))
  var to: String?

  @Option(help: "What a row stands for.")
  var by: Grouping = .type

  @OptionGroup var options: ShowOptions

  init() {}

  func run(on console: Console) async throws {
    let path = GatewayPath("admin", "stats").with("from", from).with("to", to).with("by", by.rawValue)
    try await options.ask("GET", path, as: .admin, on: console) { answer in lines(answer) }
  }

  func lines(_ answer: JSONValue) -> [String] {
    let days = "\(answer["from"]?.shown ?? "?") to \(answer["to"]?.shown ?? "?")"
    let rows = answer["rows"]?.array ?? []
    let table = rows.isEmpty ? ["Nothing was sent from \(days)."] : [days] + TextTable(columns, of: rows).lines
    return table + Self.rates(answer)
  }

  private var columns: [JSONColumn] {
    [JSONColumn(by.rawValue, name)] + Self.numbers
  }

  private var name: @Sendable (JSONValue) -> String {
    switch by {
    case .type:
      { row in
        let code = row["type"]?.shown ?? "?"
        return row["typeName"].map { "\($0.shown) (\(code))" } ?? code
      }
    case .channel: { $0["channelName"]?.shown ?? "-" }
    case .day: { $0["day"]?.shown ?? "-" }
    }
  }

  private static let numbers: [JSONColumn] = [
    .number("sent", "sent"), .number("delivered", "delivered"), share("deliveredRate"), .number("failed", "failed"),
    .number("displayed", "displayed"),
    .number("opened", "opened"), share("openRate"), .number("acted", "acted"), share("actionRate"),
  ]

  private static func share(_ member: String) -> JSONColumn {
    JSONColumn("", isNumber: true) { $0[member]?.percentage ?? "-" }
  }

  /// What is no row's.
  private static func rates(_ answer: JSONValue) -> [String] {
    var lines: [String] = []
    if let permissions = answer["permissions"] {
      let counts = ["requested", "granted", "denied"].map { "\(permissions[$0]?.shown ?? "-") \($0)" }
      let rate = permissions["rate"].flatMap { $0.double == nil ? nil : "; \($0.percentage) granted" }
      lines.append("Permission to push: \(counts.joined(separator: ", "))\(rate ?? "")")
    }
    if let unsubscribes = answer["unsubscribes"] {
      lines.append("Unsubscribed: \(unsubscribes["count"]?.shown ?? "-"); \(unsubscribes["rate"]?.percentage ?? "-")")
    }
    return lines
  }
}
