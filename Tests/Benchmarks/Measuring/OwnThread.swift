// libcurl's headers bring `timespec` as well; which module it belongs to depends on which was built first.
import CCurl
import Glibc

/// The thread that asks.
enum OwnThread {
  /// Its processor time.
  static var cpuSeconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
