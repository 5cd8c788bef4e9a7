import Foundation
import TestSupport
import Testing
import WallClock

/// Databases of files made by hand, each in a folder of its own.
@Suite final class ZoneDatabaseTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "belfry-zones-\(UUID().uuidString)")
  private let registry: ZoneRegistry
  /// Offsets that no real zone of the tests' names has.
  private let strange = ZoneFileBytes(types: [(4_321, 0, 0)], times: [], indices: [], footer: "\nXXX-1:12:01\n").bytes

  init() throws {
    registry = ZoneRegistry(database: ZoneDatabase(directory: folder.path))
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }

  private func write(_ bytes: [UInt8], _ path: String) throws {
    let file = folder.appending(path: path)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: file)
  }

  private func offset(_ identifier: String) -> Int? {
    Zone(identifier, in: registry)?.offset(at: instant("2026-01-15T12:00:00Z"))
  }

  @Test func `a file goes before Foundation, also for zones that Foundation does not know`() throws {
    try write(strange, "Europe/Berlin")
    try write(strange, "Europe/Nowhere")
    try FileManager.default.createSymbolicLink(
      at: folder.appending(path: "Europe/Paris"),
      withDestinationURL: folder.appending(path: "Europe/Berlin")
    )
    #expect(["Europe/Berlin", "Europe/Nowhere", "Europe/Paris"].map(offset) == [4_321, 4_321, 4_321])
  }

  @Test func `Foundation stands in for files that are missing, damaged or none`() throws {
    try write(Array(strange.dropLast()), "Europe/Berlin")
    try write([], "Europe/Paris")
    try write(strange + [UInt8](repeating: 0, count: 65_536), "Europe/Rome")
    try FileManager.default.createDirectory(
      at: folder.appending(path: "Europe/Oslo"),
      withIntermediateDirectories: true
    )
    // Opening a pipe for reading waits for a writer, without O_NONBLOCK.
    #expect(mkfifo(folder.appending(path: "Europe/Malta").path, 0o600) == 0)
    for name in ["Berlin", "Paris", "Rome", "Oslo", "Malta", "Madrid"] { #expect(offset("Europe/\(name)") == 3_600) }
    try write([], "Europe/Nowhere")
    #expect(offset("Europe/Nowhere") == nil && offset("Europe/Elsewhere") == nil)
  }

  @Test func `an old name without a file is that which the database links it to`() throws {
    try write(strange, "America/Vancouver")
    let lines = [
      "# version 2026f", "L America/Vancouver Canada/Pacific", "L Canada/Pacific US/Pacific", "L Etc/UTC", "Lx a b", "",
      "L ../../etc/passwd Asia/Calcutta", "L Asia/Katmandu Asia/Kathmandu", "L Asia/Kathmandu Asia/Katmandu",
      "Z Europe/Berlin 0:53:28 - LMT 1893 Ap",
    ]
    try write(Array(lines.joined(separator: "\n").utf8), "tzdata.zi")
    #expect(offset("Canada/Pacific") == 4_321 && offset("US/Pacific") == 4_321)
    #expect(try #require(Zone("US/Pacific", in: registry)).identifier == "US/Pacific")
    #expect(offset("Asia/Calcutta") == 19_800 && offset("Asia/Kathmandu") == 20_700)
  }

  @Test(arguments: [
    "Factory", "localtime", "posix/UTC", "Europe/../UTC", "europe/berlin", "GMT+3", "Europe/.UTC", "/UTC",
  ])
  func `a file alone makes no zone of a name that is refused`(_ name: String) throws {
    try write(strange, "Europe/Berlin")
    try write(strange, name)
    #expect(offset(name) == nil)
    #expect(ZoneDatabase(directory: folder.path).file(of: name) == nil)
  }

  @Test func `a zone is read once`() throws {
    try write(strange, "Europe/Berlin")
    #expect(offset("Europe/Berlin") == 4_321)
    try FileManager.default.removeItem(at: folder.appending(path: "Europe/Berlin"))
    #expect(offset("Europe/Berlin") == 4_321)
  }

  @Test func `zones of damaged files stop nobody`() throws {
    var random = SplitMix64(seed: 20_261_122)
    let sound = ZoneFileBytes(times: [0, 1_700_000_000], footer: "\nAAA5BBB,J60/-167,M12.5.6/167\n").bytes
    for number in 0..<1_000 {
      try write(random.mutated(sound), "Etc/Zone\(number)")
      guard let zone = Zone("Etc/Zone\(number)", in: registry) else { continue }
      let hours = try #require(QuietHours(start: LocalTime("22:00")!, end: LocalTime("07:00")!, zone: zone))
      for year in [1, 1_969, 1_999, 2_000, 2_026, 2_059, 2_060, 9_999] {
        for date in [LocalDate(year: year, month: 1, day: 1)!, LocalDate(year: year, month: 12, day: 31)!] {
          let instant = zone.instant(of: date, at: .midnight)
          _ = (zone.localDate(at: instant), hours.window(at: instant))
        }
      }
    }
  }
}
