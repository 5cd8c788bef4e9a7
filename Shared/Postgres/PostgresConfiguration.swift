import CPostgreSQL

/// How a `PostgresClient` reaches its server and how much it lets wait.
public struct PostgresConfiguration: Sendable {
  /// A libpq URI or keyword string, e.g. `postgresql://belfry@db1:5432,db2:5432/belfry?target_session_attrs=read-write`.
  ///
  /// Several hosts are tried in order. TLS follows libpq's `sslmode`, `sslrootcert` and so on. Never printed: it may hold
  /// a password.
  public var url: String
  /// Connections kept open. Default 4. Callers share them; `withTransaction` borrows one, and one always stays shared
  /// (unless there is only one).
  public var connections: Int
  /// Callers that may wait on one connection. Default 1,024. Above it callers get `.overloaded`.
  public var maximumWaiting: Int
  /// How long one host may take to answer a connection attempt (libpq counts whole seconds, at least 2), and how long a
  /// caller waits while no connection is usable. Default 5 s.
  public var connectTimeout: Duration
  /// How long one statement may run. Default 30 s.
  ///
  /// The server enforces it (`statement_timeout`), so that a slow statement spoils only itself. A caller who has no answer
  /// `timeoutGrace` later gets `.timeout` too; its connection is given up, because everybody behind it is stuck.
  public var queryTimeout: Duration
  /// Shown in `pg_stat_activity`.
  public var applicationName: String

  /// What a caller waits beyond `queryTimeout` before it gives up a server that does not even time out.
  static let timeoutGrace: Duration = .seconds(1)

  public init(
    url: String,
    connections: Int = 4,
    maximumWaiting: Int = 1_024,
    connectTimeout: Duration = .seconds(5),
    queryTimeout: Duration = .seconds(30),
    applicationName: String = "belfry"
  ) {
    self.url = url
    self.connections = connections
    self.maximumWaiting = maximumWaiting
    self.connectTimeout = connectTimeout
    self.queryTimeout = queryTimeout
    self.applicationName = applicationName
  }

  /// Throws `.invalidConfiguration` if the URL is malformed or a number makes no sense.
  public func validate() throws(PostgresError) {
    guard connections > 0, maximumWaiting > 0, connectTimeout > .zero, queryTimeout > .zero else {
      throw PostgresError(.invalidConfiguration, "connections, bounds and timeouts must be positive")
    }
    _ = try parameters()
  }

  /// libpq's connection parameters, in the order in which later ones win.
  func parameters() throws(PostgresError) -> [(key: String, value: String)] {
    let options = [
      "-c TimeZone=UTC", "-c statement_timeout=\(queryTimeout.wholeMilliseconds)",
      // A process that stands still within a transaction keeps its locks no longer than this.
      "-c idle_in_transaction_session_timeout=10000",
      // Otherwise the server plans again whatever takes arrays, at each call: of a send alone, longer than it then runs.
      "-c plan_cache_mode=force_generic_plan", try optionsOfURL(),
    ]
    return [
      ("application_name", applicationName),
      ("connect_timeout", String(max(2, (connectTimeout.wholeMilliseconds + 999) / 1_000))),
      // A peer that vanished without a word is noticed even while nobody waits for an answer.
      ("keepalives_idle", "30"), ("keepalives_interval", "10"), ("keepalives_count", "3"),
      ("tcp_user_timeout", String(queryTimeout.wholeMilliseconds)),
      ("dbname", url),
      ("client_encoding", "UTF8"),
      ("options", options.filter { !$0.isEmpty }.joined(separator: " ")),
    ]
  }

  /// The `options` of the URL: ours go before them, so that the URL's win.
  private func optionsOfURL() throws(PostgresError) -> String {
    var message: UnsafeMutablePointer<CChar>?
    guard let parsed = PQconninfoParse(url, &message) else {
      PQfreemem(message)  // it may quote the URL with its password
      throw PostgresError(.invalidConfiguration, "the connection URL is malformed")
    }
    defer { PQconninfoFree(parsed) }
    var option = parsed
    while let keyword = option.pointee.keyword {
      if String(cString: keyword) == "options" {
        return option.pointee.val.map { String(cString: $0) } ?? ""
      }
      option += 1
    }
    return ""
  }
}

extension Duration {
  /// Rounded down, at least 1.
  var wholeMilliseconds: Int {
    let parts = components
    return max(1, Int(parts.seconds) * 1_000 + Int(parts.attoseconds / 1_000_000_000_000_000))
  }
}
