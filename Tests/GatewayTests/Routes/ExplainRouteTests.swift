import Authentication
import Foundation
import HTTPTypes
import NotificationModel
import NotificationStore
import Postgres
import TestSupport
import Testing
import UserIdentity
import WallClock

@testable import Gateway

/// `POST /api/v1/admin/explain`
@Suite struct ExplainRouteTests {
  private let path = "/api/v1/admin/explain"

  private func ask(_ body: String, _ gateway: TestGateway) async throws -> Answer {
    try await gateway.call(.post, path, as: .service(role: .admin), body: body)
  }

  /// By name of the channel.
  private func channels(_ answer: Answer) throws -> [String: [String: Any]] {
    Dictionary(uniqueKeysWithValues: try answer.list("channels").map { ($0["channelName"] as? String ?? "", $0) })
  }

  /// Somebody in Berlin with a phone.
  private func person(_ gateway: TestGateway, email: String? = "ann@example.org") async throws -> UserID {
    let ann = UserID(UUID())
    let profile = UserStore.Profile(
      email: email,
      displayName: "Ann",
      locale: "de",
      timezone: "Europe/Berlin",
      isEnabled: true
    )
    _ = try await UserStore(client: gateway.database).put(profile, of: ann)
    let phone = DeviceStore.Registration(token: "t-\(ann)", platform: .android, name: nil, appVersion: nil)
    _ = try await DeviceStore(client: gateway.database).register(phone, of: ann)
    return ann
  }

