import Glibc

/// This process.
enum OwnProcess {
  /// Processor time of all its threads.
  static var cpuSeconds: Double {
    // POSIX fixes CLOCKS_PER_SEC. A timespec would belong to whichever C library's module was built first.
    Double(clock()) / 1_000_000
  }
}
