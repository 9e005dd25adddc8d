// Busses of units of version 3.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The direction of busses.
public enum AUAudioUnitBusType: Int, Sendable {
  /// In.
  case input = 1
  /// Out.
  case output = 2
}

/// A bus of a unit.
open class AUAudioUnitBus: NSObject {
  private var current: AVAudioFormat
  fileprivate(set) weak var list: AUAudioUnitBusArray?
  fileprivate(set) var position = 0
  var didSetFormat: ((AVAudioFormat) throws -> Void)?

  /// A bus of a format; fails for no channels.
  public init(format: AVAudioFormat) throws {
    guard format.channelCount > 0 else { throw auricleError(kAudioUnitErr_FormatNotSupported) }
    current = format
  }

  /// The format.
  open var format: AVAudioFormat { current }
  /// Sets the format; fails while render resources are allocated, and where the unit does not accept it.
  open func setFormat(_ format: AVAudioFormat) throws {
    let unit = list?.ownerAudioUnit
    if let unit, unit.renderResourcesAllocated { throw auricleError(kAudioUnitErr_Initialized) }
    let channels = NSNumber(value: format.channelCount)
    guard format.channelCount > 0, supportedChannelCounts?.contains(channels) ?? true,
      maximumChannelCount == 0 || format.channelCount <= maximumChannelCount,
      unit?.shouldChange(to: format, for: self) ?? true
    else { throw auricleError(kAudioUnitErr_FormatNotSupported) }
    try didSetFormat?(format)
    current = format
  }
  /// Whether the unit makes or reads the bus.
  open var isEnabled = true
  /// A name for people.
  open var name: String?
  /// The number in its list.
  open var index: Int { position }
  /// The direction.
  open var busType: AUAudioUnitBusType { list?.busType ?? .output }
  /// The unit that has the bus.
  open var ownerAudioUnit: AUAudioUnit {
    list?.ownerAudioUnit ?? { auricleRaise("the bus belongs to an audio unit") }()
  }
  /// The numbers of channels that it may have; nil for any.
  open var supportedChannelCounts: [NSNumber]?
  /// The greatest number of channels; 0 for any.
  open var maximumChannelCount: AUAudioFrameCount = 0
  /// Whether the unit allocates a buffer for the bus.
  open var shouldAllocateBuffer = true
  /// Seconds between the bus and a loudspeaker or microphone.
  open var contextPresentationLatency: TimeInterval = 0
  /// The tags of layouts that it may have.
  open var supportedChannelLayoutTags: [NSNumber]?
}

/// The busses of a unit in one direction.
open class AUAudioUnitBusArray: NSObject, Sequence {
  private var busses: [AUAudioUnitBus] = []
  /// The unit.
  public private(set) weak var owner: AUAudioUnit?
  /// The direction.
  public let busType: AUAudioUnitBusType
  var didSetCount: ((Int) throws -> Void)?

  /// Makes an array of the passed busses of a unit.
  public init(audioUnit owner: AUAudioUnit, busType: AUAudioUnitBusType, busses: [AUAudioUnitBus]) {
    self.owner = owner
    self.busType = busType
    super.init()
    replaceBusses(busses)
  }
  /// No busses of a unit.
  public convenience init(audioUnit owner: AUAudioUnit, busType: AUAudioUnitBusType) {
    self.init(audioUnit: owner, busType: busType, busses: [])
  }

  /// The unit that has them.
  open var ownerAudioUnit: AUAudioUnit? { owner }
  /// The number of busses.
  open var count: Int { busses.count }
  /// Whether their number can be changed.
  open var isCountChangeable: Bool { didSetCount != nil }
  /// Changes their number; fails where the unit does not.
  open func setBusCount(_ count: Int) throws {
    guard let didSetCount else { throw auricleError(kAudioUnitErr_PropertyNotWritable) }
    try didSetCount(count)
  }
  /// A bus by its number.
  open subscript(index: Int) -> AUAudioUnitBus {
    auricleRequire(busses.indices.contains(index), "index < count")
    return busses[index]
  }
  /// Replaces the busses.
  open func replaceBusses(_ busArray: [AUAudioUnitBus]) {
    busses = busArray
    for (index, bus) in busArray.enumerated() {
      bus.position = index
      bus.list = self
    }
  }
  /// The busses in order.
  public func makeIterator() -> IndexingIterator<[AUAudioUnitBus]> { busses.makeIterator() }
}
