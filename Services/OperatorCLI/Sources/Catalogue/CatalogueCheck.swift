import ConsoleCommands
import NotificationModel
import Rules

/// What is to be said of somebody's catalogue file.
struct CatalogueCheck {
  let isGood: Bool
  /// `file:line:column: path: message`, one for each problem; or what the file makes of the catalogue.
  let lines: [String]

  /// - Parameter file: `-` is standard input.
  init(file: String, on console: Console) {
    let text: CatalogueText
    do {
      text = try CatalogueText(file: file, on: console)
    } catch {
      self.init(isGood: false, lines: ["\(error)"])
      return
    }
    self.init(file: Console.name(of: file), text: text.yaml)
  }

  private init(isGood: Bool, lines: [String]) {
    self.isGood = isGood
    self.lines = lines
  }

  /// - Parameter file: What the text is called.
  init(file: String, text: String) {
    let review = Catalogue.review(text)
    guard let catalogue = review.catalogue, review.problems.isEmpty else {
      self.init(isGood: false, lines: review.problems.map { $0.line(in: file) })
      return
    }
    let lines =
      catalogue.replaced.map { "\(file): type \($0.code) \($0.name) replaces the built-in \($0.former)" }
      + ["\(file): good; \(Self.counts(of: catalogue))"]
    self.init(isGood: true, lines: lines)
  }

  private static func counts(of catalogue: Catalogue) -> String {
    let counts = [
      (catalogue.types.count, "type"), (catalogue.events.count, "event"), (catalogue.rules.rules.count, "rule"),
      (catalogue.schedules.count, "schedule template"), (catalogue.settings.count, "setting"),
    ]
    let beside = catalogue.hasBuiltIn ? "with it" : "without the built-in entries"
    return "\(beside) there are \(counts.map { "\($0) \($1)\($0 == 1 ? "" : "s")" }.joined(separator: ", "))"
  }
}
