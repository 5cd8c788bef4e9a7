import Foundation

/// The colours of a mail, by day or by night.
public struct MailColors: Sendable, Equatable {
  /// Of buttons and links.
  let accent: Color
  /// Around the mail.
  let background: Color
  /// Behind the text.
  let surface: Color
  let text: Color

  static let light = MailColors(
    accent: Color(0x1D4ED8),
    background: Color(0xF1F3F6),
    surface: Color(0xFFFFFF),
    text: Color(0x1F2933)
  )
  static let dark = MailColors(
    accent: Color(0x8AB4F8),
    background: Color(0x11151A),
    surface: Color(0x1D232B),
    text: Color(0xE6E9ED)
  )

  /// As the layout knows them: `accent`, or `darkAccent`.
  func words(dark: Bool) -> [String: String] {
    let named = [
      "accent": accent, "onAccent": accent.readable, "background": background, "surface": surface, "text": text,
      "onBackground": onBackground, "muted": muted,
    ]
    guard dark else { return named.mapValues(\.description) }
    return Dictionary(
      uniqueKeysWithValues: named.map { ("dark\($0.prefix(1).uppercased())\($0.dropFirst())", "\($1)") }
    )
  }

  /// The name over the mail: the text's colour, if it can be read there too.
  var onBackground: Color { text.isReadable(on: background) ? text : background.readable }

  /// Footer, address and the link that stops such mails, which stand on the background.
  var muted: Color {
    let soft = [text.softened(towards: surface), onBackground.softened(towards: background)]
    return soft.first { $0.isReadable(on: background) } ?? onBackground
  }

  /// What cannot be read: the pair, and its contrast.
  var unreadable: [(name: String, contrast: Double)] {
    [("text", text), ("accent", accent)].compactMap { name, color in
      color.isReadable(on: surface) ? nil : (name: name, contrast: color.contrast(with: surface))
    }
  }
}

/// How a catalogue file says it.
extension MailColors {
  static let fields: Set = ["accent", "background", "surface", "text"]

  /// - Parameter standard: Those that the file leaves out.
  init?(_ reader: FieldReader, standard: MailColors) {
    reader.refuseUnknown(known: Self.fields)
    func color(_ name: String, _ standard: Color) -> Color {
      guard let text = reader.text(name, limit: 64) else { return standard }
      let color = Color(text)
      if color == nil { reader.problem(name, "'\(text.excerpt)' is not a colour such as #1d4ed8") }
      return color ?? standard
    }
    self.init(
      accent: color("accent", standard.accent),
      background: color("background", standard.background),
      surface: color("surface", standard.surface),
      text: color("text", standard.text)
    )
  }
}

extension MailColors {
  /// `#rrggbb`
  struct Color: Sendable, Equatable, CustomStringConvertible {
    private let red: Int
    private let green: Int
    private let blue: Int

    init(_ number: Int) { (red, green, blue) = (number >> 16 & 255, number >> 8 & 255, number & 255) }

    init?(_ text: String) {
      guard text.wholeMatch(of: /#[0-9A-Fa-f]{6}/) != nil, let number = Int(text.dropFirst(), radix: 16) else {
        return nil
      }
      self.init(number)
    }

    var description: String {
      let digits = String(red << 16 | green << 8 | blue, radix: 16)
      return "#" + String(repeating: "0", count: 6 - digits.count) + digits
    }

    /// From 1 to 21; from 4.5 on people can read it (WCAG 2.2, 1.4.3).
    func contrast(with other: Color) -> Double {
      let (one, two) = (luminance, other.luminance)
      return (max(one, two) + 0.05) / (min(one, two) + 0.05)
    }

    /// WCAG 2.2, "relative luminance".
    private var luminance: Double {
      let parts = [red, green, blue].map { part -> Double in
        let share = Double(part) / 255
        return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
      }
      return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    }

    func isReadable(on other: Color) -> Bool { contrast(with: other) >= 4.5 }

    /// White or black, whichever is easier to read on it: one of both always is.
    var readable: Color {
      let (white, black) = (Color(0xFFFFFF), Color(0))
      return contrast(with: white) >= contrast(with: black) ? white : black
    }

    /// Two parts of this and one of the other.
    func softened(towards other: Color) -> Color {
      func mix(_ one: Int, _ two: Int) -> Int { (2 * one + two) / 3 }
      return Color(mix(red, other.red) << 16 | mix(green, other.green) << 8 | mix(blue, other.blue))
    }
  }
}
