import Foundation
import NotificationModel
import Testing

/// Mail addresses, relative times and the codes on the wire.
@Suite struct SmallRulesTests {
  @Test(
    arguments: [
      "a@b", "mia@example.com", "mia.o'neil+school@mail.example.co.uk", "a@b.c",
      String(repeating: "l", count: 64) + "@example.com",
    ]
  )
  func `a mail address that can stand in a command and a header is plausible`(_ text: String) {
    #expect(MailAddress.isPlausible(text))
  }

  @Test(
    arguments: [
      "", "@", "a@", "@b", "ab", "a@b@c", "a b@c", "a@b c", "<a@b>", "\"a\"@b", "a,b@c", "a;b@c", "a:b@c", "a\\b@c",
      "a(b)@c", "a@[127.0.0.1]", "a@b\r\nRCPT TO:<x@y>", "a\u{0}@b", "a@b\u{7F}", "ü@example.com",
      String(repeating: "l", count: 65) + "@example.com", "a@" + String(repeating: "d", count: 253),
    ]
  )
  func `a mail address that could break one is refused`(_ text: String) {
    #expect(!MailAddress.isPlausible(text))
  }

  @Test(
    arguments: [
      (-60, "Just now"), (0, "Just now"), (59.9, "Just now"), (60, "1 minute ago"), (119, "1 minute ago"),
      (120, "2 minutes ago"), (3_599, "59 minutes ago"), (3_600, "1 hour ago"), (7_200, "2 hours ago"),
      (86_399, "23 hours ago"), (86_400, "1 day ago"), (172_800, "2 days ago"), (31_536_000, "365 days ago"),
    ] as [(Double, String)]
  )
  func `a time is said in its largest whole unit`(_ seconds: Double, _ text: String) {
    let now = Date(timeIntervalSince1970: 1_800_000_000)
    #expect(TimeAgo.text(from: now - seconds, to: now) == text)
  }

  @Test func `what FCM would refuse does not travel, whatever a rule hands on`() throws {
    var type = try #require(try Catalogue().type(.code(10)))
    let data = ["from": "Ann", "message_type": "a", "google.x": "b", "gcm": "c", "amount": "5", "fromage": "brie"]
    type.payload = nil
    #expect(type.carried(of: data) == ["amount": "5", "fromage": "brie"])
    type.payload = ["amount", "missing"]
    #expect(type.carried(of: data) == ["amount": "5"])
  }

  @Test func `codes on the wire and in the database never change`() {
    #expect(Channel.allCases.map(\.rawValue) == [1, 2, 3])
    #expect(Channel.allCases.map(\.name) == ["inApp", "push", "email"])
    #expect(Channel(name: "INAPP") == .inApp)
    #expect(Channel(name: "sms") == nil)
    #expect(DevicePlatform.allCases.map(\.rawValue) == [1, 2, 3, 11, 13])
    #expect(DevicePlatform.allCases.map(\.shown) == [1, 2, 3, 1, 3])
    #expect(DevicePlatform.allCases.map(\.carrier.rawValue) == ["fcm", "fcm", "fcm", "apns", "webPush"])
    #expect(DevicePlatform.Carrier.implemented == [.fcm, .apns, .webPush])
    #expect(PushProviders.standard == PushProviders([.fcm]))
    #expect(DevicePermission.allCases.map(\.rawValue) == [1, 2, 3])
    #expect(DevicePermission.allCases.map(\.name) == ["requested", "granted", "denied"])
    #expect(DeliveryOutcome.allCases.map(\.rawValue) == [1, 2, 3, 4, 5])
    #expect(DeliveryOutcome.allCases.map(\.name) == ["delivered", "rejected", "exhausted", "expired", "uncertain"])
    #expect(DeliveryOutcome.allCases.filter { !$0.isFinal } == [.exhausted, .uncertain])
    #expect(SkipReason.allCases.map(\.rawValue) == Array(1...17) + [21])
    #expect(ChannelDecision.deliver.code == 0)
    #expect(ChannelDecision.skip(.expired).code == 7)
  }

  @Test func `a value per channel is read and written by channel`() {
    var values = PerChannel(inApp: 0, push: 0, email: 0)
    for channel in Channel.allCases { values[channel] = channel.rawValue }
    #expect(values == PerChannel(inApp: 1, push: 2, email: 3))
    #expect(Channel.allCases.map { values[$0] } == [1, 2, 3])
  }
}
