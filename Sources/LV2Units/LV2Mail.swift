// Messages between control threads and the render thread of one instance.
// SPDX-License-Identifier: Apache-2.0

internal import CLilv
internal import RealtimeSupport

/// The rings for messages to a plug-in and for the texts it tells. Context: control, under the unit's
/// lock; the render thread has the other ends.
final class LV2Mail {
  private let inbox = SPSCRing(minimumCapacity: 64 << 10)
  private let outbox = SPSCRing(minimumCapacity: 64 << 10)

  /// Where the render thread reads.
  var inboxEnd: SPSCRingConsumer { inbox.consumer }
  /// Where the render thread writes.
  var outboxEnd: SPSCRingProducer { outbox.producer }

  /// Sends the body of an object; false when too much waits already.
  @discardableResult func send(_ body: [UInt8]) -> Bool {
    var record = [UInt8](repeating: 0, count: 4)
    unsafe record.withUnsafeMutableBytes {
      unsafe $0.storeBytes(of: UInt32(body.count), as: UInt32.self)
    }
    record += body
    return unsafe record.withUnsafeBytes { bytes in
      unsafe bytes.baseAddress.map { unsafe inbox.producer.write($0, count: bytes.count) } ?? true
    }
  }

  /// Takes the texts that came, by their properties' numbers.
  func receive() -> [(key: UInt32, text: String)] {
    var found: [(key: UInt32, text: String)] = []
    var header: (UInt32, UInt32, UInt32) = (0, 0, 0)
    while outbox.consumer.availableToRead >= 12,
      unsafe outbox.consumer.read(into: &header, count: 12)
    {
      let size = Int(header.2)
      let bytes = UnsafeMutableRawPointer.allocate(byteCount: max(size, 1), alignment: 8)
      defer { unsafe bytes.deallocate() }
      // Its body follows the header at once.
      while unsafe !outbox.consumer.read(into: bytes, count: size) {}
      let view = unsafe LV2ValueView(key: header.0, type: header.1, size: size, body: bytes)
      if let text = view.text(LV2URIDs.shared) { found.append((header.0, text)) }
    }
    return found
  }

  /// The body of a message that sets a property to a text.
  static func setting(_ property: LV2PatchProperty, to text: String) -> [UInt8] {
    let bytes = Array(text.utf8) + [0]
    let urids = LV2URIDs.shared
    let size = LV2ObjectWriter.size(properties: 1) + 16 + (bytes.count + 7) & ~7
    let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 8)
    defer { unsafe memory.deallocate() }
    unsafe memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    var writer = unsafe LV2ObjectWriter(memory, type: urids.patchSet)
    writer.add(
      urids.patchProperty, urids.urid,
      int: Int32(bitPattern: URIDMap.shared.number(property.uri)))
    let type = URIDMap.shared.number(property.range.typeURI)
    unsafe bytes.withUnsafeBytes {
      if let start = $0.baseAddress {
        unsafe writer.add(urids.patchValue, type, body: start, size: bytes.count)
      }
    }
    return unsafe Array(UnsafeRawBufferPointer(start: memory, count: size))
  }
}
