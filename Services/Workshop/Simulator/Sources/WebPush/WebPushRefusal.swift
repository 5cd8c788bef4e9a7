import BelfryJSON

/// Why a push service refuses a push (RFC 8030, RFC 8292), in Mozilla's form.
struct WebPushRefusal: Error, Sendable, Equatable {
  let status: Int
  let message: String

  static func invalid(_ message: String) -> WebPushRefusal { WebPushRefusal(status: 400, message: message) }
  static func unauthorized(_ message: String) -> WebPushRefusal { WebPushRefusal(status: 401, message: message) }
  static func forbidden(_ message: String) -> WebPushRefusal { WebPushRefusal(status: 403, message: message) }
  static let unknown = WebPushRefusal(status: 404, message: "no such subscription")
  static let gone = WebPushRefusal(status: 410, message: "the subscription has ended")
  static let tooLarge = WebPushRefusal(status: 413, message: "more than 4096 bytes")

  var body: [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.field("code", status)
      writer.field("message", message)
    }
    return writer.bytes
  }
}
