import Foundation
import Synchronization

/// A folder of TZif files, one a zone: the time zone database as an operating system keeps it.
///
/// A zone's file is read when the process first uses the zone, and never again (``ZoneRegistry``): a process goes on
/// with the rules it began with, and an update of the database takes effect with its next start, zones that it has not
/// met yet excepted. Rules that changed under way would move instants that have been worked out already.
package final class ZoneDatabase: Sendable {
  /// `TZDIR` of the environment, as in glibc and tzcode (tzset(3)), if it is an absolute path; or where all of Linux
  /// and macOS have it. A folder that is not there is an empty database.
  package static let system: ZoneDatabase = {
    let folder = ProcessInfo.processInfo.environment["TZDIR"] ?? ""
    return ZoneDatabase(directory: folder.hasPrefix("/") ? folder : "/usr/share/zoneinfo")
  }()

  package let directory: String
  /// Other names and what they lead to. Read when a file is first missed.
  private let links = Mutex<[String: String]?>(nil)

  /// The largest `tzdata.zi` that is read. That of tz 2026f has 105 KB.
  private static let largestText = 1 << 20

  package init(directory: String) {
    self.directory = directory
  }

  /// What the database says of a zone; nil if it has no file of the name, or a damaged one.
  ///
  /// An old name without a file is looked for among the database's links: Debian 13 and Ubuntu 24.04 have moved
  /// `US/Pacific` and its like to a package of their own, `tzdata-legacy`.
  package func file(of identifier: String) -> TimeZoneFile? {
    // The form alone keeps the path within the folder: no dots, and no part that is empty.
    guard ZoneRegistry.isIdentifier(identifier) else { return nil }
    if let file = read(identifier, atMost: TimeZoneFile.largest).flatMap({ TimeZoneFile($0) }) { return file }
    guard let target = target(of: identifier), ZoneRegistry.isIdentifier(target) else { return nil }
    return read(target, atMost: TimeZoneFile.largest).flatMap { TimeZoneFile($0) }
  }

  /// The name that a link leads to in the end; nil if the name is no link, or if its links lead in a circle.
  private func target(of identifier: String) -> String? {
    let links = links.withLock { links in
      let known = links ?? Self.links(read("tzdata.zi", atMost: Self.largestText) ?? [])
      links = known
      return known
    }
    guard var name = links[identifier] else { return nil }
    // Links to links are allowed; nobody needs many.
    for _ in 0..<4 {
      guard let next = links[name] else { return name }
      name = next
    }
    return nil
  }

  /// The links of a `tzdata.zi`, the whole database as text, which most have beside their files. A line `L
  /// America/Los_Angeles US/Pacific` makes the second a name of the first (zic(8)); all others are passed over.
  private static func links(_ text: [UInt8]) -> [String: String] {
    var links: [String: String] = [:]
    for line in text.split(separator: UInt8(ascii: "\n")) where line.first == UInt8(ascii: "L") {
      let words = line.split(separator: UInt8(ascii: " "))
      guard words.count == 3, words[0].count == 1 else { continue }
      links[String(decoding: words[2], as: UTF8.self)] = String(decoding: words[1], as: UTF8.self)
    }
    return links
  }

  /// A file's bytes; nil if it cannot be read, is larger, or is no file: a folder, or a pipe, which `O_NONBLOCK` keeps
  /// from being waited for. Links are followed, many databases consist of them.
  private func read(_ path: String, atMost largest: Int) -> [UInt8]? {
    let descriptor = open("\(directory)/\(path)", O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= largest,
      let data = try? handle.read(upToCount: largest + 1), data.count <= largest
    else { return nil }
    return Array(data)
  }
}
