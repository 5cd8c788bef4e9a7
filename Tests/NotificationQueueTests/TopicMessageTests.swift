import Broker
import Foundation
import NotificationModel
import NotificationQueue
import Testing

/// A dispatch message of what goes to a topic.
@Suite struct TopicMessageTests {
  @Test func `a topic travels as one target, in a message that a dispatcher without topics leaves alone`() throws {
    var dispatch = try TestMessage.dispatch()
    #expect(dispatch.v == 1)
    let condition = try TopicAudience(condition: "'a' in topics || 'b' in topics")
    for topic in [try TopicAudience(topic: "news"), condition] {
      dispatch.deliveries[0].targets = [DispatchMessage.Target(topic)]
      let body = QueueCoder.encode(dispatch)
      #expect(String(decoding: body, as: UTF8.self).hasPrefix(#"{"v":2,"#))
      let back = try QueueCoder.decode(DispatchMessage.self, from: BrokerMessage(body: body))
      let target = try #require(back.deliveries.first?.targets.first)
      #expect(target.audience == topic.kind && target.address == topic.text && target.id == topic.text)
      #expect(back.deliveries.dropFirst().allSatisfy { $0.targets.allSatisfy { $0.audience == nil } })
    }
  }

  @Test func `an audience that this version does not know is refused, not taken for a device`() throws {
    var dispatch = try TestMessage.dispatch()
    dispatch.deliveries[0].targets = [DispatchMessage.Target(try TopicAudience(topic: "news"))]
    let text = String(decoding: QueueCoder.encode(dispatch), as: UTF8.self)
    let later = text.replacing(#""audience":"topic""#, with: #""audience":"planet""#)
    #expect(later != text)
    #expect(throws: QueueMessageError.self) {
      try QueueCoder.decode(DispatchMessage.self, from: BrokerMessage(body: Array(later.utf8)))
    }
  }
}
