extension PostgresError {
  /// What is wrong with a server or its schema. No value of the statement is at fault: it succeeds once that is mended.
  public enum InstallationFault: Sendable, Hashable {
    /// No partition of the table takes the row.
    case missingPartition
    /// A table, column, function or constraint is missing or is another one than the statement expects.
    case schema
    /// The user may not do it.
    case privilege
    /// The disk is full, cannot be read, or holds damaged data.
    case storage
    case memory
    /// The server or the transaction takes no writes.
    case readOnly
  }

  /// Nil for what passes by itself or is the statement's own fault. Some of these are ``isTransient`` as well, since the
  /// server may mend them.
  public var installationFault: InstallationFault? {
    guard case .server(let state) = code else { return nil }
    switch state {
    // "no partition of relation found for row" is a check violation without a constraint.
    case "23514": return constraint == nil ? .missingPartition : nil
    case "25006": return .readOnly
    case "42501": return .privilege
    case "53100", "58030", "58P01", "XX001", "XX002": return .storage
    case "53200": return .memory
    default: break
    }
    // Class 42 is about the statement's text against the schema, never a value; 3D and 3F are database and schema.
    return ["42", "3D", "3F"].contains(state.prefix(2)) ? .schema : nil
  }
}
