import BelfryJSON

/// A file as far as it can be read, and what is wrong with its form.
struct CatalogueReading {
  let document: CatalogueDocument
  /// Without the entries that could not be read.
  let form: CatalogueForm?
  /// In the order of the reading.
  let problems: [CatalogueProblem]

  /// - Throws: ``CatalogueError`` if it is no YAML, or no mapping.
  init(_ yaml: String, channels: [any RoutingChannel]) throws(CatalogueError) {
    let document = try CatalogueYAML.document(yaml)
    self.document = document
    guard case .object = document.json else {
      throw CatalogueError("expected version, defaults, types and so on, each with its value")
    }
    let valueless = Self.fieldsWithoutValue(in: document.json, at: "")
    let (form, errors) = FieldReader.readings(
      CatalogueForm.self,
      from: document.json,
      routing: channels,
      suggests: true
    )
    self.form = form.map { form in
      var form = form
      form.document = document
      return form
    }
    problems =
      document.doubles.map { document.problem($0, "stands twice") }
      + valueless.map { document.problem($0, "has no value: give it one, or leave it out") }
      + errors.filter { !valueless.contains($0.field) }.map {
        document.problem($0.field, $0.message, at: Self.fragment($0.message))
      }
  }

  /// What of a template a message is about: `template '{{a|mony}}': 'mony' is not a filter`.
  private static func fragment(_ message: String) -> String? {
    guard message.hasPrefix("template '"), let match = message.firstMatch(of: /': (?:'([^']+)'|(\{\{[^{}]*\}\}))/)
    else {
      return nil
    }
    return (match.1 ?? match.2).map(String.init)
  }

  /// Names that stand there without a value, or with null. A reader of fields would take them for absent, where the schema
  /// does not; of a file that somebody writes it is nearly always a line that was lost.
  private static func fieldsWithoutValue(in json: JSONValue, at path: String) -> [String] {
    switch json {
    case .null: [path]
    case .object(let members):
      members.flatMap { fieldsWithoutValue(in: $0.value, at: path.isEmpty ? $0.name : "\(path).\($0.name)") }
    case .array(let elements): elements.enumerated().flatMap { fieldsWithoutValue(in: $1, at: "\(path)[\($0)]") }
    default: []
    }
  }
}

extension CatalogueForm {
  /// - Parameters:
  ///   - source: Stands before what is wrong, e.g. `catalogue file`.
  ///   - channels: Those that it may name.
  /// - Throws: ``CatalogueError`` with everything that is wrong, each with its place and the entry's name.
  static func read(
    yaml: String,
    source: String,
    channels: [any RoutingChannel] = Channel.routing
  ) throws(CatalogueError) -> CatalogueForm {
    do throws(CatalogueError) {
      let reading = try CatalogueReading(yaml, channels: channels)
      guard let form = reading.form, reading.problems.isEmpty else { throw CatalogueError(problems: reading.problems) }
      return form
    } catch {
      throw error.within(source)
    }
  }
}
