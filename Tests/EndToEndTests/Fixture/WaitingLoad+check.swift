import Foundation
import NotificationModel
import Postgres
import TestSupport
import Testing

/// That nothing of it was lost, doubled or miscounted.
extension WaitingLoad {
  private struct Stored {
    var person: UUID
    var id: UUID
    var title: String
    var label: String
    var thread: String?
    /// False of a composition, which no inbox has.
    var isInInbox: Bool
    var push: ChannelDecision

    /// What is delivered as one where this is delivered with others: the end of the composition's title, after its count.
    var gathering: String { thread.map { "in \($0)" } ?? "notifications" }
  }

  private struct Push: Hashable {
    var id: String
    var person: UUID
    var title: String
    var collapse: [String]
  }

  private struct Gathering: Hashable {
    var person: UUID
    var what: String
  }

  private var users: [UUID] { people.map(\.id.uuid) }

  /// Waits until everything is delivered, and looks at what that was.
  ///
  /// - Parameter mayRepeatCompositions: Whether a dispatcher may have lost what it had pushed and not recorded. Of other pushes
  ///   two dispatchers may have a copy at once, when a router dies between publishing and acknowledging; repetitions then
  ///   replace the first.
  func check(mayRepeatCompositions: Bool, _ comment: Comment) async throws {
    try await finish()
    let stored = try await stored()
    checkInbox(stored.filter(\.isInInbox), comment)
    try await checkCounters(comment)
    let delivered = stored.filter { $0.push == .deliver }
    let pushes = try await pushes()
    #expect(Set(pushes.map(\.id)) == Set(delivered.map { $0.id.uuidString.lowercased() }), comment)
    let compositions = delivered.filter { !$0.isInInbox }
    checkRepetitions(pushes, of: mayRepeatCompositions ? [] : compositions, comment)
    checkCounts(compositions, stored.filter(\.isInInbox), pushes, comment)
    // Else it was no test of both.
    #expect(!compositions.isEmpty && compositions.count < delivered.count, comment)
    print(
      "\(count) notifications of \(people.count) people: \(compositions.count) compositions,",
      "\(delivered.count - compositions.count) delivered singly; pushes repeated: \(pushes.count - Set(pushes.map(\.id)).count)"
    )
  }

  // MARK: Waiting for the end

  private func finish() async throws {
    var rest = ""
    do {
      try await eventually("nothing waits any more", within: .seconds(60), every: .milliseconds(200)) {
        rest = try await unfinished()
        return rest.isEmpty
      }
      try await eventually("the queues are empty", every: .milliseconds(500)) {
        try await belfry.backlog() == 0
      }
      // What came out of the queues meanwhile.
      try await eventually("nothing waits any more", every: .milliseconds(200)) {
        rest = try await unfinished()
        return rest.isEmpty
      }
    } catch {
      Issue.record(
        "left: \(rest); queues: \((try? await belfry.depths().filter { $0.value > 0 }) ?? [:]); \(await unpushed())"
      )
      throw error
    }
  }

  /// What is still to be done, in words; empty if nothing is.
  private func unfinished() async throws -> String {
    let rows = try await belfry.database.query(
      """
      SELECT (SELECT count(*) FROM notifications WHERE user_id = ANY (\(users)) AND in_app = \(InboxState.inbox.rawValue)),
        (SELECT count(*) FROM held WHERE user_id = ANY (\(users))),
        (SELECT count(*) FROM schedules WHERE owner = \(subject) AND next_at IS NOT NULL),
        (SELECT count(*) FROM rule_notices),
        (SELECT count(*) FROM notifications n WHERE user_id = ANY (\(users)) AND push = 0 AND NOT EXISTS (
          SELECT FROM deliveries d
          WHERE d.user_id = n.user_id AND d.notification_id = n.id AND d.channel = 2 AND d.outcome = 1))
      """
    )
    let row = try #require(rows.first)
    var rest: [String] = []
    let missing = count - (try row.get(0, as: Int.self))
    if missing > 0 { rest.append("\(missing) not stored") }
    for (position, what) in ["held", "schedules", "notices", "not pushed"].enumerated() {
      let open = try row.get(position + 1, as: Int.self)
      if open > 0 { rest.append("\(open) \(what)") }
    }
    return rest.joined(separator: ", ")
  }

