import CatalogueVersions
import HTTPTypes
import Hummingbird
import BelfryJSON
import NIOCore
import NotificationModel
import NotificationStore
import WallClock

/// A catalogue file as it is answered: in YAML, or in JSON to those who ask for it.
struct CatalogueAnswer {
  /// Where what is in force comes from.
  enum Source: String {
    case builtIn = "built-in"
    case version, file
  }

  let text: CatalogueText
  let tag: EntityTag
  let source: Source

  /// - Throws: 412; ``CatalogueError`` of a file that is no YAML.
  func response(to request: Request) throws -> Response {
    let isJSON = Self.prefersJSON(request.headers)
    let bytes = isJSON ? try text.json() : Array(text.yaml.utf8)
    let type = isJSON ? "application/json" : "application/yaml"
    var response = try Precondition(request).answer(Representation(bytes, contentType: type, tag: tag))
    response.headers[.vary] = "Accept"
    response.headers[.catalogueSource] = source.rawValue
    return response
  }

  /// Whether `Accept` names JSON and does not like YAML as well or better.
  static func prefersJSON(_ headers: HTTPFields) -> Bool {
    var (json, yaml) = (0.0, 0.0)
    for range in headers[values: .accept].flatMap({ $0.split(separator: ",") }) {
      let parts = range.split(separator: ";").map { $0.filter { !$0.isWhitespace }.lowercased() }
      let quality = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
      switch parts.first {
      case "application/json": json = max(json, quality)
      case "application/yaml", "application/x-yaml", "text/yaml", "text/x-yaml", "text/vnd.yaml":
        yaml = max(yaml, quality)
      default: break
      }
    }
    return json > yaml
  }
}

extension HTTPField.Name {
  /// `built-in`, `version` or `file`.
  static let catalogueSource = Self("X-Catalogue-Source")!
}

extension Problem {
  /// 409: nothing can be applied where a setting names a file.
  static func catalogueByFile(_ path: String) -> Problem {
    Problem(
      .conflict,
      .catalogueByFile,
      "A file is in force, and no version",
      detail:
        "BELFRY_CATALOGUE_FILE names \(path), which wins: make it version 1 with belfry migrate --catalogue, unset it, and restart, to apply versions"
    )
  }

  /// As many problems of a file as one answer lists.
  private static let maximumProblems = 200

  /// 400 with everything that is wrong with a catalogue file, and where.
  static func catalogue(_ all: [CatalogueProblem]) -> Problem {
    var listed = Array(all.prefix(maximumProblems))
    if listed.count < all.count {
      listed.append(CatalogueProblem(path: "", message: "there are \(all.count - listed.count) problems beside these"))
    }
    var problem = Problem(
      .badRequest,
      .validation,
      "The catalogue is invalid",
      detail: listed.first.map { problem in
        [problem.line.map { "line \($0)" }, "\(problem)"].compactMap(\.self).joined(separator: ": ")
      }
    )
    problem.errors = listed.map { FieldError($0.path, $0.message) }
    problem.problems = listed
    return problem
  }

  /// 415.
  static func unsupportedMediaType(expected type: String) -> Problem {
    Problem(
      .unsupportedMediaType,
      .unsupportedMediaType,
      "The body is not of a type that is read here",
      detail: "send it with Content-Type: \(type)"
    )
  }
}

extension CatalogueProblem {
  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.nullableNumber("line", line)
      writer.nullableNumber("column", column)
      writer.field("path", path)
      writer.field("message", message)
    }
  }
}

extension [CatalogueChange] {
  /// A member `changes` of an object that is begun.
  func write(to writer: inout JSONWriter) {
    writer.array("changes") { writer in
      for change in self {
        writer.object { writer in
          writer.field("kind", change.kind.rawValue)
          writer.field("name", change.name)
          writer.field("text", change.text)
        }
      }
    }
  }
}

extension CatalogueVersion.Summary {
  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("version", number)
      writer.field("appliedAt", appliedAt.rfc3339)
      writer.field("appliedBy", appliedBy)
      writer.nullableNumber("rollbackOf", rollbackOf)
      changes.write(to: &writer)
    }
  }
}

extension JSONWriter {
  mutating func nullableNumber(_ name: StaticString, _ number: Int?) {
    key(name)
    if let number { integer(number) } else { null() }
  }
}
