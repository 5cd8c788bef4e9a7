import NotificationModel
import Rules

/// A catalogue for a person to read.
struct CatalogueListing {
  private let catalogue: Catalogue

  init(_ catalogue: Catalogue) {
    self.catalogue = catalogue
  }

  /// Kinds of entries that there are none of have no heading.
  var lines: [String] {
    let lines = types + events + rules + schedules + settings
    return lines.isEmpty ? ["The catalogue is empty."] : lines
  }

  private var types: [String] {
    let width = catalogue.types.map(\.name.count).max() ?? 0
    return catalogue.categoryNames.flatMap { category in
      [heading(category)] + catalogue.types.filter { $0.category == category }.map { line(of: $0, width: width) }
    }
  }

  /// With what the category says of its types and their mails.
  private func heading(_ category: String) -> String {
    guard let own = catalogue.categories.first(where: { $0.name == category }) else { return category }
    var parts = [category]
    if let channels = own.channels { parts.append("its types: \(words(of: channels))") }
    if own.mail.stream == .bulk { parts.append("bulk mail") }
    if own.mail.mayUnsubscribe { parts.append("one click stops its mails") }
    return parts.joined(separator: "; ")
  }

  private func words(of channels: PerChannel<Bool>) -> String {
    let names = catalogue.channels.filter { channels[$0.channel] ?? false }.map(\.name)
    return names.isEmpty ? "off unless chosen" : names.joined(separator: ", ")
  }

  /// - Parameter width: Of the names.
  private func line(of type: NotificationType, width: Int) -> String {
    let code = String(type.code)
    var parts = [words(of: type.channels)]
    let variables = type.template.missing(in: [:]).joined(separator: ", ")
    if !variables.isEmpty { parts.append("data: \(variables)") }
    if type.template.locales.count > 1 { parts.append("in \(type.template.locales.joined(separator: ", "))") }
    let days = type.timeToLive / 86_400
    parts.append("\(type.priority.rawValue), \(days) \(days == 1 ? "day" : "days")")
    parts += type.policies
    return "  " + String(repeating: " ", count: max(0, 5 - code.count)) + code + "  "
      + Self.padded(type.name, to: width)
      + "  " + parts.joined(separator: "; ")
  }

  private var events: [String] {
    let width = catalogue.events.map(\.name.count).max() ?? 0
    return Self.section(
      "Events",
      catalogue.events.map { event in
        var parts = [event.isRelayed ? "relayed to open connections" : "for rules alone"]
        if !event.arguments.isEmpty { parts.append("arguments: \(event.arguments.joined(separator: ", "))") }
        if !event.amounts.isEmpty { parts.append("amounts: \(event.amounts.joined(separator: ", "))") }
        return "  \(Self.padded(event.name, to: width))  \(parts.joined(separator: "; "))"
      }
    )
  }

  private var rules: [String] {
    let rules = catalogue.rules.rules
    let width = rules.map(\.name.count).max() ?? 0
    return Self.section("Rules", rules.map { "  \(Self.padded($0.name, to: width))  \($0.words)" })
  }

  private var schedules: [String] {
    let width = catalogue.schedules.map(\.name.count).max() ?? 0
    return Self.section(
      "Schedule templates",
      catalogue.schedules.map { schedule in
        let type = catalogue.type(schedule.type)?.name ?? schedule.type.description
        return "  \(Self.padded(schedule.name, to: width))  \(schedule.recurrence) at \(schedule.time): \(type)"
      }
    )
  }

  private var settings: [String] {
    let width = catalogue.settings.map(\.name.count).max() ?? 0
    return Self.section(
      "Settings",
      catalogue.settings.map { setting in
        let bounds = "from \(setting.bounds.lowerBound) to \(setting.bounds.upperBound)"
        // As the rules' sentences name it.
        let title = setting.title.map { "; '\($0.text(locale: nil, default: catalogue.defaults.locale))'" } ?? ""
        return "  \(Self.padded(setting.name, to: width))  \(setting.initial) at first; \(bounds)\(title)"
      }
    )
  }

  private static func section(_ heading: String, _ lines: [String]) -> [String] {
    lines.isEmpty ? [] : [heading] + lines
  }

  private static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}
