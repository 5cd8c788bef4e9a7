import HTTPTypes
import Testing

@testable import Gateway

extension Route: CustomTestStringConvertible {
  public var testDescription: String { "\(method) \(path)" }

  /// A path of this route: with an id for what is one, a file that there is, and for all else a text that may be a name.
  var example: String { Self.example(of: path) }

  static func example(of path: String) -> String {
    let file = path.hasPrefix("/client/") ? "/belfry.js" : "/belfry-bell.js"
    return path.split(separator: "/").map { part in
      switch part {
      case ":id", ":userId": "/019a8b7c-6d5e-7f40-8123-456789abcdef"
      case ":file": file
      default: part.first == ":" ? "/k" : "/\(part)"
      }
    }.joined()
  }
}
