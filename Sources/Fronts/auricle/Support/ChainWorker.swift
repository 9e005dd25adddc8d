// What a worker knows of the program: what is installed, and how the chain is made of it.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AudioComponents
import AudioFiles
import AudioTypes
import BatchProcessing
import CHostSystem
import ChainPresets
import Foundation
import UnitPresets

/// The host in a worker.
struct ChainWorker: WorkerHost {
  private let setup: WorkerSetup
  private let host = Host()
  private var preset: ChainPreset?
  private var registry: AudioComponentRegistry?
  private var components: [AudioComponent] = []
  private var resolved: ResolvedChain?

  init(setup: WorkerSetup) { self.setup = setup }

  mutating func units() throws(WorkerRefusal) -> [UnitIdentity] {
    let registry = host.makeRegistry(opensForPrograms: true)
    self.registry = registry
    let preset = try readPreset(registry)
    self.preset = preset
    // What cannot be found is told with all other mistakes, when the chain is made.
    components = preset.units.compactMap { try? registry.resolve($0.unit.value) }
    return identities()
  }

  private func readPreset(
    _ registry: AudioComponentRegistry
  ) throws(WorkerRefusal) -> ChainPreset {
    do {
      switch setup.chain {
      case .text(let name, let text): return try ChainPreset(text: text, name: name)
      case .arguments(let words): return try ChainArguments.parse(words).readPreset(host)
      }
    } catch let errors as PresetErrors {
      // What is said of a command line is complete; a file may have more mistakes.
      if case .arguments(let words) = setup.chain, words.first?.hasPrefix("--preset") != true {
        throw Self.refusal(errors)
      }
      throw Self.refusal(errors.joined(with: registry, formats: .files))
    } catch let error as AuricleError {
      throw WorkerRefusal(text: "auricle: \(error.message)", category: error.category)
    } catch {
      throw WorkerRefusal(text: "auricle: \(error)", category: .usage)
    }
  }

  private static func refusal(_ errors: PresetErrors) -> WorkerRefusal {
    WorkerRefusal(text: PresetFailure.text(errors), category: errors.category)
  }

  var readablePaths: [String] {
    let folder = ParentFolder.of(host.executable)
    var paths = [folder]
    paths += [host.shippedComponents, host.shippedPresets, Host.cacheFolder].compactMap(\.self)
    let environment = ProcessInfo.processInfo.environment
    for name in ["AURICLE_COMPONENT_PATH", "LV2_PATH", "LD_LIBRARY_PATH"] {
      paths += (environment[name] ?? "").split(separator: ":").map(String.init)
    }
    paths.append(UserPresets.standardFolder)
    if let home = environment["HOME"] { paths += [home + "/.lv2", home + "/.local/lib"] }
    for component in components {
      guard let path = component.location.path else { continue }
      paths += [path, (path as NSString).resolvingSymlinksInPath]
    }
    return paths + LoadedLibraries.folders + namedFiles + CodecLibrary.folders
  }

  /// The files that the preset names: side chains, presets of units, impulse responses.
  var sideFiles: [String] {
    var isFolder: ObjCBool = false
    let paths = namedPaths.map { URL(fileURLWithPath: $0).standardizedFileURL.path }
    return Set(paths).sorted().filter {
      unsafe FileManager.default.fileExists(atPath: $0, isDirectory: &isFolder)
        && !isFolder.boolValue
    }
  }

  private var namedFiles: [String] { namedPaths.compactMap(Self.readable) }

  /// All texts of the preset that could name a file, as paths.
  private var namedPaths: [String] {
    guard let preset, let json = JSONValue(text: preset.canonicalJSON) else { return [] }
    let folder = (preset.source?.name ?? "").components(separatedBy: "/").dropLast()
      .joined(separator: "/")
    var texts: [String] = []
    var values = [json]
    while let value = values.popLast(), texts.count < 10_000 {
      switch value {
      case .string(let text): texts.append(text)
      case .array(let elements): values += elements
      case .object(let members): values += members.map(\.value)
      default: break
      }
    }
    return texts.filter { $0.contains(".") || $0.contains("/") }.flatMap { text in
      text.hasPrefix("/") ? [text] : [text, folder.isEmpty ? text : folder + "/" + text]
    }
  }

