import BelfryJSON

/// An error answer of the token endpoint (RFC 6749, section 5.2, in Google's words).
struct OAuthFailure: Error, Sendable, Equatable {
  let error: String
  let description: String

  var body: [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.field("error", error)
      writer.field("error_description", description)
    }
    return writer.bytes
  }

  static func invalidRequest(_ description: String) -> OAuthFailure {
    OAuthFailure(error: "invalid_request", description: description)
  }

  static func invalidGrant(_ description: String) -> OAuthFailure {
    OAuthFailure(error: "invalid_grant", description: description)
  }
}
