import TestSupport
import Testing
import Transport

@testable import EmailDispatcher

@Suite struct SPFEvaluationTests {
  private typealias Outcome = SPFEvaluation.Outcome

  private func outcome(_ record: String, _ address: String = "192.0.2.7", _ names: MemoryNames = [:]) async throws
    -> Outcome
  {
    var names = names
    names["example.com"] = (names["example.com"] ?? []) + [.text(record)]
    var evaluation = SPFEvaluation(of: try #require(IPAddress(address)), asking: names)
    return try await evaluation.outcome(of: "example.com")
  }

  /// Why receivers do not count a record.
  private func failure(_ record: String, _ names: MemoryNames = [:]) async throws -> String {
    do {
      let outcome = try await outcome(record, "192.0.2.7", names)
      Issue.record("\(outcome)")
      return ""
    } catch let error as SPFEvaluation.Failure {
      return error.description
    }
  }

  @Test(arguments: [
    ("v=spf1 ip4:192.0.2.7 -all", SPFEvaluation.Outcome.pass), ("v=spf1 ip4:192.0.2.0/24 -all", .pass),
    ("v=spf1 ip4:192.0.3.0/24 -all", .fail), ("v=spf1 ~all", .softFail), ("v=spf1 ?all", .neutral),
    ("v=spf1", .neutral),
    ("v=spf1 all", .pass), ("V=SPF1 +ALL", .pass), ("v=spf1 -ip4:192.0.2.7 +all", .fail),
    ("v=spf1 ip6:2001:db8::/32 -all", .fail), ("v=spf1  ip4:192.0.2.7   -all", .pass),
    ("v=spf1 exp=why.example.com x=y ip4:192.0.2.7 -all", .pass), ("v=spf1 ptr -all", .fail), ("v=spf10 all", .absent),
  ]) func `the first term that matches decides`(_ record: String, _ expected: SPFEvaluation.Outcome) async throws {
    #expect(try await outcome(record) == expected)
  }

  @Test func `terms look names up`() async throws {
    let names: MemoryNames = [
      "example.com": [.ip("192.0.2.7"), .ip("2001:db8::7"), .mail(preference: 1, host: "mx.example.com")],
      "mx.example.com": [.ip("192.0.2.200")], "one.example": [.text("v=spf1 ip4:192.0.2.7 -all")],
      "two.example": [.text("v=spf1 include:one.example ?all")], "here.example": [.ip("127.0.0.2")],
    ]
    for (record, address, expected) in [
      ("v=spf1 a -all", "192.0.2.7", .pass), ("v=spf1 a -all", "2001:db8::7", .pass),
      ("v=spf1 a/24 -all", "192.0.2.99", .pass), ("v=spf1 a//64 -all", "192.0.2.99", .fail),
      ("v=spf1 a/24//64 -all", "2001:db8::99", .pass), ("v=spf1 mx -all", "192.0.2.200", .pass),
      ("v=spf1 mx -all", "192.0.2.7", .fail), ("v=spf1 mx/24 -all", "192.0.2.7", .pass),
      ("v=spf1 a:mx.example.com -all", "192.0.2.200", .pass), ("v=spf1 include:one.example -all", "192.0.2.7", .pass),
      ("v=spf1 include:one.example ~all", "192.0.2.8", .softFail),
      ("v=spf1 include:two.example -all", "192.0.2.7", .pass),
      ("v=spf1 -include:one.example all", "192.0.2.7", .fail), ("v=spf1 redirect=one.example", "192.0.2.7", .pass),
      ("v=spf1 redirect=one.example", "192.0.2.8", .fail), ("v=spf1 redirect=one.example ?all", "192.0.2.7", .neutral),
      ("v=spf1 exists:here.example -all", "192.0.2.8", .pass), ("v=spf1 exists:gone.example -all", "192.0.2.8", .fail),
    ] as [(String, String, Outcome)] {
      #expect(try await outcome(record, address, names) == expected, "\(record) of \(address)")
    }
  }

  @Test func `without a record there is no answer`() async throws {
    let names: MemoryNames = ["example.com": [.text("something else")]]
    var evaluation = SPFEvaluation(of: try #require(IPAddress("192.0.2.7")), asking: names)
    #expect(try await evaluation.outcome(of: "example.com") == .absent)
  }

  @Test(arguments: [
    "v=spf1 ip4:192.0.2 -all", "v=spf1 ip4:192.0.2.0/33", "v=spf1 ip4", "v=spf1 ip6:192.0.2.7", "v=spf1 alll",
    "v=spf1 include",
    "v=spf1 include:", "v=spf1 all:example.com", "v=spf1 a/33", "v=spf1 a//129", "v=spf1 a/24/64",
    "v=spf1 include:a.example/24",
  ]) func `a term that is none breaks the record`(_ record: String) async throws {
    #expect(try await failure(record).hasSuffix("is no term of SPF"))
  }

  @Test func `what receivers do not follow is said`() async throws {
    let two: MemoryNames = ["example.com": [.text("v=spf1 -all")]]
    #expect(try await failure("v=spf1 ~all", two) == "example.com has 2 SPF records, and must have one")
    #expect(try await failure("v=spf1 include:gone.example -all").contains("has no SPF record"))
    #expect(try await failure("v=spf1 redirect=gone.example").contains("has no SPF record"))
    let empty = (0..<3).map { "a:gone\($0).example" }.joined(separator: " ")
    #expect(try await failure("v=spf1 \(empty) -all").contains("more than 2 look-ups find nothing"))
    var names: MemoryNames = [:]
    for number in 0..<11 { names["n\(number).example"] = [.ip("198.51.100.1")] }
    let ten = (0..<10).map { "a:n\($0).example" }.joined(separator: " ")
    #expect(try await outcome("v=spf1 \(ten) -all", "192.0.2.7", names) == .fail)
    #expect(try await failure("v=spf1 \(ten) a:n10.example -all", names).contains("more than 10 look-ups"))
    #expect(try await failure("v=spf1 redirect=example.com").contains("more than 10 look-ups"))
    var failing: MemoryNames = [:]
    failing.failing = ["one.example"]
    #expect(try await failure("v=spf1 include:one.example -all", failing).contains("SERVFAIL"))
  }

  @Test func `macros are not followed, and a record that needs none has its answer`() async throws {
    #expect(try await outcome("v=spf1 ip4:192.0.2.7 exists:%{i}.spf.example -all") == .pass)
    #expect(try await failure("v=spf1 exists:%{i}.spf.example -all").contains("has macros"))
    #expect(try await failure("v=spf1 redirect=%{d}.spf.example").contains("has macros"))
  }

  @Test func `whatever records say, there is an answer or a reason`() async throws {
    let pieces = [
      "v=spf1", "v=DKIM1", "v=DMARC1", "p=", "=", ";", ":", "/", "//", "-", "~all", "include:", "redirect=", "a", "mx",
      "ip4:", "%{i}",
      "192.0.2.7", "/24", "9999999999999999999999", "\u{0}", "\u{FC}", "İ", "example.com", "rua=", "h=", "k=", " ", " ",
      " ",
    ]
    var dice = SplitMix64(seed: 20_261_128)
    for _ in 0..<3_000 {
      let text = (0..<Int.random(in: 0..<14, using: &dice)).map { _ in pieces.randomElement(using: &dice) ?? "" }
        .joined()
      do {
        _ = try await outcome("v=spf1 \(text)")
      } catch let failure as SPFEvaluation.Failure {
        #expect(!failure.description.isEmpty)
      }
      _ = DMARCRecord(text)
      let key = DKIMKeyCheck(domain: "example.com", selector: "s", expected: nil, isInUse: true)
      #expect(!key.judged([.text(text)]).text.isEmpty)
    }
  }
}
