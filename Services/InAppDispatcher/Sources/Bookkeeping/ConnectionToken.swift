/// What a transport presents: `<id>`, or `<node>.<id>` where a proxy leads requests to nodes by name.
///
/// The name is no secret; the random id alone is what nobody guesses.
struct ConnectionToken: Hashable, Sendable {
  let node: NodeName?
  let id: ConnectionID

  init(node: NodeName?, id: ConnectionID) {
    self.node = node
    self.id = id
  }

  /// Reads ``description``; nil for anything else.
  init?(_ text: String) {
    guard let dot = text.firstIndex(of: ".") else {
      guard let id = ConnectionID(text) else { return nil }
      self.init(node: nil, id: id)
      return
    }
    guard let node = NodeName(String(text[..<dot])), let id = ConnectionID(String(text[text.index(after: dot)...]))
    else { return nil }
    self.init(node: node, id: id)
  }
}

extension ConnectionToken: CustomStringConvertible {
  var description: String { node.map { "\($0.text).\(id)" } ?? id.description }
}
