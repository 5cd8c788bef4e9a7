import Authentication
import Foundation
import Hummingbird
import BelfryJSON
import NotificationModel
import NotificationStore
import WallClock

/// `/api/v1/admin/api-keys`: keys for services that have no tokens.
struct APIKeyController {
  let keys: APIKeyStore
  let clock: @Sendable () -> Date

  init(_ dependencies: GatewayDependencies) {
    keys = APIKeyStore(client: dependencies.database)
    clock = dependencies.clock
  }

  var routes: [Route] {
    [
      .post("admin/api-keys", .admin, create),
      .get("admin/api-keys", .admin, list),
      .delete("admin/api-keys/:id", .admin, revoke),
    ]
  }

  /// Answers the key this once.
  func create(_ request: Request, context: GatewayContext) async throws -> Response {
    let input: CreateKey = try await RequestBody.read(of: request)
    let now = clock()
    let key = APIKeyStore.Key(
      id: APIKeyID(NotificationModel.RequestID(now: now).uuid),
      name: input.name,
      scopes: input.scopes.map(\.rawValue),
      createdAt: now
    )
    let text = APIKey.make()
    guard let hash = APIKey.hash(of: text) else { preconditionFailure("a key of our own") }
    try await keys.create(key, hash: hash, by: context.subject, requestID: context.requestID)
    return .json(.created) { writer in
      writer.object { writer in
        key.write(to: &writer)
        writer.field("key", text)
      }
    }
  }

  /// Those that are valid, the newest first.
  func list(_ request: Request, context: GatewayContext) async throws -> Response {
    var query = QueryParameters(request)
    let pageSize = query.integer("pageSize", default: 20, in: 1...100)
    let after: APIKeyID? = query.identifier("after")
    try query.validate()
    let (page, hasMore) = try await keys.list(after: after, limit: pageSize)
    return .json { writer in
      writer.object { writer in
        writer.array("apiKeys") { writer in
          for key in page {
            writer.object { writer in
              key.write(to: &writer)
              writer.field("createdAt", key.createdAt.rfc3339)
              writer.nullableField("lastUsedAt", key.lastUsedAt?.rfc3339)
            }
          }
        }
        writer.field("hasMore", hasMore)
        writer.nullableField("next", hasMore ? page.last?.id.description : nil)
      }
    }
  }

  func revoke(_ request: Request, context: GatewayContext) async throws -> Response {
    let id: APIKeyID = try context.identifier()
    let actor = context.subject
    guard try await keys.revoke(id, at: clock(), by: actor, requestID: context.requestID) else {
      throw Problem.notFound
    }
    return Response(status: .noContent)
  }

  struct CreateKey: FieldReadable {
    let name: String
    let scopes: [Scope]

    init?(_ reader: FieldReader) {
      // A misspelt `scopes` would make a key that may do something else than what was meant.
      reader.refuseUnknown(known: ["name", "scopes"])
      let name = reader.requiredText("name", limit: 200)
      let scopes = reader.optional("scopes", [String].self, expected: "a list of scopes") ?? [Scope.send.rawValue]
      if scopes.isEmpty { reader.problem("scopes", "must not be empty") }
      let known = Scope.allCases.filter { scopes.contains($0.rawValue) }
      if known.count != scopes.count {
        let names = Scope.allCases.map(\.rawValue).joined(separator: ", ")
        reader.problem("scopes", "expected each once of \(names)")
      }
      guard let name else { return nil }
      self.name = name
      self.scopes = known
    }
  }
}

extension APIKeyStore.Key {
  /// Fields of an object that is begun.
  fileprivate func write(to writer: inout JSONWriter) {
    writer.field("id", id.description)
    writer.field("name", name)
    writer.array("scopes") { writer in
      for scope in scopes { writer.string(scope) }
    }
  }
}
