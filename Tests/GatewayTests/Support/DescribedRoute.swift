import Foundation
import HTTPTypes
import BelfryJSON
import Testing
import WallClock
import Yams

@testable import Gateway

/// What the description says of a route.
struct DescribedRoute: Sendable {
  /// Every status that it may answer.
  let statuses: Set<Int>
  /// Its examples of a body.
  let bodies: [JSONValue]
  /// Names of parameters in the query.
  let query: [String]

  var successes: Set<Int> { statuses.filter { $0 < 300 } }

  /// What is described, built or not, by method and path as in the table of routes.
  static let all = Result { try read(APIDescription.openAPI) }

  static func of(_ route: Route) throws -> DescribedRoute {
    try #require(try all.get()[route.name], "\(route.name) is not described")
  }

  private static func read(_ yaml: [UInt8]) throws -> [String: DescribedRoute] {
    let document = try #require(try Yams.load(yaml: String(decoding: yaml, as: UTF8.self)) as? [String: Any])
    var found: [String: DescribedRoute] = [:]
    for (path, item) in try #require(document["paths"] as? [String: [String: Any]]) {
      for method in ["get", "put", "post", "patch", "delete"] {
        guard let operation = item[method] as? [String: Any] else { continue }
        let name = "\(method.uppercased()) \(path.replacing(#/\{([A-Za-z]+)\}/#) { ":\($0.1)" })"
        let parameters = (item["parameters"] as? [Any] ?? []) + (operation["parameters"] as? [Any] ?? [])
        found[name] = DescribedRoute(
          statuses: Set(try #require(operation["responses"] as? [String: Any]).keys.compactMap(Int.init)),
          bodies: try examples(operation["requestBody"], in: document),
          query: parameters.compactMap { resolved($0, in: document) }
            .filter { $0["in"] as? String == "query" }.compactMap { $0["name"] as? String }
        )
      }
    }
    return found
  }

  /// What a reference to a part of the document stands for; itself, where it is none.
  private static func resolved(_ value: Any?, in document: [String: Any]) -> [String: Any]? {
    guard let object = value as? [String: Any] else { return nil }
    guard let reference = object["$ref"] as? String else { return object }
    var place: Any? = document
    for step in reference.dropFirst(2).split(separator: "/") { place = (place as? [String: Any])?[String(step)] }
    return resolved(place, in: document)
  }

  private static func examples(_ body: Any?, in document: [String: Any]) throws -> [JSONValue] {
    guard let content = resolved(body, in: document)?["content"] as? [String: Any] else { return [] }
    // Forms and mails have none here.
    guard let json = content["application/json"] as? [String: Any] else { return [] }
    if let example = json["example"] { return [try Self.json(example)] }
    let examples = try #require(json["examples"] as? [String: Any], "a body without an example")
    return try examples.sorted { $0.key < $1.key }.map { _, example in
      try Self.json(try #require(resolved(example, in: document)?["value"]))
    }
  }

  private static func json(_ yaml: Any) throws -> JSONValue {
    switch yaml {
    case is NSNull: .null
    case let value as Bool: .boolean(value)
    case let value as Int: .number(String(value))
    case let value as Double: .number(String(value))
    case let value as String: .string(value)
    case let value as Date: .string(value.rfc3339)
    case let values as [Any]: .array(try values.map(json))
    case let members as [String: Any]:
      .object(try members.sorted { $0.key < $1.key }.map { JSONMember($0.key, try json($0.value)) })
    default: throw Unknown(value: "\(yaml)")
    }
  }

  private struct Unknown: Error {
    let value: String
  }
}

extension Route {
  /// As in `GET /api/v1/users/:id`.
  var name: String { "\(method.rawValue) \(path)" }
}
