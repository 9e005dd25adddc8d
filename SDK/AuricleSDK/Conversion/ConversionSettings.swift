// The settings of a conversion: the filter and the channel map.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox

/// The settings of one converter or output; they are read when it is initialised.
///
/// @unchecked Sendable because the properties below and the kernel's making all happen under the lock
/// of the instance that owns them.
public final class ConversionSettings: @unchecked Sendable {
  /// A `kAudioUnitSampleRateConverterComplexity_…` code.
  public internal(set) var complexity = kAudioUnitSampleRateConverterComplexity_Normal
  /// Input channel of each output channel, or −1; empty for the default.
  public internal(set) var channelMap: [Int32] = []

  /// The settings of a fresh instance.
  public init() {}

  /// The properties for hosts.
  public var properties: [PropertyDefinition] {
    var map = unsafe PropertyDefinition(
      id: kAudioOutputUnitProperty_ChannelMap, scope: kAudioUnitScope_Output, size: 0,
      read: { [self] unit, _, data in
        for (index, source) in channelMap.enumerated() {
          unsafe data.storeBytes(of: source, toByteOffset: index * 4, as: Int32.self)
        }
        return 0
      },
      write: { [self] unit, _, data, size in unsafe setChannelMap(unit, data, size) })
    map.currentSize = { [self] _, _ in UInt32(channelMap.count * 4) }
    let complexity = unsafe PropertyDefinition(
      id: kAudioUnitProperty_SampleRateConverterComplexity, size: 4,
      read: { [self] _, _, data in
        unsafe data.storeBytes(of: self.complexity, as: UInt32.self)
        return 0
      },
      write: { [self] unit, _, data, size in unsafe setComplexity(unit, data, size) })
    return [complexity, map]
  }

  private func setComplexity(
    _ unit: UnitInstance, _ data: UnsafeRawPointer?, _ size: UInt32
  ) -> OSStatus {
    guard let data = unsafe data, size == 4 else { return kAudioUnitErr_InvalidPropertyValue }
    let code = unsafe data.loadUnaligned(as: UInt32.self)
    guard !unit.isInitialized || code == complexity else { return kAudioUnitErr_Initialized }
    guard
      [
        kAudioUnitSampleRateConverterComplexity_Linear,
        kAudioUnitSampleRateConverterComplexity_Normal,
        kAudioUnitSampleRateConverterComplexity_Mastering,
      ].contains(code)
    else { return kAudioUnitErr_InvalidPropertyValue }
    complexity = code
    return 0
  }

  private func setChannelMap(
    _ unit: UnitInstance, _ data: UnsafeRawPointer?, _ size: UInt32
  ) -> OSStatus {
    guard size % 4 == 0, size <= 4096 else { return kAudioUnitErr_InvalidPropertyValue }
    var wanted: [Int32] = []
    if let data = unsafe data {
      wanted = (0..<(Int(size) / 4)).map {
        unsafe data.loadUnaligned(fromByteOffset: $0 * 4, as: Int32.self)
      }
    }
    guard !unit.isInitialized || wanted == channelMap else { return kAudioUnitErr_Initialized }
    channelMap = wanted
    return 0
  }

  /// Declares a unit that converts from its input to its output.
  ///
  /// - Parameter further: Further properties.
  public func definition(properties further: [PropertyDefinition] = []) -> UnitDefinition {
    var definition = UnitDefinition(
      parameters: [], channelCapabilities: [ChannelCapability(-1, -2)],
      properties: properties + further, processesInPlace: false)
    definition.kernelPullsInputs = true
    definition.allowsDifferentRates = true
    return definition
  }

  /// Makes an instance of a unit that converts; for the component's factory.
  ///
  /// Context: control.
  public func makeUnit(
    _ definition: UnitDefinition, _ description: UnsafePointer<AudioComponentDescription>?
  ) -> UnsafeMutablePointer<AudioComponentPlugInInterface>? {
    unsafe makeAudioUnit(definition, description) { state, slice in
      unsafe runKernel(ConversionKernel.self, state, slice)
    } makeKernel: { [self] format in
      ConversionKernel(format, self)
    }
  }
}
