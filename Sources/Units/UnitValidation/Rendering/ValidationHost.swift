// The song of the host that a unit is checked in: its functions, and whether they are called when they may be.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox

/// A host whose song plays at 120 beats a minute.
@safe final class ValidationHost {
  /// Whether the unit renders, and may ask.
  var isRendering = false
  /// Whether it asked when it did not render.
  private(set) var wasCalledOutside = false

  private func note() {
    if !isRendering { wasCalledOutside = true }
  }

  private static func note(_ reference: UnsafeMutableRawPointer?) -> OSStatus {
    guard let reference = unsafe reference else { return kAudio_ParamError }
    unsafe Unmanaged<ValidationHost>.fromOpaque(reference).takeUnretainedValue().note()
    return 0
  }

  /// The functions, which may be called as long as this lives.
  var callbacks: HostCallbackInfo {
    unsafe HostCallbackInfo(
      hostUserData: Unmanaged.passUnretained(self).toOpaque(),
      beatAndTempoProc: { reference, beat, tempo in
        unsafe beat?.pointee = 16
        unsafe tempo?.pointee = 120
        return unsafe ValidationHost.note(reference)
      },
      musicalTimeLocationProc: { reference, delta, numerator, denominator, downBeat in
        unsafe delta?.pointee = 0
        unsafe numerator?.pointee = 4
        unsafe denominator?.pointee = 4
        unsafe downBeat?.pointee = 16
        return unsafe ValidationHost.note(reference)
      },
      transportStateProc: { reference, isPlaying, isChanged, frame, isCycling, start, end in
        unsafe isPlaying?.pointee = true
        unsafe isChanged?.pointee = false
        unsafe frame?.pointee = 352_800
        unsafe isCycling?.pointee = false
        unsafe start?.pointee = 0
        unsafe end?.pointee = 0
        return unsafe ValidationHost.note(reference)
      },
      transportStateProc2: {
        reference, isPlaying, isRecording, isChanged, frame, isCycling, start, end in
        unsafe isPlaying?.pointee = true
        unsafe isRecording?.pointee = false
        unsafe isChanged?.pointee = false
        unsafe frame?.pointee = 352_800
        unsafe isCycling?.pointee = false
        unsafe start?.pointee = 0
        unsafe end?.pointee = 0
        return unsafe ValidationHost.note(reference)
      })
  }
}
