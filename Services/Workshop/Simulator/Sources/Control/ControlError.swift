import HTTPTypes
import Hummingbird
import BelfryJSON

/// A refusal of the control API, as problem details (RFC 9457) that name the field.
struct ControlError: Error, HTTPResponseError {
  let status: HTTPResponse.Status
  let field: String?
  let message: String

  static func invalid(_ field: String, _ message: String) -> ControlError {
    ControlError(status: .badRequest, field: field, message: message)
  }

  func response(from request: Request, context: some RequestContext) throws -> Response {
    var writer = JSONWriter()
    writer.object { writer in
      writer.field("type", "about:blank")
      writer.field("title", status.reasonPhrase)
      writer.field("status", status.code)
      writer.field("detail", field.map { "\($0): \(message)" } ?? message)
      if let field {
        writer.array("errors") { writer in
          writer.object { writer in
            writer.field("field", field)
            writer.field("message", message)
          }
        }
      }
    }
    return Response(
      status: status,
      headers: [.contentType: "application/problem+json"],
      body: .init(byteBuffer: ByteBuffer(bytes: writer.bytes))
    )
  }
}
