// The C functions behind the selectors of processing, packets, and output units.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox

let processMethod: AudioUnitProcessProc = { plugIn, flags, timeStamp, frames, list in
  guard let plugIn = unsafe plugIn, let timeStamp = unsafe timeStamp, let list = unsafe list else {
    return kAudio_ParamError
  }
  return unsafe plugIn.assumingMemoryBound(to: UnitRecord.self).pointee.render.pointee.processList(
    flags, timeStamp, Int(frames), list)
}

let processMultipleMethod: AudioUnitProcessMultipleProc = {
  plugIn, flags, timeStamp, frames, inputCount, inputs, outputCount, outputs in
  guard let plugIn = unsafe plugIn, let timeStamp = unsafe timeStamp,
    unsafe inputs != nil || inputCount == 0, unsafe outputs != nil || outputCount == 0
  else { return kAudio_ParamError }
  return unsafe plugIn.assumingMemoryBound(to: UnitRecord.self).pointee.render.pointee.processLists(
    flags, timeStamp, Int(frames), inputs, Int(inputCount), outputs, Int(outputCount))
}

let complexRenderMethod: AudioUnitComplexRenderProc = {
  plugIn, flags, timeStamp, bus, packets, produced, descriptions, list, metadata, metadataSize in
  guard let plugIn = unsafe plugIn, let timeStamp = unsafe timeStamp, let list = unsafe list,
    let produced = unsafe produced
  else { return kAudio_ParamError }
  // Linear PCM has no metadata, and its packets need no description.
  unsafe metadataSize?.pointee = 0
  return unsafe plugIn.assumingMemoryBound(to: UnitRecord.self).pointee.render.pointee
    .renderPackets(flags, timeStamp, Int(bus), Int(packets), produced, list)
}

let outputStartMethod: AudioOutputUnitStartProc = { plugIn in
  unsafe withInstance(plugIn) { $0.start() }
}

let outputStopMethod: AudioOutputUnitStopProc = { plugIn in
  unsafe withInstance(plugIn) { $0.stop() }
}
