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

  let groups: any GroupSource
  /// Recipients of a chunk.
  let chunkSize: Int
  /// Of one step.
  static let chunks = 10

  /// - Parameter bookmark: The last user of the step before; nil at first.
  func step(of audience: Audience, after bookmark: UserID?) async throws -> Step {
    let except: Set<UserID>
    switch audience {
    case .users(let users): return .last(users)
    case .group(_, let others), .everyone(let others): except = others
    }
    let size = chunkSize * Self.chunks
    let people = try await groups.people(of: audience, after: bookmark, limit: size + 1)
    func chunk(_ people: ArraySlice<UserID>) -> [UserID] {
      except.isEmpty ? Array(people) : people.filter { !except.contains($0) }
    }
    guard people.count > chunkSize else { return .last(chunk(people[...])) }
    let told = people.prefix(size)
    let chunks = stride(from: 0, to: told.count, by: chunkSize).map { start in
      chunk(told[start..<min(start + chunkSize, told.count)])
    }
    return .cut(chunks.filter { !$0.isEmpty }, next: people.count > size ? told.last : nil)
  }
}
