// Uses of system headers beside Core Audio, in back ends for devices and ports.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@Suite struct SystemHeaderTests {
  /// Threads that wake each other by a semaphore and an event, share a lock of one word, and are asked for their scheduling and name. A write to a
  /// socket without a reader; the names of a sound card's ports, the system's version, and the processes that keep the machine awake.
  static let source = """
    #ifndef __APPLE__
    #error This program is for another system.
    #endif
    typedef unsigned long long UInt64;
    #include <CoreMIDI/CoreMIDI.h>
    #include <CoreServices/CoreServices.h>
    #include <IOKit/audio/IOAudioTypes.h>
    #include <IOKit/pwr_mgt/IOPMLib.h>
    #include <mach/mach.h>
    #include <machine/endian.h>
    #include <os/lock.h>
    #include <sys/event.h>
    #include <sys/qos.h>
    #include <sys/socket.h>
    #include <sys/syslimits.h>
    #include <xlocale.h>

    static semaphore_t asked, answered;
    static int queue;
    static mach_port_t name;
    static os_unfair_lock lock = OS_UNFAIR_LOCK_INIT;
    static long total;

    static void add(void) {
      for (int i = 0; i < 20000; i++) {
        os_unfair_lock_lock(&lock);
        os_unfair_lock_assert_owner(&lock);
        total++;
        os_unfair_lock_unlock(&lock);
      }
    }

    static int writesWithoutSignal(void) {
      int ends[2], one = 1;
      if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) return 0;
      if (setsockopt(ends[0], SOL_SOCKET, SO_NOSIGPIPE, &one, sizeof(one))) return 0;
      close(ends[1]);
      return write(ends[0], "x", 1) == -1 && errno == EPIPE;
    }

    static void *other(void *unused) {
      struct kevent event;
      name = mach_thread_self();
      if (pthread_set_qos_class_self_np(QOS_CLASS_USER_INTERACTIVE, 0) != 0) return unused;
      semaphore_signal(answered);
      semaphore_wait(asked);
      EV_SET(&event, 7, EVFILT_USER, 0, NOTE_TRIGGER, 0, NULL);
      kevent(queue, &event, 1, NULL, 0, NULL);
      semaphore_wait(asked);
      add();
      return NULL;
    }

    int main(void) {
      mach_timespec_t soon = {0, 20000000};
      struct kevent event;
      thread_basic_info_data_t info;
      mach_msg_type_number_t count = THREAD_BASIC_INFO_COUNT;
      SInt32 major = 0;
      IOPMAssertionID assertion = 1;
      pthread_t thread;
      if (semaphore_create(mach_task_self(), &asked, SYNC_POLICY_FIFO, 0) != KERN_SUCCESS) return 1;
      if (semaphore_create(mach_task_self(), &answered, SYNC_POLICY_FIFO, 0) != KERN_SUCCESS) return 1;
      if (semaphore_timedwait(answered, soon) != KERN_OPERATION_TIMED_OUT) return 2;
      queue = kqueue();
      if (pthread_create(&thread, NULL, other, NULL) || semaphore_wait(answered) != KERN_SUCCESS) return 3;
      if (name == mach_thread_self() || pthread_mach_thread_np(thread) != name) return 4;
      if (thread_info(name, THREAD_BASIC_INFO, (thread_info_t)&info, &count) != KERN_SUCCESS
          || info.policy != POLICY_TIMESHARE) return 5;
      semaphore_signal(asked);
      EV_SET(&event, 7, EVFILT_USER, EV_ADD | EV_CLEAR, 0, 0, NULL);
      if (kevent(queue, &event, 1, &event, 1, NULL) != 1 || event.ident != 7) return 6;
      EV_SET(&event, 0, EVFILT_READ, EV_ADD, 0, 0, NULL);
      if (kevent(queue, &event, 1, NULL, 0, NULL) != -1 || errno != ENOTSUP) return 7;
      semaphore_signal(asked);
      add();
      pthread_join(thread, NULL);
      if (total != 40000 || !os_unfair_lock_trylock(&lock)) return 11;
      if (!writesWithoutSignal()) return 12;
      if (semaphore_destroy(mach_task_self(), asked) || !semaphore_signal(asked)) return 8;
      if (Gestalt(gestaltSystemVersionMajor, &major) != noErr || major < 10) return 9;
      if (IOPMAssertionCreateWithName(kIOPMAssertionTypeNoIdleSleep, kIOPMAssertionLevelOn,
              CFSTR("playing"), &assertion) != kIOReturnUnsupported || assertion) return 10;
      printf("%d %llu\\n", BYTE_ORDER == LITTLE_ENDIAN, (UInt64)1 << 40);
      return 0;
    }
    """

  @Test("Semaphores, locks, events, sockets and names of threads are as on a Mac")
  func threads() throws {
    let tree = try InstalledTree()
    try tree.folder.write(Self.source, to: "program.c")
    for compiler in ["clang", "gcc"] {
      let result = try tree.run(
        """
        auricle-cc -Wall -Wextra -Werror program.c -o program -framework CoreMIDI -framework IOKit \
          -framework CoreServices -framework CoreFoundation
        ./program
        """, ["AURICLE_CC": compiler])
      #expect(
        result.exitCode == 0 && result.standardOutput == "1 1099511627776\n",
        "\(compiler): \(result.summary)")
    }
  }
}