  /// What of a named path may be read: the file; for one of a bundle, the whole bundle, since an
  /// LV2 preset is known by the manifest beside it. Other folders are opened by no preset.
  private static func readable(_ path: String) -> String? {
    var isFolder: ObjCBool = false
    guard unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      return nil
    }
    if isFolder.boolValue { return path.hasSuffix(".lv2") ? path : nil }
    let folder = ParentFolder.of(path)
    return folder.hasSuffix(".lv2") ? folder : path
  }

  mutating func chainMaker() throws(WorkerRefusal) -> BatchRun.ChainMaker {
    guard let preset, let registry else {
      throw WorkerRefusal(text: "auricle: no chain was named", category: .software)
    }
    let resolved: ResolvedChain
    do throws(PresetErrors) {
      resolved = try ResolvedChain(preset, in: registry, formats: .files)
    } catch { throw Self.refusal(error) }
    self.resolved = resolved
    return { request throws(AuricleError) in try resolved.makeChain(request) }
  }
}

extension ChainWorker {
  var chainsDependOnLength: Bool { resolved?.dependsOnLength ?? false }

  func drawnValues(_ variant: VariantRequest) -> [DrawnFigure] {
    resolved?.drawnFigures(variant) ?? []
  }
}

extension ChainWorker {
  /// What is installed of the components; bundles are read once each, and only where that is wanted.
  private func identities() -> [UnitIdentity] {
    var sums: [String: UInt64] = [:]
    return components.map { component in
      let path = component.location.path ?? ""
      if setup.tellsUnits, sums[path] == nil { sums[path] = BundleChecksum.of(path) }
      return UnitIdentity(
        identity: component.location.uri ?? component.triple, name: component.name,
        version: component.versionText, path: path, checksum: sums[path] ?? 0)
    }
  }
}

/// The files that a bundle runs from.
enum BundleChecksum {
  /// XXH64 over the names and contents of the files in a bundle, up to 256 MiB; 0 where there are none,
  /// or one fails to be read.
  static func of(_ bundle: String) -> UInt64 {
    guard !bundle.isEmpty, let names = FileManager.default.enumerator(atPath: bundle) else {
      return 0
    }
    let files = names.compactMap { $0 as? String }.prefix(2000).sorted()
    var sums: [UInt8] = []
    var left: UInt64 = 256 << 20
    for name in files where isCode(name) {
      let descriptor = unsafe open(bundle + "/" + name, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      defer { close(descriptor) }
      var status = stat()
      guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
        UInt64(status.st_size) <= left
      else { continue }
      var hash: UInt64 = 0
      var count: UInt64 = 0
      // Unknown rather than another: it may be readable next time.
      guard unsafe AuricleXXH64File(descriptor, &hash, &count) == 0 else { return 0 }
      left -= count
      sums += name.utf8
      unsafe withUnsafeBytes(of: hash.littleEndian) { unsafe sums.append(contentsOf: $0) }
    }
    guard !sums.isEmpty else { return 0 }
    return unsafe sums.withUnsafeBytes { unsafe AuricleXXH64($0.baseAddress, $0.count) }
  }

  /// Binaries and descriptions; not the sounds and pictures beside them.
  private static func isCode(_ name: String) -> Bool {
    let ending = (name as NSString).pathExtension.lowercased()
    return ["so", "ttl", "plist", ""].contains(ending)
  }
}

/// The libraries that this process runs with, wherever they are.
enum LoadedLibraries {
  /// The folders of their files.
  static var folders: [String] {
    // Through a handle: files of the kernel have no length, and of such a file `contentsOfFile` reads
    // one page.
    let handle = FileHandle(forReadingAtPath: "/proc/self/maps")
    guard let maps = try? handle?.readToEnd() else { return [] }
    var folders: Set<String> = []
    for line in String(decoding: maps, as: UTF8.self).split(separator: "\n") {
      guard let slash = line.firstIndex(of: "/"), line.hasSuffix(".so") || line.contains(".so.")
      else { continue }
      folders.insert(ParentFolder.of(String(line[slash...])))
    }
    return folders.sorted()
  }
}
