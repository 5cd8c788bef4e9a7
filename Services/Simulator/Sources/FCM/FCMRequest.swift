/// What the responder needs to know of an HTTP request.
struct FCMRequest: Sendable {
  var isPost = true
  /// Without the query.
  var path: String
  var authorization: String?
  /// Nil if it was too large to be read.
  var body: [UInt8]?
}
