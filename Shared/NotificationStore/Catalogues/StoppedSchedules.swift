public import NotificationModel
public import Postgres

/// How many stored schedules send nothing because a catalogue does not have their type any more.
///
/// At most ``maximumSchedules`` are looked at, of those that have something to send: where there are more, the numbers are the least
/// that there can be.
public struct StoppedSchedules: Sendable {
  public static let maximumSchedules = 20_000

  private let client: PostgresClient

  public init(client: PostgresClient) {
    self.client = client
  }

  /// The counts, in the order of the lost names.
  public func count(_ lost: [CatalogueDifference.LostNames]) async throws(PostgresError)
    -> [CatalogueDifference.Stopped]
  {
    guard !lost.isEmpty else { return [] }
    return try await count(lost, schedules: Self.maximumSchedules)
  }

  func count(_ lost: [CatalogueDifference.LostNames], schedules: Int) async throws(PostgresError)
    -> [CatalogueDifference.Stopped]
  {
    // A definition says its type as a number, as that in digits, or by name in any case. No name is empty.
    let rows = try await client.query(
      """
      WITH known AS MATERIALIZED (
        SELECT definition FROM schedules WHERE key IS NOT NULL AND next_at IS NOT NULL LIMIT \(schedules + 1)
      ), looked AS MATERIALIZED (
        SELECT lower(definition::json ->> 'type') AS type FROM (SELECT definition FROM known LIMIT \(schedules)) k
      )
      SELECT (SELECT count(*) FROM known)::int8 AS known, (
        SELECT count(*) FROM looked WHERE type = l.code OR type = l.name
      )::int8 AS stopped
      FROM unnest(\(lost.map { $0.code.map(String.init) ?? "" }), \(lost.map { $0.name?.lowercased() ?? "" }))
        WITH ORDINALITY AS l(code, name, place)
      ORDER BY l.place
      """
    )
    var counts: [CatalogueDifference.Stopped] = []
    for row in rows {
      let known: Int = try row.get("known")
      counts.append(.init(count: try row.get("stopped"), isAll: known <= schedules))
    }
    return counts
  }
}
