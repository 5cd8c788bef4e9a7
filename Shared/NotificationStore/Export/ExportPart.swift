import BelfryJSON
import NotificationModel
import Postgres

/// What is exported of one table: a member of the export.
///
/// Its statement answers a page, by ascending keys, of the rows after the one that ended the page before. The rest of the key
/// is compared as a whole, so that each page costs a page.
struct ExportPart: Sendable {
  typealias Page = @Sendable (_ user: UserID, _ after: PostgresRow?, _ limit: Int) throws -> SQLQuery

  /// Of the member.
  let name: String
  /// Whose rows they are.
  let table: String
  /// Columns that are not exported; why stands beside each.
  let leftOut: Set<String>
  /// Nobody has more than one row: the member is an object, or null.
  let isSingle: Bool
  /// Rows that are in memory at once.
  let perPage: Int
  let page: Page
  private let write: @Sendable (inout ExportFields) throws -> Void

  init(
    _ name: String,
    of table: String,
    leftOut: Set<String> = [],
    isSingle: Bool = false,
    perPage: Int = 500,
    page: @escaping Page,
    write: @escaping @Sendable (inout ExportFields) throws -> Void
  ) {
    self.name = name
    self.table = table
    self.leftOut = leftOut
    self.isSingle = isSingle
    self.perPage = perPage
    self.page = page
    self.write = write
  }

  /// One element of the member; nil for a row of which nothing is to be exported.
  func value(
    of row: PostgresRow,
    _ catalogue: Catalogue,
    _ channels: [any RoutingChannel] = Channel.routing
  ) throws -> JSONValue? {
    var fields = ExportFields(row: row, catalogue: catalogue, channels: channels)
    try write(&fields)
    return fields.members.isEmpty ? nil : .object(fields.members)
  }
}
