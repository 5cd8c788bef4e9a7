import BelfryClient
import Foundation
import BelfryJSON
import Testing

@testable import BelfryClient

struct NotificationTests {
  private let example = #"""
    {"id":"01a1fca2-310f-7929-a921-a980b62c7fa3","type":10,"typeName":"AllowanceDeposit","category":"Allowance",
    "title":"Allowance Received!","body":"Your weekly allowance","data":"{\"amount\":\"5.00\"}",
    "dataObject":{"amount":5.00,"childId":"c-1"},"isRead":false,"readAt":null,"seenAt":null,"openedAt":null,
    "archivedAt":null,"snoozedUntil":null,"createdAt":"2026-11-21T05:44:10.255Z","relatedEntityType":"Transaction",
    "relatedEntityId":"t-1","actions":[{"id":"VIEW","title":"View"}],"priority":"high","timeAgo":"Just now","seq":2}
    """#

  private func read(_ text: String) throws -> BelfryNotification? {
    BelfryNotification(try JSONParser.parse(Array(text.utf8)))
  }

  @Test func `the server's example is read`() throws {
    let item = try #require(try read(example))
    #expect(item.id.uuidString == "01A1FCA2-310F-7929-A921-A980B62C7FA3")
    #expect(item.seq == 2)
    #expect(item.relatedEntity == RelatedEntity(type: "Transaction", id: "t-1"))
    #expect(item.actions == [BelfryAction(id: "VIEW", title: "View")])
    #expect(abs(item.createdAt.timeIntervalSince1970 - 1_795_239_850.255) < 0.000_5)
    #expect(item.isUnread)
  }

  @Test func `a payload has the numbers that were sent`() throws {
    struct Payload: Decodable, Equatable {
      let amount: Double
      let childId: String
    }
    let item = try #require(try read(example))
    #expect(try item.payload(as: Payload.self) == Payload(amount: 5, childId: "c-1"))
  }

  @Test func `a payload of an older server is made of texts`() throws {
    let item = try #require(try read(#"{"id":"01a1fca2-310f-7929-a921-a980b62c7fa3","data":"{\"amount\":\"5.00\"}"}"#))
    #expect(try item.payload(as: [String: String].self) == ["amount": "5.00"])
    #expect(item.typeName == "Unknown")
  }

  @Test(arguments: [#"{"id":"no-uuid"}"#, "{}", "[]", "7", #"{"id":7}"#])
  func `what is no notification is none`(text: String) throws {
    #expect(try read(text) == nil)
  }

  @Test func `a notification is kept and read back`() throws {
    let item = try #require(try read(example))
    let kept = try JSONEncoder().encode(item)
    #expect(try JSONDecoder().decode(BelfryNotification.self, from: kept) == item)
  }

  @Test func `archived comes before snoozed, and neither is unread`() {
    let item = notification(1).with { $0.snoozedUntil = Date() }
    #expect(item.place == .snoozed)
    #expect(!item.isUnread)
    #expect(item.with { $0.archivedAt = Date() }.place == .archived)
  }

  @Test func `a filter takes types by code and by name`() {
    let item = notification(1, type: 10)
    #expect(NotificationFilter(type: "10").matches(item))
    #expect(NotificationFilter(type: "AllowanceDeposit").matches(item))
    #expect(!NotificationFilter(type: "11").matches(item))
    #expect(!NotificationFilter(category: "Tasks").matches(item))
    #expect(!NotificationFilter(unreadOnly: true).matches(notification(1, isRead: true)))
    #expect(!NotificationFilter(place: .archived).matches(item))
  }
}

struct WireDateTests {
  @Test(arguments: [
    ("2026-11-21T05:44:10.255Z", 1_795_239_850.255), ("1970-01-01T00:00:00Z", 0),
    ("2024-02-29T12:00:00+01:30", 1_709_202_600), ("2000-03-01T00:00:00.5Z", 951_868_800.5),
  ])
  func `times are read`(text: String, seconds: Double) throws {
    let date = try #require(WireDate.parse(text))
    #expect(abs(date.timeIntervalSince1970 - seconds) < 0.000_5)
  }

  @Test(arguments: [
    "", "2026", "2026-11-21", "2026-13-21T05:44:10Z", "2026-11-21T05:44:10", "2026-11-21T25:44:10Z",
    "2026-11-21T05:44:10Zjunk", "2026-11-21T05:44:10.Q", "२०२६-11-21T05:44:10Z", "2026-11-21T05:44:10+0100",
  ])
  func `anything else is no time`(text: String) {
    #expect(WireDate.parse(text) == nil)
  }

  @Test func `a time that is written is read back to the millisecond`() {
    for day in 0..<2_000 {
      let date = Date(timeIntervalSince1970: Double(day) * 86_400 * 11.37 + 0.123)
      let read = WireDate.parse(WireDate.text(date))?.timeIntervalSince(date) ?? .infinity
      #expect(abs(read) < 0.001)
    }
    #expect(WireDate.text(Date(timeIntervalSince1970: 1_709_208_000)) == "2024-02-29T12:00:00.000Z")
  }

  @Test func `copies share what never changes, and are written as one object`() throws {
    let item = notification(1)
    let read = item.with { $0.isRead = true }
    #expect(read != item)
    #expect(read.content === item.content)
    // Lists of ten thousand are copied and let go of on the main actor.
    #expect(MemoryLayout<BelfryNotification>.stride <= 104)
    let data = try JSONEncoder().encode(read)
    let members = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect(members["title"] as? String == item.title)
    #expect(members["isRead"] as? Bool == true)
    #expect(try JSONDecoder().decode(BelfryNotification.self, from: data) == read)
  }
}
