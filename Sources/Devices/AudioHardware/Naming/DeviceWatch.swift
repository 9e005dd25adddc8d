// The watch for cards that come and go: the system's notices of /dev/snd, and of the files that configure alsa-lib.
// SPDX-License-Identifier: Apache-2.0

import CALSA
import Glibc
import HostSystem

/// Watches for devices for as long as the process runs.
package enum DeviceWatch {
  /// Starts a thread that calls a function, on itself, a moment after something changed from now on; false where
  /// there is no thread left.
  package static func start(_ onChange: @escaping @Sendable () -> Void) -> Bool {
    let notices = inotify_init1(Int32(IN_CLOEXEC))
    // Changes before the thread runs are not to be missed.
    let wanted = notices < 0 ? [:] : add(places, to: notices)
    guard let thread = startThread({ watch(notices, wanted, onChange) }) else {
      if notices >= 0 { close(notices) }
      return false
    }
    pthread_detach(thread)
    return true
  }

  /// A folder, and the names in it that matter; nil for all.
  private struct Place {
    var folder: String
    var names: Set<String>?
  }

  private static var places: [Place] {
    func value(_ name: String) -> String? {
      unsafe getenv(name).map { unsafe String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
    var places = [
      Place(folder: "/dev/snd"), Place(folder: "/dev", names: ["snd"]),
      Place(folder: "/etc", names: ["asound.conf"]),
    ]
    if let home = value("HOME") { places.append(Place(folder: home, names: [".asoundrc"])) }
    if let path = value("ALSA_CONFIG_PATH"), let slash = path.lastIndex(of: "/") {
      let name = String(path[path.index(after: slash)...])
      places.append(Place(folder: String(path[..<slash]), names: [name]))
    }
    return places
  }

  private static func watch(
    _ notices: Int32, _ first: [Int32: Set<String>?], _ onChange: () -> Void
  ) {
    guard notices >= 0 else {
      // Without notices the list is read now and then.
      while true {
        sleep(2)
        onChange()
      }
    }
    defer { close(notices) }
    let all = places
    var wanted = first
    while true {
      guard let isOurs = read(notices, wanted) else { return }
      if isOurs {
        // One card brings a dozen files, and their permissions come after them.
        repeat {
          usleep(200_000)
        } while isReadable(notices) && read(notices, wanted) == true
      }
      // Again each time, and before anything is read: a folder may have come that was not there.
      wanted = add(all, to: notices)
      if isOurs { onChange() }
    }
  }

  /// Asks for notices of places; the names that matter, by the number of each folder.
  private static func add(_ places: [Place], to notices: Int32) -> [Int32: Set<String>?] {
    let events =
      UInt32(IN_CREATE) | UInt32(IN_DELETE) | UInt32(IN_ATTRIB) | UInt32(IN_CLOSE_WRITE)
      | UInt32(IN_MOVED_TO) | UInt32(IN_MOVED_FROM)
    var wanted: [Int32: Set<String>?] = [:]
    for place in places {
      let number = unsafe inotify_add_watch(notices, place.folder, events)
      guard number >= 0 else { continue }
      // One folder may be two places.
      if let names = place.names, let others = wanted[number] ?? Set() {
        wanted[number] = names.union(others)
      } else {
        wanted.updateValue(nil, forKey: number)
      }
    }
    return wanted
  }

  private static func isReadable(_ descriptor: Int32) -> Bool {
    var one = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&one, 1, 0) > 0
  }

  /// Reads the notices that wait; whether any of them matters, nil at the end.
  private static func read(_ notices: Int32, _ wanted: [Int32: Set<String>?]) -> Bool? {
    var bytes = [UInt8](repeating: 0, count: 8192)
    let count = unsafe Glibc.read(notices, &bytes, bytes.count)
    guard count > 0 else { return errno == EINTR ? false : nil }
    let header = MemoryLayout<inotify_event>.size
    var offset = 0
    var isOurs = false
    while offset + header <= count {
      let event = unsafe bytes.withUnsafeBytes {
        unsafe $0.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
      }
      let start = offset + header
      offset = start + Int(event.len)
      guard offset <= count else { break }
      let name = String(decoding: bytes[start..<offset].prefix { $0 != 0 }, as: UTF8.self)
      if let names = wanted[event.wd] ?? nil {
        isOurs = isOurs || names.contains(name)
      } else {
        isOurs = true
      }
    }
    return isOurs
  }
}
