import Foundation
public import NotificationModel
public import Postgres

/// Typed identifiers travel as `uuid`.
extension Identifier: PostgresEncodable, PostgresArrayElement, PostgresDecodable {
  public static var postgresType: PostgresType { UUID.postgresType }
  public static var postgresArrayType: PostgresType { UUID.postgresArrayType }

  public func encode(into bytes: inout [UInt8]) {
    uuid.encode(into: &bytes)
  }

  public init(from cell: PostgresCell) throws(PostgresError) {
    self.init(try UUID(from: cell))
  }
}
