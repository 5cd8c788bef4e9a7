import ConsoleCommands
import Foundation
import BelfryJSON
import LocalStack
import NotificationModel

/// Waits until a notification has arrived everywhere, as seen by those who receive it: the simulated providers and the hub's
/// clients.
struct FirstNotification: Sendable {
  let stack: BelfryStack
  /// People by the id of their notification.
  let expected: [String: DemoPerson]
  let addresses: DemoAddresses
  /// On which it goes out.
  let channels: Set<Channel>
  let hubs: [HubListener]

  /// Waits half a minute at most.
  func waitForArrivals() async throws -> [ChannelArrival] {
    let clock = ContinuousClock()
    let deadline = clock.now + .seconds(30)
    return try await GatewayClient.using(url: stack.simulator.url) { simulator in
      while true {
        var arrivals: [ChannelArrival] = []
        if channels.contains(.inApp) { arrivals.append(inApp()) }
        if channels.contains(.push) { arrivals.append(try await push(simulator)) }
        if channels.contains(.email) { arrivals.append(try await email(simulator)) }
        if arrivals.allSatisfy(\.isComplete) || clock.now > deadline { return arrivals }
        try await clock.sleep(for: .milliseconds(100))
      }
    }
  }

  private func inApp() -> ChannelArrival {
    var arrival = ChannelArrival(channel: "in-app", expected: expected.count, arrived: [])
    for hub in hubs {
      for notification in hub.received() {
        guard let member = expected[notification.id] else { continue }
        arrival.arrived.append(member.name)
        arrival.example = arrival.example ?? notification.title
      }
    }
    return arrival
  }

  private func push(_ simulator: GatewayClient) async throws -> ChannelArrival {
    var arrival = ChannelArrival(channel: "push", expected: expected.count, arrived: [])
    for (id, member) in expected {
      let answer = try await simulator.call("GET", "/api/\(member.carrier.list)?notificationId=\(id)")
      let pushes = try JSONParser.parse(Array(answer))["pushes"]?.array ?? []
      let address = addresses[member]
      guard pushes.contains(where: { ($0["token"] ?? $0["endpoint"])?.string == address }) else { continue }
      arrival.arrived.append(member.name)
      arrival.example = "accepted by the simulated push services"
    }
    return arrival
  }

  private func email(_ simulator: GatewayClient) async throws -> ChannelArrival {
    struct Mails: Decodable {
      struct Mail: Decodable {
        var subject: String?
        var messageId: String?
      }
      var mails: [Mail]
    }
    var arrival = ChannelArrival(channel: "email", expected: expected.count, arrived: [])
    for (id, member) in expected {
      let answer = try await simulator.call("GET", "/api/mails?to=\(member.email)")
      // The Message-ID is derived from the notification's id, so that a repeated mail can be recognised.
      for mail in try JSONDecoder().decode(Mails.self, from: answer).mails where mail.messageId?.contains(id) == true {
        arrival.arrived.append(member.email)
        arrival.example = arrival.example ?? mail.subject
      }
    }
    return arrival
  }
}
