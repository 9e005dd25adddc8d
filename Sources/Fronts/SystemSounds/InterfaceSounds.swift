// The user's choices for the sounds of the interface: whether there are any, and the alert.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import Glibc
import HostSystem
import MacSystem
import Synchronization

/// The user's choices, where desktops on Linux keep them.
enum InterfaceSounds {
  /// The sound for `kSystemSoundID_UserPreferredAlert`, made when it is first played.
  static let alert: SystemSound = themed() ?? beep()

  /// Whether the desktop plays sounds of the interface; it does unless GTK's settings say no.
  static var areOn: Bool {
    let folder = variable("XDG_CONFIG_HOME") ?? (variable("HOME") ?? "") + "/.config"
    guard let file = FileDescriptor(ifReadable: folder + "/gtk-3.0/settings.ini"),
      let bytes = FileTransfer.readAll(file.number, limit: 65_536)
    else { return true }
    let text = String(decoding: bytes, as: UTF8.self)
    for line in text.split(separator: "\n") {
      let words = line.split(separator: "=").map { $0.filter { $0 != " " && $0 != "\t" } }
      if words.first == "gtk-enable-event-sounds", let last = words.last {
        return last != "0" && last != "false"
      }
    }
    return true
  }

  private static func variable(_ name: String) -> String? {
    guard let value = unsafe getenv(name), unsafe value.pointee != 0 else { return nil }
    return unsafe String(cString: value)
  }

  /// The bell of the freedesktop sound theme.
  private static func themed() -> SystemSound? {
    let folders = (variable("XDG_DATA_DIRS") ?? "/usr/local/share:/usr/share").split(separator: ":")
    for folder in folders {
      let path = folder + "/sounds/freedesktop/stereo/bell.oga"
      let bytes = Array(path.utf8)
      guard
        let url = unsafe CFURLCreateFromFileSystemRepresentation(
          nil, bytes, CFIndex(bytes.count), false)
      else { continue }
      defer { unsafe CFRelease(UnsafeRawPointer(url)) }
      if let sound = try? unsafe SystemSound(url) { return sound }
    }
    return nil
  }

  /// Two tones a fifth apart that fade, a fifth of a second.
  private static func beep() -> SystemSound {
    let rate = 48_000.0
    let samples = (0..<9600).map { frame -> Float in
      let time = Double(frame) / rate
      let fade = exp(-18 * time) * min(1, time * 500)
      return Float(0.25 * fade * (sin(2 * .pi * 880 * time) + 0.5 * sin(2 * .pi * 1320 * time)))
    }
    return SystemSound(samples, channelCount: 1, sampleRate: rate)
  }
}
