/// A filled-in text whose formatted parts wait for the recipient's locale: `Balance: ` and `12.5` as money.
public struct RuleText: Hashable, Sendable {
  public let parts: [Part]

  public enum Part: Hashable, Sendable {
    case text(String)
    /// A value as the event had it, to be put through the filters in their order.
    case formatted(String, [Filter])
  }

  /// `money` or `money:EUR`. What a filter does is the renderer's matter.
  public struct Filter: Hashable, Sendable {
    public let name: String
    /// What stands behind the colon; where the template says `@path`, the payload's value, nil if it has none.
    public let argument: String?

    public init(_ name: String, argument: String? = nil) {
      self.name = name
      self.argument = argument
    }
  }

  /// Texts side by side become one, so that the same text is the same value.
  public init(_ parts: [Part]) {
    self.parts = parts.reduce(into: []) { merged, part in
      if case .text(let next) = part, case .text(let last)? = merged.last {
        merged[merged.count - 1] = .text(last + next)
      } else {
        merged.append(part)
      }
    }
  }

  public init(_ text: String) {
    self.init([.text(text)])
  }

  /// The text with every part formatted by the caller.
  public func text(_ format: (_ value: String, _ filters: [Filter]) -> String) -> String {
    var text = ""
    for part in parts {
      switch part {
      case .text(let literal): text += literal
      case .formatted(let value, let filters): text += format(value, filters)
      }
    }
    return text
  }

  /// The text with its values as the event had them.
  public var unformatted: String { text { value, _ in value } }
}
