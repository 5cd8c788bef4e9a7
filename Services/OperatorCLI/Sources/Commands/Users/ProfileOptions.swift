import ArgumentParser
import BelfryJSON

/// What a profile has.
struct ProfileOptions: ParsableArguments {
  /// Whether the user is notified at all.
  enum Switch: String, CaseIterable, ExpressibleByArgument {
    case on, off
  }

  @Option(help: ArgumentHelp("The mail address.", valueName: "address"))
  var email: String?

  @Option(help: ArgumentHelp("The name that others read.", valueName: "name"))
  var name: String?

  @Option(help: ArgumentHelp("The language of texts, e.g. de-AT.", valueName: "locale"))
  var locale: String?

  @Option(help: ArgumentHelp("The IANA time zone, e.g. Europe/Berlin.", valueName: "zone"))
  var timezone: String?

  @Option(help: "The master switch.")
  var notifications: Switch?

  init() {}

  var isEmpty: Bool { [email, name, locale, timezone].allSatisfy { $0 == nil } && notifications == nil }

  /// Writes fields of an object that is begun.
  func write(to writer: inout JSONWriter) {
    writer.optionalField("email", email)
    writer.optionalField("displayName", name)
    writer.optionalField("locale", locale)
    writer.optionalField("timezone", timezone)
    if let notifications { writer.field("notificationsEnabled", notifications == .on) }
  }
}
