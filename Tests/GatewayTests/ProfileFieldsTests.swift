import NotificationModel
import NotificationStore
import Testing

@testable import Gateway

/// Profiles with the address of a channel that the deployment has beside this version's.
@Suite struct ProfileFieldsTests {
  private struct SMSRouting: RoutingChannel {
    let channel = Channel(rawValue: 4)
    let name = "sms"
    let hasQueue = true
    var address: AddressField? {
      AddressField(member: "phone", limit: 16, problem: "expected a number such as +49301") { $0.hasPrefix("+") }
    }

    func objection(to recipient: Recipient) -> SkipReason? { nil }
    func targets(of recipient: Recipient) -> [DeliveryTarget] { [] }
  }

  private let channels: [any RoutingChannel] = Channel.routing + [SMSRouting()]
  private let sms = Channel(rawValue: 4)

  private func put(_ body: String) throws -> UserStore.Profile {
    try FieldReader.read(PutUser.self, from: Array(body.utf8), routing: channels).profile
  }

  @Test func `a channel's member is read, checked and shown as the channel says`() throws {
    let profile = try put(#"{"email":"ann@example.org","phone":"+49301"}"#)
    #expect(profile.email == "ann@example.org" && profile.addresses[sms] == "+49301")
    let refused = try #require(throws: ValidationError.self) { try put(#"{"phone":"49301"}"#) }
    #expect(refused.errors.map(\.field) == ["phone"])
    #expect(refused.errors.map(\.message) == ["expected a number such as +49301"])
  }

  @Test func `a change takes the addresses that it names, and no others`() throws {
    var profile = try put(#"{"email":"ann@example.org","phone":"+49301"}"#)
    func patch(_ body: String) throws {
      try FieldReader.read(PatchUser.self, from: Array(body.utf8), routing: channels).apply(to: &profile)
    }
    try patch(#"{"phone":"+49302"}"#)
    #expect(profile.email == "ann@example.org" && profile.addresses[sms] == "+49302")
    try patch(#"{"phone":null}"#)
    #expect(profile.email == "ann@example.org" && profile.addresses[sms] == nil)
  }
}
