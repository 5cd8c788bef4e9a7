import ConsoleCommands
import BelfryJSON
import NotificationModel

extension DemoStory {
  /// Makes the users, their devices and choices, and the groups; again changes nothing.
  ///
  /// - Parameters:
  ///   - devices: By which the people's phones and browsers are registered.
  ///   - serviceToken: Of a backend.
  ///   - token: Answers that of a person.
  func make(
    _ devices: DemoDevices,
    serviceToken: String,
    token: (DemoPerson) async throws -> String
  ) async throws {
    let gateway = devices.gateway
    for member in people {
      let token = try await token(member)
      try await gateway.call("PUT", "/api/v1/users/\(member.id)", token: serviceToken) { writer in
        writer.object { writer in
          writer.field("email", member.email)
          writer.field("displayName", member.name)
          writer.field("locale", DemoPerson.locale)
          writer.field("timezone", DemoPerson.timezone)
        }
      }
      try await devices.register(member, token: token)
      guard choosesAllChannels, let type = first?.type.flatMap({ catalogue.type(.name($0)) }) else { continue }
      // Email is off by default for every type: the family chooses all channels for the demo's.
      try await gateway.call("PUT", "/api/v1/notifications/preferences", token: token) { writer in
        writer.object { writer in
          writer.array("preferences") { writer in
            writer.object { writer in
              writer.field("notificationType", type.code)
              for channel in Channel.allCases {
                writer.dynamicKey("\(channel.name)Enabled")
                writer.bool(true)
              }
            }
          }
        }
      }
    }
    for group in [group] + ruleGroups {
      try await gateway.call("PUT", GatewayPath("groups", group).text, token: serviceToken) { writer in
        writer.object { $0.strings("members", people.map(\.id)) }
      }
    }
  }
}
