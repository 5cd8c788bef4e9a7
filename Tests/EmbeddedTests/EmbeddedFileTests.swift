import CEmbedded
import CWorkshopFiles
import Embedded
import Foundation
import TestSupport
import Testing

@Suite struct EmbeddedFileTests {
  @Test func `what is built in is what the repository has`() throws {
    for files in [EmbeddedFile.all(), EmbeddedFile.all(of: workshop_files)] {
      #expect(!files.isEmpty)
      for file in files {
        let bytes = try Data(contentsOf: Repository.root.appending(path: file.path))
        #expect(file.bytes == [UInt8](bytes), "\(file.path)")
      }
    }
  }

  @Test func `nothing of the workshop is in the product`() {
    let product = Set(EmbeddedFile.all().map(\.path))
    #expect(product.isDisjoint(with: EmbeddedFile.all(of: workshop_files).map(\.path)))
    #expect(!product.contains { $0.contains("Workshop") })
  }

  @Test func `every file that belongs in is in, and nothing else`() async throws {
    let check = Process()
    check.executableURL = Repository.root.appending(path: "Shared/CEmbedded/make")
    check.arguments = ["--check"]
    try check.run()
    check.waitUntilExit()
    #expect(check.terminationStatus == 0)
  }

  @Test func `a folder's files come in the order of their paths`() {
    let migrations = EmbeddedFile.below("Shared/NotificationStore/Migrations")
    #expect(migrations.first?.name == "m0001_initial.sql")
    #expect(migrations.map(\.path) == migrations.map(\.path).sorted())
    #expect(EmbeddedFile.below("Shared/NotificationStore/Migr").isEmpty)
  }
}
