import Foundation
import TestSupport
import Testing

@testable import NotificationModel

/// Which of a person's devices get a push.
@Suite struct PushRoutingTests {
  private func device(_ platform: DevicePlatform, of installation: UUID? = nil, _ token: String = "secret") -> Device {
    Device(
      id: DeviceID(UUID()),
      token: token,
      platform: platform,
      apns: platform == .apns ? APNsAddress(environment: .sandbox, topic: "org.example.app") : nil,
      installation: installation
    )
  }

  private func platforms(
    _ devices: [Device],
    _ carriers: [DevicePlatform.Carrier] = DevicePlatform.Carrier.allCases
  ) -> [Int] {
    var recipient = Recipient(id: UserID(UUID()))
    recipient.devices = devices
    return PushRouting(deployed: PushProviders(carriers)).targets(of: recipient).compactMap(\.platform)
  }

  @Test func `an installation is reached by APNs before FCM before Web Push, in whatever order its devices come`() {
    let app = UUID()
    let devices = [device(.webPush, of: app), device(.iOS, of: app), device(.apns, of: app)]
    for devices in [devices, devices.reversed(), [devices[1], devices[2], devices[0]]] {
      #expect(platforms(devices) == [11])
      #expect(platforms(devices, [.fcm, .webPush]) == [1])
      #expect(platforms(devices, [.webPush]) == [13])
      #expect(platforms(devices, []) == [])
    }
  }

  @Test func `what says nothing of its installation, or another, is a device of its own`() {
    let (phone, tablet) = (UUID(), UUID())
    let devices = [
      device(.iOS), device(.apns), device(.iOS, of: phone), device(.apns, of: phone), device(.iOS, of: tablet),
    ]
    #expect(platforms(devices) == [1, 11, 11, 1])
    // What no provider of the deployment serves takes nobody's place.
    #expect(platforms(devices, [.fcm]) == [1, 1, 1])
    // Of two with the same provider, which a registration does not leave, the first.
    let twice = [device(.android, of: phone, "one"), device(.iOS, of: phone, "two")]
    #expect(platforms(twice) == [2])
  }

  @Test func `the address goes with what its provider has to know`() throws {
    var recipient = Recipient(id: UserID(UUID()))
    var (installation, browser) = (device(.android), device(.webPush))
    installation.kind = .installation
    browser.vapidKey = "key"
    recipient.devices = [installation, device(.apns), browser]
    let targets = PushRouting(deployed: PushProviders(DevicePlatform.Carrier.allCases)).targets(of: recipient)
    #expect(targets.map(\.kind) == [.installation, .token, .token])
    #expect(targets.map(\.apns?.environment) == [nil, .sandbox, nil])
    #expect(targets.map(\.vapidKey) == [nil, nil, "key"])
  }

  @Test func `an explanation says by what somebody is reached, and never an address`() {
    let app = UUID()
    var recipient = Recipient(id: UserID(UUID()))
    var installation = device(.android)
    installation.kind = .installation
    recipient.devices = [installation, device(.iOS, of: app), device(.apns, of: app), device(.webPush)]
    let all = PushRouting(deployed: PushProviders(DevicePlatform.Carrier.allCases))
    #expect(
      all.reach(of: recipient) == "fcm (fid), apns (installation \(app.uuidString.lowercased())), webPush"
    )
    #expect(
      PushRouting().reach(of: recipient) == "fcm (fid), fcm (token, installation \(app.uuidString.lowercased()))"
    )
    #expect(PushRouting(deployed: PushProviders([])).reach(of: recipient) == nil)
  }

  @Test func `every installation that a provider serves is reached by exactly one, whatever devices there are`() {
    var dice = SplitMix64(seed: 92)
    let apps = (0..<3).map { _ in UUID() }
    for _ in 0..<2_000 {
      let devices = (0..<Int.random(in: 0...10, using: &dice)).map { _ in
        let platform = DevicePlatform.allCases.randomElement(using: &dice) ?? .iOS
        return device(platform, of: Bool.random(using: &dice) ? apps.randomElement(using: &dice) : nil)
      }
      let deployed = PushProviders(DevicePlatform.Carrier.allCases.filter { _ in Bool.random(using: &dice) })
      let routing = PushRouting(deployed: deployed)
      var recipient = Recipient(id: UserID(UUID()))
      recipient.devices = devices
      let targets = Set(routing.targets(of: recipient).map(\.id))
      let served = devices.filter { deployed.serve($0.platform) }
      #expect(targets.isSubset(of: served.map(\.id.description)))
      for app in apps {
        let own = served.filter { $0.installation == app }
        let reached = own.filter { targets.contains($0.id.description) }
        #expect(reached.count == min(own.count, 1))
        let best = [DevicePlatform.Carrier.apns, .fcm, .webPush].first { own.map(\.platform.carrier).contains($0) }
        #expect(reached.first?.platform.carrier == best)
      }
      for device in served where device.installation == nil { #expect(targets.contains(device.id.description)) }
      // As the decision says: who has a way is sent something.
      #expect(targets.isEmpty == (routing.objection(to: recipient) != nil))
    }
  }
}
