public import Foundation
import BelfryJSON

/// The user's preferences, quiet hours and mutes.
extension RESTClient {
  /// What the user has chosen, and what is in force.
  public func getPreferences() async throws -> Preferences {
    try await preferences(.getPreferences)
  }

  /// Changes what is named, and nothing else.
  ///
  /// - Parameters:
  ///   - update: What is to change.
  ///   - version: ``Preferences/etag``: the call is refused (`invalid`, status 412) if there is a newer version. Nil overwrites any.
  public func updatePreferences(_ update: PreferencesUpdate, ifMatch version: String? = nil) async throws -> Preferences
  {
    try await preferences(.updatePreferences, body: update.json, version)
  }

  /// Changes what is named of the quiet hours; gives all preferences as they are then.
  ///
  /// - Parameters:
  ///   - update: What is to change.
  ///   - version: As for ``updatePreferences(_:ifMatch:)``.
  public func updateQuietHours(_ update: QuietHoursUpdate, ifMatch version: String? = nil) async throws -> Preferences {
    try await preferences(.updateQuietHours, body: update.json, version)
  }

  /// What must not disturb; at most 1,000.
  public func listMutes() async throws -> [MutedEntity] {
    try await call(.listMutes) { $0["muted"]?.array?.compactMap(MutedEntity.init) }
  }

  /// No push and no mail about it until a time; nil is for good.
  public func muteEntity(_ entity: RelatedEntity, until: Date? = nil) async throws {
    let body = until.map { JSONValue.object([JSONMember("until", WireDate.text($0))]) }
    _ = try await call(.muteEntity, [entity.type, entity.id], body: body)
  }

  /// Also where it was not muted.
  public func unmuteEntity(_ entity: RelatedEntity) async throws {
    _ = try await call(.unmuteEntity, [entity.type, entity.id])
  }

  private func preferences(
    _ endpoint: Endpoint,
    body: JSONValue? = nil,
    _ version: String? = nil
  ) async throws -> Preferences {
    let response = try await answer(endpoint, body: body, headers: version.map { ["If-Match": $0] } ?? [:])
    guard var preferences = try json(response).flatMap(Preferences.init) else {
      throw BelfryError(.malformed, status: response.status)
    }
    preferences.etag = response.headers["etag"]
    return preferences
  }
}
