/// What comes of a request.
enum PostgresAnswer: Sendable {
  case result(PostgresResult)
  case results([PostgresResult])
  case failure(PostgresError)
  /// The connection was gone, or somebody else's, before anything was sent: another one may take the request.
  case notSent

  /// The result of a request of one statement.
  func result() throws(PostgresError) -> PostgresResult {
    if case .result(let result) = self { return result }
    guard let first = try results().first else { throw PostgresError(.connectionLost) }
    return first
  }

  /// The results of a request of several statements, one each.
  func results() throws(PostgresError) -> [PostgresResult] {
    switch self {
    case .result(let result): return [result]
    case .results(let results): return results
    case .failure(let error): throw error
    case .notSent: throw PostgresError(.connectionLost)
    }
  }
}
