/// A link with values of a notification's data in it, e.g. `https://shop.example.com/orders/{{order}}`. Always `https`, always to the host
/// that the catalogue names: values are parts of the path, the query or the fragment, and cannot lead elsewhere.
public struct LinkTemplate: Sendable, Equatable {
  /// As the catalogue has it.
  public let source: String
  private let part: NotificationTemplate.Part

  /// - Throws: ``CatalogueError`` that says what is wrong with it.
  init(_ source: String) throws(CatalogueError) {
    let part = try NotificationTemplate.Part(source)
    guard part.filters.isEmpty else { throw CatalogueError("a link has no filters") }
    // A value of letters shows where values stand.
    let sample = part.render(Dictionary(part.variables.map { ($0, "x") }) { $1 }) ?? ""
    let start = source.prefix { $0 != "{" }
    guard sample.isHTTPSLink, let host = String.host(ofLink: String(start)),
      part.variables.isEmpty || start.utf8.count > 8 + host.utf8.count
    else {
      throw CatalogueError("'\(source.excerpt)' is no link: expected https://, a host without tags, and a path")
    }
    self.source = source
    self.part = part
  }

  public static func == (left: LinkTemplate, right: LinkTemplate) -> Bool { left.source == right.source }

  /// All variables that it looks at.
  var variables: Set<String> { part.variables }

  /// The link with its values; nil if the data lacks one, or has one that would be a step in the path (``Swift/String/linkPart``).
  public func link(_ data: [String: String]) -> String? {
    guard part.missing(in: data).isEmpty else { return nil }
    let encoded = data.filter { part.variables.contains($0.key) }.compactMapValues { $0 == "false" ? $0 : $0.linkPart }
    guard part.missing(in: encoded).isEmpty else { return nil }
    return part.render(encoded, within: 2_000).flatMap { $0.isHTTPSLink ? $0 : nil }
  }
}
