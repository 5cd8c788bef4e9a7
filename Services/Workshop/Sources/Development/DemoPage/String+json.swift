import BelfryJSON

extension String {
  /// A JSON document.
  static func json(_ write: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter()
    write(&writer)
    return writer.text
  }
}
