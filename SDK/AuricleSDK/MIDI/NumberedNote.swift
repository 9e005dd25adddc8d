// A note that a host starts and stops by a number, on its way to a kernel that plays by numbers.
// SPDX-License-Identifier: Apache-2.0

/// A record among the MIDI messages of a slice, which begins with a byte that no message has.
struct NumberedNote {
  static var byteCount: Int { @_noLocks get { 16 } }
  private static var mark: UInt8 { @_noLocks get { 0xF4 } }

  var isStart: Bool
  var channel: Int
  var number: Int32
  /// Key, with its fraction.
  var key: Float
  /// 0 to 1.
  var velocity: Float

  @_noLocks init(isStart: Bool, channel: Int, number: Int32, key: Float, velocity: Float) {
    self.isStart = isStart
    self.channel = channel
    self.number = number
    self.key = key
    self.velocity = velocity
  }

  /// Returns whether a record is one.
  @_noLocks static func isOne(_ record: MIDIEventRecord) -> Bool {
    unsafe record.byteCount == byteCount && record.bytes[0] == mark
  }

  /// Reads a record that is one.
  @_noLocks init(_ record: MIDIEventRecord) {
    let raw = unsafe UnsafeRawPointer(record.bytes)
    unsafe isStart = record.bytes[1] != 0
    unsafe channel = Int(record.bytes[2] & 0xF)
    unsafe number = raw.loadUnaligned(fromByteOffset: 4, as: Int32.self)
    unsafe key = raw.loadUnaligned(fromByteOffset: 8, as: Float.self)
    unsafe velocity = raw.loadUnaligned(fromByteOffset: 12, as: Float.self)
  }

  /// Writes the record to 16 bytes.
  @_noLocks func write(_ bytes: UnsafeMutableRawPointer) {
    let head = UInt32(Self.mark) | (isStart ? 0x100 : 0) | UInt32(channel & 0xF) << 16
    unsafe bytes.storeBytes(of: head.littleEndian, as: UInt32.self)
    unsafe bytes.storeBytes(of: number, toByteOffset: 4, as: Int32.self)
    unsafe bytes.storeBytes(of: key, toByteOffset: 8, as: Float.self)
    unsafe bytes.storeBytes(of: velocity, toByteOffset: 12, as: Float.self)
  }
}
