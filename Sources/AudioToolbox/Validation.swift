// A short check of a component: does it open, initialize, tell its state, and render?
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
import AudioUnits
public import CAudioToolbox

/// Checks a component: first in a process of its own, so that one that crashes or hangs costs nothing,
/// then, if that went well, in this one.
///
/// What this process registered itself is checked in it alone. Context: control; it waits, for half a
/// minute at most.
@c @implementation
public func AudioComponentValidate(
  _ component: AudioComponentHandle?, _ parameters: CFDictionaryRef?,
  _ result: UnsafeMutablePointer<AudioComponentValidationResult>?
) -> OSStatus {
  guard let result = unsafe result, let found = unsafe validate(component) else {
    return kAudio_ParamError
  }
  unsafe result.pointee = found
  return noErr
}

/// The result of checking a component; nil for a null or unknown handle.
func validate(_ handle: AudioComponentHandle?) -> AudioComponentValidationResult? {
  guard let component = unsafe Toolbox.component(handle) else { return nil }
  switch ValidationProcess.run(component) {
  case .timedOut: return kAudioComponentValidationResult_TimedOut
  case .crashed: return kAudioComponentValidationResult_Failed
  case .harmless: break
  }
  let unit: AudioUnit
  do throws(AuricleError) {
    unit = try component.instantiate()
  } catch {
    return error.status == kAudioUnitErr_Unauthorized
      ? kAudioComponentValidationResult_UnauthorizedError_Open
      : kAudioComponentValidationResult_Failed
  }
  do throws(AuricleError) {
    try unit.initialize()
  } catch {
    return error.status == kAudioUnitErr_Unauthorized
      ? kAudioComponentValidationResult_UnauthorizedError_Init
      : kAudioComponentValidationResult_Failed
  }
  let isGood = takesItsState(unit) && renders(unit)
  return isGood ? kAudioComponentValidationResult_Passed : kAudioComponentValidationResult_Failed
}

/// Whether a unit takes back the state it tells.
private func takesItsState(_ unit: AudioUnit) -> Bool {
  guard
    let state = unsafe try? unit.property(
      kAudioUnitProperty_ClassInfo, initial: nil as CFDictionaryRef?)
  else { return false }
  defer { unsafe CFRelease(UnsafeRawPointer(state)) }
  return unsafe (try? unit.setProperty(kAudioUnitProperty_ClassInfo, state as CFDictionaryRef?))
    != nil
}

/// Whether a unit renders silence without an error, and numbers.
private func renders(_ unit: AudioUnit) -> Bool {
  guard unit.busCount(scope: kAudioUnitScope_Output) > 0,
    let format = try? unit.streamFormat(scope: kAudioUnitScope_Output)
  else { return true }
  for bus in 0..<unit.busCount(scope: kAudioUnitScope_Input) {
    let source: AURenderCallback = { _, _, _, _, _, list in
      guard let list = unsafe list else { return kAudio_ParamError }
      for buffer in 0..<(unsafe list.bufferCount) {
        let memory = unsafe list.buffer(buffer).pointee
        if let data = unsafe memory.mData {
          unsafe data.initializeMemory(
            as: UInt8.self, repeating: 0, count: Int(memory.mDataByteSize))
        }
      }
      return noErr
    }
    unsafe try? unit.setInputCallback(element: AudioUnitElement(bus), source, refCon: nil)
  }
  let frames = min(512, unit.maximumFramesPerSlice)
  let buffers = AudioBuffers(channelCount: format.channelCount, frameCapacity: frames)
  for slice in 0..<4 {
    buffers.setFrameCount(frames)
    var flags: AudioUnitRenderActionFlags = 0
    var time = AudioTimeStamp(sampleTime: Double(slice * frames))
    let status = unsafe unit.render(
      flags: &flags, timeStamp: &time, frameCount: UInt32(frames), buffers: buffers.list)
    guard status == 0 else { return false }
    for channel in 0..<format.channelCount {
      for frame in 0..<frames where unsafe !buffers.channel(channel)[frame].isFinite {
        return false
      }
    }
  }
  return true
}
