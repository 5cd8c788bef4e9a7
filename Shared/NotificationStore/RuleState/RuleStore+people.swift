public import Foundation
public import NotificationModel
import Postgres

extension RuleStore {
  /// What rules may know of a person.
  public struct Person: Sendable, Equatable {
    /// As the profile has it.
    public var zone: String?
    /// Those that were set, by the names of the catalogue's settings, beside other numbers that are stored.
    public var numbers: [String: Decimal]
    public var displayName: String?

    public init(zone: String? = nil, numbers: [String: Decimal] = [:], displayName: String? = nil) {
      self.zone = zone
      self.numbers = numbers
      self.displayName = displayName
    }
  }

  /// Those of the users who have a profile.
  public func people(_ users: [UserID]) async throws -> [UserID: Person] {
    guard !users.isEmpty else { return [:] }
    return try Self.people(in: try await client.query(Self.people(users)))
  }

  /// The lateral subquery keeps it to index probes: see ``RecipientStore/recipients(for:)``.
  static func people(_ users: [UserID]) -> SQLQuery {
    """
    SELECT u.user_id, u.timezone, u.settings::text AS settings, u.display_name
    FROM unnest(\(users)) AS k(user_id)
      CROSS JOIN LATERAL (SELECT * FROM users WHERE user_id = k.user_id OFFSET 0) u
    """
  }

  static func people(in rows: PostgresResult) throws -> [UserID: Person] {
    var people: [UserID: Person] = [:]
    for row in rows {
      people[try row.get("user_id")] = Person(
        zone: try row.get("timezone"),
        numbers: UserSettings.numbers(in: try row.get("settings")),
        displayName: try row.get("display_name")
      )
    }
    return people
  }
}
