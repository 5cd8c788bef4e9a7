import Foundation
import BelfryJSON
import UserIdentity

/// The claims that Belfry reads, in the spellings of plain JWT and of ASP.NET.
struct TokenClaims {
  let expiresAt: Date?
  let notBefore: Date?
  let issuer: String?
  let audiences: [String]
  /// The claims that may hold the user's id, most usual first.
  let subjects: [String]
  let roles: [String]

  /// From a claims set: UTF-8, and of members with the same name the last counts (RFC 7519, sections 3 and 4).
  init(json: [UInt8]) throws(AuthenticationError) {
    guard let members = (try? JSONParser.parse(json))?.members else { throw .malformed }
    expiresAt = try Self.date(members["exp"])
    notBefore = try Self.date(members["nbf"])
    issuer = try members["iss"].map(Self.text)
    audiences = try Self.texts(members["aud"])
    subjects = try Self.texts(
      members["sub"],
      members["nameid"],
      members["http://schemas.xmlsoap.org/ws/2005/05/identity/claims/nameidentifier"]
    )
    roles = try Self.texts(
      members["role"],
      members["roles"],
      members["http://schemas.microsoft.com/ws/2008/06/identity/claims/role"]
    )
  }

  /// Seconds since 1970, with or without a fraction.
  private static func date(_ value: JSONValue?) throws(AuthenticationError) -> Date? {
    guard let value else { return nil }
    guard let seconds = value.double, seconds.isFinite else { throw .malformed }
    return Date(timeIntervalSince1970: seconds)
  }

  private static func text(_ value: JSONValue) throws(AuthenticationError) -> String {
    guard let text = value.string else { throw .malformed }
    return text
  }

  /// Of claims that are a string each, or an array of strings, or absent.
  private static func texts(_ values: JSONValue?...) throws(AuthenticationError) -> [String] {
    var texts: [String] = []
    for case let value? in values {
      if case .array(let elements) = value {
        for element in elements { texts.append(try text(element)) }
      } else {
        texts.append(try text(value))
      }
    }
    return texts
  }

  /// Whom the claims speak for: of several subjects the first that is a UUID, otherwise the first.
  ///
  /// A text that is no UUID is a person's where the token has the role of one: a service's name is nobody's id.
  ///
  /// - Parameter validUntil: Until when the verifier accepts them.
  func principal(validUntil: Date) throws(AuthenticationError) -> Principal {
    let named = subjects.filter { !$0.isEmpty }
    guard let first = named.first else { throw .missingSubject }
    let subject = named.first { UUID(hyphenated: $0) != nil } ?? first
    guard Self.isUsable(subject) else { throw .malformed }
    let known = Set(roles.compactMap { Role(rawValue: $0.lowercased()) })
    let roles = known.isEmpty ? [.user] : known
    let identifier = UserIdentifier(subject)
    return Principal(
      user: identifier?.text == nil || roles.contains(.user) ? identifier : nil,
      subject: subject,
      roles: roles,
      validUntil: validUntil
    )
  }

  /// Subjects are stored with what their bearers send, and an index bounds them; PostgreSQL's text takes no NUL.
  private static func isUsable(_ subject: String) -> Bool {
    subject.utf8.count <= UserIdentifier.maximumBytes && !subject.utf8.contains { $0 < 0x20 || $0 == 0x7F }
  }
}
