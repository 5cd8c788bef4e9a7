import Authentication
import ConsoleCommands
import Foundation
import LocalStack
import NotificationModel
import Transport

/// The catalogue that gateways have in force, as an admin sees and changes it.
struct CatalogueInGateway: Sendable {
  /// As of `PUT /api/v1/admin/catalogue`.
  struct Version: Decodable, Sendable, Equatable {
    struct Change: Decodable, Sendable, Equatable {
      let text: String
    }

    let version: Int
    let changes: [Change]
  }

  /// What is in force, and what it is told apart by.
  struct InForce: Sendable, Equatable {
    /// The ETag.
    let tag: String?
    /// The operator's file; nil where none was applied yet.
    let text: String?

    /// With the built-in entries, where the file leaves them.
    func catalogue() throws(CatalogueError) -> Catalogue {
      try Catalogue(overrides: text)
    }
  }

  /// Why the gateway did not take a file.
  struct Refusal: Error, CustomStringConvertible {
    let description: String
  }

  private static let path = "/api/v1/admin/catalogue"
  /// Version 0 is the built-in catalogue.
  private static let none = "\"0\""

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
    do {
      let content = (type: "application/yaml", bytes: Array(file.text.utf8))
      let answer = try await using { try await $0.exchange("PUT", Self.path, content: content) }
      return try JSONDecoder().decode(Version.self, from: Data(answer.body))
    } catch let refusal as GatewayRefusal {
      let problems = refusal.fileProblems(as: CatalogueProblem.self)
      guard !problems.isEmpty else { throw refusal }
      let lines = problems.map { $0.line(in: file.path) }
      throw Refusal(
        description: (["The gateway refused \(file.path) with \(refusal.status):"] + lines).joined(separator: "\n")
      )
    }
  }

  /// What is in force now.
  ///
  /// - Throws: Whatever the gateway answers but that: who cannot know plays nothing.
  func inForce() async throws -> InForce {
    let accept = [(name: "Accept", value: "application/yaml")]
    let answer = try await using { try await $0.exchange("GET", Self.path, headers: accept) }
    return Self.inForce(answer.body, answer.tag)
  }

  /// What is in force where that is another than what has the tag; nil where it is the same, or the gateway does not say.
  func change(from tag: String?, _ gateway: GatewayClient) async throws -> InForce? {
    let condition = tag.map { [(name: "If-None-Match", value: $0)] } ?? []
    let accept = [(name: "Accept", value: "application/yaml")]
    let answer = try await gateway.answer("GET", Self.path, token: token, headers: accept + condition)
    guard answer.status == 200 else { return nil }
    return Self.inForce(answer.body, answer.headers.first("ETag"))
  }

  private static func inForce(_ body: [UInt8], _ tag: String?) -> InForce {
    InForce(tag: tag, text: tag == none ? nil : String(decoding: body, as: UTF8.self))
  }

  private func using<Result>(_ body: (GatewayClient) async throws -> Result) async throws -> Result {
    try await GatewayClient.using(url: url, token: token, body)
  }
}
