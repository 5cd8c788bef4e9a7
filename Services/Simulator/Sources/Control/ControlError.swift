import HTTPTypes
import Hummingbird

/// A refusal of the control API, as problem details (RFC 9457) that name the field.
struct ControlError: Error, HTTPResponseError {
  let status: HTTPResponse.Status
  let field: String?
  let message: String

  static func invalid(_ field: String, _ message: String) -> ControlError {
    ControlError(status: .badRequest, field: field, message: message)
  }

  func response(from request: Request, context: some RequestContext) throws -> Response {
    var writer = JSONBuilder()
    writer.beginObject()
    writer.member("type", "about:blank")
    writer.member("title", status.reasonPhrase)
    writer.member("status", status.code)
    writer.member("detail", field.map { "\($0): \(message)" } ?? message)
    if let field {
      writer.beginArray("errors")
      writer.beginObject()
      writer.member("field", field)
      writer.member("message", message)
      writer.endObject()
      writer.endArray()
    }
    writer.endObject()
    return Response(
      status: status,
      headers: [.contentType: "application/problem+json"],
      body: .init(byteBuffer: ByteBuffer(bytes: writer.bytes))
    )
  }
}
