public import Broker
import Foundation
import NotificationModel

/// Turns the values of this module into message bodies and back: JSON with RFC 3339 times, readable in the broker's own UI.
public enum QueueCoder {
  /// The version in each body's `v`. A message of another version is refused, not guessed at.
  public static let version = 1

  public static func encode(_ message: some QueueMessage) -> [UInt8] {
    var writer = JSONWriter(capacity: 4_096)
    message.write(to: &writer)
    return writer.bytes
  }

  public static func decode<Value: QueueMessage>(
    _ type: Value.Type = Value.self,
    from message: BrokerMessage
  ) throws(QueueMessageError) -> Value {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .custom { decoder in
      let container = try decoder.singleValueContainer()
      guard let date = Date(rfc3339: try container.decode(String.self)) else {
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "expected an RFC 3339 time")
      }
      return date
    }
    let data = Data(message.body)
    do {
      let value = try decoder.decode(Value.self, from: data)
      guard value.v == version else { throw QueueMessageError("version \(value.v) is not \(version)") }
      return value
    } catch let error as QueueMessageError {
      throw error
    } catch let error as DecodingError {
      // Another version may have another form: that is the better reason then.
      if let envelope = try? decoder.decode(Envelope.self, from: data), envelope.v != version {
        throw QueueMessageError("version \(envelope.v) is not \(version)")
      }
      throw QueueMessageError("undecodable \(message.type ?? "message"): \(error.place)")
    } catch {
      throw QueueMessageError("undecodable \(message.type ?? "message")")
    }
  }

  private struct Envelope: Decodable {
    var v: Int
  }
}

/// Why a message's body cannot be used; goes into the dead letter's reason.
public struct QueueMessageError: Error, CustomStringConvertible {
  public let description: String

  public init(_ description: String) {
    self.description = description
  }
}

extension DecodingError {
  /// Path and kind of the problem, without any value.
  var place: String {
    let (context, what) =
      switch self {
      case .keyNotFound(let key, let context): (context, "'\(key.stringValue)' is missing")
      case .valueNotFound(_, let context): (context, "a value is missing")
      case .typeMismatch(let type, let context): (context, "expected \(type)")
      case .dataCorrupted(let context): (context, "malformed JSON")
      @unknown default: (Context(codingPath: [], debugDescription: ""), "malformed JSON")
      }
    let path = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }.joined()
    return path.isEmpty ? what : "\(what) at \(path.hasPrefix(".") ? String(path.dropFirst()) : path)"
  }
}
