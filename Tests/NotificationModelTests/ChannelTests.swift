import Foundation
import BelfryJSON
import Testing

@testable import NotificationModel

@Suite struct ChannelTests {
  /// What a new channel takes in the model: this, and a line in `Channel.routing(pushingBy:)`.
  private struct SMSRouting: RoutingChannel {
    let channel = Channel(rawValue: 4)
    let name = "sms"
    let hasQueue = true

    func objection(to recipient: Recipient) -> SkipReason? {
      recipient.displayName == nil ? SkipReason(rawValue: 40) : nil
    }

    func targets(of recipient: Recipient) -> [DeliveryTarget] {
      recipient.displayName.map { [DeliveryTarget(id: $0, address: $0)] } ?? []
    }
  }

  private func decide(_ change: (inout Recipient) -> Void) throws -> RoutingPlan {
    var recipient = Recipient(id: UserID(UUID()))
    change(&recipient)
    let subject = DecisionSubject(type: try #require(try Catalogue().type(.code(10))), now: .now)
    return RoutingDecision.decide(DecisionInput(subject, to: recipient), channels: Channel.routing + [SMSRouting()])
  }

  @Test func `a channel that is registered is decided like any other`() throws {
    let sms = Channel(rawValue: 4)
    // The catalogue does not name it and the recipient has not chosen it.
    #expect(try decide { _ in }[sms] == .skip(.preferenceOff))
    var withSMS = ChannelChoices(inApp: true, push: true, email: true)
    withSMS[sms] = true
    #expect(try decide { $0.typeChoices = withSMS }[sms] == .skip(SkipReason(rawValue: 40)))
    let plan = try decide {
      $0.typeChoices = withSMS
      $0.displayName = "+49 30 1"
    }
    #expect(plan.entries.map(\.channel.rawValue) == [1, 2, 3, 4])
    #expect(plan[sms] == .deliver)
    #expect(plan[Channel(rawValue: 9)] == nil)
  }

  @Test func `a catalogue names the channels that there are, and no others`() throws {
    let sms = Channel(rawValue: 4)
    let yaml = """
      version: 1
      defaults: { channels: { inApp: true }, priority: normal, timeToLiveDays: 30, title: T, body: B }
      types:
      - { code: 300, name: Texted, category: Tests, channels: { sms: true }, wait: { sms: 15min }, payload: [n],
          digest: { channel: sms, every: 1h, title: "{{count}}", body: B } }
      """
    let catalogue = try Catalogue(overrides: yaml, channels: Channel.routing + [SMSRouting()])
    let type = try #require(catalogue.type(.code(300)))
    #expect(type.channels[sms] == true && type.waits[sms] == 900 && type.digest?.channel == sms)
    // Of the built-in file, which does not name it.
    #expect(catalogue.type(.code(10))?.channels[sms] == false)
    let error = #expect(throws: CatalogueError.self) { try Catalogue(overrides: yaml) }
    let words = try #require(error).description
    #expect(words.contains("'sms' is no channel of this version, which knows inApp, push, email"))
    #expect(words.contains("'sms' is not one of push, email"))
  }

  @Test func `what a catalogue and a preview show is of the channels that there are`() throws {
    let catalogue = try Catalogue(channels: Channel.routing + [SMSRouting()])
    let names = ["inApp", "push", "email", "sms"]
    func shown(_ write: (inout JSONWriter) -> Void) throws -> [String]? {
      var writer = JSONWriter()
      write(&writer)
      return try JSONParser.parse(writer.bytes)["types"]?.array?.first?["channels"]?.members?.map(\.name)
    }
    #expect(try shown { catalogue.write(to: &$0) } == names)
    #expect(try shown { catalogue.writeOpenPart(to: &$0, locale: nil) } == names)
    let body = #"{"type":10,"data":{"amount":"$1","balance":"$2"}}"#
    let preview = try FieldReader.read(Preview.self, from: Array(body.utf8))
    #expect(try preview.render(in: catalogue).channels.map { $0.channel.name(among: catalogue.channels) } == names)
  }

  @Test func `targets are missing exactly where there is an objection for want of an address`() {
    var recipient = Recipient(id: UserID(UUID()))
    for routing in Channel.routing where routing.hasQueue {
      #expect(routing.targets(of: recipient).isEmpty)
      #expect(routing.objection(to: recipient) != nil)
    }
    // No provider serves it.
    recipient.devices = [Device(id: DeviceID(UUID()), token: "740f", platform: .apns)]
    #expect(PushRouting().targets(of: recipient).isEmpty)
    #expect(PushRouting().objection(to: recipient) == .noProvider)
    recipient.email = "ann@example.org"
    recipient.devices.append(Device(id: DeviceID(UUID()), token: "t", platform: .iOS))
    for routing in Channel.routing where routing.hasQueue {
      #expect(routing.targets(of: recipient).count == 1)
      #expect(routing.objection(to: recipient) == nil)
    }
  }

  @Test func `a push's targets are those of the deployment's providers, with what they are encrypted with`() {
    var recipient = Recipient(id: UserID(UUID()))
    let keys = SubscriptionKeys(p256dh: "p", auth: "a")
    recipient.devices = [
      Device(id: DeviceID(UUID()), token: "phone", platform: .android),
      Device(id: DeviceID(UUID()), token: "browser", platform: .webPush, credentials: keys),
    ]
    func targets(_ carriers: DevicePlatform.Carrier...) -> [DeliveryTarget] {
      PushRouting(deployed: PushProviders(carriers)).targets(of: recipient)
    }
    #expect(targets(.fcm).map(\.address) == ["phone"])
    #expect(targets(.fcm).map(\.credentials) == [nil])
    #expect(targets(.webPush).map(\.address) == ["browser"])
    #expect(targets(.webPush).map(\.credentials) == [keys])
    #expect(targets(.webPush, .fcm).map(\.carrier) == [.fcm, .webPush])
    #expect(targets().isEmpty)
    #expect(DeliveryTarget(id: "a@example.org", address: "a@example.org").carrier == nil)
    #expect(DeliveryTarget(id: "d", address: "t", platform: 99).carrier == nil)
  }

  @Test func `values stay in the order of the channels' codes, whatever the order in which they are set`() {
    var values = PerChannel<String>()
    for code in [3, 1, 9, 2, 9] { values[Channel(rawValue: code)] = "\(code)" }
    #expect(values.entries.map(\.channel.rawValue) == [1, 2, 3, 9])
    values[.push] = nil
    values[Channel(rawValue: 5)] = nil
    #expect(values.entries.map(\.value) == ["1", "3", "9"])
    #expect(values[.push] == nil)
    #expect(values[.email] == "3")
  }

  @Test func `only in-app a code says where something went from the inbox`() {
    for state in InboxState.allCases where state != .inbox {
      #expect(ChannelDecision(code: state.rawValue, until: nil, on: .inApp) == .leftInbox(state))
      #expect(ChannelDecision.leftInbox(state).code == state.rawValue)
    }
    #expect(ChannelDecision(code: InboxState.inbox.rawValue, until: nil, on: .inApp) == .deliver)
    #expect(ChannelDecision(code: 13, until: nil, on: .push) == .skip(.deleted))
  }

  @Test func `a code says what is stored, and codes of other versions are kept`() {
    let until = Date(timeIntervalSince1970: 1_800_000_000)
    for decision: ChannelDecision in [
      .deliver, .skip(.viewing), .skip(SkipReason(rawValue: 99)), .hold(until: until, .quietHours),
      .hold(until: until, HoldReason(rawValue: 99)),
    ] {
      for channel in Channel.allCases {
        #expect(ChannelDecision(code: decision.code, until: decision.heldUntil, on: channel) == decision)
      }
    }
    #expect(ChannelDecision.hold(until: until, .digest).code == -3)
    #expect(ChannelDecision(code: .min, until: nil, on: .push).code == -Int16.max)
    #expect(SkipReason(rawValue: 99).name == "99")
    #expect(HoldReason.allCases.map(\.rawValue) == [1, 2, 3, 4, 5, 6])
    #expect(HoldReason.quietHours.name == "quietHours")
    #expect(Channel(rawValue: 7).name == "7")
  }
}
