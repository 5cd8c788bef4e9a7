public import Foundation

/// An image for a notification.
public struct PushImage: Sendable, Equatable {
  /// An extension has some 24 MB of memory for everything.
  public static let maximumSize = 4 << 20

  public let data: Data
  /// By which the system knows what it is: `jpg`, `png` or `gif`.
  public let fileExtension: String

  /// Nil for what is too large or, by its first bytes, no image that iOS shows.
  public init?(_ data: Data) {
    guard data.count <= Self.maximumSize else { return nil }
    switch Array(data.prefix(4)) {
    case let bytes where bytes.starts(with: [0xFF, 0xD8, 0xFF]): fileExtension = "jpg"
    case [0x89, 0x50, 0x4E, 0x47]: fileExtension = "png"
    case [0x47, 0x49, 0x46, 0x38]: fileExtension = "gif"
    default: return nil
    }
    self.data = data
  }

  /// Reads an image. Follows no redirects, and sends neither token nor cookies.
  ///
  /// - Parameters:
  ///   - url: Of ``PushContent/image``.
  ///   - http: Carries the request.
  ///   - limit: By then it has returned.
  ///   - clock: Tells when that is.
  /// - Throws: ``BelfryError``; `malformed` for what is no image, or too large.
  public static func load(
    _ url: URL,
    by http: any HTTPTransport,
    limit: Duration = .seconds(10),
    clock: any ClientClock = SystemClock()
  ) async throws -> PushImage {
    var request = HTTPRequest(
      method: "GET",
      url: url,
      headers: ["Accept": "image/jpeg, image/png, image/gif", "Range": "bytes=0-\(maximumSize)"],
      timeout: limit
    )
    // Not the range, which a server need not heed.
    request.maximumBody = maximumSize
    let response = try await within(limit, of: clock) { [request] in try await http.send(request) }
    guard response.isSuccess, let image = PushImage(response.body) else {
      throw BelfryError(.malformed, status: response.status, detail: "That is no image for a notification.")
    }
    return image
  }

  /// Writes it where the system takes it from.
  ///
  /// - Throws: What the file system fails with.
  public func write(to directory: URL = FileManager.default.temporaryDirectory) throws -> URL {
    let file = directory.appending(path: "\(UUID().uuidString).\(fileExtension)")
    try data.write(to: file)
    return file
  }
}
