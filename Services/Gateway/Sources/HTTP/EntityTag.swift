import Cryptography
import Foundation
import NotificationStore

/// The strong validator of a representation: `"` opaque text `"` (RFC 9110, 8.8.3).
struct EntityTag: Hashable, Sendable {
  /// Without the quotation marks.
  let text: String

  /// Of a schedule as it is stored, whatever an answer says beside it: strong, so that `If-Match` may have it.
  init(_ version: ScheduleStore.Version) {
    text = "\(version.id.uuidString.lowercased())-\(version.number)"
  }

  /// Of what is served as exactly these bytes.
  init(of bytes: [UInt8]) {
    text = SHA256.hash(bytes).prefix(16).map { byte in
      String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
    }.joined()
  }

  init(text: String) {
    self.text = text
  }

  var headerValue: String { "\"\(text)\"" }

  /// What a schedule's tag was made of; nil of a tag that no schedule has.
  var scheduleVersion: ScheduleStore.Version? {
    guard let dash = text.lastIndex(of: "-"), let id = UUID(uuidString: String(text[..<dash])),
      let number = Int(text[text.index(after: dash)...])
    else { return nil }
    let version = ScheduleStore.Version(id: id, number: number)
    return EntityTag(version) == self ? version : nil
  }
}

/// What `If-Match` and `If-None-Match` list.
enum EntityTags: Equatable, Sendable {
  /// `*`: whatever there is.
  case any
  /// Those with `W/` apart: they are the same only where a weak comparison does.
  case tags(strong: Set<EntityTag>, weak: Set<EntityTag>)

  /// What is no tag is passed over, so it matches nothing.
  init(headerValue: String) {
    if headerValue == "*" {
      self = .any
      return
    }
    var (strong, weak): (Set<EntityTag>, Set<EntityTag>) = ([], [])
    for match in headerValue.matches(of: #/(W/)?"([^"]*)"/#) {
      let tag = EntityTag(text: String(match.2))
      if match.1 == nil { strong.insert(tag) } else { weak.insert(tag) }
    }
    self = .tags(strong: strong, weak: weak)
  }

  /// - Parameter tag: Nil where there is nothing.
  func contains(_ tag: EntityTag?, isWeak: Bool) -> Bool {
    guard let tag else { return false }
    return switch self {
    case .any: true
    case .tags(let strong, let weak): strong.contains(tag) || isWeak && weak.contains(tag)
    }
  }
}
