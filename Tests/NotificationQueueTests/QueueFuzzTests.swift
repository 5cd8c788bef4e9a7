import Broker
import Foundation
import NotificationModel
import NotificationQueue
import TestSupport
import Testing

/// Any client may publish: whatever lies in a queue is a message or an error, and no number in it ends the process.
@Suite struct QueueFuzzTests {
  /// What can be decoded can be written, and reads the same again.
  private func repeats(_ message: some QueueMessage) throws -> Bool {
    func decodeAgain<Message: QueueMessage>(_ message: Message) throws -> [UInt8] {
      QueueCoder.encode(try QueueCoder.decode(Message.self, from: BrokerMessage(body: QueueCoder.encode(message))))
    }
    return try decodeAgain(message) == QueueCoder.encode(message)
  }

  @Test func `dispatch messages`() throws {
    let ladder = RetryLadder()
    let decoded = try HostileMessages.dispatches().decoded
    for message in decoded {
      #expect(try repeats(message))
      // As a dispatcher counts on from here.
      _ = ladder.tier(afterAttempt: message.attempt + 1, first: .seconds(10))
      guard message.isConsistent else { continue }
      let kept = message.keeping(
        Array(message.deliveries.prefix(1)),
        attempt: message.attempt + 1,
        failingSince: message.failingSince,
        recheck: true
      )
      #expect(kept.isConsistent)
      for delivery in message.deliveries { _ = delivery.badge + 1 }
    }
    #expect(decoded.count > 50)
  }

  @Test func `parts of a group's send`() throws {
    let decoded = try HostileMessages.chunks().decoded
    for message in decoded {
      #expect(try repeats(message))
      for user in message.recipients { _ = NotificationID(request: message.requestId, recipient: user) }
    }
    #expect(decoded.count > 50)
  }

  @Test func `realtime messages`() throws {
    let decoded = try HostileMessages.realtime().decoded
    for message in decoded {
      #expect(try repeats(message))
      for event in message.events {
        _ = event.unread + 1
        if case .notification(_, let seq?, _) = event.kind { _ = seq + 1 }
      }
    }
    #expect(decoded.count > 50)
  }

  @Test(arguments: [Int.min, -1, 10_001, .max])
  func `a count of failures that no dispatcher reaches is refused`(attempt: Int) throws {
    var message = try TestMessage.dispatch()
    message.attempt = attempt
    let error = #expect(throws: QueueMessageError.self) {
      try QueueCoder.decode(DispatchMessage.self, from: BrokerMessage(body: QueueCoder.encode(message)))
    }
    #expect(error.map { "\($0)".contains("attempt") } == true)
  }

  @Test(arguments: [Int.min, -1, 0, 1, .max])
  func `the ladder has a tier for every count`(attempt: Int) {
    let ladder = RetryLadder()
    let tier = ladder.tier(afterAttempt: attempt, first: .seconds(10))
    #expect(tier == (attempt == .max ? ladder.tiers.last : ladder.tiers[1]))
  }
}
