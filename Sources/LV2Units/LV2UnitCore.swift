// What one unit of an LV2 plug-in remembers between its instances: presets, latency; and what it does.
// SPDX-License-Identifier: Apache-2.0

internal import AudioTypes
internal import AuricleSDK
internal import CAudioToolbox
internal import RealtimeSupport

/// The heart of one LV2 unit, shared by the closures the SDK calls.
///
/// @unchecked Sendable because `instance` and `pendingState` are reached only by control threads
/// under the unit instance's lock, which the SDK holds around all procedures and properties.
final class LV2UnitCore: @unchecked Sendable {
  let plugin: LV2Plugin
  let layout: LV2BusLayout
  private var instance: LV2Instance?
  private var pendingState: LV2State?
  private var lastLatency: Double = 0

  init(_ plugin: LV2Plugin) {
    self.plugin = plugin
    layout = LV2BusLayout(plugin.description)
  }

  /// How the SDK drives the plug-in.
  var procedures: KernelProcedures {
    unsafe KernelProcedures(
      create: { format throws(KernelProcedures.Failure) in
        do throws(LV2Failure) {
          let made = try LV2Instance(self.plugin, self.layout, format, state: self.pendingState)
          self.instance = made
          return unsafe UnsafeMutableRawPointer(made.render)
        } catch {
          throw KernelProcedures.Failure(
            status: kAudioUnitErr_FailedInitialization,
            reason: error.reason)
        }
      },
      destroy: { state in
        self.lastLatency = unsafe state.assumingMemoryBound(to: LV2RenderState.self).pointee
          .latencyFrames
        self.instance = nil
      },
      reset: { _ in self.instance?.reset() },
      latencyFrames: { state in
        guard let state = unsafe state else { return self.lastLatency }
        return unsafe state.assumingMemoryBound(to: LV2RenderState.self).pointee.latencyFrames
      },
      tailSeconds: { _ in nil }, process: processLV2)
  }

  /// Loads a preset: port values at once, further state now or when the plug-in is instantiated.
  func loadPreset(_ uri: String, into unit: UnitInstance) -> OSStatus {
    guard let state = LV2State(uri: uri, in: plugin.world) else {
      return kAudioUnitErr_InvalidPropertyValue
    }
    var places: [String: Int] = [:]
    for (place, port) in plugin.description.parameterPorts.enumerated() where port.isInput {
      places[port.symbol] = place
    }
    for (symbol, value) in state.portValues {
      if let place = places[symbol] { unit.values.setValue(value, at: place) }
    }
    guard state.hasProperties else {
      pendingState = nil
      return 0
    }
    pendingState = state
    instance?.restore(state)
    return 0
  }

  /// Properties beyond those of every unit.
  var properties: [PropertyDefinition] {
    let pointerSize = unsafe UInt32(MemoryLayout<UnsafeRawPointer>.size)
    let presets = plugin.description.presets
    return unsafe [
      PropertyDefinition(
        id: kAuricleProperty_LV2URI, size: pointerSize,
        read: { _, _, data in
          unsafe data.storeBytes(
            of: makeCFString(self.plugin.description.uri), as: CFStringRef?.self)
          return 0
        }),
      PropertyDefinition(
        id: kAuricleProperty_LV2PresetURI, size: pointerSize,
        read: { _, _, _ in kAudioUnitErr_PropertyNotInUse },
        write: { unit, _, data, size in
          guard size == pointerSize, let data = unsafe data,
            let uri = unsafe String(cfString: data.load(as: CFStringRef?.self))
          else { return kAudioUnitErr_InvalidPropertyValue }
          return self.loadPreset(uri, into: unit)
        }),
      PropertyDefinition(
        id: kAuricleProperty_PresetURIs, size: pointerSize,
        read: { _, _, data in
          unsafe data.storeBytes(of: makeCFArray(presets.map(\.uri)), as: CFArrayRef?.self)
          return 0
        }),
      PropertyDefinition(
        id: kAuricleProperty_LatencyIsKnown, size: 4,
        read: { unit, _, data in
          let isKnown =
            unsafe unit.kernel?.assumingMemoryBound(to: LV2RenderState.self).pointee.latencyIsKnown
            ?? false
          unsafe data.storeBytes(of: isKnown ? 1 : 0, as: UInt32.self)
          return 0
        }),
    ]
  }
}

/// A CF array of strings, +1.
private func makeCFArray(_ texts: [String]) -> CFArrayRef? {
  var strings: [UnsafeRawPointer?] = unsafe texts.map {
    unsafe UnsafeRawPointer(makeCFString($0))
  }
  defer {
    unsafe strings.forEach { unsafe $0.map { unsafe CFRelease($0) } }
  }
  return unsafe withUnsafePointer(to: kCFTypeArrayCallBacks) {
    unsafe CFArrayCreate(nil, &strings, strings.count, $0)
  }
}
