/// Members of an object that a program makes up; without a value they are null.
extension JSONMember {
  public init(_ name: String, _ value: JSONValue) {
    self.init(name: name, value: value, range: 0..<0)
  }

  public init(_ name: String, _ value: String?) {
    self.init(name, value.map(JSONValue.string) ?? .null)
  }

  public init(_ name: String, _ value: Int?) {
    self.init(name, value.map { .number(String($0)) } ?? .null)
  }

  public init(_ name: String, _ value: Bool) {
    self.init(name, .boolean(value))
  }
}
