import CRabbitMQ
import Foundation
import TestSupport
import Testing

@testable import Broker

/// Any client may publish: whatever comes is a message.
@Suite struct HostileMessageTests {
  /// What a table's bytes say once the library has decoded them.
  private func decoded(_ bytes: [UInt8]) throws -> [String: BrokerValue] {
    var pool = amqp_pool_t()
    init_amqp_pool(&pool, 4_096)
    defer { empty_amqp_pool(&pool) }
    var bytes = bytes
    return try bytes.withUnsafeMutableBytes { buffer in
      var table = amqp_table_t()
      var offset = 0
      let encoded = amqp_bytes_t(len: buffer.count, bytes: buffer.baseAddress)
      try #require(amqp_decode_table(encoded, &pool, &table, &offset) == AMQP_STATUS_OK.rawValue)
      return table.values()
    }
  }

  /// An empty table within `depth` others, each the only entry of the next.
  private func nested(_ depth: Int) -> [UInt8] {
    var levels: [[UInt8]] = []
    for level in 0..<depth {
      let size = UInt32(4 + 7 * level)
      // Name "a", kind table; the size of the table within stands before it.
      levels.append([1, UInt8(ascii: "a"), UInt8(ascii: "F")] + withUnsafeBytes(of: (size - 4).bigEndian, Array.init))
    }
    let size = UInt32(7 * depth)
    return withUnsafeBytes(of: size.bigEndian, Array.init) + levels.reversed().flatMap(\.self)
  }

  @Test func `tables within tables end at a depth that nobody uses`() throws {
    // As many as fit into the headers' frame.
    let headers = try decoded(nested(18_000))
    var depth = 0
    var value = headers["a"]
    while let table = value?.tableValue {
      depth += 1
      value = table["a"]
    }
    #expect(depth == 31)
    #expect(value == .null)
  }

  @Test func `headers of ordinary depth stay as they are`() throws {
    #expect(try decoded(nested(3)) == ["a": ["a": ["a": [:]]]])
  }

  @Test func `damaged tables are refused or read`() throws {
    var random = SplitMix64(seed: 11)
    let seed = nested(4) + [3, 0, 0, 0]
    var read = 0
    for _ in 0..<20_000 {
      var bytes = random.mutated(seed)
      var pool = amqp_pool_t()
      init_amqp_pool(&pool, 4_096)
      bytes.withUnsafeMutableBytes { buffer in
        var table = amqp_table_t()
        var offset = 0
        let encoded = amqp_bytes_t(len: buffer.count, bytes: buffer.baseAddress)
        guard amqp_decode_table(encoded, &pool, &table, &offset) == AMQP_STATUS_OK.rawValue else { return }
        _ = BrokerValue.table(table.values())
        read += 1
      }
      empty_amqp_pool(&pool)
    }
    #expect(read > 100)
  }
}

extension RealBroker {
  struct HostileMessages {
    private let broker: TestBroker
    private let queue = unique("hostile")

    init() throws { broker = try TestBroker.require() }

    private static let numbers: [Int64] = [.min, -1, 0, 1, 1 << 31, 1 << 53, .max]
    private static let names = [
      "x-delivery-count", "x-acquired-count", "x-death", "CC", "n", "ü", String(repeating: "l", count: 128),
    ]

    private static func value(_ random: inout SplitMix64, depth: Int = 0) -> BrokerValue {
      switch random.below(depth > 4 ? 7 : 9) {
      case 0: .integer(numbers[random.below(numbers.count)])
      case 1: .string(String(decoding: random.bytes(random.below(40)), as: UTF8.self))
      case 2: .boolean(random.below(2) == 0)
      case 3: .double(Double(bitPattern: random.next()))
      case 4: .timestamp(Date(timeIntervalSince1970: Double(random.next())))
      case 5: .bytes(random.bytes(random.below(40)))
      case 6: .null
      case 7: .array((0..<random.below(4)).map { _ in value(&random, depth: depth + 1) })
      default: .table(headers(&random, depth: depth + 1))
      }
    }

    private static func headers(_ random: inout SplitMix64, depth: Int = 0) -> [String: BrokerValue] {
      var headers: [String: BrokerValue] = [:]
      for _ in 0..<random.below(5) {
        let name = names[random.below(names.count)]
        // The broker itself refuses other forms of this one.
        headers[name] = name == "CC" && depth == 0 ? [] : value(&random, depth: depth)
      }
      return headers
    }

    @Test func `whatever headers and properties come, each message is delivered`() async throws {
      var random = SplitMix64(seed: 12)
      let messages = (0..<300).map { number in
        BrokerMessage(
          body: random.bytes(random.below(64)),
          messageID: String(number),
          contentType: String(decoding: random.bytes(random.below(60)), as: UTF8.self),
          type: random.below(2) == 0 ? nil : "belfry.request",
          timestamp: Date(timeIntervalSince1970: Double(random.next() >> UInt64(random.below(64)))),
          headers: Self.headers(&random)
        )
      }
      try await broker.withPublisher(BrokerTopology(queues: [.quorum(queue)])) { publisher in
        for message in messages { try await publisher.publish(message, exchange: "", routingKey: queue) }
      }
      let received = try await broker.receive(messages.count, from: queue)
      #expect(received.map(\.message.messageID) == messages.map(\.messageID))
      #expect(received.map(\.message.body) == messages.map(\.body))
      #expect(received.allSatisfy { (0...Int(Int32.max)).contains($0.deliveryCount) })
    }
  }
}
