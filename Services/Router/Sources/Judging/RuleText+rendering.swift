import NotificationModel
import Rules

extension RuleText {
  /// The text as a reader would write it. A filter that does not fit its value leaves it as the event had it.
  func text(_ formats: TextFormats) -> String {
    text { value, filters in filters.reduce(value) { $1.text($0, formats) } }
  }
}

extension RuleText.Filter {
  fileprivate func text(_ value: String, _ formats: TextFormats) -> String {
    // What the event gives as a currency may be none: the reader's is then the best guess.
    let filter = argument.flatMap { try? TextFilter("\(name):\($0)") } ?? (try? TextFilter(name))
    return filter?.text(value, formats) ?? value
  }
}
