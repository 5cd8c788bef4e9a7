import BelfryJSON
import SignalRProtocol
import Testing

private func read(_ bytes: [UInt8]) throws(HubProtocolError) -> HubValue {
  var reader = MessagePackReader(bytes[...])
  let value = try reader.value()
  try reader.finish()
  return value
}

private func written(_ value: HubValue) -> [UInt8] {
  var writer = MessagePackWriter()
  writer.value(value)
  return writer.bytes
}

private func text(_ count: Int) -> HubValue { .string(String(repeating: "a", count: count)) }

@Suite struct MessagePackTests {
  /// As Python's msgpack 1.1.1 writes them, too; of long ones the beginning.
  static let shortest: [(HubValue, String)] = [
    (.null, "c0"), (.bool(false), "c2"), (.bool(true), "c3"),
    (.integer(0), "00"), (.integer(127), "7f"), (.integer(128), "cc80"), (.integer(255), "ccff"),
    (.integer(256), "cd0100"), (.integer(65_535), "cdffff"), (.integer(65_536), "ce00010000"),
    (.integer(4_294_967_295), "ceffffffff"), (.integer(4_294_967_296), "cf0000000100000000"),
    (.integer(.max), "cf7fffffffffffffff"),
    (.integer(-1), "ff"), (.integer(-32), "e0"), (.integer(-33), "d0df"), (.integer(-128), "d080"),
    (.integer(-129), "d1ff7f"), (.integer(-32_768), "d18000"), (.integer(-32_769), "d2ffff7fff"),
    (.integer(-2_147_483_648), "d280000000"), (.integer(-2_147_483_649), "d3ffffffff7fffffff"),
    (.integer(.min), "d38000000000000000"),
    (.double(1.5), "cb3ff8000000000000"), (.double(-0.0), "cb8000000000000000"), (.double(5), "cb4014000000000000"),
    (.string(""), "a0"), (.string("é😀"), "a6c3a9f09f9880"), (text(31), "bf6161"), (text(32), "d9206161"),
    (text(255), "d9ff61"), (text(256), "da010061"), (text(65_535), "daffff61"), (text(65_536), "db0001000061"),
    (.data([]), "c400"), (.data([1, 2]), "c4020102"), (.data(Array(repeating: 7, count: 256)), "c5010007"),
    (.data(Array(repeating: 7, count: 65_536)), "c60001000007"),
    (.array([]), "90"), (.array([.integer(1), .null]), "9201c0"),
    (.array(Array(repeating: .null, count: 15)), "9fc0c0"), (.array(Array(repeating: .null, count: 16)), "dc0010c0"),
    (.array(Array(repeating: .null, count: 65_536)), "dd00010000c0"),
    (.object([]), "80"), (.object([HubMember("a", .integer(1))]), "81a16101"),
    (.object(Array(repeating: HubMember("", .null), count: 16)), "de0010a0c0"),
    (.object(Array(repeating: HubMember("", .null), count: 65_536)), "df00010000a0c0"),
  ]

  @Test(arguments: shortest)
  func `every value takes its shortest form and reads back`(value: HubValue, expected: String) throws {
    let bytes = written(value)
    #expect(Array(bytes.prefix(hex(expected).count)) == hex(expected))
    #expect(try read(bytes) == value)
  }

  @Test(arguments: [
    ("cc07", HubValue.integer(7)), ("cd0007", .integer(7)), ("ce00000007", .integer(7)),
    ("cf0000000000000007", .integer(7)), ("d007", .integer(7)), ("d10007", .integer(7)), ("d2fffffffe", .integer(-2)),
    ("d3fffffffffffffffe", .integer(-2)), ("cf8000000000000000", .double(9_223_372_036_854_775_808)),
    ("ca3fc00000", .double(1.5)), ("ca7f800000", .double(.infinity)), ("d90161", .string("a")),
    ("da000161", .string("a")), ("db0000000161", .string("a")), ("c500020102", .data([1, 2])),
    ("c6000000020102", .data([1, 2])), ("dc000101", .array([.integer(1)])), ("dd0000000101", .array([.integer(1)])),
    ("de0001a16101", .object([HubMember("a", .integer(1))])),
    ("df00000001a16101", .object([HubMember("a", .integer(1))])),
  ])
  func `longer forms than needed are read`(bytes: String, value: HubValue) throws {
    #expect(try read(hex(bytes)) == value)
  }

  @Test(arguments: [
    ("d6ff00000001", "00000001"), ("d4 01 07", "07"), ("d5 01 0708", "0708"),
    ("d7ff 0000000000000001", "0000000000000001"),
    ("d8 05 000102030405060708090a0b0c0d0e0f", "000102030405060708090a0b0c0d0e0f"), ("c7 03 2a 010203", "010203"),
    ("c7 00 2a", ""), ("c7 0c ff 000000010000000000000001", "000000010000000000000001"), ("c8 0001 2a 09", "09"),
    ("c9 00000001 2a 09", "09"),
  ])
  func `extension types, timestamps among them, are their bytes`(bytes: String, payload: String) throws {
    #expect(try read(hex(bytes)) == .data(hex(payload)))
  }

