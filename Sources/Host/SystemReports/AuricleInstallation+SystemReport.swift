// Collects the state of this machine.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
package import AuricleHost
import Foundation
import HostSystem
import InstalledComponents
import Workers

extension AuricleInstallation {
  /// The state of this machine as far as Auricle depends on it.
  ///
  /// Context: control. Nothing of a plug-in is opened.
  package func systemReport() -> SystemReport {
    let privacy = PrivateText()
    return SystemReport(
      program: program(privacy), system: Self.system(), sandbox: sandbox(),
      libraries: RuntimeLibraries.all(for: host.executable).map { library in
        var library = library
        library.path = library.path.map(privacy.plain)
        return library
      },
      devices: devices().map {
        SystemReport.Device(
          name: privacy.plain($0.name), plays: $0.plays, records: $0.records,
          isDefault: $0.isDefault)
      },
      searchPaths: host.formats.all.map { Self.searchPath($0, privacy) },
      cache: Self.cache(privacy), limits: Self.limits())
  }

  private func program(_ privacy: PrivateText) -> SystemReport.Program {
    SystemReport.Program(
      version: AuricleVersion.text, commit: ProgramOrigin.commit(of: host.executable),
      buildID: BinaryFile.buildID(of: "/proc/self/exe"), path: privacy.plain(host.executable))
  }

  private static func system() -> SystemReport.System {
    var names = utsname()
    unsafe uname(&names)
    func text<Field>(_ field: Field) -> String {
      unsafe withUnsafeBytes(of: field) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
    }
    var version = [CChar](repeating: 0, count: 64)
    unsafe confstr(Int32(_CS_GNU_LIBC_VERSION), &version, version.count)
    let release = try? String(contentsOfFile: "/etc/os-release", encoding: .utf8)
    let distribution = release?.split(separator: "\n").first { $0.hasPrefix("PRETTY_NAME=") }
      .map { $0.dropFirst("PRETTY_NAME=".count).filter { $0 != "\"" } }
    return SystemReport.System(
      kernel: text(names.sysname) + " " + text(names.release), architecture: text(names.machine),
      distribution: distribution,
      library: String(
        decoding: version.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self),
      processorCount: ProcessInfo.processInfo.activeProcessorCount,
      memory: Int(ProcessInfo.processInfo.physicalMemory))
  }

  private func sandbox() -> SystemReport.Sandbox {
    let child = ChildProcess.run(
      host.executable, [SandboxState.probeCommand], timeLimit: .seconds(10), endsGroup: true)
    let state = SandboxState(json: child.output)
    return SystemReport.Sandbox(
      landlock: Int(WorkerSandbox.landlockVersion), strict: state?.text, weakness: state?.weakness)
  }

  private static func searchPath(
    _ format: any ComponentFormat, _ privacy: PrivateText
  ) -> SystemReport.SearchPath {
    SystemReport.SearchPath(
      format: format.name, variable: format.searchVariable,
      isSet: ProcessInfo.processInfo.environment[format.searchVariable] != nil,
      folders: format.searchPaths.map { path in
        let names = try? FileManager.default.contentsOfDirectory(atPath: path)
        let ending = format.presetBundles?.bundleEnding ?? ".component"
        return SystemReport.SearchPath.Folder(
          path: privacy.plain(path), bundleCount: names?.count { $0.hasSuffix(ending) })
      })
  }

  private static func cache(_ privacy: PrivateText) -> SystemReport.Cache {
    var cache = SystemReport.Cache(
      path: HostPlaces.cacheFolder.map(privacy.plain), fileCount: 0, byteCount: 0,
      blockedUnitCount: ComponentBlocklist(folder: HostPlaces.cacheFolder).all.count)
    guard let folder = HostPlaces.cacheFolder,
      let names = FileManager.default.enumerator(atPath: folder)
    else { return cache }
    for case let name as String in names {
      let attributes = try? FileManager.default.attributesOfItem(atPath: folder + "/" + name)
      guard attributes?[.type] as? FileAttributeType == .typeRegular else { continue }
      cache.fileCount += 1
      cache.byteCount += (attributes?[.size] as? NSNumber)?.intValue ?? 0
    }
    return cache
  }

  private static func limits() -> [SystemReport.Limit] {
    [
      ("open files", RLIMIT_NOFILE), ("processes", __RLIMIT_NPROC),
      ("locked memory", __RLIMIT_MEMLOCK), ("real-time priority", __RLIMIT_RTPRIO),
      ("address space", RLIMIT_AS),
      ("file size", RLIMIT_FSIZE),
    ].map { name, resource in
      var limit = rlimit()
      unsafe getrlimit(__rlimit_resource_t(resource.rawValue), &limit)
      func value(_ limit: rlim_t) -> UInt64? { limit == rlim_t.max ? nil : UInt64(limit) }
      return SystemReport.Limit(
        name: name, value: value(limit.rlim_cur), most: value(limit.rlim_max))
    }
  }
}

/// Removes home folders from texts, which hold the names of users.
private struct PrivateText {
  private var homes: [String] = []

  init() {
    if let home = ProcessInfo.processInfo.environment["HOME"] { homes.append(home) }
    if let entry = unsafe getpwuid(getuid()), let home = unsafe entry.pointee.pw_dir {
      homes.append(unsafe String(cString: home))
    }
    homes = homes.map(Path.trimmed).filter { $0.count > 1 && $0.hasPrefix("/") }
  }

  /// The text with `~` in place of the home folder, and without the name of another user's.
  func plain(_ text: String) -> String {
    for home in homes where text == home || text.hasPrefix(home + "/") {
      return "~" + text.dropFirst(home.count)
    }
    let parts = Path.components(text)
    guard text.hasPrefix("/home/"), parts.count > 1 else { return text }
    return (["/home/*"] + parts.dropFirst(2)).joined(separator: "/")
  }
}
