import CPostgreSQL

/// The fields of an error message from the server.
final class PostgresServerReport: Sendable {
  let sqlState: String
  let table: String?
  let constraint: String?
  /// A prepared statement whose result type has changed since: preparing it anew helps.
  let isStalePlan: Bool
  /// Message, detail, hint, position and context: may quote values.
  let details: String

  init(_ result: OpaquePointer) {
    func field(_ code: Character) -> String? {
      PQresultErrorField(result, Int32(code.asciiValue!)).map { String(cString: $0) }
    }
    let message = field("M") ?? String(cString: PQresultErrorMessage(result))
    sqlState = field("C") ?? "XX000"
    table = field("t")
    constraint = field("n")
    isStalePlan = sqlState == "26000" || (sqlState == "0A000" && field("R") == "RevalidateCachedQuery")
    details = [
      message, field("D").map { "DETAIL: \($0)" }, field("H").map { "HINT: \($0)" },
      field("P").map { "at character \($0)" }, field("W").map { "CONTEXT: \($0)" },
    ].compactMap { $0 }.joined(separator: "; ")
  }

  var code: PostgresError.Code {
    switch sqlState {
    case "57014": .timeout  // statement_timeout, or an administrator cancelled it
    case "57P01", "57P02", "57P03", "57P05": .connectionLost
    default: .server(sqlState: sqlState)
    }
  }
}
