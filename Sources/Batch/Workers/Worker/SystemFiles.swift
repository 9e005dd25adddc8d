// The files of the system that every plug-in may read.
// SPDX-License-Identifier: Apache-2.0

import Glibc
import HostSystem

/// Files and folders of the system that plug-ins read under the strict sandbox.
///
/// From `/etc` only the files that the C library and fontconfig read, and nothing secret. From `/proc` and
/// `/sys` only descriptions of the process and the machine. Missing files are skipped.
enum SystemFiles {
  /// The paths, with those for name resolution if the network is allowed.
  static func all(forNetwork isForNetwork: Bool) -> [String] {
    libraries + LinkerFolders.configured() + data + settings + machine
      + (isForNetwork ? network : [])
  }

  private static let libraries = [
    "/lib", "/lib32", "/lib64", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/local/lib",
    "/usr/local/lib64", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d",
  ]

  /// Fonts, locales, time zones, sounds, and data that plug-ins install beside their bundles.
  private static let data = ["/usr/share", "/usr/local/share", "/var/cache/fontconfig"]

  private static let settings = [
    "/etc/fonts", "/etc/group", "/etc/locale.alias", "/etc/locale.conf", "/etc/localtime",
    "/etc/nsswitch.conf", "/etc/passwd", "/etc/selinux/config", "/etc/ssl/openssl.cnf",
    "/etc/timezone",
  ]

  private static let machine = [
    "/proc/self", "/proc/asound", "/proc/cpuinfo", "/proc/filesystems", "/proc/loadavg",
    "/proc/meminfo", "/proc/stat", "/proc/uptime", "/proc/version",
    "/proc/sys/crypto/fips_enabled", "/proc/sys/kernel/cap_last_cap",
    "/proc/sys/kernel/ngroups_max", "/proc/sys/kernel/osrelease", "/proc/sys/kernel/ostype",
    "/proc/sys/kernel/pid_max", "/proc/sys/kernel/random", "/proc/sys/kernel/rtsig-max",
    "/proc/sys/kernel/threads-max", "/proc/sys/kernel/version", "/proc/sys/vm/max_map_count",
    "/proc/sys/vm/overcommit_memory",
    "/sys/devices/system/cpu", "/sys/devices/system/node", "/sys/kernel/mm/hugepages",
    "/sys/kernel/mm/transparent_hugepage",
    "/dev/full", "/dev/random", "/dev/urandom", "/dev/zero",
  ]

  private static let network = [
    "/etc/ca-certificates", "/etc/crypto-policies", "/etc/gai.conf", "/etc/host.conf",
    "/etc/hosts", "/etc/pki/tls/certs", "/etc/protocols", "/etc/resolv.conf", "/etc/services",
    "/etc/ssl/certs",
  ]
}

/// The library folders in the loader's configuration.
package enum LinkerFolders {
  /// The folders in `/etc/ld.so.conf` and the files it includes; they may be anywhere.
  ///
  /// Context: control.
  package static func configured() -> [String] {
    var folders: [String] = []
    var files = ["/etc/ld.so.conf"]
    var count = 0
    while let file = files.popLast(), count < 100 {
      count += 1
      for line in lines(of: file) {
        let words = line.prefix { $0 != "#" }.split { $0 == " " || $0 == "\t" }.map(String.init)
        if words.first == "include" {
          files += words.dropFirst().flatMap { matches(of: $0) }
        } else if let folder = words.first, folder.hasPrefix("/"), folder != "/" {
          folders.append(folder)
        }
      }
    }
    return folders
  }

  private static func lines(of file: String) -> [Substring] {
    guard let stream = unsafe fopen(file, "re") else { return [] }
    defer { unsafe fclose(stream) }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = unsafe fread(&bytes, 1, bytes.count, stream)
    return String(decoding: bytes.prefix(count), as: UTF8.self).split(separator: "\n")
  }

  /// The files that match a pattern, relative to `/etc`.
  private static func matches(of pattern: String) -> [String] {
    var found = unsafe glob_t()
    let path = pattern.hasPrefix("/") ? pattern : "/etc/" + pattern
    defer { unsafe globfree(&found) }
    guard unsafe glob(path, 0, nil, &found) == 0 else { return [] }
    return (0..<Int(unsafe found.gl_pathc)).compactMap { index in
      unsafe found.gl_pathv[index].map { unsafe String(cString: $0) }
    }
  }
}
