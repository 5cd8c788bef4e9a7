public import Broker
import BelfryJSON
import NotificationModel

/// Turns the values of this module into message bodies and back: JSON with RFC 3339 times, readable in the broker's own UI.
public enum QueueCoder {
  /// The version in each body's `v`. A message of another version is refused, not guessed at.
  public static let version = 1

  /// Of counts and places within messages: PostgreSQL's `bigint` has room for them, and so has JavaScript's number.
  static let counts = 0...(1 << 53)

  public static func encode(_ message: some QueueMessage) -> [UInt8] {
    var writer = JSONWriter(capacity: 4_096)
    message.write(to: &writer)
    return writer.bytes
  }

  public static func decode<Value: QueueMessage>(
    _ type: Value.Type = Value.self,
    from message: BrokerMessage
  ) throws(QueueMessageError) -> Value {
    do {
      let fields = try JSONFields(JSONParser.parse(message.body))
      // First of all: another version may have another form.
      let found = try fields.integer("v")
      guard Value.versions.contains(found) else {
        throw QueueMessageError(
          "version \(found) is not \(Value.versions.upperBound)",
          isNewer: found > Value.versions.upperBound
        )
      }
      return try Value(fields)
    } catch let error as QueueMessageError {
      throw error
    } catch let error as JSONFieldError {
      throw QueueMessageError("undecodable \(message.type ?? "message"): \(error)")
    } catch {
      throw QueueMessageError("undecodable \(message.type ?? "message"): malformed JSON")
    }
  }
}

/// Why a message's body cannot be used; goes into the dead letter's reason.
public struct QueueMessageError: Error, Equatable, CustomStringConvertible {
  public let description: String
  /// Whether it is of a later version: a service of that version can use it.
  public let isNewer: Bool

  public init(_ description: String, isNewer: Bool = false) {
    self.description = description
    self.isNewer = isNewer
  }
}
