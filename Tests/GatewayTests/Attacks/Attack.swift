import Foundation
import HTTPTypes
import NIOCore
import Testing

@testable import Gateway

/// How hard the gateway is attacked, and what it may answer.
enum Attack {
  /// Bodies for each route that reads one; `BELFRY_MUTATIONS` says another number.
  static let mutations = number("BELFRY_MUTATIONS") ?? 150
  /// `BELFRY_SEED`; the same one gives the same bodies.
  static let seed = UInt64(number("BELFRY_SEED") ?? 2_026)
  /// Bytes that the process may take more after this many bodies: what the allocator keeps, and 4 KiB for each body, so that
  /// the longer an attack is, the smaller is the leak that it sees.
  static func memory(after bodies: Int) -> Int { (16 << 20) + bodies * (4 << 10) }

  private static func number(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap(Int.init) }

  /// Of a route's own attack.
  static func seed(of route: Route) -> UInt64 {
    // FNV-1a: Swift's own hashes are others in each process.
    route.name.utf8.reduce(0xCBF2_9CE4_8422_2325 ^ seed) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  /// Why an answer is none that a caller may get, whatever was sent; nil if it is one.
  ///
  /// - Parameter described: Nil where another route may answer.
  static func objection(to answer: Answer, described: DescribedRoute?) -> String? {
    let status = answer.status.code
    guard status < 500 else { return "\(status) \(answer.text)" }
    if let described, !described.statuses.contains(status) { return "\(status) is not described: \(answer.text)" }
    guard status >= 400 else { return nil }
    guard answer.headers[.contentType] == "application/problem+json",
      let problem = try? JSONSerialization.jsonObject(with: answer.body) as? [String: Any],
      let type = problem["type"] as? String, type.hasPrefix("urn:belfry:problem:"),
      problem["status"] as? Int == status, (problem["title"] as? String)?.isEmpty == false
    else { return "no problem document: \(answer.text)" }
    guard type == "urn:belfry:problem:validation" else {
      return status == 400 && type != "urn:belfry:problem:malformed" ? "400 of another kind: \(answer.text)" : nil
    }
    let errors = problem["errors"] as? [[String: Any]] ?? []
    let isNamed = errors.allSatisfy { $0["field"] is String && ($0["message"] as? String)?.isEmpty == false }
    return errors.isEmpty || !isNamed ? "names no field: \(answer.text)" : nil
  }
}

extension TestGateway {
  /// Asks a route as its case says, but with these bytes. What is answered is held against nothing else than
  /// ``Attack/objection(to:described:)``.
  func attack(
    _ route: Route,
    _ ask: RouteCase.Ask,
    _ headers: HTTPFields,
    _ body: [UInt8]
  ) async throws -> Answer {
    var headers = headers
    for field in ask.headers { headers[field.name] = field.value }
    return try await client.execute(
      uri: ask.path ?? route.path,
      method: route.method,
      headers: headers,
      body: ByteBuffer(bytes: body)
    )
  }
}
