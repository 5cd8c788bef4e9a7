import ConsoleCommands
import Foundation
import BelfryJSON

/// The troubles that switches make at the simulated providers.
struct SimulatorFaults: Sendable {
  let simulator: GatewayClient
  let story: DemoStory
  let addresses: DemoAddresses

  /// Makes the trouble of a switch.
  ///
  /// - Returns: By which it is undone; nil for a switch that makes none there.
  func make(_ trouble: DemoSwitch) async throws -> Int? {
    struct Made: Decodable { var id: Int }
    guard let body = body(of: trouble) else { return nil }
    let answer = try await simulator.call("POST", "/api/faults") { writer in writer.raw(body) }
    return try JSONDecoder().decode(Made.self, from: answer).id
  }

  /// Undoes it; that it is gone already is fine.
  func remove(_ id: Int) async throws {
    do {
      try await simulator.call("DELETE", "/api/faults/\(id)")
    } catch let refusal as GatewayRefusal where refusal.status == 404 {
      // A simulator that was started anew has no troubles.
    }
  }

  private func body(of trouble: DemoSwitch) -> String? {
    switch trouble {
    case .fcmDown, .apnsDown, .webPushDown:
      trouble.carrier.map { #"{"match":{"channel":"\#($0.faultChannel)"},"effect":{"kind":"unavailable"}}"# }
    case .slowMail: #"{"match":{"channel":"email"},"effect":{"kind":"latency","milliseconds":5000}}"#
    case .phoneGone:
      story.person(of: trouble).map { person in
        let match = #"{"channel":"\#(person.carrier.faultChannel)","token":"\#(addresses[person])"}"#
        return #"{"match":\#(match),"effect":{"kind":"unregistered"}}"#
      }
    case .killPush, .night, .reading: nil
    }
  }
}
