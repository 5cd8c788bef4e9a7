import Glibc

/// Holds a directory for one local stack; the kernel lets go of it when this process dies.
final class DirectoryLock: Sendable {
  private let descriptor: Int32

  init(directory: String) throws(LocalStackError) {
    let path = "\(directory)/lock"
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw LocalStackError(.fileSystem, "The file \(path) could not be opened.") }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let holder = Files.read(path).flatMap { Int32($0) }
      close(descriptor)
      throw LocalStackError(
        .inUse,
        "Belfry already runs in \(directory)\(holder.map { " (process \($0))" } ?? "").",
        advice: "Stop it first, or use another --data-dir."
      )
    }
    let holder = Array(String(getpid()).utf8)
    ftruncate(descriptor, 0)
    _ = write(descriptor, holder, holder.count)
  }

  deinit { close(descriptor) }
}
