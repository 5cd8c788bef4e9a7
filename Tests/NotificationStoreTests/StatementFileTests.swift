import Embedded
import Foundation
import NotificationModel
import Postgres
import Testing
import WallClock

@testable import NotificationStore

/// The statements that lie in files: each is bound by a store, name by name, in its order. That they do what they say is for the
/// stores' own tests, on a real server.
@Suite struct StatementFileTests {
  private static let time = Date(timeIntervalSince1970: 1_800_000_000)

  private static func notification(of user: UserID, siblings: Range<NotificationID>? = nil) -> NewNotification {
    var notification = Sample.notification(user)
    notification.siblings = siblings
    return notification
  }

  /// By the file's name.
  private static func queries() throws -> [(file: String, query: SQLQuery)] {
    let content = try Sample.content(at: time)
    let (user, id) = (UserID(UUID()), NotificationID(firstAt: time))
    let record = DeliveryStore.Record(
      userID: user,
      notificationID: id,
      channel: .push,
      target: "t",
      outcome: .delivered,
      attempts: 1
    )
    return [
      ("store", NotificationStore.insert([notification(of: user)], [content])),
      (
        "store",
        NotificationStore.insert([notification(of: user, siblings: id..<NotificationID(firstAt: time + 60))], [content])
      ),
      (
        "hold",
        NotificationStore.hold([WaitingChannel(notification: notification(of: user), channel: .push)], [content])
      ),
      ("withdraw", RequestStore.takeOut([(user: user, id: id)])),
      ("record", DeliveryStore.recording([record], StatStore.Days(of: [id]))),
      ("count", HeldStore.count([], now: time)),
    ]
  }

  @Test func `each file is a statement of a store`() throws {
    let files = EmbeddedFile.below("Shared/NotificationStore/Statements").map(\.name)
    #expect(Set(files) == Set(try Self.queries().map { "\($0.file).sql" }))
  }

  @Test func `what is sent has numbers for all names, and no comments`() throws {
    for (file, query) in try Self.queries() {
      #expect(query.sql.contains("$1"), "\(file)")
      #expect(!query.sql.contains("--") && !query.sql.contains("{"), "\(file)")
      #expect(!query.sql.contains(/\$[a-z_]/), "\(file)")
    }
  }

  @Test func `a request's other ids are looked for only where a notification has some`() throws {
    let (plain, others) = (try Self.queries()[0].query.sql, try Self.queries()[1].query.sql)
    #expect(!plain.contains("i.beyond, i.id"))
    #expect(others.contains("i.beyond, i.id"))
  }
}
