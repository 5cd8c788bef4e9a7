public import Foundation
public import Postgres

/// What time it is for the database: of all the clocks there are, the one that every service shares.
public struct DatabaseClock: Sendable {
  private let client: PostgresClient

  public init(client: PostgresClient) {
    self.client = client
  }

  public func now() async throws(PostgresError) -> Date? {
    try await client.query("SELECT clock_timestamp()").first?.get(0)
  }
}
