import Embedded
import HTTPTypes
import Hummingbird

/// A module of the bell, or of the client without an element, as it is served: as it is, and compressed beforehand.
struct BellFile: Sendable {
  private let plain: Representation
  private let compressed: Representation?

  /// Every module of the bell by its name.
  static let all = below("Services/Gateway/Bell/served")

  /// Every module of the client by its name.
  static let client = below("Services/Gateway/Bell/client/served")

  /// The modules of this release, and the later modules of the previous one, for pages that have its entry.
  private static func below(_ folder: String) -> [String: BellFile] {
    let files = EmbeddedFile.below(folder)
    let compressed = Dictionary(uniqueKeysWithValues: files.map { ($0.path, $0) })
    let modules = files.filter { !$0.name.hasSuffix(".gz") }
    return Dictionary(
      modules.map { ($0.name, BellFile($0, compressed: compressed[$0.path + ".gz"])) },
      // A module that did not change since is there twice, with the same hash in its name.
      uniquingKeysWith: { first, _ in first }
    )
  }

  private init(_ file: EmbeddedFile, compressed: EmbeddedFile?) {
    // Type declarations are read by tools, which ask for text.
    let type = file.name.hasSuffix(".js") ? "text/javascript; charset=utf-8" : "text/plain; charset=utf-8"
    let caching = Self.caching(ofName: file.name)
    func representation(_ file: EmbeddedFile) -> Representation {
      Representation(file.bytes, contentType: type, caching: caching)
    }
    plain = representation(file)
    self.compressed = compressed.map(representation)
  }

  /// The entry's name is that of every release: a page learns of the next one within minutes. A name with a hash never gets other content.
  static func caching(ofName name: String) -> String {
    name.contains(#/-[0-9A-Z]{8}\.js$/#) ? "public, max-age=31536000, immutable" : "public, max-age=300"
  }

  /// - Throws: 412.
  func answer(_ request: Request) throws(Problem) -> Response {
    let isCompressed = compressed != nil && Self.acceptsGzip(request)
    var response = try Precondition(request).answer(isCompressed ? compressed ?? plain : plain)
    if isCompressed { response.headers[.contentEncoding] = "gzip" }
    response.headers[.vary] = "Accept-Encoding"
    response.headers[.xContentTypeOptions] = "nosniff"
    // Browsers fetch modules of another origin so (Fetch, "cors"). They are no secret, and come with no cookie.
    response.headers[.accessControlAllowOrigin] = "*"
    response.headers[.crossOriginResourcePolicy] = "cross-origin"
    return response
  }

  /// Whether gzip is named, or anything goes, with a weight above 0 (RFC 9110, 12.5.3).
  static func acceptsGzip(_ request: Request) -> Bool {
    guard let header = request.headers[.acceptEncoding] else { return false }
    var weights: [Substring: Double] = [:]
    for entry in header.lowercased().split(separator: ",") {
      let parts = entry.split(separator: ";").map { $0.drop { $0 == " " } }
      guard let coding = parts.first?.split(separator: " ").first else { continue }
      let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.map {
        Double($0.dropFirst(2).prefix { $0 != " " }) ?? 0
      }
      weights[coding] = weight ?? 1
    }
    return weights["gzip"] ?? weights["*"] ?? 0 > 0
  }
}
