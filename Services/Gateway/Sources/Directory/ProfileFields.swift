import NotificationModel
import NotificationStore

/// A profile as a whole. What the user may choose is left alone where it is absent or null.
struct PutUser: FieldReadable {
  let profile: UserStore.Profile

  init?(_ reader: FieldReader) {
    profile = reader.profile()
  }
}

/// What to change of a profile: null clears, and what is absent stays.
struct PatchUser: FieldReadable {
  private let names: Set<String>
  private let values: UserStore.Profile
  private let channels: [any RoutingChannel]

  init?(_ reader: FieldReader) {
    channels = reader.routing
    names = Set(reader.names)
    values = reader.profile()
    if names.isEmpty {
      let members = channels.compactMap(\.address?.member).joined(separator: ", ")
      reader.problem(
        "",
        "names nothing to change: expected \(members), displayName, locale, timezone or notificationsEnabled"
      )
    }
    if names.contains("notificationsEnabled"), !reader.isPresent("notificationsEnabled") {
      reader.problem("notificationsEnabled", "expected true or false")
    }
  }

  func apply(to profile: inout UserStore.Profile) {
    for routing in channels {
      guard let field = routing.address, names.contains(field.member) else { continue }
      profile.addresses[routing.channel] = values.addresses[routing.channel]
    }
    if names.contains("displayName") { profile.displayName = values.displayName }
    if names.contains("locale") { profile.locale = values.locale }
    if names.contains("timezone") { profile.timezone = values.timezone }
    profile.isEnabled = values.isEnabled ?? profile.isEnabled
  }
}

extension FieldReader {
  fileprivate func profile() -> UserStore.Profile {
    var addresses = PerChannel<String>()
    for routing in routing {
      guard let field = routing.address, let address = text(field.member, limit: field.limit) else { continue }
      if !field.isPlausible(address) { problem(field.member, field.problem) }
      addresses[routing.channel] = address
    }
    var profile = UserStore.Profile(
      email: nil,
      displayName: text("displayName", limit: 200),
      locale: text("locale", limit: 35),
      timezone: timezone("timezone"),
      isEnabled: optional("notificationsEnabled", Bool.self, expected: "true or false")
    )
    profile.addresses = addresses
    return profile
  }
}
