/// An enhanced status code (RFC 3463), e.g. `5.1.1`.
public struct EnhancedStatus: Sendable, Hashable {
  /// 2 success, 4 for now, 5 for good.
  public let category: Int
  public let subject: Int
  public let detail: Int

  public init(_ category: Int, _ subject: Int, _ detail: Int) {
    (self.category, self.subject, self.detail) = (category, subject, detail)
  }

  public var text: String { "\(category).\(subject).\(detail)" }

  /// The one with which a text begins.
  public init?(leading text: some StringProtocol) {
    self.init(token: text.drop(while: \.isWhitespace).prefix { $0.isASCII && ($0.isNumber || $0 == ".") })
  }

  /// The first one in a server's words, such as `smtp; 550 5.1.1 <ann@example.com>: unknown` or `550-5.7.26 unauthenticated`.
  public init?(in text: some StringProtocol) {
    for word in text.split(maxSplits: 40, whereSeparator: { !($0.isASCII && ($0.isNumber || $0 == ".")) }) {
      guard let status = EnhancedStatus(token: word) else { continue }
      self = status
      return
    }
    return nil
  }

  private init?(token: some StringProtocol) {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, parts.allSatisfy({ (1...3).contains($0.count) }), parts[0].count == 1,
      let category = Int(parts[0]), [2, 4, 5].contains(category), let subject = Int(parts[1]),
      let detail = Int(parts[2])
    else { return nil }
    self.init(category, subject, detail)
  }
}
