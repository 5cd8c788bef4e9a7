public import NotificationModel
public import Postgres

/// How many people a default counts for: they chose nothing for the type, nor for its category.
///
/// People are those with a profile. At most ``maximumPeople`` are looked at, those with the lowest ids: random ones where ids are random,
/// the oldest where ids begin with a time (UUIDv7), so the answer says who they are. It takes a second at most, however many people there are.
public struct UndecidedPeople: Sendable {
  public static let maximumPeople = 10_000
  /// Flips of defaults that one answer counts; of a catalogue that flips more, the rest is not counted.
  public static let maximumFlips = 20

  private let client: PostgresClient

  public init(client: PostgresClient) {
    self.client = client
  }

  /// The counts of the first ``maximumFlips`` flips, in their order. Of a flip of several types, those people count for whom one of
  /// them flips.
  public func count(_ flips: [CatalogueDifference.DefaultFlip]) async throws(PostgresError)
    -> [CatalogueDifference.Undecided]
  {
    let flips = Array(flips.prefix(Self.maximumFlips))
    guard !flips.isEmpty else { return [] }
    let rows = try await client.query(
      Self.counts(flips, people: Self.maximumPeople),
      planned: .alongIndexes
    )
    var counts: [CatalogueDifference.Undecided] = []
    for row in rows {
      let people: Int = try row.get("people")
      counts.append(
        .init(
          count: try row.get("undecided"),
          people: min(people, Self.maximumPeople),
          isAll: people <= Self.maximumPeople
        )
      )
    }
    return counts
  }

  /// One row for each flip, in their order. `people` is one more than is looked at where there are more.
  static func counts(_ flips: [CatalogueDifference.DefaultFlip], people: Int) -> SQLQuery {
    let types = flips.enumerated().flatMap { place, flip in flip.types.map { (place: place, type: $0) } }
    return """
      WITH known AS MATERIALIZED (
        SELECT user_id FROM users ORDER BY user_id LIMIT \(people + 1)
      ), people AS MATERIALIZED (
        SELECT user_id FROM known ORDER BY user_id LIMIT \(people)
      ), flips AS (
        SELECT * FROM unnest(\(Array(flips.indices)), \(flips.map(\.category)), \(flips.map(\.mask)))
          AS f(place, category, mask)
      ), types AS (
        SELECT * FROM unnest(\(types.map(\.place)), \(types.map { Int16($0.type) })) AS t(place, type)
      )
      SELECT (SELECT count(*) FROM known)::int8 AS people, (
        SELECT count(*) FROM people p
        WHERE NOT EXISTS (
          SELECT FROM (
            SELECT \(unescaped: ChannelChoices.categoryMasks) FROM category_preferences c
            WHERE c.user_id = p.user_id AND c.category = f.category OFFSET 0
          ) chosen WHERE chosen.chosen_channels & f.mask <> 0
        ) AND EXISTS (
          SELECT FROM types t WHERE t.place = f.place AND NOT EXISTS (
            SELECT FROM (
              SELECT \(unescaped: ChannelChoices.typeMasks) FROM preferences q
              WHERE q.user_id = p.user_id AND q.type = t.type OFFSET 0
            ) chosen WHERE chosen.chosen_channels & f.mask <> 0
          )
        )
      )::int8 AS undecided
      FROM flips f ORDER BY f.place
      """
  }
}

extension CatalogueDifference.DefaultFlip {
  /// As `chosen_channels` has it.
  fileprivate var mask: Int64 {
    var choices = ChannelChoices()
    choices[channel] = true
    return choices.chosenMask
  }
}
