import Authentication
import ConsoleCommands
import Foundation
import JSON
import LocalStack
import NotificationModel
import Transport

/// The catalogue that a stack's gateways have in force, as an admin sees and changes it.
struct CatalogueInGateway: Sendable {
  /// As of `PUT /api/v1/admin/catalogue`.
  struct Version: Decodable, Sendable, Equatable {
    struct Change: Decodable, Sendable, Equatable {
      let text: String
    }

    let version: Int
    let changes: [Change]
  }

  /// Why the gateway did not take a file.
  struct Refusal: Error, CustomStringConvertible {
    let description: String
  }

  private static let path = "/api/v1/admin/catalogue"

  /// Of a gateway.
  let url: String
  /// An admin's.
  let token: String

  init(url: String, token: String) {
    self.url = url
    self.token = token
  }

  init(_ stack: BelfryStack) throws {
    url = stack.gatewayURL
    token = try TokenMinter.mint(secret: stack.tokenSecret, subject: "belfry-dev", roles: [.admin])
  }

  /// Makes a file the version in force; one that is in force already stays as it is.
  func apply(_ file: CatalogueFile) async throws -> Version {
    let answer = try await call("PUT", body: Array(file.text.utf8))
    guard answer.status == 200 else { throw Refusal(description: Self.reason(answer, file.path)) }
    return try JSONDecoder().decode(Version.self, from: Data(answer.body))
  }

  /// The text of the version in force; nil where none was applied yet.
  func text() async throws -> String? {
    let answer = try await call("GET")
    // Version 0 is the built-in catalogue.
    guard answer.status == 200, answer.headers.first("ETag") != "\"0\"" else { return nil }
    return String(decoding: answer.body, as: UTF8.self)
  }

  private func call(_ method: String, body: [UInt8] = []) async throws -> HTTPResponse {
    var configuration = HTTPClientConfiguration()
    configuration.maximumResponseBody = 4 * CatalogueFile.maximumBytes
    let client = HTTPClient(configuration: configuration, logger: .quiet)
    var headers = [(name: "Authorization", value: "Bearer \(token)"), (name: "Accept", value: "application/yaml")]
    if !body.isEmpty { headers = [headers[0], (name: "Content-Type", value: "application/yaml")] }
    let outcome: Result<HTTPResponse, TransportError>
    do throws(TransportError) {
      outcome = .success(
        try await client.send(HTTPRequest(method: method, url: url + Self.path, headers: headers, body: body))
      )
    } catch {
      outcome = .failure(error)
    }
    await client.close()
    return try outcome.get()
  }

  /// Each problem with its place, as editors and compilers show it.
  private static func reason(_ answer: HTTPResponse, _ file: String) -> String {
    let problem = try? JSONParser.parse(answer.body)
    let lines = (problem?["problems"]?.array ?? problem?["errors"]?.array ?? []).map { one in
      let place = [one["line"]?.integer, one["column"]?.integer].compactMap { $0.map { ":\($0)" } }.joined()
      let path = (one["path"] ?? one["field"])?.string.map { "\($0): " } ?? ""
      return "\(file)\(place): \(path)\(one["message"]?.string ?? "")"
    }
    let detail = problem?["detail"]?.string ?? problem?["title"]?.string ?? "no reason given"
    return (["The gateway refused \(file) with \(answer.status): \(detail)"] + lines).joined(separator: "\n")
  }
}
