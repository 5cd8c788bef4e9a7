import ConsoleCommands
import Foundation
import LocalStack
import NotificationModel

/// Brings a story's people into a stack, and sends them what it starts with.
struct DemoStart: Sendable {
  let stack: BelfryStack
  let story: DemoStory
  /// Of the people's phones and browsers, which are registered.
  let addresses: DemoAddresses

  /// Makes the people, connects each to the hub, sends to all of them and waits for what arrives.
  ///
  /// - Returns: The request, and one entry a channel; nil where the story has nothing that goes out at once.
  func sendFirstNotification() async throws -> (request: String, arrivals: [ChannelArrival])? {
    try await GatewayClient.using(url: stack.gatewayURL) { gateway in
      let token = try DemoPerson.serviceToken(stack)
      try await GatewayClient.using(url: stack.simulator.url) { simulator in
        let devices = DemoDevices(gateway, simulator: simulator, addresses: addresses)
        try await story.make(devices, serviceToken: token) { try $0.token(stack) }
      }
      guard let request = story.first?.requests(at: Date()).first else { return nil }
      let hubs = try await connect()
      defer { for hub in hubs { hub.close() } }
      let answer = try await gateway.send(request, token: token)
      let first = FirstNotification(
        stack: stack,
        expected: expectedNotifications(request: answer.requestId),
        addresses: addresses,
        channels: story.firstChannels,
        hubs: hubs
      )
      return (answer.requestId, try await first.waitForArrivals())
    }
  }

  /// The notification's id for each person: it follows from the request's.
  private func expectedNotifications(request: String) -> [String: DemoPerson] {
    guard let request = RequestID(request) else { return [:] }
    return Dictionary(
      story.people.compactMap { person in
        person.user.map { (NotificationID(request: request, recipient: $0).description, person) }
      }
    ) { $1 }
  }

  private func connect() async throws -> [HubListener] {
    let ports = stack.services(.inapp).map(\.port)
    var hubs: [HubListener] = []
    do {
      for (index, person) in story.people.enumerated() {
        let hub = try await HubListener.connect(
          port: ports[index % ports.count],
          token: try person.token(stack),
          user: person.id
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