  @Test func `whole numbers as keys become text`() throws {
    #expect(
      try read(hex("83 01 c3 ff c2 cd0100 c0"))
        == .object([HubMember("1", .bool(true)), HubMember("-1", .bool(false)), HubMember("256", .null)])
    )
  }

  @Test(arguments: [
    "", "c1", "a1", "a2c3", "a1ff", "a2c328", "a3eda080", "d9", "da00", "db000000", "d90561", "c4", "c40201", "cc",
    "cd00",
    "ca000000", "cb00000000000000", "d0", "d3", "91", "9201", "81", "81a1", "81a161", "81c001", "81c2c2", "8190c0",
    "d4",
    "d401", "d80501", "c7", "c701", "c7012a", "c9000000012a", "dc", "dd", "de", "df", "0000", "c0c0", "9190c0",
    "81a1ff01",
  ])
  func `what is no single value is refused`(bytes: String) {
    #expect(throws: HubProtocolError.self) { try read(hex(bytes)) }
  }

  @Test(arguments: [
    "ddffffffff", "dfffffffff", "dcffff", "deffff", "9f", "8f", "dbffffffff", "c6ffffffff", "c9ffffffff01",
    "df80000000",
    "dd7fffffff", "92 dd0000000c 01010101 01010101", "83 a0 9f c0 c0 c0 c0", "9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f",
  ])
  func `a declared count is never believed`(start: String) {
    let bytes = hex(start) + Array(repeating: 0xC0, count: 4)
    var skipping = MessagePackReader(bytes[...])
    #expect(throws: HubProtocolError.self) { try read(bytes) }
    #expect(throws: HubProtocolError.self) { try skipping.skip() }
  }

  @Test func `a count is refused where it stands, before anything is made of it`() {
    // At the fourth container the values promised exceed the bytes left.
    let bytes = hex("93 93 93 93 c0 c0 c0 c0 c0 c0")
    #expect(throws: HubProtocolError.malformedMessagePack(offset: 4)) { try read(bytes) }
    #expect(throws: HubProtocolError.malformedMessagePack(offset: 5)) { try read(hex("ddffffffff c0c0c0c0c0")) }
    #expect(throws: HubProtocolError.malformedMessagePack(offset: 5)) { try read(hex("dfffffffff c0c0c0c0c0")) }
  }

  @Test func `nesting is bounded, but what is passed over may be deep`() throws {
    let depth = MessagePackReader.maximumDepth
    for opening in ["91", "81a0"] {
      let fitting = hex(String(repeating: opening, count: depth) + "c0")
      let tooDeep = hex(String(repeating: opening, count: depth + 1) + "c0")
      let hostile = hex(String(repeating: opening, count: 10_000) + "c0")
      _ = try read(fitting)
      for bytes in [tooDeep, hostile] {
        #expect(throws: HubProtocolError.self) { try read(bytes) }
        var reader = MessagePackReader(bytes[...])
        try reader.skip()
        try reader.finish()
      }
    }
  }

  @Test func `every prefix of a value is refused without harm`() throws {
    let bytes = written(everyValue)
    #expect(try read(bytes) == everyValue)
    for end in 0..<bytes.count {
      #expect(throws: HubProtocolError.self) { try read(Array(bytes[..<end])) }
    }
  }

  @Test(arguments: [
    ("null", "c0"), ("[true,false]", "92c3c2"), ("7", "07"), ("-7", "f9"), ("-0", "00"),
    ("9223372036854775808", "cf8000000000000000"), ("18446744073709551615", "cfffffffffffffffff"),
    ("18446744073709551616", "cb43f0000000000000"), ("1.0", "cb3ff0000000000000"), ("1e3", "cb408f400000000000"),
    ("1e999", "a5 3165393939"), ("-1e999", "a6 2d3165393939"), (#"{"a":{"b":["é"]}}"#, "81a161 81a162 91 a2c3a9"),
  ])
  func `JSON is written with whole numbers as such`(json: String, expected: String) throws {
    var writer = MessagePackWriter()
    writer.value(try JSONParser.parse(utf8(json)))
    #expect(writer.bytes == hex(expected))
  }

  @Test func `parts that were written before are taken as they are`() throws {
    var part = MessagePackWriter()
    part.string("b")
    part.integer(UInt64.max)
    var writer = MessagePackWriter()
    writer.mapHeader(2)
    writer.string("a")
    writer.null()
    writer.raw(part.bytes)
    #expect(writer.bytes == hex("82 a161 c0 a162 cfffffffffffffffff"))
  }
}
