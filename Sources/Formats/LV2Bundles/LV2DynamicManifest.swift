// The dynamic manifest extension: data that a bundle's code writes. Only for child processes.
// SPDX-License-Identifier: Apache-2.0

internal import AudioComponents
internal import CLilv
internal import Glibc
internal import HostSystem
internal import PlugInGuard

/// Reads the dynamic manifest of a bundle.
///
/// Context: control, in a process that may crash: runs code of the bundle.
package enum LV2DynamicManifest {
  /// The class of dynamic manifests.
  package static let type = "http://lv2plug.in/ns/ext/dynmanifest#DynManifest"
  /// The most that is read, in bytes.
  static let maximumSize = 16 << 20

  /// The whole text, of all subjects.
  ///
  /// - Parameters:
  ///   - binary: The file that `lv2:binary` names.
  ///   - bundle: The bundle's folder, which paths in the text are relative to.
  package static func read(_ binary: String, bundle: String) throws(LV2Failure) -> String {
    guard unsafe access(binary, F_OK) == 0 else {
      throw LV2Failure(reason: "the binary \(binary) of its dynamic manifest is missing")
    }
    let library: UnsafeMutableRawPointer
    do throws(ForeignLibrary.Refusal) {
      unsafe library = try ForeignLibrary.open(binary)
    } catch {
      throw LV2Failure(
        reason: "its dynamic manifest cannot be loaded: \(LV2Text.line(error.reason, limit: 400))")
    }
    // The end of a list of features: none is offered.
    var features: UnsafePointer<LV2_Feature>? = nil
    var manifest = unsafe AuricleDynamicManifest()
    let status = unsafe auricle_dynamic_manifest_open(library, &features, &manifest)
    guard status == 0 else {
      throw LV2Failure(
        reason: status < 0
          ? "the binary \(binary) lacks a function of a dynamic manifest"
          : "its dynamic manifest failed with the code \(status)")
    }
    defer { unsafe auricle_dynamic_manifest_close(&manifest) }
    let subjects = LV2Facts()
    let list = unsafe try text(&manifest, nil)
    do throws(TurtleError) {
      try TurtleReader.read(Array(list.utf8), at: bundle + "/manifest.ttl", documentNumber: 1) {
        subjects.insert($0)
      }
    } catch {
      throw LV2Failure(
        reason: "its dynamic manifest lists its subjects in bad Turtle, line \(error.line): "
          + error.message)
    }
    var whole = list
    for subject in subjects.typed where !subject.hasPrefix("_:") {
      unsafe whole += try "\n" + text(&manifest, subject)
      guard whole.utf8.count <= maximumSize else {
        throw LV2Failure(reason: "its dynamic manifest is longer than 16 MiB")
      }
    }
    return whole + "\n"
  }

  private static func text(
    _ manifest: inout AuricleDynamicManifest, _ subject: String?
  ) throws(LV2Failure) -> String {
    var status: Int32 = 0
    let bytes =
      if let subject {
        unsafe auricle_dynamic_manifest_text(&manifest, subject, &status)
      } else {
        unsafe auricle_dynamic_manifest_text(&manifest, nil, &status)
      }
    guard let bytes = unsafe bytes else { throw LV2Failure(reason: "there is no memory") }
    defer { unsafe free(bytes) }
    guard status == 0 else {
      throw LV2Failure(
        reason:
          "its dynamic manifest has nothing about \(subject.map { "<\($0)>" } ?? "its subjects")")
    }
    return unsafe String(cString: bytes)
  }

  /// The folder of a bundle with the same data and no code, for lilv to read instead; nil when there is none.
  ///
  /// It is in the cache, where a sandboxed process can read it.
  package static func substitute(for details: LV2BundleDetails, cacheFolder: String?) -> String? {
    guard let cacheFolder, !details.dynamicManifest.isEmpty,
      let content = content(of: details)
    else { return nil }
    let folder = "\(cacheFolder)/lv2/\(CacheFile.name(for: details.path)).lv2"
    if LV2Files.contents(ofFile: folder + "/manifest.ttl") == content { return folder }
    unsafe mkdir(folder, 0o755)
    return LV2Files.write(content, to: "manifest.ttl", below: folder) ? folder : nil
  }

  /// A manifest with the data of the code and of the bundle's own manifest.
  private static func content(of details: LV2BundleDetails) -> [UInt8]? {
    let path = details.path + "/"
    var node = unsafe path.withFileName { start in
      unsafe start.withMemoryRebound(to: UInt8.self, capacity: strlen(start) + 1) {
        unsafe serd_node_new_file_uri($0, nil, nil, true)
      }
    }
    defer { unsafe serd_node_free(&node) }
    guard let base = unsafe node.buf else { return nil }
    var text = unsafe "@base <\(String(cString: base))> .\n" + details.dynamicManifest
    for plugin in details.plugins {
      text +=
        "<\(plugin.description.uri)> a <\(LV2Names.plugin)> ; "
        + "<\(LV2Names.rdfs)seeAlso> <manifest.ttl> .\n"
    }
    return Array(text.utf8)
  }
}
