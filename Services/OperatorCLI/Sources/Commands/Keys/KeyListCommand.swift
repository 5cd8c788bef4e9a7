import ArgumentParser
import Authentication
import ConsoleCommands
import BelfryJSON

/// `belfry keys list`
struct KeyListCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Shows the keys that are valid, the newest first.",
    discussion: "The keys themselves are not kept. When one was used last is late by half a minute at most."
  )

  @OptionGroup var page: PageOptions

  @OptionGroup var options: ShowOptions

  init() {}

  func run(on console: Console) async throws {
    let path = page.page(of: GatewayPath("admin", "api-keys"))
    try await options.ask("GET", path, as: .admin, on: console) { answer in
      PageOptions.lines(answer, "apiKeys", Self.columns, nothing: "No keys.")
    }
  }

  private static let columns: [JSONColumn] = [
    JSONColumn("id", "id"), JSONColumn("name", "name"), JSONColumn("scopes", "scopes"),
    JSONColumn("since", "createdAt"), JSONColumn("last used", "lastUsedAt"),
  ]
}
