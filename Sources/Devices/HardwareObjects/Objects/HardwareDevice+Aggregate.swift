// Aggregate devices as objects: their parts, and the parts' settings.
// SPDX-License-Identifier: Apache-2.0

package import AudioHardware
import AudioTypes
import CAudioToolbox
import Synchronization

extension HardwareDevice {
  /// The composition; nil for a device that is no aggregate.
  package var composition: AggregateDescription? { state.withLock { $0.composition } }

  /// The devices of a composition that are there, the one whose clock counts first.
  private func members(_ composition: AggregateDescription) -> [HardwareDevice] {
    composition.mainFirst.compactMap { part in
      system.device(named: part.uid).flatMap { $0 === self || $0.composition != nil ? nil : $0 }
    }
  }

  /// Adopts another composition; a device that runs is restarted. Context: control.
  func compose(_ composition: AggregateDescription) {
    let members = members(composition)
    let objects = composition.parts.map { _ in system.freshID() }
    apply { state in
      let before = state.composition?.parts.map(\.uid)
      if before != composition.parts.map(\.uid) { state.parts = objects }
      state.composition = composition
      state.listing.title = composition.name
      state.listing.hasInput = members.contains { $0.listing.hasInput }
      state.listing.hasOutput = members.contains { $0.listing.hasOutput }
      state.sides = [:]
    }
    for selector in [
      kAudioAggregateDevicePropertyFullSubDeviceList,
      kAudioAggregateDevicePropertyActiveSubDeviceList, kAudioDevicePropertyStreams,
      kAudioDevicePropertyStreamConfiguration, kAudioObjectPropertyOwnedObjects,
    ] {
      system.listeners.changed(id, selector)
    }
  }

  /// The abilities that the devices of a side share; nil where none has that side.
  func probe(_ composition: AggregateDescription, isInput: Bool) -> DeviceProbe? {
    DeviceProbe(sideBySide: members(composition).compactMap { $0.probe(isInput: isInput) })
  }

  /// Whether the seconds of all its devices are those of the world.
  func runsInRealTime(_ composition: AggregateDescription) -> Bool {
    members(composition).allSatisfy(\.isRealTime)
  }

  /// Opens the sides of its devices that are there.
  func makeEngine(
    _ composition: AggregateDescription, _ sides: DeviceSides, _ request: PCMRequest
  ) throws(AuricleError) -> DeviceEngine {
    let members = members(composition)
    return try AggregateOpening.engine(
      composition,
      { part in
        members.first { $0.uid == part.uid }?.listing.sides(of: sides) ?? []
      }, request, deviceID: id, clients: clients, continues: hasRun)
  }

  // MARK: Properties

  /// Properties of an aggregate, and of its parts, that can be set.
  static let settableOfAggregates: Set<UInt32> = [
    kAudioAggregateDevicePropertyFullSubDeviceList, kAudioAggregateDevicePropertyMainSubDevice,
    kAudioAggregateDevicePropertyClockDevice, kAudioSubDevicePropertyDriftCompensation,
    kAudioSubDevicePropertyDriftCompensationQuality, kAudioSubDevicePropertyExtraLatency,
  ]

  /// The value of a property that only aggregates have, or have otherwise; nil for any other.
  func aggregateProperty(_ selector: UInt32) -> PropertyValue? {
    guard let composition else { return nil }
    switch selector {
    case kAudioObjectPropertyBaseClass: return .value(kAudioDeviceClassID)
    case kAudioObjectPropertyClass: return .value(kAudioAggregateDeviceClassID)
    case kAudioDevicePropertyTransportType: return .value(kAudioDeviceTransportTypeAggregate)
    case kAudioAggregateDevicePropertyFullSubDeviceList: return .texts(composition.parts.map(\.uid))
    case kAudioAggregateDevicePropertyActiveSubDeviceList:
      let present = members(composition)
      return .values(
        composition.parts.compactMap { part in present.first { $0.uid == part.uid }?.id })
    case kAudioAggregateDevicePropertyComposition: return .aggregate(composition)
    case kAudioAggregateDevicePropertyMainSubDevice, kAudioAggregateDevicePropertyClockDevice:
      return .text(composition.mainFirst.first?.uid ?? "")
    case kAudioAggregateDevicePropertyTapList: return .texts([])
    case kAudioAggregateDevicePropertySubTapList: return .values([UInt32]())
    default: return nil
    }
  }

