/// One value for each of some locales, or one for all of them.
///
/// Chosen for a reader: the reader's locale (`de-AT`), what is more general (`de`), the same of the catalogue's default, and
/// at last the default of the file that says it, which always has a value.
public struct Localized<Value> {
  /// Keyed by canonical locale.
  private(set) var values: [String: Value]
  /// The locale of the file's author: the one that always has a value.
  let original: String

  /// - Parameter values: By canonical locale; one of them is for `original`.
  init(_ values: [String: Value], original: String) {
    precondition(values[original] != nil, "there is a value for the original locale")
    self.values = values
    self.original = original
  }

  /// The same for all.
  init(_ value: Value, original: String) {
    values = [original: value]
    self.original = original
  }

  /// Locales that have a value of their own.
  public var locales: [String] { values.keys.sorted() }

  /// The value for a reader, with the locale it is in.
  ///
  /// - Parameter fallback: The catalogue's default locale.
  func choose(_ locale: String?, fallback: String?) -> (locale: String, value: Value) {
    if values.count > 1 {
      for name in LocaleName.chain(locale) + LocaleName.chain(fallback) {
        if let value = values[name] { return (name, value) }
      }
    }
    // Checked when it was made.
    return (original, values[original]!)
  }
}

extension Localized: Sendable where Value: Sendable {}
extension Localized: Equatable where Value: Equatable {}

/// A short text that is no template, e.g. a button's.
public typealias LocalizedText = Localized<String>

extension Localized<String> {
  /// - Parameters: the reader's locale and the catalogue's default.
  public func text(locale: String?, default fallback: String? = nil) -> String {
    choose(locale, fallback: fallback).value
  }
}
