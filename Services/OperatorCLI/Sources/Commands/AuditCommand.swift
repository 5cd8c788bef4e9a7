import ArgumentParser
import Authentication
import ConsoleCommands
import BelfryJSON

/// `belfry audit`
struct AuditCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "audit",
    abstract: "Shows who did what with power over others' data, the newest first.",
    discussion: """
      What was asked of gateways; `belfry dead`, which asks the broker, leaves no line. Long details are cut, but not with --json.
      """
  )

  @OptionGroup var page: PageOptions

  @OptionGroup var options: ShowOptions

  init() {}

  func run(on console: Console) async throws {
    let path = page.page(of: GatewayPath("admin", "audit"))
    try await options.ask("GET", path, as: .admin, on: console) { answer in
      PageOptions.lines(answer, "entries", Self.columns, nothing: "Nothing was done.")
    }
  }

  private static let columns: [JSONColumn] = [
    JSONColumn("at", "at"), JSONColumn("who", "actor"), JSONColumn("what", "action"), JSONColumn("to", "subject"),
    JSONColumn("request", "requestId"), JSONColumn("details") { Self.cut($0["detail"]?.shown ?? "-") },
  ]

  /// Lists of ids are long.
  private static func cut(_ text: String) -> String {
    text.count > 120 ? "\(text.prefix(119))…" : text
  }
}
