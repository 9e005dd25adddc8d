// The libraries and programs that Auricle finds at run time, found without opening them.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostSystem
import Workers

/// Finds libraries and programs by their files, and opens none.
enum RuntimeLibraries {
  /// A library: the beginning of its file's name, up to where versions differ.
  private static let libraries: [(name: String, file: String, purpose: String)] = [
    ("FFmpeg (libavcodec)", "libavcodec.so.", "AAC, AC-3, Opus and more"),
    ("FFmpeg (libavformat)", "libavformat.so.", "sound tracks of video files"),
    ("libFLAC", "libFLAC.so.", "FLAC packets"),
    ("libsoxr", "libsoxr.so.0", "sample rates of files"),
    ("Rubber Band", "librubberband.so.2", "time and pitch"),
    ("FluidSynth", "libfluidsynth.so.3", "sound banks"),
    ("espeak-ng", "libespeak-ng.so.1", "speech"),
    ("Flite", "libflite.so.1", "speech"),
    ("libmysofa", "libmysofa.so.1", "measured heads"),
    ("OpenAL Soft", "libopenal.so.1", "programs that use OpenAL"),
    ("SpeexDSP", "libspeexdsp.so.1", "echo, noise and level of a voice"),
    ("opencore-amr", "libopencore-amrnb.so.0", "AMR"),
    ("vo-amrwbenc", "libvo-amrwbenc.so.0", "AMR wide band"),
    ("PipeWire", "libpipewire-0.3.so.0", "the sound server, by its ALSA plug-in"),
    ("JACK", "libjack.so.0", "the sound server, by its ALSA plug-in"),
    ("D-Bus", "libdbus-1.so.3", "real-time priority by rtkit"),
  ]

  /// Files that are no libraries.
  private static let files: [(name: String, paths: [String], purpose: String)] = [
    (
      "rtkit", ["/usr/share/dbus-1/system-services/org.freedesktop.RealtimeKit1.service"],
      "real-time priority without privileges"
    ),
    ("rsvg-convert", ["/usr/bin/rsvg-convert", "/usr/local/bin/rsvg-convert"], "PNG pictures"),
    ("avahi-publish", ["/usr/bin/avahi-publish"], "announcing MIDI sessions"),
  ]

  /// All of them, installed or not.
  ///
  /// - Parameter executable: The program, which has libraries beside it in a wheel and a tarball.
  static func all(for executable: String) -> [SystemReport.Library] {
    let folders = folders(of: executable)
    let found = libraries.map { library in
      var report = SystemReport.Library(name: library.name, purpose: library.purpose)
      guard let path = file(library.file, in: folders) else { return report }
      report.path = path
      report.version = version(of: path)
      return report
    }
    let others = files.map { file in
      SystemReport.Library(
        name: file.name, purpose: file.purpose,
        path: file.paths.first(where: FileManager.default.fileExists(atPath:)))
    }
    return found + others
  }

  /// The folders of the loader, in its order.
  private static func folders(of executable: String) -> [String] {
    let variable = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"] ?? ""
    return variable.split(separator: ":").map(String.init)
      + [Path.folder(of: Path.folder(of: executable)) + "/lib/auricle"]
      + LinkerFolders.configured() + ["/lib", "/lib64", "/usr/lib", "/usr/lib64"]
  }

  private static func file(_ beginning: String, in folders: [String]) -> String? {
    for folder in folders {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      let found = names.filter { name in
        guard name.hasPrefix(beginning) else { return false }
        let rest = name.dropFirst(beginning.count)
        return beginning.hasSuffix(".") || rest.isEmpty || rest.first == "."
      }
      // The shortest name is the one that is loaded.
      if let name = found.min(by: { ($0.count, $0) < ($1.count, $1) }) {
        return folder + "/" + name
      }
    }
    return nil
  }

  /// The version behind ".so." in the name of the file that the links lead to.
  private static func version(of path: String) -> String? {
    guard let real = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(real) }
    let target = unsafe Path.lastComponent(String(cString: real))
    guard let place = target.range(of: ".so.") else { return nil }
    return String(target[place.upperBound...])
  }
}