  /// What is known of some pushes that have no outcome.
  private func unpushed() async -> String {
    let rows = try? await belfry.database.query(
      """
      SELECT concat_ws(' ', n.type, n.title, n.created_at, n.in_app, d.outcome, d.reason)
      FROM notifications n
        LEFT JOIN deliveries d ON d.user_id = n.user_id AND d.notification_id = n.id AND d.channel = 2
      WHERE n.user_id = ANY (\(users)) AND n.push = 0 AND d.outcome IS DISTINCT FROM 1
      ORDER BY n.created_at LIMIT 5
      """
    )
    return rows?.compactMap { try? $0.get(0, as: String.self) }.joined(separator: "; ") ?? ""
  }

  // MARK: Looking

  private func stored() async throws -> [Stored] {
    try await belfry.database.query(
      """
      SELECT user_id, id, title, coalesce(data ->> 'label', ''), data ->> 'thread',
        in_app = \(InboxState.inbox.rawValue), push
      FROM notifications WHERE user_id = ANY (\(users))
      """
    ).map { row in
      Stored(
        person: try row.get(0),
        id: try row.get(1),
        title: try row.get(2),
        label: try row.get(3),
        thread: try row.get(4),
        isInInbox: try row.get(5),
        push: ChannelDecision(code: try row.get(6), until: nil, on: .push)
      )
    }
  }

  private func pushes() async throws -> [Push] {
    let owners = Dictionary(uniqueKeysWithValues: people.map { ($0.devices[0], $0.id.uuid) })
    return try await belfry.simulator("GET", "/api/pushes?limit=10000").expect(200).list("pushes").compactMap { push in
      guard let person = (push["token"] as? String).flatMap({ owners[$0] }) else { return nil }
      let message = try #require(push["message"] as? [String: Any])
      let words = try #require(message["notification"] as? [String: String])
      return Push(
        id: try #require(push["notificationId"] as? String),
        person: person,
        title: words["title"] ?? "",
        collapse: ["collapseKey", "apnsCollapseId", "tag", "webTag"].map { push[$0] as? String ?? "" }
      )
    }
  }

  /// Each person has what the model says, once; and every push is decided.
  private func checkInbox(_ stored: [Stored], _ comment: Comment) {
    var differences: [String] = []
    var found: [UUID: [String: Int]] = [:]
    for row in stored { found[row.person, default: [:]][row.label, default: 0] += 1 }
    for user in users {
      let (wanted, had) = (expected[user] ?? [:], found[user] ?? [:])
      for label in Set(wanted.keys).union(had.keys).sorted() where wanted[label] != had[label] {
        differences.append("\(label) \(had[label] ?? 0) times instead of \(wanted[label] ?? 0)")
      }
    }
    #expect(differences.isEmpty, comment)
    let undecided = stored.filter { $0.push != .deliver && $0.push != .skip(.composed) }
    #expect(undecided.isEmpty, comment)
  }

  /// Compositions are in no count.
  private func checkCounters(_ comment: Comment) async throws {
    let rows = try await belfry.database.query(
      """
      SELECT sum(total)::int8, count(*) FILTER (WHERE unread <> total OR seq <> total)
      FROM inbox WHERE user_id = ANY (\(users))
      """
    )
    let row = try #require(rows.first)
    #expect(try row.get(0) == count, comment)
    #expect(try row.get(1) == 0, comment)
  }

  /// What is pushed again says the same, and replaces the first.
  private func checkRepetitions(_ pushes: [Push], of once: [Stored], _ comment: Comment) {
    let once = Set(once.map { $0.id.uuidString.lowercased() })
    for (id, same) in Dictionary(grouping: pushes, by: \.id) where same.count > 1 {
      #expect(Set(same).count == 1, comment)
      #expect(!once.contains(id), comment)
    }
  }

  /// Each person's compositions together say how many were delivered as one, in the words that are stored.
  private func checkCounts(_ compositions: [Stored], _ members: [Stored], _ pushes: [Push], _ comment: Comment) {
    let titles = Dictionary(pushes.map { ($0.id, $0.title) }) { first, _ in first }
    var (said, were): ([Gathering: Int], [Gathering: Int]) = ([:], [:])
    for composition in compositions {
      let words = composition.title.split(separator: " ", maxSplits: 1)
      let count = words.first.flatMap { Int($0) } ?? 0
      #expect(count > 1, comment)
      #expect(titles[composition.id.uuidString.lowercased()] == composition.title, comment)
      said[Gathering(person: composition.person, what: String(words.last ?? "")), default: 0] += count
    }
    for member in members where member.push == .skip(.composed) {
      were[Gathering(person: member.person, what: member.gathering), default: 0] += 1
    }
    #expect(said == were, comment)
  }
}
