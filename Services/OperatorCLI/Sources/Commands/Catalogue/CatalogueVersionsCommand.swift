import ArgumentParser
import Authentication
import ConsoleCommands
import BelfryJSON

/// `belfry catalogue versions`
struct CatalogueVersionsCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "versions",
    abstract: "Shows who applied which version and when, the newest first; with a number, all that it changed.",
    discussion: """
      The first one is in force.

        belfry catalogue versions
        belfry catalogue versions 7
      """
  )

  @Argument(help: "A version's number: shows each of its changes.")
  var version: Int?

  @OptionGroup var page: PageOptions

  @OptionGroup var options: ShowOptions

  init() {}

  func validate() throws {
    if let version, version < 1 { throw ValidationError("expected the number of a version, from 1") }
  }

  func run(on console: Console) async throws {
    let versions = GatewayPath("admin", "catalogue", "versions")
    if let version { return try await show(version, versions, on: console) }
    let path = page.page(of: versions)
    try await options.ask("GET", path, as: .admin, on: console) { answer in
      PageOptions.lines(answer, "versions", Self.columns, nothing: "No version was applied yet.")
    }
  }

  /// It is the first of those before the next.
  private func show(_ number: Int, _ versions: GatewayPath, on console: Console) async throws {
    let answer = try await options.gateway.using(as: .admin) { gateway in
      try await gateway.call("GET", versions.with("after", String(number + 1)).with("pageSize", "1").text)
    }
    let found = try ShowOptions.value(of: answer)["versions"]?.array?.first
    guard let found, found["version"]?.integer == number else {
      throw CommandFailure(
        "There is no version \(number): `\(CallerOptions.current.gateway("belfry catalogue versions"))` has all."
      )
    }
    guard !options.json else { return try console.json(JSONWriter.text(found).utf8) }
    let again = found["rollbackOf"]?.integer.map { " as version \($0) was" } ?? ""
    let (by, at) = (found["appliedBy"]?.shown ?? "?", found["appliedAt"]?.shown ?? "?")
    try console.say("Version \(number)\(again), applied by \(by) at \(at)")
    for line in CatalogueProposal.lines(found) { try console.say(line) }
  }

  private static let columns: [JSONColumn] = [
    JSONColumn("version", "version"), JSONColumn("applied", "appliedAt"), JSONColumn("by", "appliedBy"),
    JSONColumn("rollback of") { $0["rollbackOf"]?.shown ?? "-" }, JSONColumn("changes", Self.changes),
  ]

  /// The first, and how many there are beside.
  private static func changes(_ version: JSONValue) -> String {
    let texts = (version["changes"]?.array ?? []).compactMap { $0["text"]?.shown }
    guard let first = texts.first else { return "none" }
    let cut = first.count > 100 ? "\(first.prefix(99))…" : first
    return texts.count > 1 ? "\(cut) (and \(texts.count - 1) more)" : cut
  }
}
