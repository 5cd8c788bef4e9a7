import NotificationModel
import NotificationQueue

/// Jobs of one transaction, and the messages that are done with it. Pure.
struct RoutingSlice {
  var jobs: [RoutingJob] = []
  /// Indices of the messages of which nothing is left to do afterwards.
  var finished: [Int] = []

  /// Slices of at most `limit` recipients. A job that is larger is cut; its message is done with its last piece.
  static func slices(of jobs: [BatchEntry<RoutingJob>], limit: Int) -> [RoutingSlice] {
    var slices: [RoutingSlice] = []
    var slice = RoutingSlice()
    var room = limit
    func close() {
      if !slice.jobs.isEmpty { slices.append(slice) }
      slice = RoutingSlice()
      room = limit
    }
    for entry in jobs {
      let job = entry.value
      if job.order.recipients.count > room { close() }
      var rest = job.order.recipients[...]
      while rest.count > limit {
        slice.jobs.append(job.keeping(rest.prefix(limit)))
        rest = rest.dropFirst(limit)
        close()
      }
      slice.jobs.append(rest.count == job.order.recipients.count ? job : job.keeping(rest))
      slice.finished.append(entry.index)
      room -= rest.count
    }
    close()
    return slices
  }
}

extension RoutingJob {
  /// The same for some of its recipients.
  func keeping(_ users: ArraySlice<UserID>) -> RoutingJob {
    var order = order
    order.recipients = Array(users)
    return RoutingJob(type: type, order: order)
  }
}
