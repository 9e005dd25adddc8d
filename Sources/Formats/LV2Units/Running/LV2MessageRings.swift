// Messages between control threads and the render thread of one instance.
// SPDX-License-Identifier: Apache-2.0

internal import CLilv
internal import LV2Bundles
internal import RealtimeSupport

/// The rings for messages to a plug-in and for texts from it. Context: control, under the unit's lock; the
/// render thread has the other ends.
final class LV2MessageRings {
  private let inbox = SPSCRing(minimumCapacity: 64 << 10)
  private let outbox = SPSCRing(minimumCapacity: 64 << 10)

  /// The render thread's end of the inbox.
  var inboxEnd: SPSCRingConsumer { inbox.consumer }
  /// The render thread's end of the outbox.
  var outboxEnd: SPSCRingProducer { outbox.producer }

  /// Messages of the plug-in to its window.
  private let windowBox = SPSCRing(minimumCapacity: 256 << 10)
  /// The render thread's end of the messages to a window.
  var windowBoxEnd: SPSCRingProducer { windowBox.producer }
  /// The end at which a window's messages are read.
  var windowMessages: SPSCRingConsumer { windowBox.consumer }

  /// Sends the body of an object to the port of properties, or of another atom to a port; false when the ring is full.
  ///
  /// - Parameters:
  ///   - type: The type of the atom; nil for an object.
  ///   - place: The index of the instance's event buffer; nil for that of properties.
  @discardableResult func send(_ body: [UInt8], type: UInt32? = nil, place: Int? = nil) -> Bool {
    var record = [UInt8](repeating: 0, count: MemoryLayout<LV2MessageHead>.size)
    let head = LV2MessageHead(
      size: UInt32(body.count), type: type ?? LV2URIDs.shared.object, place: Int32(place ?? -1))
    unsafe record.withUnsafeMutableBytes { unsafe $0.storeBytes(of: head, as: LV2MessageHead.self) }
    record += body
    return unsafe record.withUnsafeBytes { bytes in
      unsafe bytes.baseAddress.map { unsafe inbox.producer.write($0, count: bytes.count) } ?? true
    }
  }

  /// Dequeues received texts with their properties' numbers.
  func receive() -> [(key: UInt32, text: String)] {
    var found: [(key: UInt32, text: String)] = []
    var header: (UInt32, UInt32, UInt32) = (0, 0, 0)
    while outbox.consumer.availableToRead >= 12,
      unsafe outbox.consumer.read(into: &header, count: 12)
    {
      let size = Int(header.2)
      let bytes = UnsafeMutableRawPointer.allocate(byteCount: max(size, 1), alignment: 8)
      defer { unsafe bytes.deallocate() }
      // The body follows the header.
      while unsafe !outbox.consumer.read(into: bytes, count: size) {}
      let view = unsafe LV2ValueView(key: header.0, type: header.1, size: size, body: bytes)
      if let text = view.text(LV2URIDs.shared) { found.append((header.0, text)) }
    }
    return found
  }

  /// Removes and returns settings that the plug-in has not received; messages of its window stay. Call it while
  /// nothing renders.
  func withdraw() -> [[UInt8]] {
    var messages: [[UInt8]] = []
    var others: [(LV2MessageHead, [UInt8])] = []
    var head = LV2MessageHead()
    defer {
      for (head, body) in others { send(body, type: head.type, place: Int(head.place)) }
    }
    while unsafe inbox.consumer.read(into: &head, count: MemoryLayout<LV2MessageHead>.size) {
      var body = [UInt8](repeating: 0, count: Int(head.size))
      let isWhole = unsafe body.withUnsafeMutableBytes { bytes in
        unsafe bytes.baseAddress.map { unsafe inbox.consumer.read(into: $0, count: bytes.count) }
          ?? true
      }
      guard isWhole else { break }
      if head.place < 0 { messages.append(body) } else { others.append((head, body)) }
    }
    return messages
  }

  /// The body of a message that sets a property to a text.
  static func setting(_ property: LV2PatchProperty, to text: String) -> [UInt8] {
    let bytes = Array(text.utf8) + [0]
    return setting(property, size: bytes.count) { writer, key, type in
      unsafe bytes.withUnsafeBytes {
        if let start = $0.baseAddress {
          unsafe writer.add(key, type, body: start, size: bytes.count)
        }
      }
    }
  }

  /// The body of a message that sets a property to a number.
  static func setting(_ property: LV2PatchProperty, to number: Float) -> [UInt8] {
    setting(property, size: 8) { writer, key, type in
      writer.add(key, type, number: number, LV2URIDs.shared)
    }
  }

  /// - Parameters:
  ///   - size: The size of the value in bytes.
  ///   - add: Adds the value with the passed key and type.
  private static func setting(
    _ property: LV2PatchProperty, size: Int, add: (inout LV2ObjectWriter, UInt32, UInt32) -> Void
  ) -> [UInt8] {
    let urids = LV2URIDs.shared
    let whole = LV2ObjectWriter.size(properties: 1) + 16 + (size + 7) & ~7
    let memory = UnsafeMutableRawPointer.allocate(byteCount: whole, alignment: 8)
    defer { unsafe memory.deallocate() }
    unsafe memory.initializeMemory(as: UInt8.self, repeating: 0, count: whole)
    var writer = unsafe LV2ObjectWriter(memory, type: urids.patchSet)
    writer.add(
      urids.patchProperty, urids.urid,
      int: Int32(bitPattern: URIDMap.shared.number(property.uri)))
    add(&writer, urids.patchValue, URIDMap.shared.number(property.range.typeURI))
    return unsafe Array(UnsafeRawBufferPointer(start: memory, count: whole))
  }
}

/// The header of a message in the inbox.
struct LV2MessageHead: BitwiseCopyable {
  /// Bytes of the body.
  var size: UInt32 = 0
  /// The type of the atom.
  var type: UInt32 = 0
  /// The index of the instance's event buffer; negative for that of properties.
  var place: Int32 = -1

  @_noLocks init(size: UInt32 = 0, type: UInt32 = 0, place: Int32 = -1) {
    (self.size, self.type, self.place) = (size, type, place)
  }
}
