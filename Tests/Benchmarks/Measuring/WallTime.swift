// libcurl's headers bring `timespec` as well; which module it belongs to depends on which was built first.
import CCurl
import Glibc

/// Nanoseconds since 1970: the one clock that this process, the simulator and the ids share.
enum WallTime {
  static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// Blocks this thread until the instant, or not at all if it is past.
  static func sleep(until instant: Int64) {
    var time = timespec(tv_sec: Int(instant / 1_000_000_000), tv_nsec: Int(instant % 1_000_000_000))
    while clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &time, nil) == EINTR {}
  }

  static func seconds(from start: Int64, to end: Int64) -> Double { Double(end - start) / 1e9 }
}
