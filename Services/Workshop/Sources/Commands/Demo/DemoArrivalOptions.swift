import ArgumentParser
import ConsoleCommands
import BelfryJSON

/// What the commands share that list what arrived at the simulator.
struct DemoArrivalOptions: ParsableArguments {
  private static let maximum = 10_000

  @Option(help: "At most so many, the latest.")
  var limit = 20

  @OptionGroup var options: DemoOptions

  init() {}

  func validate() throws {
    if !(1...Self.maximum).contains(limit) { throw ValidationError("--limit: expected 1 to \(Self.maximum)") }
  }

  /// The latest of what the simulator lists with its oldest first, at `/api/` and the list's name.
  ///
  /// - Parameter member: Of the answer.
  func latest(of list: String, _ member: String) async throws -> [JSONValue] {
    let page = 500
    var latest: [JSONValue] = []
    var after = 0
    while true {
      let path = "/api/\(list)?limit=\(page)&after=\(after)"
      let found = try await options.value("GET", path)[member]?.array ?? []
      latest = Array((latest + found).suffix(limit))
      guard found.count == page, let last = found.last?["sequence"]?.integer else { return latest }
      after = last
    }
  }

  func show(
    _ latest: [JSONValue],
    as name: String,
    nothing: String,
    _ columns: [JSONColumn],
    on console: Console
  ) throws {
    if options.json { return try console.json(JSONWriter.text(.object([JSONMember(name, .array(latest))])).utf8) }
    guard !latest.isEmpty else { return try console.say(nothing) }
    for line in TextTable(columns, of: latest).lines { try console.say(line) }
  }
}
