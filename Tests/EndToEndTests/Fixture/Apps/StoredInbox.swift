import Foundation
import NotificationModel
import Postgres
import Testing

/// What the database has of a user's inbox, to be compared with an app's.
struct StoredInbox: Equatable {
  struct Item: Equatable {
    var id: UUID
    var isRead: Bool
  }

  /// Of every notification that was ever stored, by its `seq`.
  var seqs: [Int]
  /// The newest one first.
  var inbox: [Item]
  var archived: [UUID]
  var deleted: Set<UUID>
  var unread: Int
}

extension TestStack {
  func storedInbox(of person: Person) async throws -> StoredInbox {
    var stored = StoredInbox(seqs: [], inbox: [], archived: [], deleted: [], unread: 0)
    let rows = try await database.query(
      """
      SELECT seq, id, in_app, read_at IS NOT NULL FROM notifications
      WHERE user_id = \(person.id.uuid) ORDER BY id DESC
      """
    )
    for row in rows {
      stored.seqs.append(try row.get(0))
      let id = try row.get(1, as: UUID.self)
      switch InboxState(rawValue: Int16(try row.get(2, as: Int.self))) {
      case .inbox: stored.inbox.append(StoredInbox.Item(id: id, isRead: try row.get(3)))
      case .archived: stored.archived.append(id)
      case .deleted: stored.deleted.insert(id)
      default: break
      }
    }
    stored.seqs.sort()
    let counted = try await database.query("SELECT unread FROM inbox WHERE user_id = \(person.id.uuid)")
    stored.unread = try counted.first?.get(0, as: Int.self) ?? 0
    return stored
  }

  /// Sends one notification, again and again with the same key while the gateway is away.
  func sendSurely(to person: Person) async throws {
    let (key, body) = (UUID().uuidString, #"{"to":{"users":["\#(person.id)"]},"type":12}"#)
    let deadline = ContinuousClock.now + .seconds(60)
    while true {
      if let answer = try? await send(body, key: key) {
        if answer.status == 202 { return }
        try #require(answer.status == 503, "\(answer.status): \(answer.text)")
      }
      try #require(ContinuousClock.now < deadline, "the gateway does not come back")
      try await Task.sleep(for: .milliseconds(100))
    }
  }

  /// Stores copies of a user's first notification, each some milliseconds after the one before, and notifies nobody.
  func copyFirst(of person: Person, upTo count: Int) async throws {
    _ = try await database.transaction([
      """
      INSERT INTO notifications (user_id, id, request_id, type, title, body, data, in_app, push, email, seq, created_at,
        expires_at)
      SELECT user_id, overlay(belfry_uuid_at(at)::text PLACING substr(gen_random_uuid()::text, 15) FROM 15)::uuid,
        gen_random_uuid(), type, title, body, data, in_app, push, email, i, at, expires_at
      FROM notifications
        CROSS JOIN LATERAL (
          SELECT i, created_at + i * interval '2 milliseconds' AS at FROM generate_series(2, \(count)) i
        ) series
      WHERE user_id = \(person.id.uuid)
      """,
      """
      UPDATE inbox SET unread = \(count), total = \(count), seq = \(count),
        last_id = (SELECT id FROM notifications WHERE user_id = \(person.id.uuid) ORDER BY id DESC LIMIT 1)
      WHERE user_id = \(person.id.uuid)
      """,
    ])
  }
}
