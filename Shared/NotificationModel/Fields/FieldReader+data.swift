import BelfryJSON

extension FieldReader {
  /// This object as a request's `data` or a type's `example`: names with texts, numbers and booleans, all kept as texts.
  ///
  /// - Returns: The texts, and the names of those that were no strings; nil if there are too many.
  func data() -> (texts: [String: String], literals: Set<String>)? {
    var data: [String: String] = [:]
    var literals: Set<String> = []
    let names = self.names
    guard names.count <= 64 else {
      problem("", "has \(names.count) entries; at most 64 are allowed")
      return nil
    }
    data.reserveCapacity(names.count)
    for name in names where isPresent(name) {
      if let fault = DataName.problem(name) {
        problem(name.excerpt, fault)
      } else if let value = optional(name, Scalar.self, expected: "a string, a number or a boolean") {
        let text = value.description
        if text.hasControl(except: String.lineBreaks) {
          problem(name, "must not contain control characters")
        } else {
          data[name] = text
          if value.isLiteral { literals.insert(name) }
        }
      }
    }
    let size = data.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
    if size > DataName.maximumTotal { problem("", "has \(size) bytes; at most \(DataName.maximumTotal) are allowed") }
    return (data, literals)
  }
}
