import Foundation
import HTTPTypes
import BelfryJSON
import NotificationModel
import NotificationStore
import Postgres
import TestSupport
import Testing
import UserIdentity
import WallClock

@testable import Gateway

/// What the API says of a channel that this version has not, where its list of channels has one more.
@Suite struct FourthChannelFieldTests {
  private struct SMSRouting: RoutingChannel {
    let channel = Channel(rawValue: 4)
    let name = "sms"
    let hasQueue = true

    func objection(to recipient: Recipient) -> SkipReason? { nil }

    func targets(of recipient: Recipient) -> [DeliveryTarget] { [DeliveryTarget(id: "+49", address: "+49")] }
  }

  private static let sms = Channel(rawValue: 4)
  private static let channels = Channel.routing + [SMSRouting()]
  private static let body = """
    {"preferences":[{"notificationType":10,"inAppEnabled":true,"pushEnabled":true,"emailEnabled":false,"smsEnabled":true}],
    "categories":[{"category":"Tasks","inAppEnabled":true,"pushEnabled":true,"emailEnabled":false,"smsEnabled":true}]}
    """

  private func written(_ choices: ChannelChoices, among channels: [any RoutingChannel]) -> String {
    var writer = JSONWriter()
    writer.object { PreferenceField.write(choices, PreferenceField.all(channels), to: &$0) }
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  @Test func `its switch is read, stored, and shown; where the list has no such channel, nothing is made of it`()
    async throws
  {
    let user = UserID(UUID())
    try await TestDatabase.with { client in
      let cases: [(channels: [any RoutingChannel], chosen: Bool?)] = [(Channel.routing, nil), (Self.channels, true)]
      for (channels, chosen) in cases {
        let catalogue = try Catalogue(channels: channels)
        let type = try #require(catalogue.type(.code(10)))
        let category = try #require(catalogue.types.first { $0.category == "Tasks" })
        let update = try FieldReader.read(UpdatePreferences.self, from: Array(Self.body.utf8), routing: channels)
        let requested = try update.rows(in: catalogue, at: .now)
        let store = SettingsStore(client: client)
        _ = try await store.change(of: user, in: catalogue.types, at: .now) {
          update.apply(requested, to: &$0, in: catalogue)
        }
        let rows = try await store.settings(of: user).rows
        #expect(rows.types[10]?[Self.sms] == chosen)
        #expect(rows.categories["Tasks"]?[Self.sms] == chosen)
        #expect(rows.effective(category)[Self.sms] == chosen)
        #expect(written(rows.effective(type), among: channels).contains("sms") == (chosen != nil))
      }
      let rows = try await SettingsStore(client: client).settings(of: user).rows
      let type = try #require(try Catalogue(channels: Self.channels).type(.code(10)))
      #expect(
        written(rows.effective(type), among: Self.channels)
          == #"{"inAppEnabled":true,"pushEnabled":true,"emailEnabled":false,"smsEnabled":true}"#
      )
    }
  }

  @Test func `its switch may be left out, and says true or false where it is not`() throws {
    let without = Self.body.replacing(#","smsEnabled":true"#, with: #","soundEnabled":true"#)
    _ = try FieldReader.read(UpdatePreferences.self, from: Array(without.utf8), routing: Self.channels)
    let wrong = Self.body.replacing(#""smsEnabled":true"#, with: #""smsEnabled":1"#)
    let error = #expect(throws: ValidationError.self) {
      try FieldReader.read(UpdatePreferences.self, from: Array(wrong.utf8), routing: Self.channels)
    }
    #expect(error?.errors.map(\.field) == ["preferences[0].smsEnabled", "categories[0].smsEnabled"])
  }

  @Test func `a send may narrow to it, by itself or among others`() async throws {
    for channels in [Channel.routing, Self.channels] {
      try await TestGateway.withoutDatabase(catalogue: try Catalogue(channels: channels)) { gateway in
        let send = #"{"to":{"users":["\#(UserID(UUID()))"]},"type":12,"channels":["sms",4]}"#
        let answer = try await gateway.call(.post, "/api/v1/notifications", as: .service(), body: send)
        let bulk = #"{"items":[\#(send)]}"#
        let answers = try await gateway.call(.post, "/api/v1/notifications/bulk", as: .service(), body: bulk)
        let result = try #require(try answers.expect(.ok).list("results").first)
        if channels.count == Self.channels.count {
          _ = try answer.expect(.accepted)
          #expect(result["status"] as? String == "accepted")
          #expect(gateway.ingested.count == 2)
        } else {
          #expect(try answer.expectProblem("validation", .badRequest) == ["channels[0]", "channels[1]"])
          #expect(result["status"] as? String == "invalid")
          #expect(gateway.ingested.isEmpty)
        }
      }
    }
  }

  @Test func `a dry run asks about it, and names it`() async throws {
    try await TestDatabase.with(connections: 2) { client in
      let user = UserID(UUID())
      let explainer = Explainer(
        catalogue: try Catalogue(channels: Self.channels),
        recipients: RecipientStore(client: client),
        presence: PresenceStore(client: client),
        held: HeldStore(client: client),
        rules: RuleStore(client: client),
        zone: .utc,
        channels: Self.channels
      )
      let body =
        #"{"to":{"users":["\#(user)"]},"type":10,"channels":["push","SMS"],"data":{"amount":"$1","balance":"$2"}}"#
      let send = try FieldReader.read(SendRequest.self, from: Array(body.utf8), routing: Self.channels)
      #expect(send.channels == [.push, Self.sms])
      let explanation = try await explainer.explain(send, to: UserIdentifier(user.uuid), at: nil, now: .now)
      var writer = JSONWriter()
      explanation.write(to: &writer)
      let lines = try #require(try JSONParser.parse(writer.bytes)["channels"]?.array)
      #expect(lines.compactMap { $0["channelName"]?.string } == ["inApp", "push", "email", "sms"])
      #expect(lines.last?["reason"]?.string == "preferenceOff")
      #expect(lines.last?["words"]?.string?.hasPrefix("sms left out: ") == true)
    }
  }
}
