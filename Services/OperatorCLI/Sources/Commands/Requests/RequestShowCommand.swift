import ArgumentParser
import Authentication
import ConsoleCommands
import BelfryJSON

/// `belfry requests show`
struct RequestShowCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Tells what became of a send, in numbers of recipients by channel.",
    discussion: """
      The numbers are there once a router has stored it. Of more than 20,000 recipients they are those of the first that are found.
      """
  )

  @OptionGroup var request: RequestArgument

  @OptionGroup var options: ShowOptions

  init() {}

  func run(on console: Console) async throws {
    try await options.ask("GET", request.path, as: .admin, on: console, Self.lines)
  }

  private static func lines(_ answer: JSONValue) -> [String] {
    if let topic = answer["topicDelivery"] { return [heading(answer), line(of: topic)] }
    let channels = answer["channels"]?.members ?? []
    guard !channels.isEmpty else { return [heading(answer)] }
    var table = TextTable(
      [.init(heading: "channel")] + outcomes.map { .init(heading: $0, isNumber: true) } + [.init(heading: "why")]
    )
    for channel in channels {
      let skipped = channel.value["skipped"]?.members ?? []
      let numbers = outcomes.dropLast().map { channel.value[$0]?.shown ?? "-" }
      let sum = skipped.reduce(0) { $0 &+ ($1.value.integer ?? 0) }
      let reasons = skipped.map { "\($0.value.shown) \($0.name)" }.joined(separator: ", ")
      table.add([channel.name] + numbers + ["\(sum)", reasons])
    }
    return [heading(answer)] + table.lines
  }

  /// What became of a push to a topic.
  private static func line(of topic: JSONValue) -> String {
    let reason = topic["reason"]?.string.map { ": \($0)" } ?? ""
    let attempts = topic["attempts"]?.integer ?? 0
    return "\(topic["audience"]?.shown ?? "topic") \(topic["target"]?.shown ?? "?"): "
      + "\(topic["outcome"]?.shown ?? "?")\(reason), \(attempts) \(attempts == 1 ? "try" : "tries")"
  }

  /// The columns between a channel and its reasons to be left out; the last is their sum.
  private static let outcomes = ["delivered", "pending", "held", "failed", "skipped"]

  /// It is known when somebody asked for it, and what was left out because of that: not what left inboxes.
  private static func withdrawal(at time: String, _ answer: JSONValue) -> String {
    let asked = "(withdrawal asked for at \(time)"
    let channels = answer["channels"]?.members ?? []
    let hasCancelled = channels.contains { ($0.value["skipped"]?["cancelled"]?.integer ?? 0) > 0 }
    return hasCancelled || answer["isComplete"]?.boolean == false ? "\(asked))" : "\(asked), when nothing of it waited)"
  }

  /// In one line what it has come to.
  private static func heading(_ answer: JSONValue) -> String {
    let status = answer["status"]?.shown ?? "?"
    let time: [String] = [
      answer["sendAt"].map { "for \($0.shown)" },
      answer["cancelledAt"].map { status == "cancelled" ? "at \($0.shown)" : withdrawal(at: $0.shown, answer) },
    ].compactMap(\.self)
    let more = answer["isComplete"]?.boolean == false ? "at least " : ""
    let recipients =
      answer["topicDelivery"] != nil
      ? "" : answer["recipients"].map { ", \(more)\($0.shown) \($0.integer == 1 ? "recipient" : "recipients")" } ?? ""
    return "\(answer["requestId"]?.shown ?? "?"): \(([status] + time).joined(separator: " "))\(recipients)"
  }
}
