import Broker
import Foundation
import NotificationModel
import NotificationQueue
import Testing

@Suite struct RoutedPartTests {
  private let request = RequestID("019a8b7c-6d5e-7f40-8123-456789abcdef")
  private let users = ["00010203-0405-0607-0809-0a0b0c0d0e0f", "fffefdfc-fbfa-f9f8-f7f6-f5f4f3f2f1f0"].compactMap(
    UserID.init
  )

  private func back(_ part: RoutedPart) throws -> RoutedPart {
    try QueueCoder.decode(from: BrokerMessage(body: QueueCoder.encode(part)))
  }

  @Test func `a part comes back as it was, with its keys or without`() throws {
    for key in [nil, "", "conversation 7"] {
      for channels: Set<Channel>? in [nil, [], [.push, Channel(rawValue: 7)]] {
        let part = RoutedPart(
          requestId: try #require(request),
          content: try TestMessage.content("A"),
          channels: channels,
          recipients: users,
          digestKey: key,
          throttleKey: key.map { "\($0)!" }
        )
        let back = try back(part)
        #expect(back.requestId == part.requestId)
        #expect(back.content == part.content)
        #expect(back.channels == channels)
        #expect(back.recipients == users)
        #expect(back.digestKey == key)
        #expect(back.throttleKey == part.throttleKey)
      }
    }
  }

  @Test func `a part without keys is the chunk that every version knows`() throws {
    let old = """
      {"v":1,"requestId":"019a8b7c-6d5e-7f40-8123-456789abcdef","content":{"type":12,"typeName":"ChoreApproved","title":"A",\
      "body":"b","data":{},"priority":"high","createdAt":"2027-01-15T08:00:00.000Z",\
      "expiresAt":"2027-01-16T08:00:00.000Z"},"channels":[1,2],"users":["00010203-0405-0607-0809-0a0b0c0d0e0f"]}
      """
    let part: RoutedPart = try QueueCoder.decode(from: BrokerMessage(body: Array(old.utf8), type: "belfry.chunk"))
    #expect(part.requestId == request)
    #expect(part.channels == [.inApp, .push])
    #expect(part.recipients == [users[0]])
    #expect(part.digestKey == nil && part.throttleKey == nil)
    #expect(String(decoding: QueueCoder.encode(part), as: UTF8.self) == old)
  }
}
