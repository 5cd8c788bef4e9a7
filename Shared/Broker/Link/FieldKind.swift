import CRabbitMQ

/// The type letters of a field table. https://www.rabbitmq.com/amqp-0-9-1-errata#section_3
enum FieldKind {
  static let boolean = UInt8(AMQP_FIELD_KIND_BOOLEAN.rawValue)
  static let int8 = UInt8(AMQP_FIELD_KIND_I8.rawValue)
  static let uint8 = UInt8(AMQP_FIELD_KIND_U8.rawValue)
  static let int16 = UInt8(AMQP_FIELD_KIND_I16.rawValue)
  static let uint16 = UInt8(AMQP_FIELD_KIND_U16.rawValue)
  static let int32 = UInt8(AMQP_FIELD_KIND_I32.rawValue)
  static let uint32 = UInt8(AMQP_FIELD_KIND_U32.rawValue)
  static let int64 = UInt8(AMQP_FIELD_KIND_I64.rawValue)
  static let uint64 = UInt8(AMQP_FIELD_KIND_U64.rawValue)
  static let float = UInt8(AMQP_FIELD_KIND_F32.rawValue)
  static let double = UInt8(AMQP_FIELD_KIND_F64.rawValue)
  static let decimal = UInt8(AMQP_FIELD_KIND_DECIMAL.rawValue)
  static let string = UInt8(AMQP_FIELD_KIND_UTF8.rawValue)
  static let array = UInt8(AMQP_FIELD_KIND_ARRAY.rawValue)
  static let timestamp = UInt8(AMQP_FIELD_KIND_TIMESTAMP.rawValue)
  static let table = UInt8(AMQP_FIELD_KIND_TABLE.rawValue)
  static let void = UInt8(AMQP_FIELD_KIND_VOID.rawValue)
  static let bytes = UInt8(AMQP_FIELD_KIND_BYTES.rawValue)
}
