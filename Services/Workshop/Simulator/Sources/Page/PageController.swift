import CWorkshopFiles
import Embedded
import HTTPTypes
import Hummingbird
import NIOCore

/// The page of the first hour at `/`, its modules below `/page/`.
struct PageController: Sendable {
  static let folder = "Services/Workshop/Simulator/Page"

  /// Where the page may fetch from besides its own address; of the first, which is the gateway's, also the bell's modules.
  let origins: [String]

  func addRoutes(to router: Router<BasicRequestContext>) {
    router.get("/") { _, _ in try file("index.html") }
    router.get("page/**") { _, context in try file(context.parameters.getCatchAll().joined(separator: "/")) }
  }

  private static let files = Dictionary(
    uniqueKeysWithValues: EmbeddedFile.below(folder, of: workshop_files).map { file in
      (String(file.path.dropFirst(folder.count + 1)), file)
    }
  )

  private func file(_ path: String) throws -> Response {
    guard let file = Self.files[path] else {
      throw ControlError(status: .notFound, field: nil, message: "there is no such part of the page")
    }
    return Response(
      status: .ok,
      headers: [
        .contentType: ContentType.of(path), .cacheControl: "no-store", .contentSecurityPolicy: policy,
        .xContentTypeOptions: "nosniff", .referrerPolicy: "no-referrer", .crossOriginResourcePolicy: "same-origin",
      ],
      body: .init(byteBuffer: ByteBuffer(bytes: file.bytes))
    )
  }

  /// What an application may have that embeds the bell, and no more: it is the bell's own proof.
  var policy: String {
    let scripts = ["'self'"] + origins.prefix(1)
    let connections = ["'self'"] + origins
    return [
      "default-src 'none'", "script-src \(scripts.joined(separator: " "))", "style-src 'self'", "img-src 'self' data:",
      "connect-src \(connections.joined(separator: " "))", "frame-src 'self'", "base-uri 'none'", "form-action 'none'",
      "frame-ancestors 'none'", "require-trusted-types-for 'script'",
    ].joined(separator: "; ")
  }
}

extension HTTPField.Name {
  fileprivate static let referrerPolicy = HTTPField.Name("Referrer-Policy")!
  fileprivate static let crossOriginResourcePolicy = HTTPField.Name("Cross-Origin-Resource-Policy")!
}
