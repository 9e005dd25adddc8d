// The source of a unit's inputs while it is checked: a signal, or an error.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox
import CRenderWatch

/// The source of all inputs; it notes defects of the requests.
@safe final class ValidationSource {
  /// The signal that it plays.
  var signal: ValidationSignal
  /// The status that it returns.
  var status: OSStatus = 0
  /// The most frames that it may be asked for.
  var most = Int.max
  /// Whether it was asked at all since the last check.
  private(set) var wasPulled = false
  /// The address of the memory of bus 0 that it filled last.
  private(set) var lastPlace: UInt = 0
  private var defect: String?
  /// The position of each bus, in frames.
  private var frames: [Int]
  /// Memory for buffers that come without.
  private var own: [UnsafeMutablePointer<Float>] = unsafe []

  /// The most frames of memory that it hands out itself.
  private static let room = 16_384
  private static let buses = 64

  init(_ signal: ValidationSignal = .soft(1)) {
    self.signal = signal
    frames = Array(repeating: 0, count: Self.buses)
  }

  deinit { unsafe own.forEach { unsafe $0.deallocate() } }

  var pointer: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(self).toOpaque() }

  /// Begins the signal again.
  func restart(_ signal: ValidationSignal) {
    self.signal = signal
    for bus in frames.indices { frames[bus] = 0 }
  }

  /// Returns the defects since the last call; nil for none.
  func consumeDefect() -> String? {
    defer {
      defect = nil
      wasPulled = false
    }
    return defect
  }

  static let procedure: AURenderCallback = { reference, _, _, bus, frames, list in
    guard let reference = unsafe reference, let list = unsafe list else { return kAudio_ParamError }
    AuricleRenderWatchSuspend()
    defer { AuricleRenderWatchResume() }
    return unsafe Unmanaged<ValidationSource>.fromOpaque(reference).takeUnretainedValue()
      .fill(list, Int(frames), bus)
  }

  private func fill(
    _ list: UnsafeMutablePointer<AudioBufferList>, _ count: Int, _ bus: UInt32
  ) -> OSStatus {
    wasPulled = true
    guard status == 0 else { return status }
    if count > most {
      defect = "its input was asked for \(count) frames where \(most) are the most"
    }
    let start = frames[Int(bus) % Self.buses]
    frames[Int(bus) % Self.buses] += count
    var channel = 0
    for index in 0..<(unsafe list.bufferCount) {
      let buffer = unsafe list.buffer(index)
      let width = max(1, unsafe Int(buffer.pointee.mNumberChannels))
      if unsafe buffer.pointee.mData == nil {
        // A unit that hands null up wants the source's memory.
        guard let memory = unsafe ownMemory(channel, width), count <= Self.room else {
          return kAudio_ParamError
        }
        unsafe buffer.pointee.mData = UnsafeMutableRawPointer(memory)
        unsafe buffer.pointee.mDataByteSize = UInt32(count * width * MemoryLayout<Float>.size)
      }
      guard let data = unsafe list.samples(index) else { continue }
      if index == 0, bus == 0 { lastPlace = UInt(bitPattern: data) }
      let room = unsafe Int(buffer.pointee.mDataByteSize) / MemoryLayout<Float>.size
      if room < count * width {
        defect = "its input was asked for \(count) frames in memory of \(room / width)"
      } else if room > count * width {
        defect = "its input was asked for \(count) frames in buffers of \(room / width)"
      }
      for place in 0..<min(room, count * width) {
        unsafe data[place] = signal.sample(
          start + place / width, channel: channel + place % width, bus: bus)
      }
      channel += width
    }
    return 0
  }

  /// The private memory of a channel; made when it is first wanted.
  private func ownMemory(_ channel: Int, _ width: Int) -> UnsafeMutablePointer<Float>? {
    guard channel < 256, width == 1 else { return nil }
    while unsafe own.count <= channel { unsafe own.append(.allocate(capacity: Self.room)) }
    return unsafe own[channel]
  }
}
