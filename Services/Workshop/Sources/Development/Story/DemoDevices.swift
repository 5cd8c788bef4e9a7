import ConsoleCommands
import Foundation
import BelfryJSON
import NotificationModel

/// Registers the people's phones and browsers, as their apps do when they start.
struct DemoDevices: Sendable {
  let gateway: GatewayClient
  /// Where browsers subscribe. Nil: what the deployment pushes with beside FCM is not known, so everybody has the app with Firebase.
  let simulator: GatewayClient?
  let addresses: DemoAddresses

  init(_ gateway: GatewayClient, simulator: GatewayClient?, addresses: DemoAddresses = DemoAddresses()) {
    self.gateway = gateway
    self.simulator = simulator
    self.addresses = addresses
  }

  /// - Parameter token: The person's.
  func register(_ member: DemoPerson, token: String) async throws {
    guard let simulator else {
      // Whoever has a device already has the demo of `belfry-dev run`, or this was done before.
      if try await !hasDevice(token) { try await registerFirebase(member, token: token) }
      return
    }
    if member.carrier != .fcm {
      // The phones of a release before had the app with Firebase, and would get each push twice.
      let former = [(name: "X-Device-Token", value: member.deviceToken)]
      try await gateway.call("DELETE", "/api/v1/devices/current", token: token, headers: former)
    }
    switch member.carrier {
    case .fcm: try await registerFirebase(member, token: token)
    case .apns: try await registerNative(member, token: token)
    case .webPush: try await subscribe(member, at: simulator, token: token)
    }
  }

  private func hasDevice(_ token: String) async throws -> Bool {
    let answer = try await gateway.call("GET", "/api/v1/devices", token: token)
    return try JSONParser.parse(Array(answer)).array?.contains { $0["isActive"]?.boolean == true } ?? false
  }

  // MARK: Each provider

  private func registerFirebase(_ member: DemoPerson, token: String) async throws {
    try await gateway.call("POST", "/api/v1/devices", token: token) { writer in
      writer.object { writer in
        writer.field("token", member.deviceToken)
        writer.field("platform", member.platform)
        writer.field("deviceName", "\(member.name)'s device")
        writer.field("appVersion", "1.0")
        writer.optionalField("installationId", member.installation)
      }
    }
  }

  private func registerNative(_ member: DemoPerson, token: String) async throws {
    try await gateway.call("POST", "/api/v1/notifications/device-token", token: token) { writer in
      writer.object { writer in
        writer.field("userId", member.id)
        writer.field("token", member.nativeToken)
        writer.field("platform", "iOS")
        writer.optionalField("installationId", member.installation)
      }
    }
  }

  /// The subscription before, which is of the same installation, gives way.
  private func subscribe(_ member: DemoPerson, at simulator: GatewayClient, token: String) async throws {
    struct Key: Decodable { var publicKey: String }
    let answer = try await gateway.call("GET", "/api/v1/push-subscriptions/key", token: token)
    let key = try JSONDecoder().decode(Key.self, from: answer).publicKey
    let made = try await simulator.call("POST", "/api/webpush/subscriptions") { writer in
      writer.object { $0.field("applicationServerKey", key) }
    }
    let subscription = try JSONParser.parse(Array(made))
    addresses.subscribed(member, at: subscription["endpoint"]?.string ?? "")
    try await gateway.call("POST", "/api/v1/push-subscriptions", token: token) { writer in
      writer.object { writer in
        // As the browser's `toJSON()` gives it.
        writer.members(subscription.members ?? [])
        writer.field("applicationServerKey", key)
        writer.optionalField("installationId", member.installation)
      }
    }
  }
}
