import Foundation
import HTTPTypes
import Hummingbird
import BelfryJSON
import NetworkAddresses
import NotificationModel
import NotificationStore

/// A user's own devices and browsers.
struct DeviceController {
  let devices: DeviceStore
  let vapidKey: VAPIDPublicKey
  /// Of push services to which subscriptions may lead.
  let pushHosts: PushServiceHosts
  /// Whether those may be in private networks.
  let allowsPrivateEndpoints: Bool
  let clock: @Sendable () -> Date

  init(_ dependencies: GatewayDependencies) {
    devices = DeviceStore(client: dependencies.database)
    vapidKey = dependencies.vapidPublicKey
    pushHosts = dependencies.pushHosts
    allowsPrivateEndpoints = dependencies.allowsPrivateEndpoints
    clock = dependencies.clock
  }

  var routes: [Route] {
    [
      .get("devices", .user, list),
      .post("devices", .user, register),
      .delete("devices/current", .user, deleteCurrent),
      .delete("devices/:id", .user, delete),
      .put("devices/:id/permission", .user, putPermission),
      .post("notifications/device-token", .user, registerNative),
      .post("push-subscriptions", .user, subscribe),
      .get("push-subscriptions/key", .user, key),
    ]
  }

  func list(_ request: Request, context: GatewayContext) async throws -> Response {
    let devices = try await devices.devices(of: try context.user())
    return .json { writer in
      writer.array { writer in
        for device in devices { device.write(to: &writer) }
      }
    }
  }

  func register(_ request: Request, context: GatewayContext) async throws -> Response {
    let (user, asked) = (try context.user(), clock())
    let input: RegisterDevice = try await RequestBody.read(of: request)
    return try await answer(input.registration, of: user, asked: asked)
  }

  func subscribe(_ request: Request, context: GatewayContext) async throws -> Response {
    let (user, asked) = (try context.user(), clock())
    let input: PushSubscription = try await RequestBody.read(of: request)
    // Whoever sends pushes would call it from within our network.
    guard pushHosts.allow(input.endpoint) else {
      throw Problem.invalid("endpoint", "is not of a push service that this deployment sends to")
    }
    guard allowsPrivateEndpoints || PublicHost.isPublic(input.endpoint.host) else {
      throw Problem.invalid("endpoint", "must not be in a private network")
    }
    return try await answer(input.registration(madeWith: vapidKey), of: user, asked: asked)
  }

  /// 404 while the deployment has no key.
  func key(_ request: Request, context: GatewayContext) throws -> Response {
    guard !vapidKey.isNone else { throw Problem.notFound }
    return .json { writer in
      writer.object { $0.field("publicKey", vapidKey.description) }
    }
  }

  func delete(_ request: Request, context: GatewayContext) async throws -> Response {
    let user = try context.user()
    guard try await devices.remove(try context.identifier(), of: user) else { throw Problem.notFound }
    return Response(status: .noContent)
  }

  /// At a logout, which is never refused because it happened before: 204 for a token that is none of the user's, too.
  func deleteCurrent(_ request: Request, context: GatewayContext) async throws -> Response {
    let user = try context.user()
    let token = request.headers[.deviceToken] ?? ""
    if token.isEmpty { throw Problem.invalid("X-Device-Token", "is required") }
    if token.utf8.count > DeviceStore.maximumTokenLength {
      throw Problem.invalid("X-Device-Token", "has more than \(DeviceStore.maximumTokenLength) bytes")
    }
    // A native token is known in lower case.
    try await devices.remove(tokens: [token, NativeDevice.token(token) ?? token], of: user)
    return Response(status: .noContent)
  }

  func putPermission(_ request: Request, context: GatewayContext) async throws -> Response {
    let user = try context.user()
    let device: DeviceID = try context.identifier()
    let input: ReportPermission = try await RequestBody.read(of: request)
    guard try await devices.setPermission(input.permission, of: device, of: user, at: clock()) else {
      throw Problem.notFound
    }
    return Response(status: .noContent)
  }

  func answer(
    _ registration: DeviceStore.Registration,
    of user: UserID,
    asked: Date
  ) async throws -> Response {
    let device = try await devices.register(registration, of: user, asked: asked)
    return .json { device.write(to: &$0) }
  }

  /// `DevicePermissionDto`.
  private struct ReportPermission: FieldReadable {
    let permission: DevicePermission

    init?(_ reader: FieldReader) {
      let expected = "requested, granted or denied"
      let name = reader.required("status", String.self, expected: expected)
      guard let name else { return nil }
      guard let permission = DevicePermission(name: name) else {
        reader.problem("status", "expected \(expected)")
        return nil
      }
      self.permission = permission
    }
  }
}

extension HTTPField.Name {
  fileprivate static let deviceToken: Self = {
    guard let name = Self("X-Device-Token") else { preconditionFailure("a valid field name") }
    return name
  }()
}
