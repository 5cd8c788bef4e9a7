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
              for channel in Channel.allCases {
                writer.dynamicKey(Self.field(of: channel))
                writer.bool(choice[channel] ?? false)
              }
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

  /// The member that says whether a channel is wanted.
  private static func field(of channel: Channel) -> String { "\(channel.name)Enabled" }

  /// `UpdateNotificationPreferencesDto`.
  private struct UpdatePreferences: FieldReadable {
    var choices: [Int: PerChannel<Bool>] = [:]

    init?(_ reader: FieldReader) {
      if !reader.isPresent("preferences") { reader.problem("preferences", "is required") }
      let items = reader.objects("preferences", limit: 500) { item -> (Int, PerChannel<Bool>)? in
        let type = item.required("notificationType", Int.self, expected: "a type's code")
        var choice = PerChannel<Bool>()
        for channel in Channel.allCases {
          choice[channel] = item.required(
            PreferencesController.field(of: channel),
            Bool.self,
            expected: "true or false"
          )
        }
        guard let type, choice.entries.count == Channel.allCases.count else { return nil }
        return (type, choice)
      }
      for (type, choice) in items ?? [] { choices[type] = choice }
    }
  }
}
