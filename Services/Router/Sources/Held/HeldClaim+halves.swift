import NotificationStore

extension HeldClaim {
  /// The same in two. What one person has on one channel stays together; a claim of no more than that is left as it is.
  var halves: [HeldClaim] {
    let middle = entries[entries.count / 2].key
    let isBefore = { (entry: HeldEntry) in
      (entry.key.user, entry.key.channel) < (middle.user, middle.channel)
    }
    let (first, second) = (entries.filter(isBefore), entries.filter { !isBefore($0) })
    if !first.isEmpty { return [HeldClaim(until: until, entries: first), HeldClaim(until: until, entries: second)] }
    let isSame = { (entry: HeldEntry) in entry.key.user == middle.user && entry.key.channel == middle.channel }
    let rest = second.filter { !isSame($0) }
    guard !rest.isEmpty else { return [self] }
    return [HeldClaim(until: until, entries: second.filter(isSame)), HeldClaim(until: until, entries: rest)]
  }
}
