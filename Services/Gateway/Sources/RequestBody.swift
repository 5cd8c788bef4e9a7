import Hummingbird
import NIOCore
import NotificationModel

/// Reads bodies of bounded size.
enum RequestBody {
  /// Bytes; above it the answer is 413.
  static let maximum = 256 * 1_024

  static func bytes(of request: Request, maximum: Int = maximum) async throws -> [UInt8] {
    var request = request
    do {
      return Array(try await request.collectBody(upTo: maximum).readableBytesView)
    } catch is NIOTooManyBytesError {
      throw HTTPError(.contentTooLarge)
    }
  }

  /// - Throws: ``ValidationError`` with every invalid field.
  static func read<Value: FieldReadable>(
    _ type: Value.Type = Value.self,
    of request: Request,
    maximum: Int = maximum
  ) async throws -> Value {
    try FieldReader.read(type, from: try await bytes(of: request, maximum: maximum))
  }
}
