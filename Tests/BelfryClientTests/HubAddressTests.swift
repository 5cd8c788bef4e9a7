import BelfryClientTesting
import Foundation
import Testing

@testable import BelfryClient

struct HubAddressTests {
  private let accepted =
    #"{"negotiateVersion":1,"connectionId":"a","connectionToken":"t/1","availableTransports":[{"transport":"WebSockets"},{"transport":"ServerSentEvents"}]}"#

  private func negotiate(_ http: ScriptedHTTP) async throws -> HubAddress {
    let store = TokenStore({ _ in "token" }, clock: TestClock(), limit: .seconds(30))
    let hub = try #require(URL(string: "https://hub.test/hubs/notifications/?x=1"))
    return try await HubAddress.negotiate(hub, by: RESTClient(try testConfiguration(http), tokens: store))
  }

  @Test func `a hub gives a connection's token and its transports`() async throws {
    let accepted = accepted
    let http = ScriptedHTTP { _ in HTTPResponse(json: accepted) }
    let address = try await negotiate(http)
    #expect(
      http.sent.first?.url.absoluteString == "https://hub.test/hubs/notifications/negotiate?x=1&negotiateVersion=1"
    )
    #expect(http.sent.first?.method == "POST")
    #expect(http.sent.first?.token == "token")
    #expect(address.url.absoluteString == "https://hub.test/hubs/notifications?x=1&id=t%2F1")
    #expect(address.transports == ["WebSockets", "ServerSentEvents"])
    #expect(address.bearer == .user)
  }

  @Test func `it follows the hub, with the token of there`() async throws {
    let accepted = accepted
    let http = ScriptedHTTP { request in
      request.url.host() == "hub.test"
        ? HTTPResponse(json: #"{"url":"https://other.test/hub","accessToken":"given"}"#) : HTTPResponse(json: accepted)
    }
    let address = try await negotiate(http)
    #expect(http.sent.map(\.token) == ["token", "given"])
    #expect(address.url.absoluteString == "https://other.test/hub?id=t%2F1")
    #expect(address.bearer == .other("given"))
  }

  @Test func `it does not follow for ever`() async throws {
    let http = ScriptedHTTP { _ in HTTPResponse(json: #"{"url":"/hubs/notifications"}"#) }
    let error = await #expect(throws: BelfryError.self) { try await negotiate(http) }
    #expect(error?.code == .unavailable)
    #expect(http.sent.count == 6)
  }

  @Test func `a hub that refuses says why`() async throws {
    let http = ScriptedHTTP { _ in HTTPResponse(json: #"{"error":"full"}"#) }
    let error = await #expect(throws: BelfryError.self) { try await negotiate(http) }
    #expect(error?.detail == "full")
  }

  @Test(arguments: ["[]", "{}", #"{"connectionToken":"t"}"#, "<html>"])
  func `an answer of somebody else is malformed`(body: String) async throws {
    let http = ScriptedHTTP { _ in HTTPResponse(json: body) }
    let error = await #expect(throws: BelfryError.self) { try await negotiate(http) }
    #expect(error?.code == .malformed)
  }
}
