import JSON

extension CatalogueForm {
  /// - Parameter source: Stands before what is wrong, e.g. `catalogue file`.
  /// - Throws: ``CatalogueError`` with everything that is wrong, each with its place and the entry's name.
  static func read(yaml: String, source: String) throws(CatalogueError) -> CatalogueForm {
    let json: JSONValue
    do throws(CatalogueError) {
      json = try CatalogueYAML.json(yaml)
    } catch {
      throw error.within(source)
    }
    guard case .object = json else {
      throw CatalogueError("expected version, defaults, types and so on, each with its value").within(source)
    }
    let valueless = fieldsWithoutValue(in: json, at: "")
    var errors = valueless.map { FieldError($0, "has no value: give it one, or leave it out") }
    var form: CatalogueForm?
    do throws(ValidationError) {
      form = try FieldReader.read(CatalogueForm.self, from: json)
    } catch {
      errors += error.errors.filter { !valueless.contains($0.field) }
    }
    guard let form, errors.isEmpty else {
      let problems = errors.map { "\(place($0.field, in: json)): \($0.message)" }
      throw CatalogueError(problems: problems).within(source)
    }
    return form
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

  /// `types[3].digest.every` as `types[3] (DinnerIsReady).digest.every`: nobody counts entries.
  private static func place(_ field: String, in json: JSONValue) -> String {
    guard !field.isEmpty else { return "the file" }
    guard let match = field.prefixMatch(of: /([a-zA-Z]+)\[([0-9]+)\]/), let index = Int(match.2),
      let entries = json[String(match.1)]?.array, entries.indices.contains(index)
    else { return field }
    let label = entries[index]["name"]?.string ?? entries[index]["code"]?.integer.map { "code \($0)" }
    return label.map { "\(match.0) (\($0.excerpt))\(field[match.range.upperBound...])" } ?? field
  }
}
