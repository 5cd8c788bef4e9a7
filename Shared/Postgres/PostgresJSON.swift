/// The text of a JSON document, for `jsonb`. The server checks it when it is bound, and gives it back in its own spacing.
public struct PostgresJSON: PostgresArrayElement, PostgresDecodable, Hashable {
  public var text: String

  public init(text: String) {
    self.text = text
  }

  public static var postgresType: PostgresType { .jsonb }
  public static var postgresArrayType: PostgresType { .jsonbArray }

  public func encode(into bytes: inout [UInt8]) {
    bytes.append(1)  // version of jsonb's binary format
    bytes.append(contentsOf: text.utf8)
  }

  public init(from cell: PostgresCell) throws(PostgresError) { text = try cell.text() }
}
