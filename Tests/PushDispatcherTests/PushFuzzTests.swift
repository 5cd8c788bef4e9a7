import Foundation
import JSON
import NotificationQueue
import TestSupport
import Testing

@testable import PushDispatcher

@Suite struct PushFuzzTests {
  @Test func `whatever a dispatch message says becomes a push or none`() throws {
    let now = Date(timeIntervalSince1970: 1_800_000_000)
    var count = 0
    for message in try HostileMessages.dispatches().decoded where message.isConsistent {
      for delivery in message.deliveries {
        for target in delivery.targets {
          let content = message.contents[delivery.content]
          guard let push = FCMMessage.encode(delivery, to: target, content: content, now: now) else { continue }
          _ = try JSONParser.parse(push.bytes)
          count += 1
        }
      }
    }
    #expect(count > 100)
  }
}
