import BelfryClient
import BelfryJSON
import Foundation

/// The inbox over REST.
extension InMemoryServer {
  /// - Parameter path: What follows `/api/v1/notifications`.
  func inbox(_ request: HTTPRequest, _ path: [String], _ user: String) -> HTTPResponse {
    switch (request.method, path.first) {
    case ("GET", nil): return page(request.query, user)
    case ("DELETE", nil):
      let read = users[user]?.inbox.list { $0.isRead && $0.place == .inbox } ?? []
      return .json(.object([JSONMember("deletedCount", remove(read.map(\.id), of: user))]))
    case ("GET", "unread-count"):
      let inbox = users[user]?.inbox ?? ServedInbox()
      return .json(.object([JSONMember("count", inbox.unread), JSONMember("unseen", inbox.unseen)]))
    case ("GET", "changes"): return changes(request.query, user)
    case ("POST", "read") where path.count == 1: return mark(request, .read, user)
    case ("POST", "seen") where path.count == 1: return mark(request, .seen, user)
    case (_, let text?):
      guard let id = UUID(uuidString: text), users[user]?.inbox[id] != nil else { return .notFound }
      return one(request, id, Array(path.dropFirst()), user)
    default: return .problem(405)
    }
  }

  private func one(_ request: HTTPRequest, _ id: UUID, _ verb: [String], _ user: String) -> HTTPResponse {
    switch (request.method, verb.first) {
    case ("GET", nil): break
    case ("DELETE", nil):
      remove([id], of: user)
      return .noContent
    case ("PATCH", "read"): apply(.read, to: [id], of: user)
    case ("PATCH", "unread"): apply(.unread, to: [id], of: user)
    case ("PATCH", "archive"): apply(.archive, to: [id], of: user)
    case ("PATCH", "unarchive"): apply(.unarchive, to: [id], of: user)
    case ("PATCH", "snooze"):
      if let refusal = snooze(request, id, user) { return refusal }
    case ("POST", "opened"):
      apply(.opened, to: [id], of: user)
      return .noContent
    case ("POST", "actions"):
      let actions = users[user]?.inbox[id]?.actions ?? []
      return verb.count == 2 && actions.contains { $0.id == verb[1] } ? .noContent : .notFound
    default: return .notFound
    }
    guard let item = users[user]?.inbox[id] else { return .notFound }
    return .json(item.json(now: clock.now))
  }

  /// Nil if it was done.
  private func snooze(_ request: HTTPRequest, _ id: UUID, _ user: String) -> HTTPResponse? {
    guard let members = request.json?.members, members.count == 1, let member = members.first, member.name == "until"
    else { return .invalid("until", "is missing") }
    if case .null = member.value {
      apply(.snooze(until: nil), to: [id], of: user)
      return nil
    }
    let now = clock.now
    guard let until = member.value.string.flatMap({ Date(wire: $0) }), until > now,
      until <= now.addingTimeInterval(365 * 86_400)
    else { return .invalid("until", "expected a time later than now, at most 365 days ahead") }
    apply(.snooze(until: until), to: [id], of: user)
    return nil
  }

  private func mark(_ request: HTTPRequest, _ operation: ServedOperation, _ user: String) -> HTTPResponse {
    let members = request.json.map { $0.members }
    guard let members else { return marked(operation, nil, user) }
    guard let members else { return .invalid("", "expected an object") }
    if let unknown = members.first(where: { $0.name != "notificationIds" }) {
      return .invalid(unknown.name, "is not a known field")
    }
    guard let list = members["notificationIds"] else { return marked(operation, nil, user) }
    let ids = list.array?.map { $0.string.flatMap(UUID.init(uuidString:)) }
    guard let ids, ids.count <= 1_000 else { return .invalid("notificationIds", "expected a list of up to 1,000") }
    if let index = ids.firstIndex(of: nil) { return .invalid("notificationIds[\(index)]", "expected a UUID") }
    return marked(operation, ids.compactMap { $0 }, user)
  }

  private func marked(_ operation: ServedOperation, _ ids: [UUID]?, _ user: String) -> HTTPResponse {
    .json(.object([JSONMember("markedCount", apply(operation, to: ids, of: user))]))
  }

  // MARK: Lists

  private func page(_ query: [String: String], _ user: String) -> HTTPResponse {
    guard let size = Int(query["pageSize"] ?? "20"), (1...50).contains(size) else {
      return .invalid("pageSize", "expected 1 to 50")
    }
    guard let page = Int(query["page"] ?? "1"), (1...1_000).contains(page) else {
      return .invalid("page", "expected 1 to 1,000")
    }
    let before = query["before"].map { UUID(uuidString: $0) }
    if case .some(nil) = before { return .invalid("before", "expected a UUID") }
    let filter = NotificationFilter(
      place: query["archived"] == "true" ? .archived : query["snoozed"] == "true" ? .snoozed : .inbox,
      unreadOnly: query["unreadOnly"] == "true",
      category: query["category"],
      type: query["type"]
    )
    let inbox = users[user]?.inbox ?? ServedInbox()
    let skipped = before == nil ? (page - 1) * size : 0
    let found = inbox.list(before: before ?? nil, where: filter.matches).dropFirst(skipped)
    let now = clock.now
    return .json(
      .object([
        JSONMember("notifications", .array(found.prefix(size).map { $0.json(now: now) })),
        JSONMember("unreadCount", inbox.unread),
        JSONMember("totalCount", before == nil ? found.count + skipped : inbox.list(where: filter.matches).count),
        JSONMember("hasMore", found.count > size),
      ])
    )
  }

  private func changes(_ query: [String: String], _ user: String) -> HTTPResponse {
    guard let since = query["since"].flatMap({ Int64($0) }), since >= 0 else {
      return .invalid("since", "expected a whole number from 0")
    }
    guard let limit = Int(query["limit"] ?? "50"), (1...100).contains(limit) else {
      return .invalid("limit", "expected 1 to 100")
    }
    let inbox = users[user]?.inbox ?? ServedInbox()
    let missed = inbox.missed(since: since)
    let (changed, deleted, isComplete) = inbox.changed(since: since, after: query["change"].flatMap { Int($0) })
    let now = clock.now
    return .json(
      .object([
        JSONMember("notifications", .array(missed.prefix(limit).map { $0.json(now: now) })),
        JSONMember("seq", Int(inbox.seq)), JSONMember("unreadCount", inbox.unread),
        JSONMember("hasMore", missed.count > limit), JSONMember("changed", .array(changed.map { $0.json(now: now) })),
        JSONMember("deleted", .array(deleted.map { .string($0.wireText) })), JSONMember("change", inbox.change),
        JSONMember("isComplete", isComplete && since <= inbox.seq),
      ])
    )
  }
}
