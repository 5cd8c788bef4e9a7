public import Foundation

/// "This happened": for those who are connected now, and for the catalogue's rules.
public struct EventReport: CheckedRequest, Sendable {
  private let name: String
  private let payload: any Encodable & Sendable
  private var audience: EventAudience?
  private var occurredAt: Date?

  static let maximumBody = 256 * 1_024
  /// Of the payload, in bytes and levels.
  private static let (maximumPayload, maximumDepth) = (16 * 1_024, 16)

  /// - Parameters:
  ///   - name: An event of the catalogue, without regard to case.
  ///   - payload: What becomes a JSON object of at most 16 KiB and 16 levels. Dates become RFC 3339, a `Decimal` keeps its digits. A class must
  ///     not change while it is being sent.
  public init(_ name: String, payload: some Encodable & Sendable) {
    self.name = name
    self.payload = payload
  }

  /// Whose open connections get it. Needed unless a rule of the catalogue uses the event.
  public func relayed(to audience: EventAudience) -> Self {
    var copy = self
    copy.audience = audience
    return copy
  }

  /// When it happened, if it is reported later. The future is refused.
  public func occurred(at instant: Date) -> Self {
    var copy = self
    copy.occurredAt = instant
    return copy
  }

  func node(_ checks: inout FieldChecks) -> JSONNode {
    var members = ["name": checks.name(name, "name", limit: 64), "payload": JSONNode.value(payload)]
    if let audience { members["audience"] = audience.audience.node("audience", &checks) }
    if let occurredAt { members["occurredAt"] = .value(occurredAt) }
    do {
      let bytes = try SenderJSON.encode(JSONNode.value(payload))
      if bytes.first != UInt8(ascii: "{") { checks.problem("payload", "expected an object") }
      if bytes.count > Self.maximumPayload {
        checks.problem("payload", "has \(bytes.count) bytes; at most \(Self.maximumPayload) are allowed")
      }
      if Self.depth(of: bytes) > Self.maximumDepth {
        checks.problem("payload", "is nested more than \(Self.maximumDepth) deep")
      }
    } catch {
      checks.problem("payload", "cannot be written as JSON")
    }
    return .object(members)
  }

  /// Levels of objects and lists in JSON that is well formed.
  private static func depth(of json: Data) -> Int {
    var (depth, deepest) = (0, 0)
    var (isInText, isEscaped) = (false, false)
    for byte in json {
      if isInText {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInText = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isInText = true
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        deepest = max(deepest, depth)
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
    }
    return deepest
  }
}
