import Crypto
import HTTPTypes
import Hummingbird
import JSON
import NIOCore
import NotificationModel

/// `GET /catalogue` and its schema: open to all, and the same as long as the gateway runs.
struct CatalogueController {
  let catalogue: Catalogue

  /// What apps show of types. `?locale=` chooses the buttons' titles.
  func types(_ request: Request, context: GatewayContext) async throws -> Response {
    var writer = JSONWriter()
    catalogue.writeOpenPart(to: &writer, locale: QueryParameters(request).text("locale"))
    return Self.answer(writer.bytes, type: "application/json", to: request)
  }

  /// The JSON Schema of a catalogue file, for editors.
  func schema(_ request: Request, context: GatewayContext) async throws -> Response {
    Self.answer(Catalogue.schema, type: "application/schema+json", to: request)
  }

  private static func answer(_ bytes: [UInt8], type: String, to request: Request) -> Response {
    let hash = SHA256.hash(data: bytes).prefix(16).map { byte in
      String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
    }
    let tag = "\"\(hash.joined())\""
    var headers: HTTPFields = [.eTag: tag, .cacheControl: "public, max-age=300"]
    guard request.headers[.ifNoneMatch] != tag else { return Response(status: .notModified, headers: headers) }
    headers[.contentType] = type
    return Response(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
  }
}
