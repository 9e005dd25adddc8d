// The layout of a format's channels.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A layout of channels, which never changes.
open class AVAudioChannelLayout: NSObject, @unchecked Sendable {
  private let memory: UnsafeMutableRawPointer
  let byteCount: Int

  /// The layout of a tag; nil for the tags of bitmaps and of descriptions.
  public init?(layoutTag: AudioChannelLayoutTag) {
    guard layoutTag != kAudioChannelLayoutTag_UseChannelDescriptions,
      layoutTag != kAudioChannelLayoutTag_UseChannelBitmap
    else { return nil }
    byteCount = 12
    memory = .allocate(byteCount: MemoryLayout<AudioChannelLayout>.size, alignment: 8)
    memory.initializeMemory(
      as: UInt8.self, repeating: 0, count: MemoryLayout<AudioChannelLayout>.size)
    memory.storeBytes(of: layoutTag, as: AudioChannelLayoutTag.self)
  }
  /// A copy of a layout of C.
  public init(layout: UnsafePointer<AudioChannelLayout>) {
    let extra = Swift.max(Int(layout.pointee.mNumberChannelDescriptions) - 1, 0)
    let size =
      MemoryLayout<AudioChannelLayout>.size + extra * MemoryLayout<AudioChannelDescription>.stride
    byteCount =
      12 + Int(layout.pointee.mNumberChannelDescriptions)
      * MemoryLayout<AudioChannelDescription>.stride
    memory = .allocate(byteCount: size, alignment: 8)
    memory.copyMemory(from: layout, byteCount: byteCount)
  }
  convenience init?(data: Data) {
    guard data.count >= 12 else { return nil }
    let count = Int(data.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 8, as: UInt32.self) })
    let wanted = 12 + count * MemoryLayout<AudioChannelDescription>.stride
    guard count < 65_536, data.count >= wanted else { return nil }
    let copy = UnsafeMutableRawPointer.allocate(byteCount: wanted + 20, alignment: 8)
    defer { copy.deallocate() }
    data.withUnsafeBytes {
      copy.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(copy), byteCount: wanted)
    }
    self.init(layout: copy.assumingMemoryBound(to: AudioChannelLayout.self))
  }
  deinit { memory.deallocate() }

  /// The layout of C, valid as long as this object.
  public var layout: UnsafePointer<AudioChannelLayout> {
    UnsafePointer(memory.assumingMemoryBound(to: AudioChannelLayout.self))
  }
  /// The tag.
  public var layoutTag: AudioChannelLayoutTag { layout.pointee.mChannelLayoutTag }
  /// The number of channels.
  public var channelCount: UInt32 {
    switch layoutTag {
    case kAudioChannelLayoutTag_UseChannelDescriptions: layout.pointee.mNumberChannelDescriptions
    case kAudioChannelLayoutTag_UseChannelBitmap:
      UInt32(layout.pointee.mChannelBitmap.rawValue.nonzeroBitCount)
    default: layoutTag & 0xFFFF
    }
  }
  var data: Data { Data(bytes: memory, count: byteCount) }

  /// Whether another object is the same layout.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? AVAudioChannelLayout).map { $0.data == data } ?? false
  }
  /// A number that equal layouts share.
  open override var hash: Int { Int(layoutTag) }
}
