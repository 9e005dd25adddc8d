// The MIDI protocols of a unit and its host, and the receiver of event lists.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import Synchronization

extension UnitProperty {
  /// Rows of the properties of MIDI; a unit without MIDI has none of them.
  static let ofMIDI: [AudioUnitPropertyID: UnitProperty] = unsafe [
    kAudioUnitProperty_SupportsMPE: .value(
      .global, UInt32.self, exists: { $0.unit.acceptsMIDI },
      get: { $0.unit.definition.supportsMPE ? 1 : 0 }),
    kAudioUnitProperty_AudioUnitMIDIProtocol: .value(
      .global, Int32.self, exists: { $0.unit.acceptsMIDI || $0.sendsMIDI },
      get: { _ in Int32(kMIDIProtocol_1_0) }),
    kAudioUnitProperty_HostMIDIProtocol: .value(
      .global, Int32.self, exists: { $0.unit.acceptsMIDI || $0.sendsMIDI },
      set: { place, wanted in
        guard wanted == Int32(kMIDIProtocol_1_0) || wanted == Int32(kMIDIProtocol_2_0) else {
          return kAudioUnitErr_InvalidPropertyValue
        }
        unsafe place.unit.render.pointee.midiOutput?.hostProtocol = wanted
        place.changed(kAudioUnitProperty_HostMIDIProtocol)
        return 0
      }),
    kAudioUnitProperty_MIDIOutputBufferSizeHint: .value(
      .global, UInt32.self, exists: { $0.sendsMIDI },
      get: { unsafe UInt32($0.unit.render.pointee.midiOutput?.byteLimit ?? 0) },
      set: { place, bytes in
        guard bytes <= MIDIOutput.listCapacity else { return kAudioUnitErr_InvalidPropertyValue }
        unsafe place.unit.render.pointee.midiOutput?.byteLimit =
          bytes == 0 ? MIDIOutput.listCapacity : Int(bytes)
        place.changed(kAudioUnitProperty_MIDIOutputBufferSizeHint)
        return 0
      }),
    kAudioUnitProperty_MIDIOutputEventListCallback: UnitProperty(
      .global,
      info: { place in
        place.sendsMIDI
          ? PropertyInfo(size: pointerSize, isWritable: true)
          : .error(kAudioUnitErr_InvalidProperty)
      },
      write: { place, data, size in
        guard size == pointerSize else { return kAudioUnitErr_InvalidPropertyValue }
        let supplied = unsafe data.loadUnaligned(as: UnsafeRawPointer?.self)
        let block = unsafe HostBlock(supplied)
        // A process without a blocks runtime has no block.
        guard unsafe block != nil || supplied == nil else { return kAudio_UnimplementedError }
        place.setMIDIBlock(block)
        return 0
      },
      remove: { place in
        place.setMIDIBlock(nil)
        return 0
      }),
  ]
}

extension PropertyPlace {
  fileprivate var sendsMIDI: Bool { !unit.definition.midiOutputs.isEmpty }

  /// Sets the block that receives event lists; the old one is released when nothing renders.
  fileprivate func setMIDIBlock(_ block: HostBlock?) {
    unsafe unit.render.pointee.midiOutput?.setEventBlock(block?.pointer)
    if let old = unit.midiBlock, unit.isInitialized { unit.retiredBlocks.append(old) }
    unit.midiBlock = block
    changed(kAudioUnitProperty_MIDIOutputEventListCallback)
  }
}
