import ArgumentParser
import ConsoleCommands
import JSON

/// `belfry-dev demo pushes`
struct DemoPushesCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "pushes",
    abstract: "Lists what the simulated FCM took for the family's phones."
  )

  @Option(help: "At most so many, the latest.")
  var limit = 20

  @OptionGroup var options: DemoOptions

  init() {}

  func validate() throws { try DemoArrivals.check(limit) }

  func run(on console: Console) async throws {
    try await options.list("pushes", limit, nothing: "No phone got anything yet.", Self.columns, on: console)
  }

  private static let columns = [
    JSONColumn("at", "receivedAt"),
    JSONColumn("phone of") { push in
      DemoFamily.members.first { $0.deviceToken == push["token"]?.string }?.name ?? push["token"]?.shown ?? "-"
    },
    JSONColumn("title") { $0["message"]?["notification"]?["title"]?.shown ?? "-" },
    JSONColumn("notification", "notificationId"),
  ]
}

/// `belfry-dev demo mails`
struct DemoMailsCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "mails",
    abstract: "Lists what the simulated mail server took."
  )

  @Option(help: "At most so many, the latest.")
  var limit = 20

  @OptionGroup var options: DemoOptions

  init() {}

  func validate() throws { try DemoArrivals.check(limit) }

  func run(on console: Console) async throws {
    try await options.list("mails", limit, nothing: "No mail came yet.", Self.columns, on: console)
  }

  private static let columns = [
    JSONColumn("at", "receivedAt"),
    JSONColumn("to") { ($0["recipients"]?.array ?? []).map(\.shown).joined(separator: ", ") },
    JSONColumn("subject", "subject"),
  ]
}

/// What both lists share.
enum DemoArrivals {
  static let maximum = 10_000

  static func check(_ limit: Int) throws {
    if !(1...maximum).contains(limit) { throw ValidationError("--limit: expected 1 to \(maximum)") }
  }
}

extension DemoOptions {
  /// Shows the latest of what the simulator lists with its oldest first.
  fileprivate func list(
    _ name: String,
    _ limit: Int,
    nothing: String,
    _ columns: [JSONColumn],
    on console: Console
  ) async throws {
    let page = 500
    var latest: [JSONValue] = []
    var after = 0
    while true {
      let found = try await value("GET", "/api/\(name)?limit=\(page)&after=\(after)")[name]?.array ?? []
      latest = Array((latest + found).suffix(limit))
      guard found.count == page, let last = found.last?["sequence"]?.integer else { break }
      after = last
    }
    if json { return try console.json(JSONWriter.text(.object([JSONMember(name, .array(latest))])).utf8) }
    guard !latest.isEmpty else { return try console.say(nothing) }
    for line in TextTable(columns, of: latest).lines { try console.say(line) }
  }
}
