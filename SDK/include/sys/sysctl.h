// Facts about the machine and this process: the queries of audio sources to sysctlbyname and sysctl.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_SYS_SYSCTL_H
#define AURICLE_SYS_SYSCTL_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/utsname.h>
#include <unistd.h>

// The number behind a key; -1 for an unknown key.
static inline int64_t AuricleSystemNumber(const char *name) {
  if (!strcmp(name, "hw.ncpu") || !strcmp(name, "hw.logicalcpu_max")
      || !strcmp(name, "hw.physicalcpu") || !strcmp(name, "hw.physicalcpu_max"))
    return sysconf(_SC_NPROCESSORS_CONF);
  if (!strcmp(name, "hw.activecpu") || !strcmp(name, "hw.availcpu")
      || !strcmp(name, "hw.logicalcpu"))
    return sysconf(_SC_NPROCESSORS_ONLN);
  if (!strcmp(name, "hw.memsize") || !strcmp(name, "hw.physmem"))
    return (int64_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE);
  if (!strcmp(name, "hw.pagesize")) return sysconf(_SC_PAGESIZE);
  if (!strcmp(name, "hw.cachelinesize")) return 64;
  if (!strcmp(name, "hw.byteorder")) return 1234;
  if (!strcmp(name, "hw.cpu64bit_capable")) return 1;
  return -1;
}

// Copies an answer to where the caller wants it, as sysctlbyname does.
static inline int AuricleSystemAnswer(
    const void *answer, size_t length, void *value, size_t *size) {
  if (!size) return 0;
  if (value && *size < length) {
    memcpy(value, answer, *size);
    errno = ENOMEM;
    return -1;
  }
  if (value) memcpy(value, answer, length);
  *size = length;
  return 0;
}

// Returns hw.ncpu, hw.memsize, hw.pagesize and their kind as a number of four bytes. Sizes of memory
// have eight, as has a number for which the caller has room. hw.machine, kern.ostype and kern.osrelease
// are text. For any other key it returns -1, and errno is ENOENT. Nothing can be set: EPERM.
static inline int sysctlbyname(
    const char *name, void *value, size_t *size, void *newValue, size_t newSize) {
  struct utsname system;
  const char *text = NULL;
  int64_t number;
  int32_t narrow;
  if (newValue || newSize) {
    errno = EPERM;
    return -1;
  }
  if (uname(&system) == 0) {
    if (!strcmp(name, "hw.machine")) text = system.machine;
    if (!strcmp(name, "kern.ostype")) text = system.sysname;
    if (!strcmp(name, "kern.osrelease")) text = system.release;
    if (!strcmp(name, "kern.hostname")) text = system.nodename;
  }
  if (text) return AuricleSystemAnswer(text, strlen(text) + 1, value, size);
  number = AuricleSystemNumber(name);
  if (number < 0) {
    errno = ENOENT;
    return -1;
  }
  narrow = (int32_t)number;
  if (narrow != number || !strcmp(name, "hw.memsize") || (value && size && *size == 8))
    return AuricleSystemAnswer(&number, sizeof(number), value, size);
  return AuricleSystemAnswer(&narrow, sizeof(narrow), value, size);
}

// ---- The same by numbers, and whether a debugger is attached.

enum {
  CTL_KERN = 1,
  CTL_HW = 6,
  KERN_OSTYPE = 1,
  KERN_OSRELEASE = 2,
  KERN_PROC = 14,
  KERN_PROC_PID = 1,
  HW_MACHINE = 1,
  HW_NCPU = 3,
  HW_BYTEORDER = 4,
  HW_PHYSMEM = 5,
  HW_PAGESIZE = 7,
  HW_MEMSIZE = 24,
  HW_AVAILCPU = 25,
  P_TRACED = 0x800,
};

struct extern_proc {
  int p_flag;
  pid_t p_pid;
};
struct kinfo_proc {
  struct extern_proc kp_proc;
};

// Describes a process: its id, and P_TRACED where a debugger is attached to it.
static inline int AuricleSystemProcess(pid_t process, void *value, size_t *size) {
  struct kinfo_proc answer;
  char path[40], line[256];
  FILE *status;
  memset(&answer, 0, sizeof(answer));
  answer.kp_proc.p_pid = process;
  snprintf(path, sizeof(path), "/proc/%d/status", (int)process);
  status = fopen(path, "re");
  if (!status) {
    errno = ESRCH;
    return -1;
  }
  while (fgets(line, sizeof(line), status)) {
    if (!strncmp(line, "TracerPid:", 10) && strtol(line + 10, NULL, 10) != 0)
      answer.kp_proc.p_flag |= P_TRACED;
  }
  fclose(status);
  return AuricleSystemAnswer(&answer, sizeof(answer), value, size);
}

static inline int sysctl(
    int *name, unsigned count, void *value, size_t *size, void *newValue, size_t newSize) {
  static const struct {
    int group, number;
    const char *name;
  } names[] = {
      {CTL_HW, HW_NCPU, "hw.ncpu"},         {CTL_HW, HW_AVAILCPU, "hw.availcpu"},
      {CTL_HW, HW_MEMSIZE, "hw.memsize"},   {CTL_HW, HW_PHYSMEM, "hw.physmem"},
      {CTL_HW, HW_PAGESIZE, "hw.pagesize"}, {CTL_HW, HW_BYTEORDER, "hw.byteorder"},
      {CTL_HW, HW_MACHINE, "hw.machine"},   {CTL_KERN, KERN_OSTYPE, "kern.ostype"},
      {CTL_KERN, KERN_OSRELEASE, "kern.osrelease"},
  };
  size_t i;
  if (count == 4 && name[0] == CTL_KERN && name[1] == KERN_PROC && name[2] == KERN_PROC_PID
      && !newValue)
    return AuricleSystemProcess(name[3], value, size);
  for (i = 0; count == 2 && i < sizeof(names) / sizeof(names[0]); ++i) {
    if (names[i].group == name[0] && names[i].number == name[1])
      return sysctlbyname(names[i].name, value, size, newValue, newSize);
  }
  errno = ENOENT;
  return -1;
}

#endif
