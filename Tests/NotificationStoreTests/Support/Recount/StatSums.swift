import Postgres
import Testing
import WallClock

/// Counts by day, type and channel: those of the table `stats`, or those of somebody who counts again.
struct StatSums {
  struct Place: Hashable, Comparable {
    /// In days since 1970-01-01, UTC.
    var day: Int
    /// 0 is none.
    var type: Int
    /// 0 is the notification.
    var channel: Int

    static func < (left: Place, right: Place) -> Bool {
      (left.day, left.type, left.channel) < (right.day, right.type, right.channel)
    }
  }

  /// The columns of `stats`.
  enum Column: String, CaseIterable {
    case sent, delivered, failed, displayed, opened, acted, unsubscribed, asked, granted, denied
  }

  private var counts: [Place: [Column: Int]] = [:]

  init() {}

  /// - Parameter rows: With `day`, `type` and `channel`, and these columns.
  init(_ rows: PostgresResult, _ columns: [Column]) throws {
    for row in rows {
      let place = Place(day: try row.get("day"), type: try row.get("type"), channel: try row.get("channel"))
      for column in columns { add(try row.get(column.rawValue), to: column, at: place) }
    }
  }

  mutating func add(_ count: Int = 1, to column: Column, at place: Place) {
    counts[place, default: [:]][column, default: 0] += count
  }

  static func + (left: StatSums, right: StatSums) -> StatSums {
    var sums = left
    for (place, columns) in right.counts {
      for (column, count) in columns { sums.add(count, to: column, at: place) }
    }
    return sums
  }

  /// Of all places.
  func sum(_ column: Column) -> Int { counts.values.reduce(0) { $0 + ($1[column] ?? 0) } }

  /// In words, one for each place at which something was counted, in order.
  var lines: [String] {
    counts.sorted { $0.key < $1.key }.compactMap { place, columns in
      let words = Column.allCases.compactMap { column in
        columns[column].flatMap { $0 == 0 ? nil : "\($0) \(column)" }
      }
      guard !words.isEmpty else { return nil }
      let day = LocalDate(dayNumber: place.day)
      return "\(day), type \(place.type), channel \(place.channel): \(words.joined(separator: ", "))"
    }
  }

  /// The table's.
  static func counted(_ client: PostgresClient) async throws -> StatSums {
    let rows = try await client.query(
      """
      SELECT day - date '1970-01-01' AS day, type, channel, sum(sent)::int8 AS sent, sum(delivered)::int8 AS delivered,
        sum(failed)::int8 AS failed, sum(displayed)::int8 AS displayed, sum(opened)::int8 AS opened, sum(acted)::int8 AS acted,
        sum(unsubscribed)::int8 AS unsubscribed, sum(asked)::int8 AS asked, sum(granted)::int8 AS granted,
        sum(denied)::int8 AS denied
      FROM stats GROUP BY 1, 2, 3
      """
    )
    return try StatSums(rows, Column.allCases)
  }
}
