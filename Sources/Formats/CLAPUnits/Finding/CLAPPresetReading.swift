// The presets that a file's own providers find.
// SPDX-License-Identifier: Apache-2.0

internal import CForeignPlugIns
internal import ForeignPlugIns
internal import HostSystem

/// The presets of a file of plug-ins, and the plug-ins that they are for.
struct CLAPPresetReading {
  /// A preset factory of more providers is damaged.
  private static let mostProviders: UInt32 = 64
  /// A file of more presets is damaged.
  fileprivate static let most = 65_536

  fileprivate var found: [(preset: CLAPPreset, plugIns: [String])] = []
  /// The stamps of the folders and files in which presets lie.
  private(set) var stamps: [PathStamp] = []
  /// One sentence for each defect.
  fileprivate(set) var problems: [String] = []

  /// The presets of a plug-in, in the order in which they were found; of presets for no plug-in by name, those
  /// of the only plug-in of a file.
  func presets(of id: String, isOnly: Bool) -> [CLAPPreset] {
    found.filter { $0.plugIns.contains(id) || ($0.plugIns.isEmpty && isOnly) }.map(\.preset)
  }

  /// Asks each provider of a file for its places, and searches them.
  ///
  /// Context: the main thread of plug-ins.
  static func read(_ library: CLAPLibrary) -> CLAPPresetReading {
    var reading = CLAPPresetReading()
    guard
      let factory: UnsafePointer<AuricleCLAPDiscoveryFactory> = unsafe library.factory([
        "clap.preset-discovery-factory/2", "clap.preset-discovery-factory/draft-2",
      ]), let count = unsafe factory.pointee.count,
      let descriptor = unsafe factory.pointee.descriptor, let create = unsafe factory.pointee.create
    else { return reading }
    let declared = unsafe count(factory)
    if declared > mostProviders {
      reading.problems.append(
        "its preset factory declares \(declared) providers, not 0 to \(mostProviders)")
      return reading
    }
    for index in 0..<declared {
      guard let known = unsafe descriptor(factory, index), let id = unsafe known.pointee.id else {
        reading.problems.append("its preset factory has no descriptor \(index)")
        continue
      }
      let indexer = CLAPIndexer()
      guard let provider = unsafe create(factory, indexer.address, id) else {
        reading.problems.append(
          "its preset factory did not make the provider \(index) that it lists")
        continue
      }
      defer { unsafe provider.pointee.destroy?(provider) }
      guard unsafe provider.pointee.initialise?(provider) != false else { continue }
      for location in indexer.locations {
        unsafe reading.search(location, for: indexer.endings, provider)
      }
    }
    return reading
  }

  private mutating func search(
    _ location: CLAPIndexer.Location, for endings: Set<String>,
    _ provider: UnsafePointer<AuricleCLAPProvider>
  ) {
    guard location.kind == UInt32(kCLAPLocation_File) else {
      return unsafe collect(location.kind, "", provider)
    }
    var files: [String] = []
    CLAPFolderWalk.visit(location.path, isDeep: true) { path, isFolder in
      if isFolder { stamps.append(PathStamp(of: path)) }
      let ending = path.split(separator: "/").last?.split(separator: ".").dropFirst().last
      if !isFolder, endings.contains("") || endings.contains(ending.map(String.init) ?? "") {
        files.append(path)
      }
      return files.count < Self.most && stamps.count < CLAPSourceReading.mostStamps
    }
    for file in files { unsafe collect(location.kind, file, provider) }
  }

  private mutating func collect(
    _ kind: UInt32, _ path: String, _ provider: UnsafePointer<AuricleCLAPProvider>
  ) {
    let receiver = CLAPReceiver(kind: kind, location: path)
    guard let get = unsafe provider.pointee.get_metadata else { return }
    _ = unsafe path.withFileName { name in
      unsafe get(
        provider, kind, kind == UInt32(kCLAPLocation_File) ? name : nil, receiver.address)
    }
    let place = path.isEmpty ? "of its own" : path
    if let problem = receiver.problem { problems.append("its presets \(place): \(problem)") }
    found += receiver.found.prefix(max(Self.most - found.count, 0))
  }
}

/// The host's side of a provider while it declares where presets are.
///
/// A reference, because callbacks move through it.
@safe private final class CLAPIndexer {
  struct Location {
    var kind: UInt32
    var path: String
  }

  let address: UnsafeMutablePointer<AuricleCLAPIndexer>
  /// Endings of files without their point; the empty one means every file.
  private(set) var endings: Set<String> = []
  private(set) var locations: [Location] = []

