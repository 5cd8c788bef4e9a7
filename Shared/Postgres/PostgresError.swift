public import Retrying

/// What went wrong between a caller and PostgreSQL.
///
/// `description` is safe to log and to show: it holds no parameter values, no row contents and no password.
/// `debugDescription` adds the server's own words, which may quote values.
public struct PostgresError: TransienceReporting, Sendable {
  /// The kinds of failure, each with its own remedy.
  public enum Code: Sendable, Hashable {
    /// The server refused the statement. SQLSTATE as in PostgreSQL's appendix A.
    case server(sqlState: String)
    /// The connection went away before the answer came: the statement may or may not have been carried out.
    case connectionLost
    /// No connection could be made in time. Nothing was sent.
    case cannotConnect
    /// Too many callers are waiting already. Nothing was sent.
    case overloaded
    /// No answer within the query timeout: the statement may or may not have been carried out.
    case timeout
    /// The waiting task was cancelled: the statement may or may not have been carried out.
    case cancelled
    /// A value does not have the type that was asked for, or the column does not exist.
    case decoding
    /// The client is shutting down, or the transaction's scope has ended.
    case closed
    /// The statement cannot be sent: too many parameters, or COPY.
    case invalidQuery
    /// The configuration cannot work.
    case invalidConfiguration
    /// A migration was refused or failed.
    case migration
  }

  /// What kind of failure it is.
  public let code: Code
  /// Whether the same work may succeed later without anything being changed.
  public let isTransient: Bool
  public var hasTimedOut: Bool { code == .timeout }
  public var isCancelled: Bool { code == .cancelled }
  /// The constraint that the statement violated, if that is what happened.
  public var constraint: String? { report?.constraint }

  private let reason: String?
  private let report: PostgresServerReport?

  @usableFromInline init(_ code: Code, _ reason: String? = nil) {
    self.init(code: code, isTransient: code.isTransient, reason: reason, report: nil)
  }

  /// A value that is not what its column promises; `reason` must hold nothing of the value.
  public static func decoding(_ reason: String) -> PostgresError { PostgresError(.decoding, reason) }

  init(_ report: PostgresServerReport) {
    let code = report.code
    self.init(
      code: code,
      isTransient: code.isTransient || report.isStalePlan,
      reason: nil,
      report: report
    )
  }

  private init(code: Code, isTransient: Bool, reason: String?, report: PostgresServerReport?) {
    self.code = code
    self.isTransient = isTransient
    self.reason = reason
    self.report = report
  }

  /// The same failure with the place where it happened put in front of its reason.
  @usableFromInline func at(_ place: String, as code: Code? = nil) -> PostgresError {
    PostgresError(
      code: code ?? self.code,
      isTransient: isTransient,
      reason: "\(place): \(reason ?? self.summary)",
      report: report
    )
  }

  private var summary: String {
    var text = code.summary
    if let report {
      if code != .server(sqlState: report.sqlState) { text += " (SQLSTATE \(report.sqlState))" }
      if let table = report.table { text += ", table \(table)" }
      if let constraint = report.constraint { text += ", constraint \(constraint)" }
    }
    return text
  }
}

extension PostgresError: CustomStringConvertible, CustomDebugStringConvertible {
  public var description: String {
    reason.map { $0.hasSuffix(summary) ? $0 : "\(summary): \($0)" } ?? summary
  }

  public var debugDescription: String {
    report.map { "\(description): \($0.details)" } ?? description
  }
}

extension PostgresError.Code {
  fileprivate var isTransient: Bool {
    switch self {
    case .connectionLost, .cannotConnect, .overloaded, .timeout, .closed: true
    case .cancelled, .decoding, .invalidQuery, .invalidConfiguration, .migration: false
    case .server(let state):
      switch state.prefix(2) {
      // Connection, rollback by the server (serialization, deadlock), resources, operator, system.
      case "08", "40", "53", "57", "58": true
      // A lock that was not to be had, a server that became read-only, a statement the server forgot, a transaction in which
      // this process stood still for too long.
      default: ["55P03", "25006", "26000", "25P03"].contains(state)
      }
    }
  }

  fileprivate var summary: String {
    switch self {
    case .server(let state): "PostgreSQL refused the statement (SQLSTATE \(state))"
    case .connectionLost: "the connection to PostgreSQL was lost"
    case .cannotConnect: "cannot connect to PostgreSQL"
    case .overloaded: "too many callers are waiting for PostgreSQL"
    case .timeout: "PostgreSQL did not answer in time"
    case .cancelled: "the query was cancelled"
    case .decoding: "a value of the result could not be decoded"
    case .closed: "the PostgreSQL client is closed"
    case .invalidQuery: "the query cannot be sent"
    case .invalidConfiguration: "the PostgreSQL configuration is invalid"
    case .migration: "a migration failed"
    }
  }
}
