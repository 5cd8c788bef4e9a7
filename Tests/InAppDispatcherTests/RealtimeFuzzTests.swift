import NotificationQueue
import SignalRProtocol
import TestSupport
import Testing

@testable import InAppDispatcher

/// Whatever comes over the node's queue is written in every form, or left out.
@Suite struct RealtimeFuzzTests {
  @Test func `events and relays of any kind`() throws {
    var all = FormSet()
    for path in HubPath.allCases { for form in WireForm.allCases { all.formUnion(FormSet(form, path)) } }
    var count = 0
    for message in try HostileMessages.realtime().decoded {
      var encoder = RealtimeEncoder(contents: message.contents)
      for event in message.events where encoder.encode(event, for: all) != nil { count += 1 }
      for relay in message.relays { _ = RealtimeEncoder.encode(relay, for: all) }
    }
    #expect(count > 100)
  }
}