  init() {
    unsafe address = .allocate(capacity: 1)
    unsafe address.initialize(
      to: AuricleCLAPIndexer(
        version: AuricleCLAPVersion(major: 1, minor: 2, revision: 2), name: Self.name.start,
        vendor: Self.name.start, url: Self.name.end, host_version: Self.name.end, context: nil,
        declare_file_type: { indexer, type in
          guard let type = unsafe type, let known = unsafe CLAPIndexer.of(indexer) else {
            return false
          }
          known.endings.insert(unsafe PlugInText.of(type.pointee.ending))
          return true
        },
        declare_location: { indexer, location in
          guard let location = unsafe location, let known = unsafe CLAPIndexer.of(indexer) else {
            return false
          }
          return unsafe known.add(location.pointee.kind, PlugInText.of(location.pointee.location))
        }, declare_soundpack: { _, _ in true }, get_extension: { _, _ in nil }))
    unsafe address.pointee.context = unsafe Unmanaged.passUnretained(self).toOpaque()
  }

  deinit { unsafe address.deallocate() }

  private static let name = StaticText("Auricle")

  private static func of(_ indexer: UnsafePointer<AuricleCLAPIndexer>?) -> CLAPIndexer? {
    unsafe indexer?.pointee.context.map {
      unsafe Unmanaged<CLAPIndexer>.fromOpaque($0).takeUnretainedValue()
    }
  }

  private func add(_ kind: UInt32, _ path: String) -> Bool {
    let isFile = kind == UInt32(kCLAPLocation_File)
    guard isFile ? path.hasPrefix("/") : kind == UInt32(kCLAPLocation_PlugIn) else { return false }
    locations.append(Location(kind: kind, path: isFile ? path : ""))
    return true
  }
}

/// A text for ever, for C.
@safe private struct StaticText: @unchecked Sendable {
  let start: UnsafePointer<CChar>
  let end: UnsafePointer<CChar>

  init(_ text: String) {
    let bytes = Array(text.utf8CString)
    let memory = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
    for (index, byte) in bytes.enumerated() { unsafe (memory + index).initialize(to: byte) }
    unsafe start = UnsafePointer(memory)
    unsafe end = UnsafePointer(memory + bytes.count - 1)
  }
}

/// The host's side of a provider while it declares the presets of a place.
///
/// A reference, because callbacks move through it.
@safe private final class CLAPReceiver {
  let address: UnsafeMutablePointer<AuricleCLAPReceiver>
  private let kind: UInt32
  private let location: String
  private(set) var found: [(preset: CLAPPreset, plugIns: [String])] = []
  private(set) var problem: String?

  init(kind: UInt32, location: String) {
    self.kind = kind
    self.location = location
    unsafe address = .allocate(capacity: 1)
    unsafe address.initialize(
      to: AuricleCLAPReceiver(
        context: nil,
        on_error: { receiver, _, message in
          unsafe CLAPReceiver.of(receiver)?.problem = PlugInText.line(PlugInText.of(message))
        },
        begin_preset: { receiver, name, key in
          unsafe CLAPReceiver.of(receiver)?.begin(
            PlugInText.of(name), key.map { unsafe PlugInText.of($0) }) ?? false
        },
        add_plugin_id: { receiver, id in
          guard let id = unsafe id, unsafe PlugInText.of(id.pointee.abi) == "clap",
            let known = unsafe CLAPReceiver.of(receiver), !known.found.isEmpty
          else { return }
          known.found[known.found.count - 1].plugIns.append(unsafe PlugInText.of(id.pointee.id))
        }, set_soundpack_id: { _, _ in }, set_flags: { _, _ in }, add_creator: { _, _ in },
        set_description: { _, _ in }, set_timestamps: { _, _, _ in }, add_feature: { _, _ in },
        add_extra_info: { _, _, _ in }))
    unsafe address.pointee.context = unsafe Unmanaged.passUnretained(self).toOpaque()
  }

  deinit { unsafe address.deallocate() }

  private static func of(_ receiver: UnsafePointer<AuricleCLAPReceiver>?) -> CLAPReceiver? {
    unsafe receiver?.pointee.context.map {
      unsafe Unmanaged<CLAPReceiver>.fromOpaque($0).takeUnretainedValue()
    }
  }

  private func begin(_ name: String, _ key: String?) -> Bool {
    guard found.count < CLAPPresetReading.most else { return false }
    let file = location.split(separator: "/").last.map(String.init) ?? ""
    let text = PlugInText.line(name)
    found.append(
      (
        CLAPPreset(
          name: text.isEmpty ? key ?? file : text, kind: kind, location: location, key: key), []
      ))
    return true
  }
}
