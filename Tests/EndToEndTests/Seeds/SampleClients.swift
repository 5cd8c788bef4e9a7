import BelfryClient
import Foundation
import LocalStack
import NotificationModel
import TestSupport
import Testing

extension TestStack {
  /// An app's client of this person, who goes to the first in-app node.
  func client(of person: Person, path: String = "/hubs/notifications") throws -> BelfryClient {
    try client(token: person.token, path: path)
  }

  func client(token: String, path: String = "/hubs/notifications") throws -> BelfryClient {
    let node = try #require(stack.services(.inapp).first)
    let gateway = try #require(URL(string: stack.gatewayURL))
    let hub: URL = try #require(URL(string: node.url + path))
    let configuration = BelfryConfiguration(gateway: gateway, hub: hub)
    return BelfryClient(configuration, token: { _ in token })
  }

  /// Says as a service what happened.
  func report(_ name: String, _ payload: String, to person: Person? = nil) async throws {
    let audience = person.map { #""audience":{"users":["\#($0.id)"]},"# } ?? ""
    let body = #"{"name":"\#(name)",\#(audience)"payload":\#(payload)}"#
    _ = try await call("POST", "/api/v1/events", token: try await serviceToken(), body: body).expect(202)
  }
}
