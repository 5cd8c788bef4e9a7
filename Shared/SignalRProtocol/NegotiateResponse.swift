import BelfryJSON

/// The bodies that answer `POST <hub>/negotiate`.
public enum NegotiateResponse {
  /// Admits a connection.
  ///
  /// - Parameters:
  ///   - id: The connection's name; in version 0 also what the transport presents.
  ///   - token: What the transport presents in version 1.
  ///   - useStatefulReconnect: Whether the client asked for it and gets it.
  public static func accepted(
    version: NegotiateVersion,
    id: String,
    token: String,
    transports: [HubTransport],
    useStatefulReconnect: Bool = false
  ) -> [UInt8] {
    body { writer in
      writer.field("negotiateVersion", version.rawValue)
      writer.field("connectionId", id)
      if version == .one { writer.field("connectionToken", token) }
      if useStatefulReconnect { writer.field("useStatefulReconnect", true) }
      writer.array("availableTransports") { writer in
        for transport in transports {
          writer.object { writer in
            writer.field("transport", transport.rawValue)
            writer.array("transferFormats") { writer in
              writer.string("Text")
              if transport.supportsBinary { writer.string("Binary") }
            }
          }
        }
      }
    }
  }

  /// Sends the client to another hub, where it presents this token instead of its own.
  ///
  /// JavaScript and the official Swift client negotiate again there; pysignalr connects straight to it and needs both.
  public static func redirected(url: String, accessToken: String) -> [UInt8] {
    body { writer in
      writer.field("url", url)
      writer.field("accessToken", accessToken)
    }
  }

  public static func refused(_ error: NegotiateError) -> [UInt8] {
    body { $0.field("error", error.description) }
  }

  private static func body(_ fields: (inout JSONWriter) -> Void) -> [UInt8] {
    var writer = JSONWriter()
    writer.object(nil, fields)
    return writer.bytes
  }
}
