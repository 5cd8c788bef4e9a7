import Foundation
import NotificationModel
import Postgres
import TestSupport
import Testing
import Transport

/// Many single sends to some users, and the check that nothing was lost or doubled.
struct Load: Sendable {
  let belfry: TestStack
  let people: [Person]
  let count: Int

  init(_ belfry: TestStack, people: Int, count: Int) async throws {
    self.belfry = belfry
    self.count = count
    var made: [Person] = []
    for _ in 0..<people { made.append(try await belfry.makeUser()) }
    self.people = made
  }

  /// Sends everything, `width` at a time. What is refused with 503 (or not answered, because the gateway's servers die) is
  /// sent again with the same key until it is accepted.
  func run(width: Int = 32) async throws -> Set<String> {
    try await withThrowingTaskGroup(of: Set<String>.self) { group in
      for worker in 0..<width {
        group.addTask {
          var accepted: Set<String> = []
          for number in stride(from: worker, to: count, by: width) { accepted.insert(try await send(number)) }
          return accepted
        }
      }
      return try await group.reduce(into: []) { $0.formUnion($1) }
    }
  }

  private func send(_ number: Int) async throws -> String {
    let body = #"{"to":{"users":["\#(people[number % people.count].id)"]},"type":12}"#
    let key = UUID().uuidString
    let deadline = ContinuousClock.now + .seconds(120)
    while true {
      let answer = try await belfry.send(body, key: key)
      if answer.status == 202 { return try #require(answer.json["requestId"] as? String) }
      try #require(answer.status == 503 && ContinuousClock.now < deadline, "\(answer.status): \(answer.text)")
      #expect(answer.response.headers.first("retry-after") != nil)
      try await Task.sleep(for: .milliseconds(200))
    }
  }

  /// Every notification stored once and counted once, every push accepted at least once, all repetitions under the same
  /// collapse id, nothing left in a queue.
  func check(_ accepted: Set<String>) async throws {
    #expect(accepted.count == count)
    try await eventually("every push is accepted", within: .seconds(180), every: .milliseconds(500)) {
      let summary = try await belfry.simulator("GET", "/api/pushes/summary").expect(200).json
      return summary["distinctNotifications"] as? Int == count
    }
    try await eventually("the queues are empty", within: .seconds(60), every: .milliseconds(500)) {
      try await belfry.backlog() == 0
    }
    let users = people.map(\.id.uuid)
    let stored = try await belfry.database.query("SELECT count(*) FROM notifications WHERE user_id = ANY (\(users))")
    #expect(try stored.first?.get(0) == count)
    let inbox = try await belfry.database.query(
      """
      SELECT sum(unread)::int8, sum(total)::int8, sum(seq)::int8, count(*) FILTER (WHERE unread <> seq)
      FROM inbox WHERE user_id = ANY (\(users))
      """
    )
    let row = try #require(inbox.first)
    #expect(try row.get(0) == count)
    #expect(try row.get(1) == count)
    #expect(try row.get(2) == count)
    #expect(try row.get(3) == 0)
    let delivered = try await belfry.database.query(
      "SELECT count(*) FROM deliveries WHERE user_id = ANY (\(users)) AND channel = 2 AND outcome = 1"
    )
    #expect(try delivered.first?.get(0) == count)
    let summary = try await belfry.simulator("GET", "/api/pushes/summary").expect(200).json
    #expect(summary["duplicatesWithDifferentCollapseID"] as? Int == 0)
    print(
      "pushes accepted: \(summary["accepted"] ?? 0) for \(count) notifications; duplicates: \(summary["duplicates"] ?? 0)"
    )
  }
}
