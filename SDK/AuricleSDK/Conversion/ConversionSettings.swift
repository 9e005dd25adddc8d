// The settings of a conversion: the filter and the channel map.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox

/// The settings of one converter or output; they are read when it is initialised.
///
/// A converter is a factory function of two lines:
///
/// ```swift
/// @c(MyConverterFactory)
/// public func myConverterFactory(_ request: ComponentRequest) -> ComponentInterface? {
///   let settings = ConversionSettings()
///   return unsafe settings.makeUnit(settings.definition(), request)
/// }
/// ```
///
/// @unchecked Sendable because the properties below and the kernel's making all happen under the lock
/// of the instance that owns them.
public final class ConversionSettings: @unchecked Sendable {
  /// A `kAudioUnitSampleRateConverterComplexity_…` code; the normal one until a host sets another.
  ///
  /// The corresponding property is `kAudioUnitProperty_SampleRateConverterComplexity`.
  public internal(set) var complexity = kAudioUnitSampleRateConverterComplexity_Normal
  /// Input channel of each output channel, or −1 for silence; empty for the default.
  ///
  /// The corresponding property is `kAudioOutputUnitProperty_ChannelMap`.
  public internal(set) var channelMap: [Int32] = []

  /// Makes the settings of a fresh instance. Context: control.
  public init() {}

  /// The properties for hosts: complexity and channel map, both refused while the unit is initialised.
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

  /// Returns the definition of a unit that converts from its input to its output.
  ///
  /// Rates may differ, and so may the numbers of channels.
  ///
  /// - Parameter further: Further properties, after those of the settings.
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
  /// - Parameters:
  ///   - definition: Usually that of `definition(properties:)`, changed where the unit differs.
  ///   - description: The description that the host passed.
  /// - Returns: The interface that the factory returns; its Close frees everything.
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
