import HTTPTypes
import Hummingbird
import JSON
import NIOCore
import NotificationModel

extension Response {
  /// A JSON answer, written by `body`.
  static func json(_ status: HTTPResponse.Status = .ok, _ body: (inout JSONWriter) -> Void) -> Response {
    var writer = JSONWriter()
    body(&writer)
    return Response(
      status: status,
      headers: [.contentType: "application/json", .cacheControl: "no-store"],
      body: .init(byteBuffer: ByteBuffer(bytes: writer.bytes))
    )
  }
}
