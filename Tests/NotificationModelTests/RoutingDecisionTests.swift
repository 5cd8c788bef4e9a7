import Foundation
import Testing

@testable import NotificationModel

@Suite struct RoutingDecisionTests {
  private func decide(
    _ requested: Set<Channel>? = nil,
    about entity: RelatedEntity? = nil,
    expiresAt: Date? = nil,
    _ change: (inout Recipient) -> Void = { _ in }
  ) throws -> [ChannelDecision] {
    try DecisionSample.input(
      DecisionSample.type(),
      requested: requested,
      about: entity,
      expiresAt: expiresAt,
      recipient: change
    ).decisions
  }

  private func skips(_ reason: SkipReason) -> [ChannelDecision] { Array(repeating: .skip(reason), count: 3) }

  @Test func `who can be reached in every way is`() throws {
    #expect(try decide() == [.deliver, .deliver, .deliver])
  }

  @Test func `a request narrows the channels`() throws {
    #expect(try decide([.push]) == [.skip(.channelNotRequested), .deliver, .skip(.channelNotRequested)])
    #expect(try decide([.inApp, .email]) == [.deliver, .skip(.channelNotRequested), .deliver])
  }

  @Test func `a request never widens what the recipient wants`() throws {
    let decision = try decide([.inApp, .push, .email]) {
      $0.typeChoices = ChannelChoices(inApp: false, push: false, email: false)
    }
    #expect(decision == skips(.preferenceOff))
  }

  @Test func `without own choices the catalogue's count`() throws {
    #expect(try decide { $0.typeChoices = ChannelChoices() } == [.deliver, .deliver, .skip(.preferenceOff)])
  }

  @Test func `the master switch silences everything, the inbox too`() throws {
    #expect(try decide { $0.isEnabled = false } == skips(.notificationsOff))
  }

  @Test func `without a device there is no push`() throws {
    #expect(try decide { $0.devices = [] } == [.deliver, .skip(.noActiveDevice), .deliver])
  }

  @Test func `devices that no provider serves get no push, and hinder none to the others`() throws {
    let id = try #require(DeviceID("a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"))
    let native = Device(id: id, token: "740f", platform: .apns)
    let browser = Device(id: id, token: "https://push.example.net/1", platform: .webPush)
    for devices in [[native], [browser], [native, browser]] {
      #expect(try decide { $0.devices = devices } == [.deliver, .skip(.noProvider), .deliver])
    }
    #expect(try decide { $0.devices += [native, browser] } == [.deliver, .deliver, .deliver])
  }

  @Test func `the providers that a deployment has decide whose devices get a push`() throws {
    let id = try #require(DeviceID("a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"))
    func decide(_ providers: [DevicePlatform.Carrier], _ platforms: DevicePlatform...) throws -> ChannelDecision? {
      let input = try DecisionSample.input(DecisionSample.type()) { recipient in
        recipient.devices = platforms.map { Device(id: id, token: "t", platform: $0) }
      }
      let channels = Channel.routing(pushingBy: PushProviders(providers))
      let plan = RoutingDecision.decide(input, channels: channels)
      #expect(plan[.inApp] == .deliver && plan[.email] == .deliver)
      return plan[.push]
    }
    for (carrier, platforms) in [
      (DevicePlatform.Carrier.fcm, [DevicePlatform.iOS, .android, .web]), (.apns, [.apns]), (.webPush, [.webPush]),
    ] {
      for platform in DevicePlatform.allCases {
        let isServed = platforms.contains(platform)
        #expect(try decide([carrier], platform) == (isServed ? .deliver : .skip(.noProvider)))
      }
    }
    #expect(try decide([.webPush, .fcm], .apns, .webPush) == .deliver)
    // Without a provider nobody gets any, and who has no device at all still has none.
    #expect(try decide([], .android, .apns, .webPush) == .skip(.noProvider))
    #expect(try decide([]) == .skip(.noActiveDevice))
  }

  @Test func `who has it on the screen gets no push, but finds it in the inbox and by mail`() throws {
    let goal = RelatedEntity(type: "Goal", id: "G-1")
    let viewing = Set([goal, RelatedEntity(type: "account", id: "7")].compactMap { $0 })
    #expect(try decide(about: goal) { $0.viewing = viewing } == [.deliver, .skip(.viewing), .deliver])
    let other = RelatedEntity(type: "Goal", id: "7")
    #expect(try decide(about: other) { $0.viewing = viewing } == [.deliver, .deliver, .deliver])
    #expect(try decide { $0.viewing = viewing } == [.deliver, .deliver, .deliver])
    #expect(try decide(about: goal) == [.deliver, .deliver, .deliver])
    let unreachable = try decide(about: goal) {
      $0.viewing = viewing
      $0.devices = []
    }
    #expect(unreachable == [.deliver, .skip(.noActiveDevice), .deliver])
  }

  @Test func `without an address, or with a suppressed one, there is no mail`() throws {
    #expect(try decide { $0.email = nil } == [.deliver, .deliver, .skip(.noEmailAddress)])
    for reason in [SuppressionReason.hardBounce, .manual, SuppressionReason(rawValue: 77)] {
      let decision = try decide { $0.emailSuppression = AddressSuppression(reason) }
      #expect(decision == [.deliver, .deliver, .skip(.emailSuppressed)], "\(reason.name)")
    }
  }

  @Test func `who complained gets no mail that may be unsubscribed, and all others`() throws {
    for (mayUnsubscribe, email) in [(true, ChannelDecision.skip(.emailSuppressed)), (false, .deliver)] {
      let type = try DecisionSample.type { $0.mail.mayUnsubscribe = mayUnsubscribe }
      let complained = try DecisionSample.input(type) { $0.emailSuppression = AddressSuppression(.complaint) }
      #expect(complained.decisions == [.deliver, .deliver, email])
      #expect(try DecisionSample.input(type).decisions == [.deliver, .deliver, .deliver])
      let bounced = try DecisionSample.input(type) { $0.emailSuppression = AddressSuppression(.hardBounce) }
      #expect(bounced.decisions == [.deliver, .deliver, .skip(.emailSuppressed)])
    }
  }

  @Test func `what has expired goes nowhere, and expiry comes before any other reason`() throws {
    #expect(try decide(expiresAt: DecisionSample.noon) == skips(.expired))
    #expect(try decide([.push], expiresAt: DecisionSample.noon - 1) { $0.isEnabled = false } == skips(.expired))
    #expect(try decide(expiresAt: DecisionSample.noon + 0.001) == [.deliver, .deliver, .deliver])
  }

  @Test func `the first reason counts: request, master switch, preference, reachability`() throws {
    let off = ChannelChoices(inApp: false, push: false, email: false)
    #expect(try decide([]) { $0.isEnabled = false } == skips(.channelNotRequested))
    let silenced = try decide {
      $0.isEnabled = false
      $0.typeChoices = off
    }
    #expect(silenced == skips(.notificationsOff))
    let unwanted = try decide {
      $0.typeChoices = off
      $0.devices = []
      $0.email = nil
    }
    #expect(unwanted == skips(.preferenceOff))
  }

  @Test func `somebody unknown is reached in the inbox alone`() throws {
    let stranger = Recipient(id: try #require(UserID("6f1c2b7e-3d4a-4e5f-8a9b-0c1d2e3f4a5b")))
    let subject = DecisionSubject(type: try DecisionSample.type(), now: DecisionSample.noon)
    let plan = RoutingDecision.decide(DecisionInput(subject, to: stranger))
    #expect(plan == PerChannel(inApp: .deliver, push: .skip(.noActiveDevice), email: .skip(.preferenceOff)))
  }
}
