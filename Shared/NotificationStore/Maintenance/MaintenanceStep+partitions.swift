import NotificationModel
import Postgres

extension MaintenanceStep {
  /// Detaches old partitions, corrects the counters, drops them. Readers and writers go on meanwhile.
  static let oldPartitions = Self { session, ages, report in
    let partitions = try await session.query(
      """
      SELECT name, parent, is_attached, is_detaching
      FROM belfry_old_partitions(now() - make_interval(secs => \(ages.retention / .seconds(1))))
      """
    )
    for partition in partitions {
      let name: String = try partition.get("name")
      let parent: String = try partition.get("parent")
      if try partition.get("is_detaching") {
        try await session.script("ALTER TABLE \(parent) DETACH PARTITION \(name) FINALIZE")
      } else if try partition.get("is_attached") {
        try await session.script("ALTER TABLE \(parent) DETACH PARTITION \(name) CONCURRENTLY")
      }
      if parent == "notifications" {
        var last: UserID?
        repeat {
          last = try await session.query(
            "SELECT belfry_empty_partition(\(name), \(last), \(usersAtOnce)) AS last"
          ).first?.get(0)
        } while last != nil
      }
      try await session.script("DROP TABLE \(name)")
    }
    report.partitionsDropped = partitions.count
  }

  /// Users whose counters are corrected in one transaction.
  private static let usersAtOnce: Int32 = 1_000
}
