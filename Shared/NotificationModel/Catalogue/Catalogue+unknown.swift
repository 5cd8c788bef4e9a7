import TerminalText

/// What is said of names that the catalogue does not have, with the one that was probably meant.
extension Catalogue {
  public func unknown(type reference: Reference) -> String {
    let problem = "\(reference) is not in the catalogue"
    return switch reference {
    case .code: problem
    case .name(let name): problem + NearestName.advice(name, among: types.lazy.map(\.name))
    }
  }

  public func unknown(event name: String) -> String {
    "'\(name.excerpt)' is not an event of the catalogue" + NearestName.advice(name, among: events.lazy.map(\.name))
  }

  public func unknown(category name: String) -> String {
    "'\(name.excerpt)' is not a category of the catalogue"
      + NearestName.advice(name, among: Set(types.lazy.map(\.category)))
  }

  /// Of a setting, whose name is the field's.
  public func unknown(setting name: String) -> String {
    "is not a setting of the catalogue" + NearestName.advice(name, among: settings.lazy.map(\.name))
  }

  func unknown(schedule name: String) -> String {
    "'\(name.excerpt)' is not in the catalogue" + NearestName.advice(name, among: schedules.lazy.map(\.name))
  }
}
