import Embedded
import Postgres

extension SQLStatement {
  /// One of `Shared/NotificationStore/Statements`: those that are too long to be read between lines of Swift.
  static func embedded(_ name: String, constants: [String: String] = [:]) -> SQLStatement {
    let path = "Shared/NotificationStore/Statements/\(name).sql"
    return SQLStatement(EmbeddedFile.at(path).text, name: path, constants: constants)
  }
}
