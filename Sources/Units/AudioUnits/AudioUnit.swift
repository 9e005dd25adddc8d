// One opened audio unit: its life from Open to Close.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
public import CAudioToolbox
import PlugInGuard
import RealtimeSupport

/// An instance of a component, reached through the C interface every unit answers.
///
/// Not `Sendable`: one thread at a time controls it; only methods that say so may be called while another
/// thread renders. The owner's last reference closes it. The corresponding Core Audio type is
/// `AudioUnit`, and `instance` is such a handle.
@safe public final class AudioUnit {
  /// The C handle: the target of Core Audio's `AudioUnit`. Valid as long as this object lives.
  public let instance: UnsafeMutablePointer<ComponentInstanceRecord>
  /// Type, subtype and manufacturer of the component.
  public let description: AudioComponentDescription
  /// Name of the component: "Maker: Unit".
  public let name: String
  /// True between `initialize` and `uninitialize`.
  public private(set) var isInitialized = false
  /// Whether a unit that plays notes was asked for its parameters.
  var areParametersDescribed = false
  /// The procedure a render thread calls; safe to copy into render code while the unit lives.
  public let renderProcedure: RenderProcedure

  /// The unit's number in the signs of life of this process: see `Heartbeat`.
  public let workNumber: Int32

  let methods: UnitMethods
  /// The units whose outputs feed inputs of this one, so that they outlive it.
  var inputSources: [AudioUnitElement: AudioUnit] = [:]
  private let owner: AnyObject?

  /// Opens an instance: makes its record, complete, and calls `Open`.
  ///
  /// - Parameters:
  ///   - plugIn: The result of the component's factory. This object closes it.
  ///   - component: The component's record, which must outlive the instance.
  ///   - isInternal: Whether the host itself puts it between the units of a chain.
  ///   - owner: An object to keep alive as long as the instance, usually the owner of `component`.
  ///   - workNumber: The number in the heartbeat of the unit that this one represents; its own for
  ///     nil.
  /// - Throws: `.unavailable` if the interface is incomplete, `Open` fails, or the unit was built for a
  ///   later generation of hosts. `plugIn` must not be touched again: a unit that fails to open frees
  ///   itself and is not closed, one that was opened is closed.
  ///
  /// Context: control. The corresponding Core Audio function is `AudioComponentInstanceNew`.
  public init(
    opening plugIn: UnsafeMutablePointer<AudioComponentPlugInInterface>,
    component: UnsafeMutablePointer<OpaqueAudioComponent>,
    isInternal: Bool = false, keeping owner: AnyObject? = nil, workNumber: Int32? = nil
  ) throws(AuricleError) {
    let unitName = unsafe Self.name(of: component)
    guard let open = unsafe plugIn.pointee.Open, unsafe plugIn.pointee.Lookup != nil else {
      throw AuricleError(
        .unavailable, status: AudioStatus.unimplemented.rawValue,
        "\(unitName): the plug-in has no Open or no Lookup function.")
    }
    let record = UnsafeMutablePointer<ComponentInstanceRecord>.allocate(capacity: 1)
    unsafe record.initialize(to: ComponentInstanceRecord())
    unsafe record.pointee.magic = UInt32(kAuricleInstanceMagic)
    unsafe record.pointee.recordSize = UInt32(MemoryLayout<ComponentInstanceRecord>.size)
    unsafe record.pointee.component = component
    unsafe record.pointee.plugIn = plugIn

    let number =
      unsafe workNumber
      ?? Heartbeat.register(
        "\(unitName) (\(component.pointee.description.triple))", isInternal: isInternal)
    let status = Heartbeat.during(.instantiate, unit: number) {
      let status = unsafe open(plugIn, record)
      if status != 0 { Heartbeat.blame(unit: number) }
      return status
    }
    guard status == 0 else {
      unsafe record.deallocate()
      throw AuricleError(
        .unavailable, status: status,
        "\(unitName): the unit cannot be opened: \(AudioStatus(rawValue: status)).")
    }

    // Only now: before Open there may be nothing that could answer Lookup.
    // The selectors of a codec are other functions.
    let isCodec = unsafe Self.isCodec(component.pointee.description.componentType)
    let methods = unsafe UnitMethods(isCodec ? nil : plugIn)
    unsafe methods.store(in: record)
    unsafe self.methods = methods
    unsafe instance = record
    unsafe description = component.pointee.description
    unsafe renderProcedure = RenderProcedure(procedure: methods.render, plugIn: plugIn)
    name = unitName
    self.workNumber = number
    self.owner = owner
    unsafe record.pointee.host = Unmanaged.passUnretained(self).toOpaque()
    try refuseNewerContract()
  }

  /// Whether components of a type are codecs: `adec`, `aenc`, `acdc`.
  private static func isCodec(_ type: OSType) -> Bool {
    [kAudioDecoderComponentType, kAudioEncoderComponentType, kAudioUnityCodecComponentType]
      .contains(type)
  }

  /// Refuses a unit that was built for a host of a later generation.
  private func refuseNewerContract() throws(AuricleError) {
    let ours = UInt32(kAuricleContractVersion)
    guard let theirs = optionalProperty(kAuricleProperty_ContractVersion, as: UInt32.self),
      theirs >> 16 > ours >> 16
    else { return }
    throw AuricleError(
      .unavailable, status: AudioStatus.unimplemented.rawValue,
      "\(name): the unit was built with version \(theirs >> 16).\(theirs & 0xFFFF) of the SDK's "
        + "interface, and this Auricle has version \(ours >> 16).\(ours & 0xFFFF): install a newer "
        + "Auricle, or a build of the unit for this one.")
  }

  deinit {
    Heartbeat.during(.close, unit: workNumber) {
      if isInitialized, let uninitialize = unsafe methods.uninitialize {
        _ = unsafe uninitialize(plugIn)
      }
      if let close = unsafe instance.pointee.plugIn.pointee.Close {
        _ = unsafe close(plugIn)
      }
    }
    unsafe EventCenter.forget(unsafe instance)
    unsafe instance.pointee.magic = 0
    unsafe instance.deallocate()
  }

  func markInitialized(_ value: Bool) {
    isInitialized = value
  }

  /// The `self` argument of every method.
  var plugIn: UnsafeMutableRawPointer {
    unsafe UnsafeMutableRawPointer(instance.pointee.plugIn)
  }

  /// The object behind a handle made by this library; nil for the handle of another host.
  ///
  /// - Parameter handle: A valid handle.
  public static func of(handle: UnsafeMutablePointer<ComponentInstanceRecord>) -> AudioUnit? {
    guard unsafe handle.pointee.magic == UInt32(kAuricleInstanceMagic) else { return nil }
    guard let host = unsafe handle.pointee.host else { return nil }
    return unsafe Unmanaged<AudioUnit>.fromOpaque(host).takeUnretainedValue()
  }

  /// True if the unit answers a selector.
  ///
  /// Context: control. The corresponding Core Audio function is `AudioComponentInstanceCanDo`.
  public func implements(_ selector: Int16) -> Bool {
    guard let lookup = unsafe instance.pointee.plugIn.pointee.Lookup else { return false }
    return unsafe lookup(selector) != nil
  }

  private static func name(of component: UnsafeMutablePointer<OpaqueAudioComponent>) -> String {
    guard let text = unsafe component.pointee.name else {
      return unsafe component.pointee.description.triple
    }
    return unsafe String(cString: text)
  }
}
