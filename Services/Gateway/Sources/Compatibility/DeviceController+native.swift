import Authentication
import Foundation
import Hummingbird
import UserIdentity

extension DeviceController {
  /// 400 for another user's: the app has mixed up whose session it is.
  func registerNative(_ request: Request, context: GatewayContext) async throws -> Response {
    let (user, asked) = (try context.user(), clock())
    let input: NativeDevice = try await RequestBody.read(of: request)
    guard input.user == context.principal?.user else { throw Problem.invalid("userId", "must be the caller's") }
    return try await answer(input.registration, of: user, asked: asked)
  }
}
