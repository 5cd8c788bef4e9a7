import ArgumentParser
import Authentication
import ConsoleCommands
import JSON

/// `belfry catalogue versions`
struct CatalogueVersionsCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "versions",
    abstract: "Shows who applied which version and when, the newest first.",
    discussion: "The first one is in force. --json has what each changed."
  )

  @OptionGroup var page: PageOptions

  @OptionGroup var options: ShowOptions

  init() {}

  func run(on console: Console) async throws {
    let path = page.page(of: GatewayPath("admin", "catalogue", "versions"))
    try await options.ask("GET", path, as: .admin, on: console) { answer in
      PageOptions.lines(answer, "versions", Self.columns, nothing: "No version was applied yet.")
    }
  }

  private static let columns: [JSONColumn] = [
    JSONColumn("version", "version"), JSONColumn("applied", "appliedAt"), JSONColumn("by", "appliedBy"),
    JSONColumn("again") { $0["rollbackOf"]?.shown ?? "-" }, JSONColumn("changes", Self.changes),
  ]

  /// The first, and how many there are beside.
  private static func changes(_ version: JSONValue) -> String {
    let texts = (version["changes"]?.array ?? []).compactMap { $0["text"]?.shown }
    guard let first = texts.first else { return "none" }
    let cut = first.count > 100 ? "\(first.prefix(99))…" : first
    return texts.count > 1 ? "\(cut) (and \(texts.count - 1) more)" : cut
  }
}
