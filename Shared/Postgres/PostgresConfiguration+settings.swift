public import Settings

extension PostgresConfiguration: ServiceConfiguration {
  /// Reads `database.…`.
  public init(_ settings: Settings) {
    let url = settings.string(
      "database.url",
      default: nil,
      "PostgreSQL as a libpq URI, e.g. postgresql://belfry:password@db1,db2/belfry?target_session_attrs=read-write.",
      isSecret: true
    )
    let connections = settings.integer(
      "database.connections",
      default: 4,
      in: 1...64,
      "Connections each service keeps open; callers share them."
    )
    let queryTimeout = settings.duration(
      "database.queryTimeout",
      default: .seconds(30),
      // RabbitMQ wants each message back within 30 min, and a statement that times out is tried again before.
      in: .seconds(1) ... .seconds(600),
      "How long one statement may run."
    )
    self.init(url: url, connections: connections, queryTimeout: queryTimeout)
  }
}
