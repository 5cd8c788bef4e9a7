import Foundation
import NotificationModel
import Postgres

extension HeldStore {
  /// Stores what was decided of a claim's entries, in one transaction: changed decisions, compositions with their members, and
  /// until when what waits on does.
  ///
  /// An entry whose claim is not the caller's any more is left alone: somebody else has claimed it, or its request was
  /// withdrawn. A composition with such a member is not stored. Nor is one whose id is taken, because others that were due at
  /// the same moment were composed before it. The rest of its members is due again at once, and composed under another id.
  public func settle(_ settlement: HeldSettlement, of claim: HeldClaim) async throws -> HeldSettlement.Result {
    var result = HeldSettlement.Result()
    guard !claim.entries.isEmpty else { return result }
    return try await client.withTransaction { transaction in
      let owned = try await transaction.query(Self.lock(claim), planned: .alongIndexes)
      for row in owned { result.owned.insert(try HeldEntry.Key(row)) }
      let compositions = settlement.compositions.filter { composition in
        composition.members.allSatisfy { result.owned.contains($0.entry.key) }
      }
      if !compositions.isEmpty {
        for row in try await transaction.query(Self.insert(compositions)) { result.composed.insert(try row.get(0)) }
      }
      var changes = settlement.changes.filter { result.owned.contains($0.entry.key) }
      for composition in compositions where result.composed.contains(composition.id) {
        for member in composition.members {
          let (user, id) = (member.entry.key.user, member.entry.key.notification)
          let change = DecisionChange(id: id, userID: user, from: member.former, to: .skip(.composed))
          changes.append(.init(member.entry, change))
        }
      }
      let channels = Dictionary(grouping: changes, by: \.entry.key.channel)
      if channels.count > 1 {
        _ = try await transaction.query(NotificationStore.lock(changes.map { ($0.change.userID, $0.change.id) }))
      }
      for (channel, changes) in channels {
        let sorted = changes.map(\.change).sorted { ($0.userID, $0.id) < ($1.userID, $1.id) }
        for row in try await transaction.query(NotificationStore.change(channel, sorted)) {
          result.changed[channel, default: []].insert(try row.get(0))
        }
      }
      let rows = Self.rows(after: settlement, result)
      if !rows.isEmpty { _ = try await transaction.query(Self.move(rows, of: claim)) }
      for row in rows where row.composedIn == nil { result.released.insert(row.entry.key) }
      return result
    }
  }

  /// What a row becomes: part of a composition, or unclaimed and due again.
  struct Move {
    var entry: HeldEntry
    var due: Date
    var reason: HoldReason
    var composedIn: NotificationID?
  }

  private static func rows(
    after settlement: HeldSettlement,
    _ result: HeldSettlement.Result
  ) -> [Move] {
    var moves: [Move] = []
    for change in settlement.changes {
      guard case .hold(let until, let reason) = change.change.to, result.owned.contains(change.entry.key) else {
        continue
      }
      moves.append(Move(entry: change.entry, due: until, reason: reason))
    }
    for composition in settlement.compositions {
      let isStored = result.composed.contains(composition.id)
      for (entry, _) in composition.members where result.owned.contains(entry.key) {
        let due = isStored ? entry.due : settlement.now
        moves.append(Move(entry: entry, due: due, reason: entry.reason, composedIn: isStored ? composition.id : nil))
      }
    }
    return moves
  }

  static func lock(_ claim: HeldClaim) -> SQLQuery {
    let keys = claim.inLockOrder
    return """
      SELECT h.user_id, h.notification_id, h.channel
      FROM unnest(
        \(keys.map(\.user)), \(keys.map(\.notification)), \(keys.map(\.code))
      ) AS c(user_id, notification_id, channel)
        CROSS JOIN LATERAL (
          SELECT user_id, notification_id, channel FROM held
          WHERE user_id = c.user_id AND notification_id = c.notification_id AND channel = c.channel
            AND claimed_until = \(claim.until)
          FOR UPDATE
        ) h
      """
  }

  /// A composition is no part of an inbox, so it takes no `seq`.
  static func insert(_ compositions: [HeldSettlement.NewComposition]) -> SQLQuery {
    let contents = compositions.map(\.content)
    let plans = compositions.map(\.plan)
    return """
      INSERT INTO notifications (user_id, id, request_id, type, title, body, data, related_type, related_id, in_app, push,
        email, decisions, seq, is_late, created_at, expires_at)
      SELECT c.user_id, c.id, c.id, c.type, c.title, c.body, c.data, c.related_type, c.related_id, c.in_app, c.push,
        c.email, c.decisions, coalesce((SELECT seq FROM inbox WHERE user_id = c.user_id), 0), false, c.created_at,
        c.expires_at
      FROM unnest(
        \(compositions.map { $0.members[0].entry.key.user }), \(compositions.map(\.id)),
        \(contents.map { Int16(clamping: $0.type) }), \(contents.map(\.title)), \(contents.map(\.body)),
        \(contents.map(NotificationStore.data)), \(contents.map(\.relatedEntityType)),
        \(contents.map(\.relatedEntityId)), \(plans.map { $0.code(.inApp) }), \(plans.map { $0.code(.push) }),
        \(plans.map { $0.code(.email) }), \(plans.map(\.further)), \(contents.map(\.createdAt)),
        \(contents.map(\.expiresAt))
      ) AS c(user_id, id, type, title, body, data, related_type, related_id, in_app, push, email, decisions, created_at,
        expires_at)
      ON CONFLICT DO NOTHING
      RETURNING id
      """
  }

  /// Whoever changed the due time meanwhile (settings did, that it was decided by) has the last word on it.
  static func move(_ moves: [Move], of claim: HeldClaim) -> SQLQuery {
    """
    WITH moved AS MATERIALIZED (
      SELECT m.*, p.place FROM unnest(
        \(moves.map(\.entry.key.user)), \(moves.map(\.entry.key.notification)), \(moves.map(\.entry.key.code)),
        \(moves.map(\.entry.due)), \(moves.map(\.due)), \(moves.map(\.reason.rawValue)), \(moves.map(\.composedIn))
      ) AS m(user_id, notification_id, channel, former, due, reason, composed_in)
        CROSS JOIN LATERAL (
          SELECT ctid AS place FROM held
          WHERE user_id = m.user_id AND notification_id = m.notification_id AND channel = m.channel
            AND claimed_until = \(claim.until)
          FOR UPDATE
        ) p
    )
    UPDATE held h SET
      due_at = CASE WHEN h.due_at = m.former THEN m.due ELSE h.due_at END,
      reason = m.reason, composed_in = m.composed_in,
      claimed_until = CASE WHEN m.composed_in IS NULL THEN NULL ELSE h.claimed_until END
    FROM moved m WHERE h.ctid = m.place
    """
  }
}
