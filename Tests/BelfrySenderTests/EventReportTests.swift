import Foundation
import Testing

@testable import BelfrySender

@Suite struct EventReportTests {
  private struct Balance: Encodable, Sendable {
    var childId = "ann"
    var newBalance = Decimal(4_250) / 100
    var at = Date(timeIntervalSince1970: 1_796_126_400)
  }

  /// Nested that deep.
  private struct Deep: Encodable, Sendable {
    let depth: Int

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Member.self)
      if depth > 1 { try container.encode(Deep(depth: depth - 1), forKey: .next) }
    }

    private enum Member: CodingKey { case next }
  }

  @Test func `a body has every member as the gateway reads it`() throws {
    let event = EventReport("BalanceUpdated", payload: Balance()).relayed(to: .group("family:demo", except: ["bob"]))
      .occurred(at: Date(timeIntervalSince1970: 1_796_126_400))
    let expected = """
      {"audience":{"except":["bob"],"group":"family:demo"},"name":"BalanceUpdated",\
      "occurredAt":"2026-12-01T12:00:00.000Z",\
      "payload":{"at":"2026-12-01T12:00:00.000Z","childId":"ann","newBalance":42.5}}
      """
    #expect(try event.text() == expected)
  }

  @Test func `a payload is an object within limits`() {
    #expect(EventReport("E", payload: ["a", "b"]).wrongFields() == ["payload"])
    #expect(EventReport("E", payload: "text").wrongFields() == ["payload"])
    #expect(EventReport("E", payload: ["n": Double.nan]).wrongFields() == ["payload"])
    // With the eight bytes around the text.
    #expect(EventReport("E", payload: ["n": String(repeating: "x", count: 16_376)]).wrongFields() == [])
    #expect(EventReport("E", payload: ["n": String(repeating: "x", count: 16_377)]).wrongFields() == ["payload"])
    #expect(EventReport("E", payload: Deep(depth: 16)).wrongFields() == [])
    #expect(EventReport("E", payload: Deep(depth: 17)).wrongFields() == ["payload"])
    #expect(EventReport("E", payload: ["n": String(repeating: "[\\\"{", count: 20)]).wrongFields() == [])
  }

  @Test func `name and audience are named if they are wrong`() {
    let event = EventReport("", payload: ["n": 1]).relayed(to: .users([]))
    #expect(Set(event.wrongFields()) == ["name", "audience.users"])
  }
}
