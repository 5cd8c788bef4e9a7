import ConsoleCommands
import JSON
import NotificationModel

extension DemoFamily {
  /// Makes the users, their devices and choices, and the group; again changes nothing.
  ///
  /// - Parameters:
  ///   - serviceToken: Of a backend.
  ///   - token: Answers that of a member.
  static func make(
    _ gateway: GatewayClient,
    serviceToken: String,
    token: (Member) async throws -> String
  ) async throws {
    let type = try Catalogue().type(.name(type))?.code ?? 0
    for member in members {
      let token = try await token(member)
      try await gateway.call("PUT", "/api/v1/users/\(member.id)", token: serviceToken) { writer in
        writer.object { writer in
          writer.field("email", member.email)
          writer.field("displayName", member.name)
          writer.field("locale", locale)
          writer.field("timezone", timezone)
        }
      }
      try await registerDevice(of: member, gateway, token: token)
      // Email is off by default for every type: the family chooses all channels for the demo's.
      try await gateway.call("PUT", "/api/v1/notifications/preferences", token: token) { writer in
        writer.object { writer in
          writer.array("preferences") { writer in
            writer.object { writer in
              writer.field("notificationType", type)
              for channel in Channel.allCases {
                writer.dynamicKey("\(channel.name)Enabled")
                writer.bool(true)
              }
            }
          }
        }
      }
    }
    try await gateway.call("PUT", "/api/v1/groups/\(group)", token: serviceToken) { writer in
      writer.object { $0.strings("members", members.map(\.id)) }
    }
  }

  /// As an app does when it starts.
  static func registerDevice(of member: Member, _ gateway: GatewayClient, token: String) async throws {
    try await gateway.call("POST", "/api/v1/devices", token: token) { writer in
      writer.object { writer in
        writer.field("token", member.deviceToken)
        writer.field("platform", member.platform)
        writer.field("deviceName", "\(member.name)'s device")
        writer.field("appVersion", "1.0")
      }
    }
  }
}
