import BelfryClientTesting
import Foundation
import Testing

@testable import BelfryClient

/// What an app hears when there is no token that the server takes.
@MainActor
struct UserRefusalTests {
  private let clock = TestClock()

  @Test(arguments: [false, true]) func `why the server refuses a user comes once`(isRenewed: Bool) async throws {
    let problem = #"{"type":"urn:belfry:problem:unauthorized","title":"No","detail":"The token has expired."}"#
    let http = ScriptedHTTP { _ in HTTPResponse(401, json: problem) }
    let configuration = try testConfiguration(http, clock: clock)
    let errors = await errors(BelfryClient(configuration) { isRenewed ? "token for \($0)" : "token" })
    #expect(errors.map(\.description) == ["unauthorized (401): The token has expired."])
  }

  @Test func `that nobody is signed in comes once`() async throws {
    let http = ScriptedHTTP { _ in HTTPResponse(503, json: "{}") }
    let configuration = try testConfiguration(http, clock: clock)
    let errors = await errors(BelfryClient(configuration) { _ in throw BelfryError(.unauthorized) })
    #expect(errors.map(\.code).filter { $0 != .unavailable } == [.unauthorized])
  }

  /// Until the client has given up.
  private func errors(_ client: BelfryClient) async -> [BelfryError] {
    let stream = client.errors
    let center = NotificationCenterModel(client)
    #expect(await client.state == .disconnected)
    await client.connect()
    #expect(await clock.advance { await client.state == .unauthorized && center.error?.code == .unauthorized })
    await clock.advance(by: .seconds(600))
    await client.signOut()
    var errors: [BelfryError] = []
    for await error in stream { errors.append(error) }
    return errors
  }
}
