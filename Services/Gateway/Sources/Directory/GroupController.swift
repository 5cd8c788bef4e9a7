import Authentication
import Foundation
import Hummingbird
import BelfryJSON
import NotificationModel
import NotificationStore
import UserIdentity

/// `/api/v1/groups/{id}`: who is in a group. It is there as long as somebody is.
struct GroupController {
  let groups: GroupStore
  let identities: UserIdentities
  let clock: @Sendable () -> Date

  /// Members in one body, and the bytes that so many ids take.
  private static let maximumMembers = 200_000
  private static let maximumBody = 10 * 1_024 * 1_024

  init(_ dependencies: GatewayDependencies) {
    groups = GroupStore(client: dependencies.database)
    identities = dependencies.identities
    clock = dependencies.clock
  }

  var routes: [Route] {
    [
      .get("groups/:id", .service(.read), get),
      .put("groups/:id", .service(.directory), put),
      .delete("groups/:id", .service(.directory), delete),
      .post("groups/:id/members", .service(.directory), addMembers),
      .put("groups/:id/members/:userId", .service(.directory), addMember),
      .delete("groups/:id/members/:userId", .service(.directory), removeMember),
    ]
  }

  func get(_ request: Request, context: GatewayContext) async throws -> Response {
    let group = try name(context)
    var query = QueryParameters(request)
    let pageSize = query.integer("pageSize", default: 100, in: 1...1_000)
    let after = query.user("after").map { UserID($0.uuid) }
    try query.validate()
    guard let page = try await groups.page(of: group, after: after, limit: pageSize + 1) else { throw Problem.notFound }
    let texts = try await identities.texts(of: page.members.prefix(pageSize))
    return .json { writer in
      writer.object { writer in
        writer.field("id", group)
        writer.field("memberCount", page.count)
        writer.array("members") { writer in
          for member in page.members.prefix(pageSize) { writer.string(texts[member]) }
        }
        writer.field("hasMore", page.members.count > pageSize)
      }
    }
  }

  func put(_ request: Request, context: GatewayContext) async throws -> Response {
    // Before a list that may take long to come: it was made earlier still.
    let asked = clock()
    let group = try name(context, isNew: true)
    let members = try await members(request, asked)
    try await groups.replace(group, members: members, asked: asked)
    return answer(group, members.count)
  }

  func delete(_ request: Request, context: GatewayContext) async throws -> Response {
    guard try await groups.delete(try name(context)) else { throw Problem.notFound }
    return Response(status: .noContent)
  }

  func addMembers(_ request: Request, context: GatewayContext) async throws -> Response {
    let asked = clock()
    let group = try name(context, isNew: true)
    return answer(group, try await add(try await members(request, asked), to: group, asked: asked))
  }

  func addMember(_ request: Request, context: GatewayContext) async throws -> Response {
    let asked = clock()
    let group = try name(context, isNew: true)
    let user = try await identities.user("userId", of: request, context, asked: asked)
    _ = try await add([user], to: group, asked: asked)
    return Response(status: .noContent)
  }

  func removeMember(_ request: Request, context: GatewayContext) async throws -> Response {
    let user = try await identities.user("userId", of: request, context)
    try await groups.remove(user, from: try name(context))
    return Response(status: .noContent)
  }

  /// - Returns: How many members the group has.
  /// - Throws: 409 if these are too many.
  private func add(_ members: [UserID], to group: String, asked: Date) async throws -> Int {
    guard let count = try await groups.add(members, to: group, asked: asked) else {
      throw Problem(
        .conflict,
        .limitReached,
        "The group is full",
        detail: "a group has at most \(GroupStore.maximumMembers) members"
      )
    }
    return count
  }

  /// - Parameter isNew: Whether it may be made by this: what a path cannot be written with is no name then.
  private func name(_ context: GatewayContext, isNew: Bool = false) throws -> String {
    let group = context.parameters.get("id")?.removingPercentEncoding ?? ""
    if group.isEmpty { throw Problem.invalid("id", "must not be empty") }
    if let excess = group.lengthProblem(limit: 128) { throw Problem.invalid("id", excess) }
    if group.hasControl() { throw Problem.invalid("id", "must not contain control characters") }
    if isNew, group.isDotSegment { throw Problem.invalid("id", "must not be . or ..") }
    return group
  }

  private func members(_ request: Request, _ asked: Date) async throws -> [UserID] {
    let input: PutMembers = try await RequestBody.read(of: request, maximum: Self.maximumBody)
    try await identities.claim(input.contested, asked: asked)
    return input.members
  }

  private func answer(_ group: String, _ count: Int) -> Response {
    .json { writer in
      writer.object { writer in
        writer.field("id", group)
        writer.field("memberCount", count)
      }
    }
  }

  struct PutMembers: FieldReadable {
    let members: [UserID]
    let contested: [UserIdentifier]

    init?(_ reader: FieldReader) {
      if !reader.isPresent("members") { reader.problem("members", "is required") }
      var contested: [UserIdentifier] = []
      members = reader.users("members", limit: GroupController.maximumMembers, contested: &contested) ?? []
      self.contested = contested
    }
  }
}
