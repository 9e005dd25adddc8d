// Sources and projects for macOS are built against an installed tree as they are, and find it.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite struct AsMacTests {
  /// Definitions for a source that says nothing of its platform: the answer to __APPLE__, the names that
  /// Apple's headers bring along, blocks if the compiler has them.
  static let source = """
    #ifndef __APPLE__
    #error This program is for another system.
    #endif
    #include <AudioToolbox/AudioToolbox.h>
    #include <ApplicationServices/ApplicationServices.h>
    #include <CoreMidi/CoreMidi.h>
    #include <mach-o/arch.h>
    #include <mach-o/dyld.h>
    #include <mach/mach_time.h>

    int main(void) {
      AudioComponentDescription wanted = {kAudioUnitType_Effect, 0, 'appl', 0, 0};
      ComponentDescription older = {kAudioUnitType_Effect, 0, 'appl', 0, 0};
      UInt32 pattern = 0x01020304;
      char text[4], name[16];
      UInt8 filled[7];
      if (strlcpy(text, "effects", sizeof(text)) != 7 || strcmp(text, "eff")) return 1;
      memset_pattern4(filled, &pattern, sizeof(filled));
      if (filled[0] != 4 || filled[3] != 1 || filled[6] != 2) return 2;
      if (clock_gettime_nsec_np(CLOCK_UPTIME_RAW) > mach_absolute_time()) return 3;
      if (AudioConvertNanosToHostTime(1) == 0 || usleep(1) != 0) return 4;
      if (pthread_setname_np("a name that is too long") != 0) return 5;
      if (pthread_getname_np(pthread_self(), name, sizeof(name)) || strcmp(name, "a name that is "))
        return 6;
      if (!pthread_main_np()) return 7;
      if (strcmp(getprogname(), "program")) return 10;
      FSRef folder;
      UInt8 path[256];
      if (FSFindFolder(kUserDomain, kTemporaryFolderType, false, &folder)) return 11;
      if (FSRefMakePath(&folder, path, sizeof(path)) || path[0] != '/') return 12;
      if (FSFindFolder(kUserDomain, 'none', false, &folder) != fnfErr) return 13;
      if (FSFindFolder(kSystemDomain, kApplicationSupportFolderType, false, &folder)) return 21;
      if (FSRefMakePath(&folder, path, sizeof(path)) || strcmp((char *)path, "/usr/share")) return 22;
      if (FSFindFolder(kNetworkDomain, kPreferencesFolderType, false, &folder) != fnfErr) return 23;
      if (FSFindFolder(kUserDomain, kChewableItemsFolderType, kDontCreateFolder, &folder)) return 26;
      if (FSFindFolder(kUserDomain, kAudioPresetsFolderType, kCreateFolder, &folder) != fnfErr) return 27;
      char place[4096];
      uint32_t room = 1;
      if (_NSGetExecutablePath(place, &room) != -1 || room < 2 || room > sizeof(place)) return 24;
      if (_NSGetExecutablePath(place, &room) || strlen(place) + 1 != room) return 25;
      if (!NXGetArchInfoFromName(NXGetLocalArchInfo()->name)) return 14;
      if ((long)AudioComponentCount(&wanted) != CountComponents(&older)) return 8;
    #if __has_feature(blocks)
      __block int count = 0;
      CFRunLoopPerformBlock(CFRunLoopGetCurrent(), kCFRunLoopDefaultMode, ^{ count++; });
      CFRunLoopRunInMode(kCFRunLoopDefaultMode, 0, true);
      if (count != 1) return 9;
    #endif
      printf("%d\\n", AudioComponentCount(&wanted) > 5 && CFStringGetLength(CFSTR("text")) == 4);
      return 0;
    }
    """

  @Test("A program is compiled with -framework and other options of Apple's compilers")
  func frameworks() throws {
    let tree = try InstalledTree()
    try tree.folder.write(Self.source, to: "program.c")
    try tree.folder.write(Self.source, to: "program.cpp")
    for (compiler, variable, wrapper, name) in [
      ("clang", "AURICLE_CC", "auricle-cc", "program.c"),
      ("gcc", "AURICLE_CC", "auricle-cc", "program.c"),
      ("clang++", "AURICLE_CXX", "auricle-c++ -std=c++17", "program.cpp"),
      ("g++", "AURICLE_CXX", "auricle-c++ -std=c++17", "program.cpp"),
    ] {
      let result = try tree.run(
        """
        \(wrapper) -Wall -Wextra -Werror -O1 -arch x86_64 -mmacosx-version-min=10.9 \
          -fobjc-arc -fmodules -isysroot /none -F/Library/Frameworks \(name) -o program \
          -framework AudioToolbox -framework CoreServices -Wl,-framework,CoreFoundation
        ./program
        # In two steps, and as a library that is loaded.
        \(wrapper) -c \(name) -o program.o
        \(wrapper) program.o -o program -Wl,-framework -Wl,AudioToolbox
        ./program
        \(wrapper) -dynamiclib -install_name @rpath/libprogram.dylib program.o -o libprogram.so \
          -undefined dynamic_lookup -compatibility_version 1.0 -current_version 1.0
        readelf -d libprogram.so | grep -q 'SONAME.*libprogram.dylib'
        """, [variable: compiler])
      #expect(
        result.exitCode == 0 && result.standardOutput == "1\n1\n", "\(compiler): \(result.summary)")
    }
  }

  @Test("Questions to the compiler are passed on, and impossible options are refused")
  func questions() throws {
    let tree = try InstalledTree()
    for compiler in ["clang", "gcc"] {
      let version = try tree.run("auricle-cc --version", ["AURICLE_CC": compiler])
      #expect(
        version.exitCode == 0 && version.standardOutput.contains(compiler), "\(version.summary)")
      let verbose = try tree.run("auricle-cc -v", ["AURICLE_CC": compiler])
      #expect(verbose.exitCode == 0, "\(verbose.summary)")
      let pipe = try tree.run(
        "echo 'int main(void) { return 0; }' | auricle-cc -x c - -o nothing; ./nothing",
        ["AURICLE_CC": compiler])
      #expect(pipe.exitCode == 0, "\(pipe.summary)")
    }
    // As configure asks for a function: declared in its own way.
    try tree.folder.write(
      "char nanosleep ();\nint main (void) { return nanosleep () == 2; }\n", to: "conftest.c")
    for compiler in ["clang", "gcc"] {
      let asked = try tree.run(
        "auricle-cc -o conftest conftest.c -lpthread", ["AURICLE_CC": compiler])
      #expect(asked.exitCode == 0, "\(asked.summary)")
    }
    let nameless = try tree.run("auricle-cc program.c -framework")
    #expect(nameless.exitCode == 64, "\(nameless.summary)")
    #expect(nameless.standardError == "auricle-cc: -framework wants the name of a framework.\n")
    try tree.folder.write("int main(void) { return 0; }\n", to: "program.c")
    let missing = try tree.run("auricle-cc program.c -framework Cocoa")
    #expect(missing.exitCode != 0 && missing.standardError.contains("Cocoa"), "\(missing.summary)")
    let none = try tree.run(
      """
      mkdir tools
      ln -s $(command -v readlink) tools/
      PATH=$PWD/tools
      exec \(tree.prefix)/bin/auricle-cc a.c
      """)
    #expect(none.exitCode == 69, "\(none.summary)")
    #expect(
      none.standardError.contains("there is no compiler: install clang or gcc"), "\(none.summary)")
  }

  @Test("afconvert accepts Apple's arguments, and refuses others by name")
  func converting() throws {
    let tree = try InstalledTree()
    let made = try tree.run(
      """
      sox -n -r 48000 -c 2 -b 16 in.wav synth 0.5 sine 440
      afconvert -f caff -d LEF32@24000 -c 1 -v in.wav
      afconvert in.wav -o out.aiff -f AIFF -d BEI24
      soxi -r in.caf
      soxi -c in.caf
      soxi -b out.aiff
      """)
    #expect(made.exitCode == 0 && made.standardOutput == "24000\n1\n24\n", "\(made.summary)")
    for (arguments, part) in [
      ("-z in.wav out.wav", "-z is not known"), ("-f what in.wav", "'what' is not known"),
      ("-f WAVE in.wav", "is the input"), ("-f", "-f wants a value"),
    ] {
      let refused = try tree.run("afconvert \(arguments)")
      #expect(
        refused.exitCode == 64 && refused.standardError.contains(part), "\(refused.summary)")
    }
  }

  @Test("CMake finds frameworks as libraries, with its toolchain file and without")
  func cmake() throws {
    let tree = try InstalledTree()
    try tree.folder.write(Self.source, to: "project/program.c")
    try tree.folder.write(
      """
      cmake_minimum_required(VERSION 3.16)
      project(Program C)
      find_library(AUDIOTOOLBOX AudioToolbox REQUIRED)
      find_library(COREAUDIO CoreAudio REQUIRED)
      find_library(COREFOUNDATION CoreFoundation REQUIRED)
      find_path(HEADERS AudioToolbox/AudioToolbox.h REQUIRED)
      add_executable(program program.c)
      target_include_directories(program PRIVATE ${HEADERS})
      target_link_libraries(program ${AUDIOTOOLBOX} ${COREAUDIO} ${COREFOUNDATION})
      if(NAMED)
        target_link_libraries(program "-framework AudioToolbox")
      else()
        target_compile_options(program PRIVATE -include Auricle/AsMac.h)
      endif()
      """, to: "project/CMakeLists.txt")
    for arguments in [
      "-D NAMED=1 --toolchain \(tree.prefix)/lib/cmake/Auricle/AsMac.cmake",
      "-D CMAKE_PREFIX_PATH=\(tree.prefix) -D CMAKE_INCLUDE_PATH=\(tree.prefix)/include/auricle",
    ] {
      let result = try tree.run(
        """
        rm -rf build
        cmake \(arguments) -S project -B build
        cmake --build build
        build/program > found
        """, ["CC": nil])
      let found = try? String(contentsOfFile: tree.folder("found"), encoding: .utf8)
      #expect(result.exitCode == 0 && found == "1\n", "\(result.summary)")
    }
  }

  @Test("Python's ctypes finds frameworks by their names")
  func ctypes() throws {
    let tree = try InstalledTree()
    try tree.folder.write(
      """
      import ctypes, ctypes.util
      for name in ["AudioToolbox", "AudioUnit", "CoreAudio", "CoreMIDI", "CoreServices", "CoreFoundation"]:
          assert ctypes.util.find_library(name), name
          ctypes.CDLL("lib%s.so" % name)
      audio = ctypes.CDLL(ctypes.util.find_library("CoreAudio"))
      audio.AudioGetCurrentHostTime.restype = ctypes.c_uint64
      assert audio.AudioGetCurrentHostTime() > 0
      foundation = ctypes.CDLL("libCoreFoundation.so")
      foundation.CFStringCreateWithCString.restype = ctypes.c_void_p
      foundation.CFStringGetLength.argtypes = [ctypes.c_void_p]
      foundation.CFStringGetLength.restype = ctypes.c_long
      text = foundation.CFStringCreateWithCString(None, b"text", 0x08000100)
      assert foundation.CFStringGetLength(text) == 4

      class Description(ctypes.Structure):
          _fields_ = [(name, ctypes.c_uint32) for name in ["type", "subtype", "manufacturer", "flags", "mask"]]

      toolbox = ctypes.CDLL("libAudioToolbox.so")
      effects = Description(int.from_bytes(b"aufx", "big"), 0, int.from_bytes(b"appl", "big"), 0, 0)
      assert toolbox.AudioComponentCount(ctypes.byref(effects)) > 5
      """, to: "find.py")
    let result = try tree.run("python3 find.py", ["LD_LIBRARY_PATH": tree.prefix + "/lib"])
    #expect(result.exitCode == 0, "\(result.summary)")
  }
}
