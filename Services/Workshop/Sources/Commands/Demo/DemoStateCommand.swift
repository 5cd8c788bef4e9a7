import ArgumentParser
import ConsoleCommands
import BelfryJSON
import NotificationModel

/// `belfry-dev demo state`
struct DemoStateCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "state",
    abstract: "Tells what waits where, what is held for whom, and whether anything was lost or came twice."
  )

  @OptionGroup var options: DemoOptions

  init() {}

  func run(on console: Console) async throws {
    try await options.ask("GET", "/api/development/state", on: console, Self.lines)
  }

  static func lines(_ state: JSONValue) -> [String] {
    var lines: [String] = []
    func add(_ table: TextTable) { lines += (lines.isEmpty ? [] : [""]) + table.lines }
    add(TextTable(ledger, of: (state["ledger"]?.members ?? []).map { Self.named($0) }))
    // Where one provider keeps pushes waiting, the others are seen to work.
    let pushes = state["pushes"]?.members ?? []
    if pushes.contains(where: { ($0.value["waiting"]?.integer ?? 0) > 0 }) {
      add(TextTable(Self.pushes, of: pushes.map { Self.named($0) }))
    }
    let waiting = (state["ladder"]?.array ?? []).filter { $0["waiting"]?.integer != 0 }
    if !waiting.isEmpty { add(TextTable(rungs, of: waiting)) }
    if let held = state["held"]?.array, !held.isEmpty { add(TextTable(Self.held, of: held)) }
    let dead = (state["dead"]?.array ?? []).filter { $0["waiting"]?.integer != 0 }
    if !dead.isEmpty { add(TextTable(Self.dead, of: dead)) }
    add(TextTable(services, of: state["services"]?.array ?? []))
    return lines
  }

  private static func named(_ member: JSONMember) -> JSONValue {
    .object([JSONMember("channel", member.name)] + (member.value.members ?? []))
  }

  private static let numbers = [
    JSONColumn.number("due", "due"), JSONColumn.number("arrived", "arrived"), JSONColumn.number("waiting", "waiting"),
    JSONColumn.number("refused", "refused"), JSONColumn.number("left out", "leftOut"),
    JSONColumn.number("twice", "twice"),
  ]

  private static let ledger = [JSONColumn("channel", "channel")] + numbers

  private static let pushes = [JSONColumn("pushes by") { provider($0["channel"]) }] + numbers

  private static let rungs = [
    JSONColumn("tried again") { rung in
      let channel = [rung["stream"]?.shown, rung["channel"]?.shown ?? "-"].compactMap(\.self).joined(separator: " ")
      return rung["provider"]?.string == nil ? channel : "\(channel) by \(provider(rung["provider"]))"
    },
    JSONColumn("after", "step"), JSONColumn.number("waiting", "waiting"),
  ]

  private static func provider(_ name: JSONValue?) -> String {
    name?.string.flatMap(DevicePlatform.Carrier.init(rawValue:))?.label ?? name?.shown ?? "-"
  }

  private static let held = [
    JSONColumn("held for") { held in
      DemoPerson.known.first { $0.id == held["user"]?.string }?.name ?? held["user"]?.shown ?? "-"
    },
    JSONColumn("what", "label"), JSONColumn("why", "words"),
  ]

  private static let dead = [JSONColumn("given up", "name"), JSONColumn.number("dead letters", "waiting")]

  private static let services = [
    JSONColumn("service", "name"), JSONColumn("now") { $0["up"]?.boolean == true ? "up" : "down" },
    JSONColumn.number("restarts", "restarts"),
  ]
}
