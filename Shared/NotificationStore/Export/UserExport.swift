import Foundation
import BelfryJSON
import NotificationModel
import Postgres
import WallClock

/// An export that is begun: a JSON object with a member for each kind of data, whose last member, `isComplete`, says that nothing
/// is missing.
///
/// Each page is read by itself: what changes meanwhile is as it was when its page was read. One page is in memory at a time.
public struct UserExport: Sendable {
  /// Bytes of a piece; a row more is in it.
  private static let pieceSize = 32 << 10

  private let user: UserID
  private let client: PostgresClient
  private let catalogue: Catalogue
  private let channels: [any RoutingChannel]
  /// The part that is written, and those behind it.
  private var parts = ExportStore.parts[...]
  /// The part's page; nil before its first.
  private var page: PostgresResult?
  /// Rows of the page that are written.
  private var written = 0
  /// Whether something of the part is written.
  private var hasElements = false
  private var isDone = false
  /// What is not handed on yet.
  private var bytes: [UInt8]

  /// - Parameter name: The user's id as it came.
  init(
    user: UserID,
    called name: String,
    client: PostgresClient,
    catalogue: Catalogue,
    channels: [any RoutingChannel],
    at now: Date
  ) {
    self.user = user
    self.client = client
    self.catalogue = catalogue
    self.channels = channels
    bytes = Array(#"{"userId":\#(JSONWriter.text(.string(name))),"exportedAt":"\#(now.rfc3339)""#.utf8)
  }

  /// Its next piece, of some 32 KiB; nil after the last. Where this fails, there is no more of it, and so no end.
  public mutating func next() async throws -> [UInt8]? {
    if isDone { return nil }
    while bytes.count < Self.pieceSize {
      if let page, written < page.count {
        try write(page[written])
        written += 1
      } else if try await !turnPage() {
        bytes += Array(#","isComplete":true}"#.utf8)
        isDone = true
        break
      }
    }
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }

  /// Reads the part's next page, or the next part's first.
  ///
  /// - Returns: False after the last part.
  mutating func turnPage() async throws -> Bool {
    let statement: SQLQuery
    if let following = try following() {
      statement = following
    } else {
      close()
      guard let part = parts.first else { return false }
      bytes += Array(#","\#(part.name)":\#(part.isSingle ? "" : "[")"#.utf8)
      hasElements = false
      statement = try part.page(user, nil, part.perPage)
    }
    // Two were in memory otherwise.
    page = nil
    page = try await client.query(statement, planned: .alongIndexes)
    written = 0
    return true
  }

  /// The page after this one; nil after the part's last, and before its first.
  private func following() throws -> SQLQuery? {
    guard let part = parts.first, let page, page.count == part.perPage else { return nil }
    return try part.page(user, page.last, part.perPage)
  }

  /// Ends the part that is written, if one is.
  private mutating func close() {
    guard let part = parts.first, page != nil else { return }
    if !part.isSingle {
      bytes.append(UInt8(ascii: "]"))
    } else if !hasElements {
      bytes += Array("null".utf8)
    }
    page = nil
    parts.removeFirst()
  }

  private mutating func write(_ row: PostgresRow) throws {
    guard let part = parts.first, let value = try part.value(of: row, catalogue, channels) else { return }
    if hasElements { bytes.append(UInt8(ascii: ",")) }
    hasElements = true
    var writer = JSONWriter()
    writer.value(value)
    bytes += writer.bytes
  }
}
