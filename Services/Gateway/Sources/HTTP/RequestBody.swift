import HTTPTypes
import Hummingbird
import NIOCore
import NotificationModel

/// Reads JSON of bounded size.
enum RequestBody {
  /// Bytes; above it the answer is 413.
  static let maximum = 256 * 1_024

  /// - Throws: ``Problem`` for a body that is too large, that is not as its header says, or whose Content-Type says that it is no
  ///   JSON. One without is read.
  // Kept apart from its callers: Swift 6.3's optimizer crashes when it splits both as one coroutine.
  @inline(never)
  static func bytes(of request: Request, maximum: Int = maximum) async throws -> [UInt8] {
    let bytes = try await untyped(of: request, maximum: maximum)
    guard bytes.isEmpty || isJSON(request.headers) else { throw Problem.unsupportedMediaType }
    return bytes
  }

  /// The same, whatever its Content-Type says.
  @inline(never)
  static func untyped(of request: Request, maximum: Int) async throws -> [UInt8] {
    var request = request
    let body: ByteBuffer
    do {
      body = try await request.collectBody(upTo: maximum)
    } catch is NIOTooManyBytesError {
      throw Problem.tooLarge(limit: maximum)
    } catch let error as CancellationError {
      throw error
    } catch {
      // The client went, or wrote what is no body: none of it was read as one.
      throw Problem.brokenBody
    }
    return Array(body.readableBytesView)
  }

  /// Whether no Content-Type says otherwise (RFC 9110, 8.3; RFC 6839, 3.1).
  static func isJSON(_ headers: HTTPFields) -> Bool {
    // Joining what is nearly always one short value would cost each send an allocation.
    for field in headers where field.name == .contentType && field.value != "application/json" {
      let type = field.value.prefix { $0 != ";" && !$0.isWhitespace }.lowercased()
      guard type == "application/json" || type.hasSuffix("+json") && type.contains("/") else { return false }
    }
    return true
  }

  /// - Throws: ``ValidationError`` with every invalid field.
  @inline(never)
  static func read<Value: FieldReadable>(
    _ type: Value.Type = Value.self,
    of request: Request,
    maximum: Int = maximum,
    routing: [any RoutingChannel] = Channel.routing
  ) async throws -> Value {
    try FieldReader.read(type, from: try await bytes(of: request, maximum: maximum), routing: routing)
  }
}
