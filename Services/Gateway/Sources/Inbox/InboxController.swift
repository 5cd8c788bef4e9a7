import Foundation
import Hummingbird
import BelfryJSON
import NotificationModel
import NotificationStore

/// A user's own notification centre: list, count, one.
struct InboxController {
  static let maximumPageSize = 50

  let inbox: InboxStore
  let catalogue: Catalogue
  let clock: @Sendable () -> Date

  /// Pages above this go by keyset (`before`), because every skipped row is read.
  private static let maximumPage = 1_000

  init(_ dependencies: GatewayDependencies) {
    inbox = InboxStore(client: dependencies.database)
    catalogue = dependencies.catalogue
    clock = dependencies.clock
  }

  var routes: [Route] {
    [
      .get("notifications", .user, list),
      .get("notifications/unread-count", .user, unreadCount),
      .get("notifications/changes", .user, changes),
      .get("notifications/:id", .user, get),
    ]
  }

  func list(_ request: Request, context: GatewayContext) async throws -> Response {
    let user = try context.user()
    var query = QueryParameters(request)
    let page = query.integer("page", default: 1, in: 1...Self.maximumPage)
    let size = query.integer("pageSize", default: 20, in: 1...Self.maximumPageSize)
    let unreadOnly = query.boolean("unreadOnly", default: false)
    let before: NotificationID? = query.identifier("before")
    let types = self.types(&query)
    let place = self.place(&query)
    try query.validate()
    let found = try await inbox.page(
      of: user,
      filter: .init(place: place, unreadOnly: unreadOnly, types: types, before: before),
      offset: before == nil ? (page - 1) * size : 0,
      limit: size
    )
    let locale = try await inbox.locale(of: user, catalogue: catalogue)
    let now = clock()
    return .json { writer in
      writer.object { writer in
        writer.array("notifications") { writer in
          for item in found.items { item.write(to: &writer, catalogue: catalogue, locale: locale, now: now) }
        }
        writer.field("unreadCount", found.counts.unread)
        writer.field("totalCount", found.matching)
        writer.field("hasMore", found.hasMore)
      }
    }
  }

  /// What a client missed: everything after the last `seq` that it knows, the oldest first, and what became of the rest.
  func changes(_ request: Request, context: GatewayContext) async throws -> Response {
    let user = try context.user()
    var query = QueryParameters(request)
    let seq = query.requiredInteger("since", in: 0...Int.max)
    let change = query.text("change") == nil ? nil : query.integer("change", default: 0, in: 0...Int.max)
    let limit = query.integer("limit", default: 50, in: 1...100)
    try query.validate()
    let changes = try await inbox.changes(of: user, after: seq, change: change)
    let newcomers = try await inbox.newcomers(of: user, after: seq, limit: limit)
    let locale = try await inbox.locale(of: user, catalogue: catalogue)
    let now = clock()
    return .json { writer in
      writer.object { writer in
        writer.array("notifications") { writer in
          for item in newcomers.items { item.write(to: &writer, catalogue: catalogue, locale: locale, now: now) }
        }
        writer.field("seq", newcomers.seq)
        writer.field("unreadCount", newcomers.unread)
        writer.field("hasMore", newcomers.hasMore)
        writer.array("changed") { writer in
          for item in changes.changed { item.write(to: &writer, catalogue: catalogue, locale: locale, now: now) }
        }
        writer.array("deleted") { writer in
          for id in changes.deleted { writer.string(id.description) }
        }
        writer.field("change", changes.change)
        writer.field("isComplete", changes.isComplete)
      }
    }
  }

  func unreadCount(_ request: Request, context: GatewayContext) async throws -> Response {
    let counts = try await inbox.counts(of: try context.user())
    return .json { writer in
      writer.object { writer in
        writer.field("count", counts.unread)
        writer.field("unseen", counts.unseen)
      }
    }
  }

  func get(_ request: Request, context: GatewayContext) async throws -> Response {
    let user = try context.user()
    guard let item = try await inbox.item(try context.identifier(), of: user) else { throw Problem.notFound }
    let locale = try await inbox.locale(of: user, catalogue: catalogue)
    return .json { item.write(to: &$0, catalogue: catalogue, locale: locale, now: clock()) }
  }

  /// Of a type, of a category, or of both; nil is all.
  private func types(_ query: inout QueryParameters) -> [Int]? {
    let type = self.type(&query)
    guard let category = query.text("category") else { return type.map { [$0] } }
    let codes = catalogue.types.filter { $0.category == category }.map(\.code)
    if codes.isEmpty { query.problem("category", catalogue.unknown(category: category)) }
    return type.map { type in codes.filter { $0 == type } } ?? codes
  }

  private func place(_ query: inout QueryParameters) -> InboxStore.Place {
    let isArchived = query.boolean("archived", default: false)
    let isSnoozed = query.boolean("snoozed", default: false)
    if isArchived, isSnoozed { query.problem("snoozed", "what is snoozed is not archived; ask for one of them") }
    return isArchived ? .archive : isSnoozed ? .snoozed : .inbox
  }

  private func type(_ query: inout QueryParameters) -> Int? {
    guard let text = query.text("type") else { return nil }
    let reference = Int(text).map(Catalogue.Reference.code) ?? .name(text)
    guard let type = catalogue.type(reference) else {
      query.problem("type", catalogue.unknown(type: reference))
      return nil
    }
    return type.code
  }
}
