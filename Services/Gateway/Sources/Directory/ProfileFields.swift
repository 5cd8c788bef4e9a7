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

  init?(_ reader: FieldReader) {
    names = Set(reader.names)
    values = reader.profile()
    if names.isEmpty {
      reader.problem(
        "",
        "names nothing to change: expected email, displayName, locale, timezone or notificationsEnabled"
      )
    }
    if names.contains("notificationsEnabled"), !reader.isPresent("notificationsEnabled") {
      reader.problem("notificationsEnabled", "expected true or false")
    }
  }

  func apply(to profile: inout UserStore.Profile) {
    if names.contains("email") { profile.email = values.email }
    if names.contains("displayName") { profile.displayName = values.displayName }
    if names.contains("locale") { profile.locale = values.locale }
    if names.contains("timezone") { profile.timezone = values.timezone }
    profile.isEnabled = values.isEnabled ?? profile.isEnabled
  }
}

extension FieldReader {
  fileprivate func profile() -> UserStore.Profile {
    let email = text("email", limit: 254)
    if let email, !MailAddress.isPlausible(email) { problem("email", "expected an address such as ann@example.org") }
    return UserStore.Profile(
      email: email,
      displayName: text("displayName", limit: 200),
      locale: text("locale", limit: 35),
      timezone: timezone("timezone"),
      isEnabled: optional("notificationsEnabled", Bool.self, expected: "true or false")
    )
  }
}
