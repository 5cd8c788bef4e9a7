import CWorkshopFiles
import Embedded
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// The built documentation at `/docs/`.
struct DocumentsController: Sendable {
  /// Nil where no folder is set: then there is a page that says how to get them.
  let directory: DocumentsDirectory?

  func addRoutes(to router: Router<BasicRequestContext>) {
    router.get("docs") { request, _ in try respond(to: request) }
    router.get("docs/**") { request, _ in try respond(to: request) }
  }

  private func respond(to request: Request) throws -> Response {
    guard let directory, directory.exists else { return Self.notBuilt }
    // The router leaves out what makes a folder of a path, so it is read anew.
    guard let path = request.uri.path.removingPercentEncoding?.dropFirst("/docs".count) else {
      throw ControlError.invalid("path", "is malformed")
    }
    guard path.hasPrefix("/") else { return Self.moved(to: "/docs/") }
    switch directory.find(String(path.dropFirst())) {
    case .file(let name, let bytes): return Self.page(.ok, ContentType.of(name), bytes)
    case .folder: return Self.moved(to: "\(request.uri.path)/")
    case .nothing: throw ControlError(status: .notFound, field: nil, message: "the documentation has no such page")
    }
  }

  private static func moved(to place: String) -> Response {
    Response(status: .movedPermanently, headers: [.location: place, .cacheControl: "no-store"])
  }

  private static func page(_ status: HTTPResponse.Status, _ type: String, _ bytes: some Collection<UInt8> & Sendable)
    -> Response
  {
    Response(
      status: status,
      headers: [
        .contentType: type, .cacheControl: "no-store", .xContentTypeOptions: "nosniff",
        // As docs/development.md says: no page has a script or a style in it.
        .contentSecurityPolicy:
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
          + "base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
      ],
      body: .init(byteBuffer: ByteBuffer(bytes: bytes))
    )
  }

  /// How to build them, and where they are to be read without that.
  private static let notBuilt = page(
    .notFound,
    "text/html; charset=utf-8",
    EmbeddedFile.at("\(PageController.folder)/documents.html", of: workshop_files).bytes
  )
}
