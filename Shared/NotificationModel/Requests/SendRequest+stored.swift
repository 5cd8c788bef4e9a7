import BelfryJSON
import UserIdentity

extension SendRequest {
  /// What is kept of a send that waits: as it came, with UUIDs in place of other users' ids. Who is erased is found by them.
  public func stored(_ body: [UInt8]) -> [UInt8] {
    guard contestedUsers.contains(where: { $0.text != nil }), let json = try? JSONParser.parse(body) else {
      return body
    }
    var writer = JSONWriter()
    writer.value(json.withUserIDs)
    return writer.bytes
  }
}
