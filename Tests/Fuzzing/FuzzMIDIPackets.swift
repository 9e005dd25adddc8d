// libFuzzer target: any bytes are lists of MIDI packets or none, and are translated whole. Built by Scripts/fuzz.
// SPDX-License-Identifier: Apache-2.0

import MIDIMessages

/// Reads the bytes as a message between processes, and as a stream of MIDI 1.0 that is cut at some place.
@c(LLVMFuzzerTestOneInput)
public func fuzzMIDIPackets(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  unsafe withinBudget(start, count) { bytes in
    if let events = WireMessages.decode(bytes) { translate(events) }
    _ = Greeting(bytes)
    _ = try? ThruParameters(bytes)
    stream(bytes)
  }
}

private func translate(_ events: MIDIEvents) {
  // Sent on, it is the same, in as many messages as needed.
  let pieces = WireMessages.encode(events).compactMap(WireMessages.decode)
  promise(count(pieces) == count([events]), "packets are lost between processes")
  for form in [MIDIForm.bytes, .universal1, .universal2] {
    var translator = MIDITranslator(to: form)
    let translated = translator.translate(events)
    if isWhole(events) { promise(isWhole(translated), "a universal packet is cut") }
  }
}

private func count(_ lists: [MIDIEvents]) -> Int {
  lists.reduce(0) { sum, list in
    switch list {
    case .bytes(let packets): sum + packets.count
    case .words(_, let packets): sum + packets.count
    }
  }
}

/// Whether every packet has whole messages.
private func isWhole(_ events: MIDIEvents) -> Bool {
  guard case .words(_, let packets) = events else { return true }
  return packets.allSatisfy { packet in
    UniversalWords.messages(packet.words).reduce(0) { $0 + $1.count } == packet.words.count
      || packet.words.count > 64
  }
}

private func stream(_ bytes: [UInt8]) {
  var whole = BytesToUniversal()
  let words = whole.words(bytes)
  var parts = BytesToUniversal()
  let place = bytes.isEmpty ? 0 : Int(bytes[0]) % (bytes.count + 1)
  let cut = parts.words(Array(bytes[..<place])) + parts.words(Array(bytes[place...]))
  promise(words == cut, "a stream is read otherwise where it is cut")
  var writer = UniversalToBytes()
  for piece in writer.bytes(words) { promise(!piece.isEmpty, "an empty packet is written") }
}
