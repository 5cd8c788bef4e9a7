import Foundation
import BelfryJSON
import NotificationModel
import Testing
import UserIdentity

@Suite struct DryRunTests {
  private static let mia = "6f1c2b7e-3d4a-4e5f-8a9b-0c1d2e3f4a5b"

  private func errors(_ json: String) -> [String] {
    do throws(ValidationError) {
      _ = try FieldReader.read(DryRun.self, from: Array(json.utf8))
      return []
    } catch {
      return error.errors.map(\.field)
    }
  }

  @Test func `a send to one person takes what a send takes, and a moment`() throws {
    let json = """
      {"userId": "\(Self.mia.uppercased())", "type": "AllowanceDeposit", "at": "2026-11-22T22:30:00+01:00",
       "data": {"amount": 10}, "relatedEntityType": "Goal", "relatedEntityId": "7", "channels": ["push", 3]}
      """
    guard case .send(let send, let user, let at) = try FieldReader.read(DryRun.self, from: Array(json.utf8)) else {
      Issue.record("it is a send")
      return
    }
    #expect(user.description == Self.mia)
    #expect(at == Date(timeIntervalSince1970: 1_795_383_000))
    #expect(send.type == .name("AllowanceDeposit"))
    #expect(send.data == ["amount": "10"])
    #expect(send.channels == [.push, .email])
    #expect(send.relatedEntityType == "Goal" && send.relatedEntityID == "7")
  }

  @Test func `an event takes what a backend reports, and its audience is passed over`() throws {
    let json = #"""
      {"event": {"name": "BalanceUpdated", "payload": {"a": 1.50}, "audience": {"group": "g"}, "id": "e-1",
       "occurredAt": "2026-11-22T21:00:00Z"}, "at": "2026-11-22T21:30:00Z"}
      """#
    guard case .event(let event, let at) = try FieldReader.read(DryRun.self, from: Array(json.utf8)) else {
      Issue.record("it is an event")
      return
    }
    #expect(event.name == "BalanceUpdated" && event.id == "e-1")
    #expect(event.payload["a"] == .number("1.50"))
    #expect(at == event.occurredAt.map { $0 + 1_800 })
  }

  @Test(arguments: [
    ("{}", ["userId", "type"]),
    (#"{"userId":"","type":10}"#, ["userId"]),
    (#"{"userId":"","type":true,"channel":"push","data":{"from":1}}"#, ["userId", "channel", "type", "data.from"]),
    (#"{"userId":"\#(mia)","type":10,"to":{"group":"g"}}"#, ["to"]),
    (#"{"userId":"\#(mia)","type":10,"at":"yesterday"}"#, ["at"]),
    (#"{"event":{"name":"A","payload":{}},"userId":"\#(mia)"}"#, ["userId"]),
    (#"{"event":{"nam":"A","payload":[]}}"#, ["event.nam", "event.name", "event.payload"]),
    (#"{"event":{"name":"A","payload":{},"id":""}}"#, ["event.id"]),
    (#"{"event":1}"#, ["event"]),
  ])
  func `what cannot be asked is refused with every field's name`(_ json: String, _ fields: [String]) {
    #expect(Set(errors(json)) == Set(fields))
  }
}
