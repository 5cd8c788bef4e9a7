import Authentication
import ConsoleCommands
import Foundation
import JSON
import LocalStack
import NotificationModel

/// Three users with a device and an address each, made through the gateway as a backend and apps would.
struct DemoFamily: Sendable {
  struct Member: Sendable {
    let id: String
    let name: String
    let email: String
    let deviceToken: String
    let platform: Int
  }

  static let group = "family:demo"

  static let type = "AllowanceDeposit"

  static let maria = Member(
    id: "4f9c1c1e-0001-4000-8000-000000000001",
    name: "Maria",
    email: "maria@example.com",
    deviceToken: "demo-device-maria",
    platform: 1
  )
  static let tom = Member(
    id: "4f9c1c1e-0002-4000-8000-000000000002",
    name: "Tom",
    email: "tom@example.com",
    deviceToken: "demo-device-tom",
    platform: 2
  )
  static let ella = Member(
    id: "4f9c1c1e-0003-4000-8000-000000000003",
    name: "Ella",
    email: "ella@example.com",
    deviceToken: "demo-device-ella",
    platform: 3
  )

  static let members = [maria, tom, ella]

  static let locale = "en"
  static let timezone = "Europe/Berlin"

  let stack: BelfryStack

  /// Makes the family, connects each member to the hub, sends to the group and waits for what arrives.
  ///
  /// - Returns: The request, and one entry a channel.
  func sendFirstNotification() async throws -> (request: String, arrivals: [ChannelArrival]) {
    try await GatewayClient.using(url: stack.gatewayURL) { gateway in
      try await Self.make(
        gateway,
        serviceToken: try Self.serviceToken(stack),
        token: { try Self.token(of: $0, stack) }
      )
      let hubs = try await connect()
      defer { for hub in hubs { hub.close() } }
      let answer = try await gateway.send(
        GatewaySendRequest(
          to: .init(group: Self.group),
          type: Self.type,
          data: ["amount": "$10.00", "balance": "$42.00"]
        ),
        token: try Self.serviceToken(stack)
      )
      let expected = Self.expectedNotifications(request: answer.requestId)
      let arrivals = try await FirstNotification(stack: stack, expected: expected, hubs: hubs).waitForArrivals()
      return (answer.requestId, arrivals)
    }
  }

  static func serviceToken(_ stack: BelfryStack, lifetime: Duration = .seconds(3_600)) throws -> String {
    try TokenMinter.mint(
      secret: stack.tokenSecret,
      subject: "belfry-dev",
      roles: [.service],
      lifetime: lifetime
    )
  }

  static func token(of member: Member, _ stack: BelfryStack, lifetime: Duration = .seconds(3_600)) throws -> String {
    try TokenMinter.mint(secret: stack.tokenSecret, subject: member.id, lifetime: lifetime)
  }

  /// The notification's id for each member: it follows from the request's.
  static func expectedNotifications(request: String) -> [String: Member] {
    guard let request = RequestID(request) else { return [:] }
    return Dictionary(
      members.compactMap { member in
        UserID(member.id).map { (NotificationID(request: request, recipient: $0).description, member) }
      }
    ) { $1 }
  }

  private func connect() async throws -> [HubListener] {
    let ports = stack.services(.inapp).map(\.port)
    var hubs: [HubListener] = []
    do {
      for (index, member) in Self.members.enumerated() {
        let hub = try await HubListener.connect(
          port: ports[index % ports.count],
          token: try Self.token(of: member, stack),
          user: member.id
        )
        hubs.append(hub)
      }
      return hubs
    } catch {
      for hub in hubs { hub.close() }
      throw error
    }
  }
}