  @Test func `a text that is too long for its values is why nobody would be notified`() async throws {
    try await TestGateway.with { gateway in
      let ann = try await person(gateway)
      let long = String(repeating: "a", count: 3_950)
      let data = #"{"amount":"\#(long)","balance":"$1"}"#
      let answer = try await ask(#"{"userId":"\#(ann)","type":"AllowanceDeposit","data":\#(data)}"#, gateway)
      let channels = try channels(answer.expect(.ok))
      #expect(channels["push"]?["decision"] as? String == "skip")
      #expect(channels["push"]?["reason"] as? String == "textTooLong")
    }
  }

  @Test func `where no provider of the deployment serves the devices, it says so as the router would`() async throws {
    try await TestGateway.with { gateway in
      let ann = try await person(gateway)
      let body = #"{"to":{"users":["\#(ann)"]},"type":"AllowanceDeposit","data":{"amount":"$1","balance":"$2"}}"#
      let send = try FieldReader.read(SendRequest.self, from: Array(body.utf8))
      for (providers, decision) in [(PushProviders([]), ChannelDecision.skip(.noProvider)), (.standard, .deliver)] {
        let explainer = Explainer(
          catalogue: try Catalogue(),
          recipients: RecipientStore(client: gateway.database),
          presence: PresenceStore(client: gateway.database),
          held: HeldStore(client: gateway.database),
          rules: RuleStore(client: gateway.database),
          zone: .utc,
          channels: Channel.routing(pushingBy: providers)
        )
        let explanation = try await explainer.explain(send, to: UserIdentifier(ann.uuid), at: nil, now: .now)
          .explanation
        #expect(explanation.lines.first { $0.channel == .push }?.decision == decision)
      }
    }
  }

  @Test func `each channel is explained with its decision, its rule, and words`() async throws {
    try await TestGateway.with { gateway in
      let ann = try await person(gateway)
      let body = #"{"userId":"\#(ann)","type":"AllowanceDeposit","at":"2026-11-22T12:00:00Z"}"#
      let answer = try await ask(body, gateway).expect(.ok)
      let json = try answer.json()
      #expect(json["userId"] as? String == ann.description)
      #expect(json["type"] as? Int == 10 && json["typeName"] as? String == "AllowanceDeposit")
      #expect(json["timezone"] as? String == "Europe/Berlin")
      #expect(json["at"] as? String == "2026-11-22T12:00:00.000Z")
      #expect(json["localTime"] as? String == "2026-11-22 13:00 Europe/Berlin")
      #expect(json["hasProfile"] as? Bool == true)
      #expect(json["missingData"] as? [String] == ["amount", "balance"])
      let channels = try channels(answer)
      #expect(channels["push"]?["decision"] as? String == "deliver")
      #expect(channels["push"]?["channel"] as? Int == 2)
      #expect(channels["push"]?["words"] as? String == "push sent at once")
      #expect(channels["push"]?["rule"] is NSNull && channels["push"]?["reason"] is NSNull)
      #expect(channels["email"]?["decision"] as? String == "skip")
      #expect(channels["email"]?["reason"] as? String == "preferenceOff")
      #expect(channels["email"]?["rule"] as? String == "preference")
      let trace = try answer.list("trace")
      let preferences = trace.filter { $0["rule"] as? String == "preference" }
      #expect(preferences.compactMap { $0["said"] as? String } == ["pass", "pass", "skip"])
      #expect(preferences.last?["reason"] as? String == "preferenceOff")
      #expect(trace.allSatisfy { ($0["saw"] as? String)?.isEmpty == false })
    }
  }

  @Test func `what the person chose, where they are reached and what they look at counts as in routing`() async throws {
    try await TestGateway.with { gateway in
      let ann = try await person(gateway, email: nil)
      let types = try Catalogue().types
      let wish = PreferenceRows(types: [10: ChannelChoices(inApp: false, push: true, email: true)])
      _ = try await SettingsStore(client: gateway.database).change(of: ann, in: types, at: .now) { settings in
        settings.rows = settings.rows.setting(wish, in: types)
      }
      let presence = PresenceStore(client: gateway.database)
      let goal = try #require(RelatedEntity(type: "Goal", id: "7"))
      try await presence.heartbeat("node")
      try await presence.start(ann, connection: "c", node: "node", entity: goal)
      let question = #""userId":"\#(ann)","type":10,"relatedEntityType":"goal","relatedEntityId":"7""#
      let now = try channels(try await ask("{\(question)}", gateway).expect(.ok))
      #expect(now["inApp"]?["reason"] as? String == "preferenceOff")
      #expect(now["push"]?["reason"] as? String == "viewing")
      #expect(now["email"]?["reason"] as? String == "noEmailAddress")
      // What is on the screen tomorrow is not known.
      let later = try channels(try await ask("{\(question),\"at\":\"2026-11-23T12:00:00Z\"}", gateway).expect(.ok))
      #expect(later["push"]?["decision"] as? String == "deliver")
      let narrowed = try channels(try await ask("{\(question),\"channels\":[\"email\"]}", gateway).expect(.ok))
      #expect(narrowed["push"]?["reason"] as? String == "channelNotRequested")
    }
  }

  @Test func `somebody nobody knows is explained with the defaults, and nothing is stored or sent`() async throws {
    try await TestGateway.with { gateway in
      let answer = try await ask(#"{"userId":"\#(UserID(UUID()))","type":10,"data":{"amount":"1"}}"#, gateway).expect(
        .ok
      )
      #expect(try answer.json()["timezone"] as? String == "UTC")
      #expect(try answer.json()["hasProfile"] as? Bool == false)
      #expect(try answer.json()["missingData"] as? [String] == ["balance"])
      #expect(try channels(answer)["push"]?["reason"] as? String == "noActiveDevice")
      for table in ["users", "notifications", "inbox"] {
        let rows = try await gateway.database.query("SELECT count(*) FROM \(unescaped: table)")
        #expect(try rows.first?.get(0, as: Int.self) == 0, "\(table)")
      }
      #expect(gateway.ingested.isEmpty)
    }
  }

  @Test(arguments: [
    (#"{"userId":"","type":10}"#, ["userId"]),
    (#"{"userId":"019a8b7c-6d5e-7f40-8123-456789abcdef","type":"Nonsense"}"#, ["type"]),
    (#"{"userId":"019a8b7c-6d5e-7f40-8123-456789abcdef","type":10,"chanels":[]}"#, ["chanels"]),
    (#"{"event":{"name":"Unheard","payload":{}}}"#, ["event.name"]),
    ("[]", [""]),
  ])
  func `what cannot be asked is refused with every field's name`(_ body: String, _ fields: [String]) async throws {
    try await TestGateway.withoutDatabase { gateway in
      let answer = try await ask(body, gateway)
      #expect(try answer.expectProblem("validation", .badRequest) == fields)
    }
  }

  @Test func `without the database it is said that nothing is known`() async throws {
    try await TestGateway.withoutDatabase { gateway in
      try await ask(#"{"userId":"\#(UserID(UUID()))","type":10}"#, gateway)
        .expectProblem("unavailable", .serviceUnavailable)
    }
  }

  // MARK: Events

  @Test func `each rule on an event says why it fires or does not`() async throws {
    try await TestGateway.with { gateway in
      let child = try await person(gateway)
      func event(_ previous: Int, _ new: Int) -> String {
        let payload = #"{"childId":"\#(child)","newBalance":\#(new),"previousBalance":\#(previous),"currency":"EUR"}"#
        return #"{"event":{"name":"balanceupdated","payload":\#(payload)},"at":"2026-11-22T12:00:00Z"}"#
      }
      let fired = try await ask(event(12, 8), gateway).expect(.ok)
      #expect(try fired.json()["event"] as? String == "BalanceUpdated")
      #expect(try fired.json()["relayed"] as? Bool == true)
      let rule = try #require(try fired.list("rules").first)
      #expect(rule["rule"] as? String == "low-balance" && rule["fired"] as? Bool == true)
      #expect(rule["outcome"] as? String == "told")
      #expect(rule["userId"] as? String == child.description && rule["timezone"] as? String == "Europe/Berlin")
      let notice = try #require((rule["notices"] as? [[String: Any]])?.first)
      #expect(notice["type"] as? String == "LowBalanceWarning")
      #expect((notice["to"] as? [String: [String]])?["users"] == [child.description])
      #expect((notice["data"] as? [String: String])?["balance"] == "8")
      let silent = try #require(try await ask(event(15, 12), gateway).expect(.ok).list("rules").first)
      #expect(silent["fired"] as? Bool == false && silent["outcome"] as? String == "notCrossed")
      #expect(silent["words"] as? String == "low-balance did not fire: from 15 to 12 does not cross 10")
      #expect((silent["notices"] as? [Any])?.isEmpty == true)
    }
  }

  @Test func `what is only due later is explained with its time, in the person's zone`() async throws {
    try await TestGateway.with { gateway in
      let ann = try await person(gateway)
      let payload = #"{"userId":"\#(ann)","goalId":"7","goalName":"Bike","percent":10,"targetDate":"2026-12-24"}"#
      let body = #"{"event":{"name":"GoalUpdated","payload":\#(payload)},"at":"2026-11-22T12:00:00Z"}"#
      let rules = try await ask(body, gateway).expect(.ok).list("rules")
      #expect(rules.compactMap { $0["rule"] as? String } == ["goal-deadline", "goal-milestones"])
      #expect(rules.compactMap { $0["outcome"] as? String } == ["scheduled", "notReached"])
      let next = try #require(rules.first?["next"] as? [String: String])
      #expect(next["at"] == "2026-12-17T08:00:00.000Z")
      #expect(next["localTime"] == "2026-12-17 09:00 Europe/Berlin")
      #expect(rules.first?["key"] as? String == "7")
    }
  }

  @Test func `an event that a rule cannot evaluate is explained with what is wrong, and one without rules has none`()
    async throws
  {
    try await TestGateway.with { gateway in
      let body = #"{"event":{"name":"GoalCreated","payload":{"userId":""}}}"#
      let rule = try #require(try await ask(body, gateway).expect(.ok).list("rules").first)
      #expect(rule["outcome"] as? String == "refused")
      #expect((rule["words"] as? String)?.contains("payload.userId") == true)
      let none = #"{"event":{"name":"AllowancePaid","payload":{}}}"#
      let unheeded = try await ask(none, gateway).expect(.ok)
      #expect(try unheeded.list("rules").isEmpty)
    }
  }
}
