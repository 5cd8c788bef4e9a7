import Foundation

/// The claims that Belfry reads, in the spellings of plain JWT and of ASP.NET.
struct TokenClaims: Decodable {
  let expiresAt: Date?
  let notBefore: Date?
  let issuer: String?
  let audiences: [String]
  /// The claims that may hold the user's id, most usual first.
  let subjects: [String]
  let roles: [String]

  private enum CodingKeys: String, CodingKey {
    case exp, nbf, iss, aud, sub, nameid, role, roles
    case nameIdentifier = "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/nameidentifier"
    case roleURI = "http://schemas.microsoft.com/ws/2008/06/identity/claims/role"
  }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    expiresAt = try values.decodeIfPresent(Double.self, forKey: .exp).map(Date.init(timeIntervalSince1970:))
    notBefore = try values.decodeIfPresent(Double.self, forKey: .nbf).map(Date.init(timeIntervalSince1970:))
    issuer = try values.decodeIfPresent(String.self, forKey: .iss)
    func texts(_ keys: CodingKeys...) throws -> [String] {
      try keys.flatMap { values.contains($0) ? try Self.oneOrMany(values, $0) : [] }
    }
    audiences = try texts(.aud)
    subjects = try texts(.sub, .nameid, .nameIdentifier)
    roles = try texts(.role, .roles, .roleURI)
  }

  /// A claim that is a string or an array of strings, or null.
  private static func oneOrMany(_ values: KeyedDecodingContainer<CodingKeys>, _ key: CodingKeys) throws -> [String] {
    do {
      return try values.decodeIfPresent(String.self, forKey: key).map { [$0] } ?? []
    } catch DecodingError.typeMismatch {
      return try values.decode([String].self, forKey: key)
    }
  }

  /// Whom the claims speak for: of several subjects the first that is a UUID, otherwise the first.
  ///
  /// - Parameter validUntil: Until when the verifier accepts them.
  func principal(validUntil: Date) throws(AuthenticationError) -> Principal {
    let named = subjects.filter { !$0.isEmpty }
    guard let first = named.first else { throw .missingSubject }
    let user = named.lazy.compactMap { name in UUID(uuidString: name).map { (id: $0, name: name) } }.first
    let subject = user?.name ?? first
    guard Self.isUsable(subject) else { throw .malformed }
    let known = Set(roles.compactMap { Role(rawValue: $0.lowercased()) })
    return Principal(
      userID: user?.id,
      subject: subject,
      roles: known.isEmpty ? [.user] : known,
      validUntil: validUntil
    )
  }

  /// Subjects are stored with what their bearers send, and an index bounds them; PostgreSQL's text takes no NUL.
  private static func isUsable(_ subject: String) -> Bool {
    subject.utf8.count <= 255 && !subject.utf8.contains { $0 < 0x20 || $0 == 0x7F }
  }
}
