import NotificationModel

/// Finds out who an audience is: at once if they are few, else some chunks at a time.
///
/// No message is held while millions are looked up: after each step the request goes back to the queue with a bookmark, behind
/// the chunks that were cut. So other work comes between, a crash repeats one step, and what is repeated is found stored.
struct AudienceExpansion {
  enum Step: Equatable {
    /// So few that they, or those that are left, are one job.
    case last([UserID])
    /// The chunks of this step, and where the next one begins; nil if there is none.
    case cut([[UserID]], next: UserID?)
  }

  let groups: any GroupStoring
  let residents: any ResidentStoring
  /// Recipients of a chunk.
  let chunkSize: Int
  /// Of one step.
  static let chunks = 10

  /// - Parameters:
  ///   - zones: Only those who live in them, as profiles name them; nil means all. They are chosen among those of each step,
  ///     so that no statement reads more than a step, however few of a large group live in a zone.
  ///   - bookmark: The last user of the step before; nil at first.
  func step(of audience: Audience, in zones: [String]? = nil, after bookmark: UserID?) async throws -> Step {
    func chosen(_ people: [UserID]) async throws -> [UserID] {
      guard let zones, !people.isEmpty else { return people }
      return try await residents.residents(of: zones, among: people)
    }
    let except: Set<UserID>
    switch audience {
    case .users(let users): return .last(try await chosen(users))
    case .group(_, let others), .everyone(let others): except = others
    // Of nobody whom Belfry knows: it is routed without.
    case .topic: return .last([])
    }
    let size = chunkSize * Self.chunks
    let people = try await groups.people(of: audience, after: bookmark, limit: size + 1)
    let isLast = people.count <= size
    var recipients = try await chosen(isLast ? people : Array(people.prefix(size)))
    if !except.isEmpty { recipients.removeAll(where: except.contains) }
    if isLast, recipients.count <= chunkSize { return .last(recipients) }
    let chunks = stride(from: 0, to: recipients.count, by: chunkSize).map { start in
      Array(recipients[start..<min(start + chunkSize, recipients.count)])
    }
    return .cut(chunks, next: isLast ? nil : people[size - 1])
  }
}
