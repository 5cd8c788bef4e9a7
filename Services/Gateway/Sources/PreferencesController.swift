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
              for field in Self.fields {
                writer.dynamicKey(field.name)
                writer.bool(choice[field.channel] ?? false)
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
  private struct ChannelField {
    let channel: Channel
    let name: String
    /// Whether each update has it.
    let isRequired: Bool
  }

  /// Those that every client knows. Their names are of the API, whatever the channels are called.
  private static let firstFields = [
    ChannelField(channel: .inApp, name: "inAppEnabled", isRequired: true),
    ChannelField(channel: .push, name: "pushEnabled", isRequired: true),
    ChannelField(channel: .email, name: "emailEnabled", isRequired: true),
  ]

  /// Later channels are not known to every client: what it leaves out stays as it is.
  private static let fields =
    firstFields
    + Channel.allCases.filter { channel in !firstFields.contains { $0.channel == channel } }
    .map { ChannelField(channel: $0, name: "\($0.name)Enabled", isRequired: false) }

  /// `UpdateNotificationPreferencesDto`.
  private struct UpdatePreferences: FieldReadable {
    var choices: [Int: PerChannel<Bool>] = [:]

    init?(_ reader: FieldReader) {
      if !reader.isPresent("preferences") { reader.problem("preferences", "is required") }
      let items = reader.objects("preferences", limit: 500) { item -> (Int, PerChannel<Bool>)? in
        let type = item.required("notificationType", Int.self, expected: "a type's code")
        var choice = PerChannel<Bool>()
        var isComplete = true
        for field in PreferencesController.fields {
          let expected = "true or false"
          let value =
            field.isRequired
            ? item.required(field.name, Bool.self, expected: expected)
            : item.optional(field.name, Bool.self, expected: expected)
          choice[field.channel] = value
          if field.isRequired, value == nil { isComplete = false }
        }
        guard let type, isComplete else { return nil }
        return (type, choice)
      }
      for (type, choice) in items ?? [] { choices[type] = choice }
    }
  }
}
