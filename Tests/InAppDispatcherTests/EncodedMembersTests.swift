import BelfryJSON
import SignalRProtocol
import Testing

@testable import InAppDispatcher

@Suite struct EncodedMembersTests {
  /// A map of up to 15 pairs has a header of one byte in MessagePack, of up to 65,535 one of three.
  @Test(arguments: [(0, 0), (0, 3), (4, 0), (4, 9), (4, 11), (4, 12), (15, 1), (16, 0), (2, 300)])
  func `an object put together is the same as in one piece, however many members it has`(
    own: Int,
    shared: Int
  ) throws {
    let members = (0..<own + shared).map { number in
      switch number % 4 {
      case 0: JSONMember("text\(number)", "Ünïcode \"\(number)\"")
      case 1: JSONMember("number\(number)", number * 1_000)
      case 2: JSONMember("truth\(number)", number.isMultiple(of: 3))
      default: JSONMember("nothing\(number)", nil as String?)
      }
    }
    for hubProtocol in HubProtocol.allCases {
      let sharedMembers = EncodedMembers(Array(members.dropFirst(own)), as: hubProtocol)
      let object = sharedMembers.object(after: Array(members.prefix(own)))
      #expect(object == PayloadMessage.payload(.object(members), as: hubProtocol))
      let record = PayloadMessage.invocation("X", [object], as: hubProtocol)
      #expect(
        try hubProtocol.messages(in: record)
          == [.invocation(id: nil, target: "X", arguments: [HubValue(.object(members))])]
      )
    }
  }
}