  /// Sets a property that only aggregates have; false for any other.
  func setAggregateProperty(_ selector: UInt32, _ value: PropertyValue) throws(HardwareError)
    -> Bool
  {
    guard var composition else { return false }
    switch selector {
    case kAudioAggregateDevicePropertyFullSubDeviceList:
      guard let names = value.stringValues() else { throw .badSize }
      composition.parts = names.map { name in
        composition.parts.first { $0.uid == name } ?? .init(uid: name)
      }
    case kAudioAggregateDevicePropertyMainSubDevice, kAudioAggregateDevicePropertyClockDevice:
      guard let name = value.stringValue() else { throw .badSize }
      composition.mainUID = name
    default: return false
    }
    compose(composition)
    system.listeners.changed(id, selector)
    return true
  }

  /// The objects of its parts.
  var partObjects: [AudioObjectID] { state.withLock { $0.parts } }

  /// The value of a property of a part.
  func partProperty(
    _ index: Int, _ address: AudioObjectPropertyAddress, _ qualifier: PropertyQualifier
  ) throws(HardwareError) -> PropertyValue {
    guard let composition, composition.parts.indices.contains(index) else { throw .badObject }
    let part = composition.parts[index]
    let device = system.device(named: part.uid)
    switch address.mSelector {
    case kAudioObjectPropertyBaseClass: return .value(kAudioDeviceClassID)
    case kAudioObjectPropertyClass: return .value(kAudioSubDeviceClassID)
    case kAudioObjectPropertyOwner: return .value(id)
    case kAudioObjectPropertyName: return .text(part.name ?? device?.listing.title ?? part.uid)
    case kAudioDevicePropertyDeviceUID: return .text(part.uid)
    case kAudioSubDevicePropertyDriftCompensation:
      return .value(UInt32(part.compensatesDrift ? 1 : 0))
    case kAudioSubDevicePropertyDriftCompensationQuality: return .value(part.quality)
    case kAudioSubDevicePropertyExtraLatency:
      let isInput = address.mScope == kAudioObjectPropertyScopeInput
      return .value(isInput ? part.extraInputLatency : part.extraOutputLatency)
    default:
      guard let device else { throw .unknownProperty }
      return try device.property(address, qualifier)
    }
  }

  /// Sets a property of a part.
  func setPartProperty(
    _ index: Int, _ address: AudioObjectPropertyAddress, _ value: PropertyValue
  ) throws(HardwareError) {
    let objects = partObjects
    guard var composition, composition.parts.indices.contains(index),
      objects.indices.contains(index)
    else { throw .badObject }
    switch address.mSelector {
    case kAudioSubDevicePropertyDriftCompensation:
      guard let word = value.loaded(as: UInt32.self) else { throw .badSize }
      composition.parts[index].compensatesDrift = word != 0
    case kAudioSubDevicePropertyDriftCompensationQuality:
      guard let word = value.loaded(as: UInt32.self) else { throw .badSize }
      composition.parts[index].quality = min(word, 127)
    case kAudioSubDevicePropertyExtraLatency:
      guard let frames = value.loaded(as: Double.self) else { throw .badSize }
      guard (0...96_000).contains(frames) else { throw .illegal }
      if address.mScope != kAudioObjectPropertyScopeOutput {
        composition.parts[index].extraInputLatency = frames
      }
      if address.mScope != kAudioObjectPropertyScopeInput {
        composition.parts[index].extraOutputLatency = frames
      }
    default: throw .unsupported
    }
    compose(composition)
    system.listeners.changed(objects[index], address.mSelector)
  }
}
