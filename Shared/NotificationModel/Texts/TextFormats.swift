public import Foundation

/// How the values in a text are written for one reader.
public struct TextFormats: Sendable {
  private let locale: String
  private let language: String?
  private let zone: TimeZone?
  /// ISO 4217; for money whose data has no `currency`.
  let currency: String

  /// - Parameters:
  ///   - locale: The reader's, e.g. `de-AT`.
  ///   - language: That of the text, if it is another.
  ///   - timeZone: The reader's; UTC if unknown.
  public init(locale: String, language: String? = nil, timeZone: TimeZone? = nil, currency: String) {
    self.locale = locale
    self.language = language
    zone = timeZone
    self.currency = currency
  }

  // Made when a filter asks, for most texts have none.

  /// Numbers and money follow the reader's habits, whatever the language of the text.
  var numbers: Locale { Locale(identifier: locale) }

  /// Words that stand in a sentence (names of months, "tomorrow") are in the sentence's language.
  var words: Locale {
    guard let language, LocaleName.language(of: language) != LocaleName.language(of: locale) else { return numbers }
    return Locale(identifier: language)
  }

  /// For dates that are instants; a date without a time needs no zone.
  var timeZone: TimeZone { zone ?? .gmt }
}
