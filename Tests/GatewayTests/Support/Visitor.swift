import Authentication
import Foundation
import HTTPTypes
import NotificationModel
import Testing

@testable import Gateway

/// Somebody at the gateway's door.
struct Visitor: Sendable {
  enum Kind: Equatable {
    /// With nothing, or with what is worth nothing.
    case nobody
    /// With a token and a key at once.
    case twoFaced
    case user, service, admin
    case key(Set<Scope>)
  }

  /// What a route answers before it asks what is wanted.
  enum Verdict {
    case welcome, unknown, unclear, refused
  }

  let name: String
  let kind: Kind
  let caller: Caller?
  let headers: HTTPFields

  private init(_ name: String, _ kind: Kind, _ caller: Caller) {
    (self.name, self.kind, self.caller, headers) = (name, kind, caller, caller.headers)
  }

  private init(_ name: String, _ headers: HTTPFields, _ kind: Kind = .nobody) {
    (self.name, self.kind, caller, self.headers) = (name, kind, nil, headers)
  }

  /// What the table of routes says.
  func verdict(_ access: Access) -> Verdict {
    switch (access, kind) {
    case (.open, _): .welcome
    case (_, .nobody): .unknown
    case (_, .twoFaced): .unclear
    case (.user, .user), (.service, .service), (.service, .admin), (.admin, .admin): .welcome
    case (.service(let scope), .key(let scopes)): scopes.contains(scope) ? .welcome : .refused
    case (.user, _), (.service, _), (.admin, _): .refused
    }
  }

  /// One of everybody.
  static func everybody(_ gateway: TestGateway) async throws -> [Visitor] {
    var all = try await strangers(gateway)
    all.append(Visitor("user", .user, try await .user()))
    all.append(Visitor("service", .service, try await .service()))
    all.append(Visitor("admin", .admin, try await .service("ops", role: .admin)))
    // One for each scope, and one with all of them.
    for scopes in Scope.allCases.map({ Set([$0]) }) + [Set(Scope.allCases)] {
      let (id, key) = try await gateway.key(scopes)
      let name = scopes.map(\.rawValue).sorted().joined(separator: " and ")
      all.append(Visitor("key to \(name)", .key(scopes), Caller(key: key, id: id)))
    }
    return all
  }

  /// Whom no route knows.
  private static func strangers(_ gateway: TestGateway) async throws -> [Visitor] {
    func bearer(_ token: String) -> HTTPFields { [.authorization: "Bearer \(token)"] }
    // What would open every door, if it were worth anything.
    func mint(_ secret: String, now: Date = .now) async throws -> String {
      try TokenMinter.mint(
        secret: secret,
        subject: UUID().uuidString,
        roles: [.user, .service, .admin],
        now: now
      )
    }
    let valid = try await mint(TestGateway.secret)
    let parts = valid.split(separator: ".").map(String.init)
    let forged = Data(#"{"alg":"none","typ":"JWT"}"#.utf8).base64EncodedString().filter { $0 != "=" }
    let revoked = try await gateway.key(Set(Scope.allCases))
    _ = try await gateway.call(
      .delete,
      "/api/v1/admin/api-keys/\(revoked.id)",
      as: .service("ops", role: .admin)
    ).expect(.noContent)
    let known = try await gateway.key(Set(Scope.allCases))
    return [
      Visitor("nobody", [:]),
      Visitor("another scheme", [.authorization: "Basic b3BzOm9wcw=="]),
      Visitor("no token", [.authorization: "Bearer"]),
      Visitor("malformed token", bearer("no.such.token")),
      Visitor("unsigned token", bearer("\(parts[0]).\(parts[1]).")),
      Visitor("token that needs no signature", bearer("\(forged).\(parts[1]).")),
      Visitor("expired token", bearer(try await mint(TestGateway.secret, now: .now - 86_400))),
      Visitor("token of another secret", bearer(try await mint("another secret of thirty-two bytes"))),
      Visitor("malformed key", [.apiKey: "belfry_no"]),
      Visitor("unknown key", [.apiKey: "belfry_" + String(repeating: "x", count: 43)]),
      Visitor("revoked key", [.apiKey: revoked.key]),
      Visitor("token and key", [.authorization: "Bearer \(valid)", .apiKey: known.key], .twoFaced),
    ]
  }
}
