public import Broker
public import Postgres
public import Settings

/// What every service reads to reach the database and the broker, and to report how it is.
public struct PartsConfiguration: ServiceConfiguration {
  public var database: PostgresConfiguration
  public var broker: BrokerSettings
  public var health: HealthConfiguration

  /// Reads `database.…`, `broker.…` and `health.…`.
  public init(_ settings: Settings) {
    database = PostgresConfiguration(settings)
    broker = BrokerSettings(settings)
    health = HealthConfiguration(settings)
  }
}
