import NotificationModel
import Rules

/// What is to be said of somebody's catalogue file.
struct CatalogueJudgement {
  let isGood: Bool
  /// Each problem with its place, or which types the file replaces and what it makes of the catalogue.
  let lines: [String]

  init(file: String) {
    do throws(CatalogueError) {
      let catalogue = try Catalogue(file: file)
      isGood = true
      lines =
        catalogue.replaced.map { "\(file): type \($0.code) \($0.name) replaces the built-in \($0.former)" }
        + ["\(file): good; with it there are \(Self.counts(of: catalogue))"]
    } catch {
      isGood = false
      // YAML's own errors draw the place below.
      lines = error.problems.map { "\(file): \($0.split(whereSeparator: \.isNewline).joined(separator: " "))" }
    }
  }

  private static func counts(of catalogue: Catalogue) -> String {
    let counts = [
      (catalogue.types.count, "types"), (catalogue.events.count, "events"), (catalogue.rules.rules.count, "rules"),
      (catalogue.schedules.count, "schedule templates"),
    ]
    return counts.map { "\($0) \($1)" }.joined(separator: ", ")
  }
}
