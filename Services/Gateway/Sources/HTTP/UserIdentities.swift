import Foundation
import HTTPTypes
import Hummingbird
import NotificationModel
import NotificationStore
import UserIdentity

/// Users' ids as callers write them (decision 0088).
struct UserIdentities: Sendable {
  let store: UserIdentifierStore
  /// The gateway's, not the machine's: what is asked for is compared with when the database has erased somebody.
  let clock: @Sendable () -> Date

  /// The user in the path. Only who is put is made known by it.
  ///
  /// - Throws: 404 for what is no user's id; 409 for one whose UUID is another's.
  func user(
    _ name: String = "id",
    of request: Request,
    _ context: GatewayContext,
    asked: Date = .now
  ) async throws -> UserID {
    UserID(try await identifier(name, of: request, context, asked: asked).uuid)
  }

  /// ``user(_:of:_:asked:)`` with the id as it is written, which is as it was at first.
  ///
  /// - Parameter check: What throws it refuses, before anybody is made known; asked for ids alone that others may stand for.
  func identifier(
    _ name: String = "id",
    of request: Request,
    _ context: GatewayContext,
    asked: Date = .now,
    check: (UserIdentifier) async throws -> Void = { _ in }
  ) async throws -> UserIdentifier {
    guard let text = context.parameters.get(name)?.removingPercentEncoding, let user = UserIdentifier(text) else {
      throw Problem.notFound
    }
    try await self.check([user])
    guard request.method == .put, user.isContestable else { return user }
    try await check(user)
    try await claim([user], asked: asked)
    return user
  }

  /// - Throws: 409 for ids whose UUIDs are others'.
  func claim(_ users: [UserIdentifier], asked: Date) async throws {
    let refused = try await store.claim(users, asked: asked)
    if !refused.isEmpty { throw Problem.taken(refused) }
  }

  /// - Throws: 409 for ids whose UUIDs are others'.
  func check(_ users: [UserIdentifier]) async throws {
    let refused = try await store.check(users)
    if !refused.isEmpty { throw Problem.taken(refused) }
  }

  /// The user of the caller's token.
  ///
  /// - Throws: 403 for an id whose UUID is another's.
  func admit(_ user: UserIdentifier, by method: HTTPRequest.Method) async throws {
    let isRead = method == .get || method == .head || method == .delete
    let refused = try await isRead ? store.check([user]) : store.claim([user], asked: clock())
    guard refused.isEmpty else { throw Problem.takenSubject }
  }

  func texts(of users: some Sequence<UserID>) async throws -> UserTexts { try await store.texts(of: users) }

  /// Like ``check(_:)``, of one that may have been written wrongly.
  func checked(_ user: UserIdentifier?) async throws -> UserID? {
    guard let user else { return nil }
    try await check([user])
    return UserID(user.uuid)
  }
}

extension Problem {
  /// 409 for ids whose UUIDs were others' before.
  static func taken(_ users: Set<UserIdentifier>) -> Problem {
    Problem(.conflict, .identifierTaken, "A user id is another's", detail: detail(of: users))
  }

  /// The same in words.
  static func detail(of users: Set<UserIdentifier>) -> String {
    let names = users.map { "'\($0)'" }.sorted()
    let more = names.count > 3 ? " and \(names.count - 3) more" : ""
    return "\(names.prefix(3).joined(separator: ", "))\(more): the UUID that stands for it belongs to another user id"
  }

  fileprivate static let takenSubject = Problem(
    .forbidden,
    .forbidden,
    "The token's subject is another user's",
    detail: "the UUID that stands for it belongs to another user id"
  )
}
