// The metered elements of a mixer: a property of each, seen by the render thread.
// SPDX-License-Identifier: Apache-2.0

package import AuricleSDK
package import CAudioToolbox
package import RealtimeSupport

/// Places of the output's clipping records, behind the switches in `MixerSettings.meters`.
enum ClippingPlace {
  /// The greatest magnitude of the output since the host last asked.
  static var peak: Int { @_noLocks get { 1025 } }
  /// Whether the output was infinite.
  static var infinity: Int { @_noLocks get { 1026 } }
  /// Whether the output was no number.
  static var notANumber: Int { @_noLocks get { 1027 } }
}

/// The metering switches of one instance: the output first, then the inputs.
package final class MixerSettings: Sendable {
  /// The most inputs a mixer may have: one less than the first of `ClippingPlace`.
  static let maximumInputCount = 1024
  /// Switches of which none is on.
  package static let unmetered = ParameterStore(count: 0)
  /// Switches, 1 where an element is metered, then the output's clipping records; lives as long as the
  /// settings.
  package let meters = ParameterStore(count: ClippingPlace.notANumber + 1)
  /// Place of the first input's switch, behind those of the outputs.
  let firstInput: Int

  /// Makes switches that are off, for so many outputs. Context: control.
  package init(outputCount: Int = 1) { firstInput = outputCount }

  deinit { meters.deallocate() }

  /// The property `kAudioUnitProperty_MeterClipping`: of the output, while it is metered.
  func clippingProperty() -> PropertyDefinition {
    unsafe PropertyDefinition(
      id: kAudioUnitProperty_MeterClipping, size: UInt32(MemoryLayout<AudioUnitMeterClipping>.size),
      read: { [meters] _, _, data in
        func consume(_ place: Int) -> Float {
          let value = meters.value(at: place)
          meters.setValue(0, at: place)
          return value
        }
        var clipping = AudioUnitMeterClipping()
        clipping.peakValueSinceLastCall = consume(ClippingPlace.peak)
        clipping.sawInfinity = consume(ClippingPlace.infinity) != 0
        clipping.sawNotANumber = consume(ClippingPlace.notANumber) != 0
        unsafe data.storeBytes(of: clipping, as: AudioUnitMeterClipping.self)
        return 0
      })
  }

  /// The property `kAudioUnitProperty_MeteringMode` of the whole: it switches all elements.
  func meteringOfAll() -> PropertyDefinition {
    unsafe PropertyDefinition(
      id: kAudioUnitProperty_MeteringMode, size: UInt32(MemoryLayout<UInt32>.size),
      read: { [meters] _, _, data in
        unsafe data.storeBytes(of: UInt32(meters.value(at: 0)), as: UInt32.self)
        return 0
      },
      write: { [meters] _, _, data, size in
        guard let data = unsafe data, size == MemoryLayout<UInt32>.size else {
          return kAudioUnitErr_InvalidPropertyValue
        }
        let isOn = unsafe data.loadUnaligned(as: UInt32.self) != 0
        for place in 0...Self.maximumInputCount { meters.setValue(isOn ? 1 : 0, at: place) }
        return 0
      })
  }

  /// The property `kAudioUnitProperty_MeteringMode` of the elements of a scope.
  package func meteringProperty(_ scope: AudioUnitScope) -> PropertyDefinition {
    let first = scope == kAudioUnitScope_Input ? firstInput : 0
    return unsafe PropertyDefinition(
      id: kAudioUnitProperty_MeteringMode, scope: scope, size: UInt32(MemoryLayout<UInt32>.size),
      read: { [meters] _, element, data in
        unsafe data.storeBytes(of: UInt32(meters.value(at: first + Int(element))), as: UInt32.self)
        return 0
      },
      write: { [meters] _, element, data, size in
        guard let data = unsafe data, size == MemoryLayout<UInt32>.size else {
          return kAudioUnitErr_InvalidPropertyValue
        }
        let isOn = unsafe data.loadUnaligned(as: UInt32.self) != 0
        meters.setValue(isOn ? 1 : 0, at: first + Int(element))
        return 0
      })
  }
}
