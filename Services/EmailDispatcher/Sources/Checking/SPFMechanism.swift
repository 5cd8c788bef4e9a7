import Transport

extension SPFEvaluation {
  /// A term that may match an address (RFC 7208, section 5), with what it says then.
  struct Mechanism {
    enum Kind: Equatable {
      case all, include, a, mx, ptr, exists
      case ip(IPAddress, prefix: Int)
    }

    /// As it stands in the record.
    let term: String
    /// Whose record it is in.
    let domain: String
    let kind: Kind
    let outcome: Outcome
    /// The name that it is about.
    let target: String
    let prefix4: Int
    let prefix6: Int

    init(_ term: Substring, of domain: String) throws(Failure) {
      self.term = String(term)
      self.domain = domain
      let broken = Failure.permanent("'\(term)' in the SPF record of \(domain) is no term of SPF")
      let qualifiers: [Character: Outcome] = ["+": .pass, "-": .fail, "~": .softFail, "?": .neutral]
      let qualifier = term.first.flatMap { qualifiers[$0] }
      outcome = qualifier ?? .pass
      let rest = qualifier == nil ? term : term.dropFirst()
      let name = rest.prefix { $0 != ":" && $0 != "/" }.lowercased()
      let argument = rest.dropFirst(name.count)
      if name == "ip4" || name == "ip6" {
        guard let network = Self.network(argument, isIPv4: name == "ip4") else { throw broken }
        self.kind = network
        (target, prefix4, prefix6) = (domain, 32, 128)
        return
      }
      let kinds: [String: Kind] = [
        "all": .all, "include": .include, "a": .a, "mx": .mx, "ptr": .ptr, "exists": .exists,
      ]
      guard let kind = kinds[name] else { throw broken }
      self.kind = kind
      if argument.contains("%") { throw .unknown(term: self.term) }
      // `:domain`, then `/4`, `//6` or `/4//6`.
      let slash = argument.firstIndex(of: "/") ?? argument.endIndex
      let host = argument[..<slash]
      guard host.isEmpty || host.count > 1 else { throw broken }
      target = host.isEmpty ? domain : String(host.dropFirst())
      switch kind {
      case .include, .exists: guard !host.isEmpty, slash == argument.endIndex else { throw broken }
      case .all: guard argument.isEmpty else { throw broken }
      default: break
      }
      guard let lengths = Self.lengths(argument[slash...]) else { throw broken }
      (prefix4, prefix6) = lengths
    }

    private static func network(_ argument: Substring, isIPv4: Bool) -> Kind? {
      guard argument.first == ":" else { return nil }
      let parts = argument.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
      guard let text = parts.first, let address = IPAddress(String(text)), address.isIPv4 == isIPv4, parts.count <= 2
      else { return nil }
      let longest = isIPv4 ? 32 : 128
      guard parts.count == 2 else { return .ip(address, prefix: longest) }
      return length(parts[1], atMost: longest).map { .ip(address, prefix: $0) }
    }

    /// Of `/24`, `//64`, `/24//64` or nothing.
    private static func lengths(_ text: Substring) -> (Int, Int)? {
      guard !text.isEmpty else { return (32, 128) }
      if text.hasPrefix("//") { return length(text.dropFirst(2), atMost: 128).map { (32, $0) } }
      let parts = text.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
      guard let first = parts.first.flatMap({ length($0, atMost: 32) }) else { return nil }
      if parts.count == 1 { return (first, 128) }
      guard parts.count == 3, parts[1].isEmpty else { return nil }
      return length(parts[2], atMost: 128).map { (first, $0) }
    }

    private static func length(_ text: Substring, atMost longest: Int) -> Int? {
      guard text.allSatisfy(\.isNumber), let number = Int(text), number <= longest else { return nil }
      return number
    }
  }
}
