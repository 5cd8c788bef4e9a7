import Foundation
import LocalStack
import NotificationModel
import NotificationQueue

/// People with a device each of one provider, as routers address them in messages. They are in no table: what a push dispatcher does
/// takes none.
struct PushPeople: Sendable {
  let carrier: DevicePlatform.Carrier
  let all: [(user: UserID, target: DeliveryTarget)]

  var queue: WorkQueue { WorkQueue(carrier) }

  private init(_ carrier: DevicePlatform.Carrier, _ targets: some Sequence<DeliveryTarget>) {
    self.carrier = carrier
    all = targets.map { (UserID(UUID()), $0) }
  }

  /// Android phones with registration tokens.
  static func fcm(_ count: Int) -> PushPeople {
    PushPeople(
      .fcm,
      (0..<count).map { number in
        let token = "bench-\(number):\(String(repeating: hexadecimal(), count: 4))"
        return DeliveryTarget(id: UUID().lowercased, address: token, platform: DevicePlatform.android.rawValue)
      }
    )
  }

  /// iPhones, a tenth of which is in APNs' other environment if that is wanted.
  static func apns(_ count: Int, withSandbox: Bool = false) -> PushPeople {
    PushPeople(
      .apns,
      (0..<count).map { number in
        let isInSandbox = withSandbox && number % 10 == 0
        return DeliveryTarget(
          id: UUID().lowercased,
          address: hexadecimal() + hexadecimal(),
          platform: DevicePlatform.apns.rawValue,
          apns: APNsAddress(environment: isInSandbox ? .sandbox : .production, registeredAt: .now)
        )
      }
    )
  }

  /// The simulator's other name: for dispatchers a push service of its own.
  static let otherHost = "127.0.0.1"

  /// Browsers, subscribed at the simulator's push service.
  ///
  /// - Parameter withOtherHost: Whether a tenth of them has ``otherHost`` in its endpoint.
  static func webPush(_ count: Int, _ bench: Bench, withOtherHost: Bool = false) async throws -> PushPeople {
    let callers = 16
    let key = bench.stack.vapidPublicKey
    let simulator = bench.simulator
    let targets = try await withThrowingTaskGroup(of: [DeliveryTarget].self) { group in
      for caller in 0..<callers {
        group.addTask { @concurrent in
          var targets: [DeliveryTarget] = []
          for number in stride(from: caller, to: count, by: callers) {
            let browser = try await simulator.subscribe(for: key)
            targets.append(
              DeliveryTarget(
                id: UUID().lowercased,
                address: withOtherHost && number % 10 == 0
                  ? browser.endpoint.replacing("//localhost:", with: "//\(otherHost):") : browser.endpoint,
                platform: DevicePlatform.webPush.rawValue,
                credentials: SubscriptionKeys(p256dh: browser.keys.p256dh, auth: browser.keys.auth)
              )
            )
          }
          return targets
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    return PushPeople(.webPush, targets)
  }

  /// Tokens of those in APNs' sandbox.
  var sandboxTokens: [String] {
    all.filter { $0.target.apns?.environment == .sandbox }.map(\.target.address)
  }

  /// Endpoints of those at the other host, as the simulator knows them.
  var otherEndpoints: [String] {
    all.map(\.target.address).filter { $0.hasPrefix("https://\(Self.otherHost):") }
      .map { $0.replacing("//\(Self.otherHost):", with: "//localhost:") }
  }

  /// 32 digits.
  private static func hexadecimal() -> String { UUID().lowercased.filter { $0 != "-" } }
}
