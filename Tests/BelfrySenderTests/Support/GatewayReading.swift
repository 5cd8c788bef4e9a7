import Foundation
import NotificationModel

/// What the gateway's own readers say of a body, without its catalogue.
enum GatewayReading {
  /// Names of the fields of a send that are wrong.
  static func ofSend(_ body: Data) -> Set<String> { fields(SendRequest.self, body) }

  static func ofEvent(_ body: Data) -> Set<String> { fields(EventReport.self, body) }

  static func ofSchedule(_ body: Data) -> Set<String> { fields(ScheduleDefinition.self, body) }

  private static func fields<Value: FieldReadable>(_ type: Value.Type, _ body: Data) -> Set<String> {
    do throws(ValidationError) {
      _ = try FieldReader.read(type, from: Array(body))
      return []
    } catch {
      return Set(error.errors.map(\.field))
    }
  }
}
