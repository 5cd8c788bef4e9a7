import NotificationModel
import Postgres
import Testing

/// Sends to one user, and what the database then holds.
extension TestStack {
  /// Sends notifications to a user, a few at a time.
  func send(_ count: Int, to person: Person) async throws {
    let width = 8
    let body = #"{"to":{"users":["\#(person.id)"]},"type":12}"#
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 0..<width {
        group.addTask {
          for _ in stride(from: worker, to: count, by: width) { _ = try await self.send(body).expect(202) }
        }
      }
      try await group.waitForAll()
    }
  }

  /// The notifications stored for a user, in the order of the inbox.
  func inbox(of person: Person) async throws -> [(seq: Int, id: String)] {
    let rows = try await database.query(
      "SELECT seq, id::text FROM notifications WHERE user_id = \(person.id.uuid) ORDER BY seq"
    )
    return try rows.map { (seq: try $0.get(0, as: Int.self), id: try $0.get(1, as: String.self)) }
  }

  /// The user's unread notifications, as REST counts them.
  func unreadCount(of person: Person) async throws -> Int? {
    try await call("GET", "/api/v1/notifications/unread-count", token: person.token).expect(200).json["count"] as? Int
  }
}
