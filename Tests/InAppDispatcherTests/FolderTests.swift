import TestSupport
import Testing

@Suite struct FolderTests {
  @Test func `a folder uses what comes before it, never what comes behind it`() throws {
    let order = FolderOrder(
      of: "Services/InAppDispatcher/Sources",
      ["Bookkeeping", "Encoding", "Methods", "Connection", "HTTP", "Server"]
    )
    #expect(try order.problems() == [])
  }
}
