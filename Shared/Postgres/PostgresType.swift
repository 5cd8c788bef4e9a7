/// A data type of the server, known by its object identifier.
///
/// Built-in types have the same identifier on every server (`pg_type.dat`).
public struct PostgresType: RawRepresentable, Sendable, Hashable {
  public let rawValue: UInt32

  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  private init(_ rawValue: UInt32) {
    self.rawValue = rawValue
  }

  public static let bool = PostgresType(16)
  public static let bytea = PostgresType(17)
  public static let name = PostgresType(19)
  public static let int8 = PostgresType(20)
  public static let int2 = PostgresType(21)
  public static let int4 = PostgresType(23)
  public static let text = PostgresType(25)
  public static let oid = PostgresType(26)
  public static let json = PostgresType(114)
  public static let float4 = PostgresType(700)
  public static let float8 = PostgresType(701)
  public static let unknown = PostgresType(705)
  public static let bpchar = PostgresType(1042)
  public static let varchar = PostgresType(1043)
  public static let timestamptz = PostgresType(1184)
  public static let uuid = PostgresType(2950)
  public static let jsonb = PostgresType(3802)

  public static let boolArray = PostgresType(1000)
  public static let byteaArray = PostgresType(1001)
  public static let int2Array = PostgresType(1005)
  public static let int4Array = PostgresType(1007)
  public static let textArray = PostgresType(1009)
  public static let int8Array = PostgresType(1016)
  public static let float8Array = PostgresType(1022)
  public static let timestamptzArray = PostgresType(1185)
  public static let uuidArray = PostgresType(2951)
  public static let jsonbArray = PostgresType(3807)
}
