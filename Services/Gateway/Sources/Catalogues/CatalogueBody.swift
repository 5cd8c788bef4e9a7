import HTTPTypes
import Hummingbird
import BelfryJSON
import NotificationModel
import NotificationStore

/// A catalogue file as the body of a request.
enum CatalogueBody {
  /// - Throws: ``Problem`` for a body that is too large, of another Content-Type than YAML and JSON, or no text; of one without
  ///   Content-Type, for what is no YAML.
  static func read(_ request: Request) async throws -> CatalogueText {
    let bytes = try await RequestBody.untyped(of: request, maximum: CatalogueVersionStore.maximumText)
    let headers = request.headers
    let isJSON = headers[.contentType] != nil && RequestBody.isJSON(headers)
    guard isJSON || isYAML(headers) else {
      throw Problem.unsupportedMediaType(expected: "application/yaml or application/json")
    }
    guard let text = String(validating: bytes, as: UTF8.self), !text.unicodeScalars.contains("\0") else {
      throw Problem.invalid("", "expected a text in UTF-8 without U+0000")
    }
    guard isJSON else { return CatalogueText(yaml: text) }
    let reading = await CatalogueDesk.shared.carryOut {
      Result { () throws(JSONSyntaxError) in try CatalogueText(json: bytes) }
    }
    let file: CatalogueText
    do throws(JSONSyntaxError) {
      file = try reading.get()
    } catch {
      throw Problem.invalid("", "\(error)")
    }
    // What is written anew may be longer, and have what was escaped.
    guard file.yaml.utf8.count <= CatalogueVersionStore.maximumText else {
      throw Problem.tooLarge(limit: CatalogueVersionStore.maximumText)
    }
    return file
  }

  /// Whether no Content-Type says otherwise (RFC 9512).
  private static func isYAML(_ headers: HTTPFields) -> Bool {
    let types: Set = ["application/yaml", "application/x-yaml", "text/yaml", "text/x-yaml", "text/vnd.yaml"]
    return headers.filter { $0.name == .contentType }.allSatisfy { field in
      let type = field.value.prefix { $0 != ";" && !$0.isWhitespace }.lowercased()
      return types.contains(type) || type.hasPrefix("application/") && type.hasSuffix("+yaml")
    }
  }
}
