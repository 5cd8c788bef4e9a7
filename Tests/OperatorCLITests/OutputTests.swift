import Foundation
import BelfryJSON
import Testing

@testable import OperatorCLI

/// What the commands write, whatever they were answered.
@Suite struct OutputTests {
  @Test(arguments: [("0", "0.0%"), ("1", "100.0%"), ("0.98", "98.0%"), ("0.07142", "7.1%"), ("null", "-")])
  func `a rate is a percentage`(_ number: String, _ shown: String) throws {
    #expect(try JSONParser.parse(Array(number.utf8)).percentage == shown)
  }

  @Test func `a record has a line for each member that has a value`() throws {
    let value = try JSONParser.parse(Array(#"{"a":null,"b":[1,"x"],"c":{"d":[]},"e":[],"f":false}"#.utf8))
    #expect(value.record == ["b: 1, x", #"c: {"d":[]}"#, "e: -", "f: no"])
  }

  @Test(arguments: 1...9)
  func `JSON in pieces steers no terminal, and its characters stay whole`(_ size: Int) {
    let text = #"{"a":"é👍🏽 \#u{2028}\#u{9B}€","b":1}"#
    var json = TerminalJSON()
    var output: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      output += json.take(Array(rest.prefix(size)))
      rest = rest.dropFirst(size)
    }
    output += json.end()
    #expect(String(decoding: output, as: UTF8.self) == #"{"a":"é👍🏽 \u2028\u009b€","b":1}"#)
  }

  @Test func `a text that ends within a character is printed to its end`() {
    var json = TerminalJSON()
    #expect(json.take([0x41, 0xE2, 0x82]) == [0x41])
    #expect(String(decoding: json.end(), as: UTF8.self) == "\u{FFFD}")
    #expect(json.end().isEmpty)
  }

  // MARK: Objects in pieces

  @Test(arguments: [1, 2, 3, 7, 1_000])
  func `an object's members are found in pieces of any size, only its own and only whole`(_ size: Int) {
    let text = #" {"a" : [ "]},\"" , {"b":"inner"}, 1 ] ,"c":{"b":2},"d":"\\","b" : "x\"y,", "e":-1.5}"# + "\n "
    var scanner = JSONObjectScanner(capturing: ["a", "b", "e", "f"])
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      #expect(!scanner.hasEnded || rest.count <= 2)
      scanner.take(rest.prefix(size))
      rest = rest.dropFirst(size)
    }
    #expect(scanner.hasEnded)
    let captured = scanner.captured.mapValues { String(decoding: $0, as: UTF8.self) }
    #expect(captured == ["a": #"[ "]},\"" , {"b":"inner"}, 1 ]"#, "b": #""x\"y,""#, "e": "-1.5"])
  }

  @Test func `an object that was cut anywhere has not ended`() {
    let text = Array(#"{"a":[1,{"b":"}"}],"c":"\"}"}"#.utf8)
    for count in 0..<text.count {
      var scanner = JSONObjectScanner()
      scanner.take(text.prefix(count))
      #expect(!scanner.hasEnded, "\(count)")
    }
    var scanner = JSONObjectScanner()
    scanner.take(text)
    #expect(scanner.hasEnded)
  }

  @Test(arguments: ["", "[]", "1", "\"{}\"", "{}{}", "{}x", "[{}]", "{]", "{}}", "{}\"\""])
  func `what is no object, or not one alone, has not ended`(_ text: String) {
    var scanner = JSONObjectScanner()
    scanner.take(text.utf8)
    #expect(!scanner.hasEnded)
  }
}
