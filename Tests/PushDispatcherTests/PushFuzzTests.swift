import Dispatching
import Foundation
import BelfryJSON
import NotificationQueue
import TestSupport
import Testing

@testable import PushDispatcher

@Suite struct PushFuzzTests {
  @Test func `whatever a dispatch message says becomes a push or none`() throws {
    let now = Date(timeIntervalSince1970: 1_800_000_000)
    var count = 0
    for message in try HostileMessages.dispatches().decoded where message.isConsistent {
      for targeted in message.targetedDeliveries {
        if let push = APNsMessage(targeted, topic: "com.example.app").encoded() { _ = try JSONParser.parse(push.bytes) }
        guard let push = FCMMessage(targeted, now: now).encoded() else { continue }
        _ = try JSONParser.parse(push.bytes)
        count += 1
      }
    }
    #expect(count > 100)
  }
}
