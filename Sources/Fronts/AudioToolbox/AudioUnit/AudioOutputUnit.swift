// The functions of AudioOutputUnit.h: starting and stopping a unit with a clock.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox

/// Starts an output unit.
///
/// Context: control.
@c @implementation
public func AudioOutputUnitStart(_ unit: AudioUnitHandle?) -> OSStatus {
  guard let unit = unsafe Instance(unit) else { return kAudio_ParamError }
  guard
    let method = unsafe unit.method(
      kAudioOutputUnitStartSelect, as: AudioOutputUnitStartProc.self)
  else { return kAudio_UnimplementedError }
  return unsafe method(unit.plugIn)
}

/// Stops an output unit; when it returns, nothing renders any more.
///
/// Context: control.
@c @implementation
public func AudioOutputUnitStop(_ unit: AudioUnitHandle?) -> OSStatus {
  guard let unit = unsafe Instance(unit) else { return kAudio_ParamError }
  guard
    let method = unsafe unit.method(kAudioOutputUnitStopSelect, as: AudioOutputUnitStopProc.self)
  else { return kAudio_UnimplementedError }
  return unsafe method(unit.plugIn)
}
