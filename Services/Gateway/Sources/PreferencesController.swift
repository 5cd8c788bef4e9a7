import Hummingbird
import JSON
import NotificationModel
import NotificationStore

/// A user's own choices per type and channel.
struct PreferencesController {
  let users: UserStore
  let catalogue: Catalogue

  func get(_ request: Request, context: GatewayContext) async throws -> Response {
    try await answer(try context.user())
  }

  func put(_ request: Request, context: GatewayContext) async throws -> Response {
    let user = try context.user()
    let input: UpdatePreferences = try await RequestBody.read(of: request)
    let unknown = input.choices.keys.filter { catalogue.type(.code($0)) == nil }.sorted()
    guard unknown.isEmpty else {
      throw ValidationError(
        unknown.map { FieldError("preferences", "notificationType \($0) is not in the catalogue") }
      )
    }
    try await users.setPreferences(input.choices, of: user)
    return try await answer(user)
  }

  /// `NotificationPreferencesDto`: every type of the catalogue, with the user's choice or the default.
  private func answer(_ user: UserID) async throws -> Response {
    let choices = try await users.preferences(of: user)
    return .json { writer in
      writer.object { writer in
        writer.array("preferences") { writer in
          for type in catalogue.types {
            let choice = choices[type.code] ?? type.channels
            writer.object { writer in
              writer.field("notificationType", type.code)
              writer.field("typeName", type.name)
              writer.field("category", type.category)
              writer.field("inAppEnabled", choice.inApp)
              writer.field("pushEnabled", choice.push)
              writer.field("emailEnabled", choice.email)
            }
          }
        }
        // There are no quiet hours yet: nothing sets them, and routing knows none.
        writer.field("quietHoursEnabled", false)
        writer.nullableField("quietHoursStart", nil)
        writer.nullableField("quietHoursEnd", nil)
      }
    }
  }

  /// `UpdateNotificationPreferencesDto`.
  private struct UpdatePreferences: FieldReadable {
    var choices: [Int: PerChannel<Bool>] = [:]

    init?(_ reader: FieldReader) {
      if !reader.isPresent("preferences") { reader.problem("preferences", "is required") }
      let items = reader.objects("preferences", limit: 500) { item -> (Int, PerChannel<Bool>)? in
        let type = item.required("notificationType", Int.self, expected: "a type's code")
        let inApp = item.required("inAppEnabled", Bool.self, expected: "true or false")
        let push = item.required("pushEnabled", Bool.self, expected: "true or false")
        let email = item.required("emailEnabled", Bool.self, expected: "true or false")
        guard let type, let inApp, let push, let email else { return nil }
        return (type, PerChannel(inApp: inApp, push: push, email: email))
      }
      for (type, choice) in items ?? [] { choices[type] = choice }
    }
  }
}
