import HTTPTypes
import Hummingbird
import BelfryJSON
import NIOCore

/// A resource as it is served, with the tag of these very bytes unless it has another.
struct Representation: Sendable {
  let bytes: [UInt8]
  let tag: EntityTag
  private let contentType: String
  private let caching: String

  init(
    _ bytes: [UInt8],
    contentType: String = "application/json",
    caching: String = "no-store",
    tag: EntityTag? = nil
  ) {
    self.bytes = bytes
    self.contentType = contentType
    self.caching = caching
    self.tag = tag ?? EntityTag(of: bytes)
  }

  /// JSON, written by `body`.
  init(tag: EntityTag? = nil, _ body: (inout JSONWriter) -> Void) {
    var writer = JSONWriter()
    body(&writer)
    self.init(writer.bytes, tag: tag)
  }

  /// Also of an answer without the bytes.
  var headers: HTTPFields { [.eTag: tag.headerValue, .cacheControl: caching] }

  func response(_ status: HTTPResponse.Status = .ok) -> Response {
    var headers = headers
    headers[.contentType] = contentType
    return Response(status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
  }
}
