// What the inputs of a unit hear while it is checked: soft noise, or an error.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox

/// The source of all inputs; it notes what is wrong with what it is asked for.
@safe final class ValidationSource {
  /// What it answers.
  var status: OSStatus = 0
  /// The most frames that it may be asked for.
  var most = 0
  /// Whether it was asked at all since it was last looked.
  private(set) var wasPulled = false
  /// The address of the memory of bus 0 that it filled last.
  private(set) var lastPlace: UInt = 0
  private var defect: String?
  private var state: UInt32 = 1

  var pointer: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(self).toOpaque() }

  /// What was wrong since it was last asked; nil for nothing.
  func consumeDefect() -> String? {
    defer {
      defect = nil
      wasPulled = false
    }
    return defect
  }

  static let procedure: AURenderCallback = { reference, _, _, bus, frames, list in
    guard let reference = unsafe reference, let list = unsafe list else { return kAudio_ParamError }
    return unsafe Unmanaged<ValidationSource>.fromOpaque(reference).takeUnretainedValue()
      .fill(list, Int(frames), bus)
  }

  private func fill(
    _ list: UnsafeMutablePointer<AudioBufferList>, _ frames: Int, _ bus: UInt32
  ) -> OSStatus {
    wasPulled = true
    guard status == 0 else { return status }
    if frames > most { defect = "its input was asked for \(frames) frames" }
    for index in 0..<(unsafe list.bufferCount) {
      guard let data = unsafe list.samples(index) else { continue }
      if index == 0, bus == 0 { lastPlace = UInt(bitPattern: data) }
      let room = unsafe Int(list.buffer(index).pointee.mDataByteSize) / MemoryLayout<Float>.size
      let channels = max(1, unsafe Int(list.buffer(index).pointee.mNumberChannels))
      if room != frames * channels {
        defect = "its input was asked for \(frames) frames in memory of \(room) samples"
      }
      for place in 0..<min(room, frames * channels) {
        state = state &* 1_664_525 &+ 1_013_904_223
        unsafe data[place] = Float(Int32(bitPattern: state)) * 0x1p-33
      }
    }
    return 0
  }
}
