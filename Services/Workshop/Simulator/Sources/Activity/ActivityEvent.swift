import BelfryJSON

/// One event of a stream, as it goes over the wire (HTML Standard, section 9.2, server-sent events).
struct ActivityEvent {
  /// A comment, which readers pass over.
  static let heartbeat = Array(":\n\n".utf8)
  /// After how many milliseconds a reader whose stream ended comes back.
  static let retry = Array("retry: 1000\n\n".utf8)

  /// What was kept is gone: readers forget it, too.
  static let cleared = ActivityEvent("cleared", json: "{}")

  let bytes: [UInt8]

  /// - Parameter json: A document on one line.
  init(_ name: String, json: String) {
    bytes = Array("event: \(name)\ndata: \(json)\n\n".utf8)
  }

  init(_ name: String, _ fields: (inout JSONWriter) -> Void) {
    var writer = JSONWriter()
    writer.object(nil, fields)
    self.init(name, json: writer.text)
  }
}
