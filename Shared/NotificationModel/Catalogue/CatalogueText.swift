public import BelfryJSON

/// An operator's catalogue file as it is applied, stored and answered: YAML, of which JSON is a part.
public struct CatalogueText: Sendable, Equatable {
  public let yaml: String

  public init(yaml: String) {
    self.yaml = yaml
  }

  /// Byte by byte: of two spellings that are one to Unicode, names and texts are another to whoever compares bytes.
  public static func == (one: CatalogueText, other: CatalogueText) -> Bool {
    one.yaml.utf8.elementsEqual(other.yaml.utf8)
  }

  /// A file in JSON: as it was given where YAML reads the same of it, else written anew.
  ///
  /// - Throws: What is no JSON.
  public init(json bytes: [UInt8]) throws(JSONSyntaxError) {
    let value = try JSONParser.parse(bytes)
    let text = String(decoding: bytes, as: UTF8.self)
    let canonical = JSONWriter.text(value)
    yaml = (try? CatalogueYAML.json(text)).map { JSONWriter.text($0) == canonical } == true ? text : canonical
  }

  /// The file in JSON.
  ///
  /// - Throws: ``CatalogueError`` of what is no YAML.
  public func json() throws(CatalogueError) -> [UInt8] {
    Array(JSONWriter.text(try CatalogueYAML.json(yaml)).utf8)
  }

  /// What stands for the file where none was applied yet.
  public static let none = CatalogueText(
    yaml: "# No version was applied yet: the built-in catalogue alone is in force.\nversion: 1\n"
  )
}
