import Foundation
import BelfryJSON
import NotificationModel
import NotificationStore
import Postgres
import Testing

/// An export, as its reader gets it.
struct ExportedUser {
  let json: JSONValue
  let text: String

  /// - Parameter handed: Is given each piece before the next is read.
  init(_ user: UserID, _ client: PostgresClient, handed: () async throws -> Void = {}) async throws {
    var bytes: [UInt8] = []
    try await Self.write(user, client) { piece in
      bytes += piece
      try await handed()
    }
    json = try JSONParser.parse(bytes)
    text = String(decoding: bytes, as: UTF8.self)
  }

  static func write(_ user: UserID, _ client: PostgresClient, to send: ([UInt8]) async throws -> Void) async throws {
    let exports = ExportStore(client: client, catalogue: try Catalogue())
    var export = try await exports.begin(user, at: .now)
    while let piece = try await export.next() { try await send(piece) }
  }

  subscript(_ name: String) -> [JSONValue] { json[name]?.array ?? [] }
}
