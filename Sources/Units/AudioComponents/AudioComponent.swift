// One component: its identity, its origin, and the maker of its instances.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
public import AudioUnits
public import CAudioToolbox
internal import Glibc
internal import PlugInGuard
internal import RealtimeSupport

/// Where a component came from: it ships with the program, or is of some format.
public struct ComponentOrigin: RawRepresentable, Sendable, Hashable {
  /// The word that lists show: "built-in", or the name of the format.
  public let rawValue: String

  /// The origin of that word.
  ///
  /// Context: any.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// It ships with the program.
  public static let builtIn = ComponentOrigin(rawValue: "built-in")
  /// A `.component` bundle of someone else, or registered by this process.
  public static let native = ComponentOrigin(rawValue: "native")

  /// The name of its `ComponentFormat`: components that ship are native.
  ///
  /// Context: any.
  public var format: String { self == .builtIn ? Self.native.rawValue : rawValue }
}

/// Where a component is found.
public enum ComponentLocation: Sendable, Hashable {
  /// A file or the folder of a bundle.
  case path(String)
  /// A file or the folder of a bundle, and the format's name for the plug-in in it, which no other plug-in
  /// has: the URI of an LV2 plug-in.
  case plugIn(String, identifier: String)
  /// Registered by this process; nowhere on disk.
  case process

  /// The format's name for the plug-in; nil if it has no such names.
  public var identifier: String? {
    if case .plugIn(_, let identifier) = self { return identifier }
    return nil
  }

  /// The folder or file on disk; nil if there is none.
  public var path: String? {
    switch self {
    case .path(let path), .plugIn(let path, _): path
    case .process: nil
    }
  }
}

/// A registered kind of unit: type, subtype and manufacturer, and a way to make instances.
///
/// The corresponding Core Audio type is `AudioComponent`; `record` is such a handle.
@safe public final class AudioComponent: @unchecked Sendable {
  // @unchecked Sendable because nothing changes after init; the record is written by `init` only.

  /// Makes the interface of a new instance, without opening it.
  public typealias Factory =
    @Sendable (AudioComponentDescription) throws(AuricleError)
    -> UnsafeMutablePointer<AudioComponentPlugInInterface>

  /// Type, subtype, manufacturer and flags.
  public let description: AudioComponentDescription
  /// The name, by convention "Maker: Unit".
  public let name: String
  /// The version, 0xMMMMmmbb: 65536 is 1.0.0.
  public let version: UInt32
  /// The kind of its source.
  public let origin: ComponentOrigin
  /// Where it is.
  public let location: ComponentLocation
  /// Words to find it by, such as "Reverb".
  public let tags: [String]
  /// Free text about it; empty if there is none.
  public let summary: String
  /// The C handle; valid as long as this object lives.
  public let record: UnsafeMutablePointer<OpaqueAudioComponent>

  private let makePlugIn: Factory

  /// Describes a component; opens nothing.
  ///
  /// - Parameters:
  ///   - description: Type, subtype, manufacturer, flags; the mask is set to 0.
  ///   - name: "Maker: Unit".
  ///   - version: 0xMMMMmmbb.
  ///   - origin: The kind of its source.
  ///   - location: Where it is.
  ///   - tags: Words to find it by.
  ///   - summary: Free text.
  ///   - makePlugIn: Called for each instance, on the control thread: loads the binary where needed and
  ///     returns a new interface, not opened.
  public init(
    description: AudioComponentDescription, name: String, version: UInt32,
    origin: ComponentOrigin, location: ComponentLocation, tags: [String] = [],
    summary: String = "", makePlugIn: @escaping Factory
  ) {
    var description = description
    description.componentFlagsMask = 0
    self.description = description
    self.name = name
    self.version = version
    self.origin = origin
    self.location = location
    self.tags = tags
    self.summary = summary
    unsafe self.makePlugIn = unsafe makePlugIn
    unsafe record = .allocate(capacity: 1)
    unsafe record.initialize(to: OpaqueAudioComponent())
    unsafe record.pointee.magic = UInt32(kAuricleComponentMagic)
    unsafe record.pointee.recordSize = UInt32(MemoryLayout<OpaqueAudioComponent>.size)
    unsafe record.pointee.description = description
    unsafe record.pointee.version = version
    unsafe record.pointee.name = UnsafePointer(strdup(name))
    unsafe record.pointee.host = Unmanaged.passUnretained(self).toOpaque()
  }

  deinit {
    unsafe record.pointee.magic = 0
    unsafe free(UnsafeMutablePointer(mutating: record.pointee.name))
    unsafe record.deallocate()
  }

  /// The same component, not to be opened.
  ///
  /// - Parameter reason: The error of `instantiate`, a sentence without the component's name: "is
  ///   blocked: …".
  ///
  /// Context: any.
  public func blocked(because reason: String) -> AudioComponent {
    let name = self.name
    return unsafe AudioComponent(
      description: description, name: name, version: version, origin: origin, location: location,
      tags: tags, summary: summary
    ) { (_) throws(AuricleError) in
      throw AuricleError(.unavailable, "\(name) \(reason)")
    }
  }

  /// Opens a new instance; it keeps this component alive.
  ///
  /// - Throws: `.unavailable` with a sentence: the binary is missing or damaged, a symbol is missing,
  ///   the factory refused, or `Open` failed.
  ///
  /// Context: control. The corresponding Core Audio function is `AudioComponentInstanceNew`.
  public func instantiate() throws(AuricleError) -> AudioUnit {
    let number = Heartbeat.register("\(name) (\(triple))")
    let plugIn = unsafe try Heartbeat.during(.instantiate, unit: number) {
      () throws(AuricleError) in unsafe try makePlugIn(description)
    }
    return unsafe try AudioUnit(opening: plugIn, component: record, keeping: self)
  }

  /// The component behind a handle made by this library; nil for anything else.
  ///
  /// - Parameter handle: A valid handle.
  public static func of(handle: UnsafeMutablePointer<OpaqueAudioComponent>) -> AudioComponent? {
    guard unsafe handle.pointee.magic == UInt32(kAuricleComponentMagic) else { return nil }
    guard let host = unsafe handle.pointee.host else { return nil }
    return unsafe Unmanaged<AudioComponent>.fromOpaque(host).takeUnretainedValue()
  }
}

extension AudioComponent {
  /// A name that no other component has, even where another bundle has its identity: its format's name for it,
  /// or the path of its bundle and its identity.
  package var uniqueName: String {
    if let identifier = location.identifier { return identifier }
    guard case .path(let path) = location else { return triple }
    return path + "/" + triple
  }

  /// The identity as it is typed: `aufx:dcmp:appl`.
  public var triple: String { description.triple }

  /// The maker: the part of the name before ": "; nil if the name has no such part.
  public var maker: String? { Self.split(name).maker }

  /// The name without its maker.
  public var shortName: String { Self.split(name).unit }

  /// The version as it is read: "1.0.0".
  public var versionText: String {
    "\(version >> 16).\(version >> 8 & 0xFF).\(version & 0xFF)"
  }

  private static func split(_ name: String) -> (maker: String?, unit: String) {
    guard let colon = name.firstIndex(of: ":") else { return (nil, name) }
    let rest = name[name.index(after: colon)...].drop { $0 == " " }
    let maker = name[..<colon]
    guard !rest.isEmpty, !maker.isEmpty else { return (nil, name) }
    return (String(maker), String(rest))
  }
}
