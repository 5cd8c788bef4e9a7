import HTTPTypes
import Hummingbird
import BelfryJSON
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

  /// 202: the broker, or the database, has stored the request.
  static func accepted(_ id: NotificationModel.RequestID, status: String = "accepted") -> Response {
    .json(.accepted) { writer in
      writer.object { writer in
        writer.field("requestId", id.description)
        writer.field("status", status)
      }
    }
  }
}
