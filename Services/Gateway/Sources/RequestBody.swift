import Hummingbird
import NIOCore
import NotificationModel

/// Reads bodies of bounded size.
enum RequestBody {
  /// Bytes; above it the answer is 413.
  static let maximum = 256 * 1_024

  // Kept apart from its callers: Swift 6.3's optimizer crashes when it splits both as one coroutine.
  @inline(never)
  static func bytes(of request: Request, maximum: Int = maximum) async throws -> [UInt8] {
    var request = request
    do {
      return Array(try await request.collectBody(upTo: maximum).readableBytesView)
    } catch is NIOTooManyBytesError {
      throw HTTPError(.contentTooLarge)
    }
  }

  /// - Throws: ``ValidationError`` with every invalid field.
  @inline(never)
  static func read<Value: FieldReadable>(
    _ type: Value.Type = Value.self,
    of request: Request,
    maximum: Int = maximum
  ) async throws -> Value {
    try FieldReader.read(type, from: try await bytes(of: request, maximum: maximum))
  }
}
