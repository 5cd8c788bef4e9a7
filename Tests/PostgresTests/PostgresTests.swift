import Testing

/// Everything that needs a server: one at a time for all tests, which run one after the other because some of them kill it.
@Suite(.postgresServer, .serialized) enum PostgresTests {}
