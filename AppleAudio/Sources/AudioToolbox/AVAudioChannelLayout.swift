// The layout of a format's channels.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A layout of channels, which never changes.
open class AVAudioChannelLayout: NSObject, @unchecked Sendable {
  /// The layout of C, which stays valid when this object is gone.
  public let layout: UnsafePointer<AudioChannelLayout>
  let byteCount: Int

  /// The layout of a tag; nil for the tags of bitmaps and of descriptions.
  public init?(layoutTag: AudioChannelLayoutTag) {
    guard layoutTag != kAudioChannelLayoutTag_UseChannelDescriptions,
      layoutTag != kAudioChannelLayoutTag_UseChannelBitmap
    else { return nil }
    var layout = AudioChannelLayout()
    layout.mChannelLayoutTag = layoutTag
    byteCount = 12
    self.layout = AVAudioChannelLayout.lasting(withUnsafeBytes(of: layout) { Data($0) })
  }
  /// A copy of a layout of C.
  public init(layout: UnsafePointer<AudioChannelLayout>) {
    byteCount =
      12 + Int(layout.pointee.mNumberChannelDescriptions)
      * MemoryLayout<AudioChannelDescription>.stride
    // The type of C has room for one description, also where there is none.
    var value = Data(count: Swift.max(byteCount, MemoryLayout<AudioChannelLayout>.size))
    value.replaceSubrange(
      ..<byteCount, with: UnsafeRawBufferPointer(start: layout, count: byteCount))
    self.layout = AVAudioChannelLayout.lasting(value)
  }
  private static func lasting(_ value: Data) -> UnsafePointer<AudioChannelLayout> {
    LastingValues.pointer(to: value).assumingMemoryBound(to: AudioChannelLayout.self)
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
  var data: Data { Data(bytes: layout, count: byteCount) }

  /// Whether another object is the same layout.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? AVAudioChannelLayout).map { $0.data == data } ?? false
  }
  /// A number that equal layouts share.
  open override var hash: Int { Int(layoutTag) }
}
