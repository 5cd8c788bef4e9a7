import CRabbitMQ
import Foundation

// Copies out of the library's memory, which it reuses at the next wait.

extension amqp_bytes_t {
  var buffer: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: bytes, count: len) }

  /// Bytes that aren't UTF-8 become replacement characters.
  var text: String { String(decoding: buffer, as: UTF8.self) }
}

extension amqp_table_t {
  /// A frame has room for thousands of tables within tables: below a depth that nobody uses they become `null`, for they
  /// cannot be walked through on any stack.
  func values(depth: Int = 32) -> [String: BrokerValue] {
    var result = [String: BrokerValue](minimumCapacity: Int(num_entries))
    for index in 0..<Int(num_entries) {
      result[entries[index].key.text] = entries[index].value.brokerValue(depth: depth)
    }
    return result
  }
}

extension amqp_field_value_t {
  fileprivate func brokerValue(depth: Int) -> BrokerValue {
    switch kind {
    case FieldKind.boolean: .boolean(value.boolean != 0)
    case FieldKind.int8: .integer(Int64(value.i8))
    case FieldKind.uint8: .integer(Int64(value.u8))
    case FieldKind.int16: .integer(Int64(value.i16))
    case FieldKind.uint16: .integer(Int64(value.u16))
    case FieldKind.int32: .integer(Int64(value.i32))
    case FieldKind.uint32: .integer(Int64(value.u32))
    case FieldKind.int64: .integer(value.i64)
    case FieldKind.uint64: .integer(Int64(clamping: value.u64))
    case FieldKind.float: .double(Double(value.f32))
    case FieldKind.double: .double(value.f64)
    case FieldKind.decimal:
      .double(Double(value.decimal.value) / pow(10, Double(value.decimal.decimals)))
    case FieldKind.string:
      String(validating: value.bytes.buffer, as: UTF8.self).map { .string($0) } ?? .bytes(Array(value.bytes.buffer))
    case FieldKind.bytes: .bytes(Array(value.bytes.buffer))
    case FieldKind.timestamp: .timestamp(Date(timeIntervalSince1970: Double(value.u64)))
    case FieldKind.table where depth > 1: .table(value.table.values(depth: depth - 1))
    case FieldKind.array where depth > 1:
      .array((0..<Int(value.array.num_entries)).map { value.array.entries[$0].brokerValue(depth: depth - 1) })
    default: .null
    }
  }
}
