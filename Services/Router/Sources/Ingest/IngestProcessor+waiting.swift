import Broker
import Foundation
import NotificationModel
import NotificationStore

/// What waits for its time, and what comes at each recipient's own.
extension IngestProcessor {
  /// The request as a send that waits; nil if it is told at once.
  static func waitingSend(
    _ id: RequestID,
    _ request: SendRequest,
    _ message: BrokerMessage
  ) -> ScheduleStore.WaitingSend? {
    guard let time = id.time, let sendAt = request.waits(since: time) else { return nil }
    let body = String(decoding: message.body, as: UTF8.self)
    return ScheduleStore.WaitingSend(id: id, owner: message.appID ?? "", definition: body, sendAt: sendAt)
  }

  /// Why a request cannot wait as long as it asks for.
  static func tooFar(_ request: SendRequest, _ id: RequestID) -> String? {
    guard let time = id.time else { return nil }
    do throws(ValidationError) {
      try request.checkTime(since: time)
      return nil
    } catch {
      return "invalid: \(error)"
    }
  }

  /// Those of an audience who live in the zones.
  ///
  /// Members of a group are read page by page and chosen there, so that no statement reads more than a page, however few of
  /// a large group live in a zone.
  ///
  /// - Parameter putBack: Takes full chunks, a page's at once.
  /// - Returns: What is left when there are no more full chunks.
  func expand(
    _ audience: Audience,
    in zones: [String],
    putBack: ([[UserID]]) async throws -> Void
  ) async throws -> [UserID] {
    switch audience {
    case .users(let users): return try await residents.residents(of: zones, among: users)
    case .group(let group, let except):
      let pageSize = Self.chunksRead * chunkSize
      var chosen: [UserID] = []
      var last: UserID?
      while true {
        let page = try await groups.members(of: group, after: last, limit: pageSize)
        let residents = try await residents.residents(of: zones, among: page)
        chosen += except.isEmpty ? residents : residents.filter { !except.contains($0) }
        var chunks: [[UserID]] = []
        while chosen.count > chunkSize {
          chunks.append(Array(chosen.prefix(chunkSize)))
          chosen = Array(chosen.dropFirst(chunkSize))
        }
        if !chunks.isEmpty { try await putBack(chunks) }
        guard page.count == pageSize else { return chosen }
        last = page.last
      }
    }
  }

  /// Members read at once, in chunks: of a page only some live in a zone.
  private static let chunksRead = 5
}
