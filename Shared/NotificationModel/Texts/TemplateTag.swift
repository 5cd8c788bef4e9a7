/// A tag of a template, `{{…}}`. Only some of Mustache's are allowed, those that can be checked when the catalogue is read;
/// and two are added: filters on variables, and sections for one value of a variable (`{{#period=day}}…{{/period=day}}`).
struct TemplateTag {
  enum Kind: Equatable {
    case variable
    /// `{{#name}}`: if there is something.
    case section
    /// `{{^name}}`: if there is nothing.
    case inverted
    case end
    case comment
  }

  let kind: Kind
  /// `.` is the value of the section around it.
  let name: String
  let filter: TextFilter?
  /// What a section wants its variable to be.
  let value: String?

  /// What stands in the compiled template instead; nil if Mustache understands the tag as it is.
  var compiled: String? {
    guard let key else { return nil }
    let sign =
      switch kind {
      case .variable, .comment: ""
      case .section: "#"
      case .inverted: "^"
      case .end: "/"
      }
    return "{{\(sign)\(key)}}"
  }

  /// The name under which a filtered value, or the answer whether a value is the wanted one, is rendered.
  var key: String? {
    if let filter { return "\(name)__\(filter.name.rawValue)_\(filter.argument?.replacing("@", with: "of_") ?? "")" }
    return value.map { "\(name)__is_\($0)" }
  }

  /// Whether what stands in a section is shown. What the value of another section decides counts as shown.
  func isShown(by data: [String: String]) -> Bool {
    guard name != "." else { return true }
    let found = data[name]
    let holds = value == nil ? found?.isEmpty == false && found != "false" : found == value
    return holds == (kind == .section)
  }

  /// - Parameter content: What stands between the braces, e.g. `amount|money`.
  init(_ content: Substring) throws(CatalogueError) {
    var rest = content
    // {{{name}}}
    if rest.first == "{", rest.last == "}" { rest = rest.dropFirst().dropLast() }
    rest = rest.trimmingSpaces
    kind =
      switch rest.first {
      case "!": .comment
      case "#": .section
      case "^": .inverted
      case "/": .end
      default: .variable
      }
    guard kind != .comment else {
      (name, filter, value) = ("", nil, nil)
      return
    }
    if kind != .variable || rest.first == "&" { rest = rest.dropFirst().trimmingSpaces }
    let tag = "{{\(String(content).excerpt)}}"
    let form = /(\.|[A-Za-z0-9_\-]{1,128})\s*(\|\s*(.*))?(=([A-Za-z0-9_\-]{1,64}))?/
    guard let match = String(rest).wholeMatch(of: form) else {
      throw CatalogueError("\(tag) is not a variable, a section, its end or a comment")
    }
    name = String(match.1)
    filter = try match.3.map { text throws(CatalogueError) in try TextFilter(String(text)) }
    value = match.5.map(String.init)
    if filter != nil, kind != .variable || name == "." {
      throw CatalogueError("\(tag): a filter needs a variable's name")
    }
    if value != nil, kind == .variable || name == "." {
      throw CatalogueError("\(tag): only a section can want a value")
    }
  }
}

extension Substring {
  fileprivate var trimmingSpaces: Substring {
    var text = self.drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text = text.dropLast() }
    return text
  }
}
