import Foundation
import WallClock

/// Writes a value for its reader: `{{amount|money}}`, `{{amount|money:EUR}}`.
public struct TextFilter: Sendable, Equatable {
  public enum Name: String, Sendable, CaseIterable {
    /// With as many decimals as the currency has: `$12.50`.
    case money
    /// Like ``money``, but a whole amount has no decimals: `$15`.
    case price
    /// Grouped, with up to six decimals: `1,234.5`.
    case number
    /// A date (`2026-11-22`) or an instant (RFC 3339): `November 22, 2026`.
    case date
    /// A number of days from today: `today`, `tomorrow`, `in 3 days`, `yesterday`.
    case inDays

    fileprivate var isAmount: Bool { self == .money || self == .price }

    /// Instants are shown as dates where the reader is.
    var dependsOnZone: Bool { self == .date }
  }

  public let name: Name
  /// Of amounts: a currency (ISO 4217), or `@` and the variable that has it.
  public let argument: String?

  /// - Parameter text: What stands behind the bar, e.g. `money:EUR` or `money:@currency`.
  /// - Throws: ``CatalogueError`` for a filter that there is not.
  public init(_ text: String) throws(CatalogueError) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let name = parts.first.flatMap({ Name(rawValue: String($0)) }) else {
      let known = Name.allCases.map(\.rawValue).joined(separator: ", ")
      throw CatalogueError("'\(text.excerpt)' is not a filter (\(known))")
    }
    self.name = name
    argument = parts.count > 1 ? String(parts[1]) : nil
    guard let argument else { return }
    let isCurrency = argument.isCurrencyCode || argument.wholeMatch(of: /@[A-Za-z0-9_\-]{1,128}/) != nil
    if !name.isAmount || !isCurrency {
      throw CatalogueError("'\(text.excerpt)': only money and price take a currency such as EUR or @currency")
    }
  }

  /// The value as the reader would write it. A value that is not of the filter's kind stays as it came, for some backends
  /// send amounts that are formatted already.
  ///
  /// - Parameter data: Where variables are looked up; amounts are in its `currency`, else in that of `formats`.
  public func text(_ value: String, data: [String: String] = [:], _ formats: TextFormats) -> String {
    switch name {
    case .money, .price:
      guard let amount = Self.decimal(value) else { return value }
      let code = currency(data) ?? formats.currency
      let style = Decimal.FormatStyle.Currency(code: code, locale: formats.numbers)
      let isBare = name == .price && amount == amount.wholePart
      return amount.formatted(isBare ? style.precision(.fractionLength(0)) : style)
    case .number:
      guard let number = Self.decimal(value) else { return value }
      return number.formatted(Decimal.FormatStyle(locale: formats.numbers).precision(.fractionLength(0...6)))
    case .date:
      return Self.date(value, formats) ?? value
    case .inDays:
      guard let days = Int(value), (-36_500...36_500).contains(days) else { return value }
      return Self.inDays(days, formats.words)
    }
  }

  // MARK: Kinds

  private func currency(_ data: [String: String]) -> String? {
    let code: String?
    switch argument {
    case nil: code = data["currency"]
    case let text? where text.hasPrefix("@"): code = data[String(text.dropFirst())]
    case let text?: code = text
    }
    return code.flatMap { $0.isCurrencyCode ? $0 : nil }
  }

  /// The whole text as a number: `Decimal(string:)` alone would read the beginning of `12 apples`.
  private static func decimal(_ text: String) -> Decimal? {
    guard text.utf8.count <= 40, isNumber(text) else { return nil }
    return Decimal(string: text, locale: plain)
  }

  private static let plain = Locale(identifier: "en_US_POSIX")

  /// `-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]{1,2})?`, by hand: each reader's amounts pass, and a regex is made anew each time.
  private static func isNumber(_ text: String) -> Bool {
    var rest = text.utf8[...]
    func take(_ bytes: String) -> Bool {
      guard let first = rest.first, bytes.utf8.contains(first) else { return false }
      rest.removeFirst()
      return true
    }
    func digits() -> Int {
      let digits = rest.prefix { (0x30...0x39).contains($0) }.count
      rest.removeFirst(digits)
      return digits
    }
    _ = take("-")
    guard digits() > 0 else { return false }
    if take("."), digits() == 0 { return false }
    if take("eE") {
      _ = take("+-")
      guard (1...2).contains(digits()) else { return false }
    }
    return rest.isEmpty
  }

  private static func date(_ text: String, _ formats: TextFormats) -> String? {
    var style = Date.FormatStyle(date: .long, time: .omitted, locale: formats.words)
    if text.utf8.count == 10, let day = Date(rfc3339: text + "T00:00:00Z") {
      style.timeZone = .gmt
      return day.formatted(style)
    }
    style.timeZone = formats.timeZone
    return Date(rfc3339: text)?.formatted(style)
  }

  private static func inDays(_ days: Int, _ locale: Locale) -> String {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let today = Date(timeIntervalSince1970: 0)
    var style = Date.AnchoredRelativeFormatStyle(
      anchor: today + TimeInterval(days) * 86_400,
      allowedFields: [.day],
      presentation: .named,
      unitsStyle: .wide,
      locale: locale,
      calendar: calendar
    )
    style.capitalizationContext = .middleOfSentence
    return style.format(today)
  }
}

extension String {
  /// Three capital letters, as in ISO 4217.
  var isCurrencyCode: Bool { utf8.count == 3 && utf8.allSatisfy { (0x41...0x5A).contains($0) } }
}

extension Decimal {
  fileprivate var wholePart: Decimal {
    var value = self
    var whole = Decimal()
    NSDecimalRound(&whole, &value, 0, .down)
    return whole
  }
}
