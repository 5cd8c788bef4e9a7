import Foundation
import Hummingbird
import BelfryJSON
import NotificationModel
import NotificationStore
import WallClock

/// What a user does not want to be disturbed by: a conversation, a goal. The inbox has it all the same.
struct MutesController {
  let mutes: MuteStore
  let clock: @Sendable () -> Date

  init(_ dependencies: GatewayDependencies) {
    mutes = MuteStore(client: dependencies.database)
    clock = dependencies.clock
  }

  var routes: [Route] {
    [
      .get("notifications/muted", .user, list),
      .put("notifications/muted/:entityType/:entityId", .user, put),
      .delete("notifications/muted/:entityType/:entityId", .user, delete),
    ]
  }

  func list(_ request: Request, context: GatewayContext) async throws -> Response {
    let found = try await mutes.mutes(of: try context.user(), at: clock())
    return .json { writer in
      writer.object { writer in
        writer.array("muted") { writer in
          for mute in found {
            writer.object { writer in
              writer.field("entityType", mute.entity.type)
              writer.field("entityId", mute.entity.id)
              writer.nullableField("until", mute.until?.rfc3339)
            }
          }
        }
        // A user has no more than are listed at once.
        writer.field("hasMore", false)
      }
    }
  }

  func put(_ request: Request, context: GatewayContext) async throws -> Response {
    let (user, now) = (try context.user(), clock())
    let entity = try Self.entity(context)
    let bytes = try await RequestBody.bytes(of: request)
    let until = bytes.isEmpty ? nil : try FieldReader.read(Mute.self, from: bytes).until
    if let until, until <= now { throw Problem.invalid("until", "must be later than now") }
    guard try await mutes.mute(entity, of: user, until: until, at: now) else {
      throw Problem.invalid("entityId", "at most \(MuteStore.maximum) may be muted at once")
    }
    return Response(status: .noContent)
  }

  func delete(_ request: Request, context: GatewayContext) async throws -> Response {
    try await mutes.unmute(try Self.entity(context), of: try context.user())
    return Response(status: .noContent)
  }

  private static func entity(_ context: GatewayContext) throws -> RelatedEntity {
    let type = context.parameters.get("entityType")?.removingPercentEncoding ?? ""
    let id = context.parameters.get("entityId")?.removingPercentEncoding ?? ""
    guard let entity = RelatedEntity(type: type, id: id) else {
      throw ValidationError(RelatedEntity.problems(type: type, id: id))
    }
    return entity
  }

  private struct Mute: FieldReadable {
    /// Nil is for good.
    let until: Date?

    init?(_ reader: FieldReader) {
      reader.refuseUnknown(known: ["until"])
      until = reader.time("until")
    }
  }
}
