import Foundation
import Rules
import TestSupport
import Testing

@testable import NotificationModel

/// Slips in the built-in catalogue file, reviewed as a file that stands alone: each is found, or changes nothing that is worded or
/// decided.
///
/// A slip leaves out, doubles or exchanges one character; puts a line one space further in or out; doubles a line, or exchanges it with
/// the next. Characters are those of tags (in texts and rules), of punctuation, members' names, references and booleans; lines are
/// those of members. What no reader could tell from what was meant is not among them: other words in a text,
/// another number (a code's as well), time or word that is as good, a name that nothing else in the file refers to, an optional member that is gone
/// with its whole line, the `?` of a value that a rule may do without, and an example's values.
///
/// "Changes nothing" means that the mutated file gives every type of a name the same code, the same texts for the original's
/// example and the same policies, and has the same rules, events, schedule templates, settings and categories. An event's `payload` is not
/// compared: it is for the review alone, which finds what a rule or a text misses there.
@Suite struct CatalogueFuzzTests {
  /// 5,000 in all.
  @Test(arguments: 1...10) func `slips by the thousand are found, or change nothing`(seed: UInt64) async throws {
    try await Self.check(count: TestScope.rounds(of: 500), seed: seed)
  }

  static func check(count: Int, seed: UInt64) async throws {
    let file = CatalogueMutation.File(CatalogueMutation.original)
    let original = try #require(Catalogue.review(CatalogueMutation.original, over: nil, Channel.routing).catalogue)
    let examples = Dictionary(original.types.map { ($0.name, $0.example ?? [:]) }) { $1 }
    let before = Outcome(original, examples)
    let parts = ProcessInfo.processInfo.activeProcessorCount
    let found = await withTaskGroup(of: Int.self) { group in
      for part in 0..<parts {
        group.addTask {
          var generator = SplitMix64(seed: seed &+ UInt64(part) &* 1_000_003)
          let share = (part..<count).count(where: { ($0 - part) % parts == 0 })
          return (0..<share).count(where: { _ in
            isFound(CatalogueMutation(of: file, using: &generator), before, examples)
          })
        }
      }
      return await group.reduce(0, +)
    }
    // Most slips do harm: a review that finds little would be none.
    #expect(2 * found > count, "\(found) of \(count) are found")
  }

  /// Whether a slip is found; one that is not must change nothing.
  private static func isFound(
    _ mutation: CatalogueMutation,
    _ before: Outcome,
    _ examples: [String: [String: String]]
  ) -> Bool {
    let started = ContinuousClock.now
    let review = Catalogue.review(mutation.text, over: nil, Channel.routing)
    #expect(ContinuousClock.now - started < .seconds(20), "\(mutation) takes long")
    guard review.problems.isEmpty else { return true }
    let after = review.catalogue.map { Outcome($0, examples) }
    #expect(after == before, "\(mutation) is not found, and changes something")
    return false
  }
}

/// What a catalogue makes of the same data.
private struct Outcome: Equatable, Sendable {
  let types: [String: String]
  let rules: [Rule]
  let events: [String]
  let schedules: [ScheduleTemplate]
  let settings: [DeclaredSetting]
  let categories: [NotificationCategory]
  let composition: String

  init(_ catalogue: Catalogue, _ examples: [String: [String: String]]) {
    types = Dictionary(
      catalogue.types.map { type in
        let text = type.template.render(title: nil, body: nil, data: examples[type.name] ?? [:])
        let facts: [String] = [
          "\(type.code)", type.sound, text.title, text.body, type.category,
          "\(type.channels.entries.map { "\($0.channel) \($0.value)" })",
          type.priority.rawValue, "\(type.timeToLive)", "\(type.actions)", "\(type.payload ?? [])",
          type.template.missing(in: [:]).joined(separator: ","),
        ]
        return (type.name, (facts + type.policies).joined(separator: "\n"))
      }
    ) { $1 }
    rules = catalogue.rules.rules
    events = catalogue.events.map { "\($0.name) \($0.arguments) \($0.amounts) \($0.isRelayed)" }
    schedules = catalogue.schedules
    settings = catalogue.settings
    categories = catalogue.categories
    let many = catalogue.composition.render(
      title: nil,
      body: nil,
      data: ["count": "3", "titles": "A, B", "others": "1"]
    )
    composition = "\(many.title)\n\(many.body)"
  }
}
