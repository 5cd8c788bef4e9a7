import CRabbitMQ
import Foundation

/// Memory for the strings and tables of one call into the library; taken back as a whole.
final class CallArena {
  private let pool: UnsafeMutablePointer<amqp_pool_t>

  init() {
    pool = .allocate(capacity: 1)
    init_amqp_pool(pool, 4_096)
  }

  deinit {
    empty_amqp_pool(pool)
    pool.deallocate()
  }

  /// Everything handed out so far becomes invalid.
  func recycle() {
    recycle_amqp_pool(pool)
  }

  func bytes(_ text: String) -> amqp_bytes_t {
    var text = text
    return text.withUTF8 { copy(UnsafeRawBufferPointer($0)) }
  }

  func bytes(_ array: [UInt8]) -> amqp_bytes_t {
    array.withUnsafeBytes { copy($0) }
  }

  /// The entries, and one more if given (without copying the dictionary for it).
  func table(
    _ entries: [String: BrokerValue],
    and extra: (key: String, value: BrokerValue)? = nil
  ) -> amqp_table_t {
    let count = entries.count + (extra == nil ? 0 : 1)
    guard let memory = array(of: amqp_table_entry_t.self, count: count) else {
      return amqp_table_t(num_entries: 0, entries: nil)
    }
    for (index, entry) in entries.enumerated() {
      memory[index] = amqp_table_entry_t(key: bytes(entry.key), value: field(entry.value))
    }
    if let extra { memory[count - 1] = amqp_table_entry_t(key: bytes(extra.key), value: field(extra.value)) }
    return amqp_table_t(num_entries: Int32(count), entries: memory)
  }

  private func field(_ value: BrokerValue) -> amqp_field_value_t {
    var field = amqp_field_value_t()
    switch value {
    case .string(let text):
      field.kind = FieldKind.string
      field.value.bytes = bytes(text)
    case .integer(let number):
      field.kind = FieldKind.int64
      field.value.i64 = number
    case .boolean(let flag):
      field.kind = FieldKind.boolean
      field.value.boolean = flag ? 1 : 0
    case .double(let number):
      field.kind = FieldKind.double
      field.value.f64 = number
    case .timestamp(let date):
      field.kind = FieldKind.timestamp
      field.value.u64 = date.wholeSeconds
    case .bytes(let data):
      field.kind = FieldKind.bytes
      field.value.bytes = bytes(data)
    case .table(let entries):
      field.kind = FieldKind.table
      field.value.table = table(entries)
    case .array(let elements):
      field.kind = FieldKind.array
      let memory = array(of: amqp_field_value_t.self, count: elements.count)
      for (index, element) in elements.enumerated() { memory?[index] = self.field(element) }
      field.value.array = amqp_array_t(num_entries: Int32(elements.count), entries: memory)
    case .null:
      field.kind = FieldKind.void
    }
    return field
  }

  private func array<T>(of type: T.Type, count: Int) -> UnsafeMutablePointer<T>? {
    guard count > 0 else { return nil }
    return amqp_pool_alloc(pool, count * MemoryLayout<T>.stride)?.bindMemory(to: T.self, capacity: count)
  }

  private func copy(_ source: UnsafeRawBufferPointer) -> amqp_bytes_t {
    guard let base = source.baseAddress, source.count > 0, let memory = amqp_pool_alloc(pool, source.count) else {
      return amqp_bytes_t(len: 0, bytes: nil)
    }
    memory.copyMemory(from: base, byteCount: source.count)
    return amqp_bytes_t(len: source.count, bytes: memory)
  }
}

extension Date {
  /// Seconds since 1970 as AMQP counts them; a date before that becomes 0.
  var wholeSeconds: UInt64 {
    UInt64(exactly: timeIntervalSince1970.rounded(.down)) ?? 0
  }
}
