// Possible harm to a plug-in's process: the memory that it shares, its socket, its libraries.
// SPDX-License-Identifier: Apache-2.0
//
// Included by Deeds.h, with the headers there.
#include <dlfcn.h>

static void crash(void) { *(volatile int *)(uintptr_t)8 = 1; }
static void forbid(void) { raise(SIGSYS); }

/// Fills the memory in which the process reports its work with one byte.
static void writeOverSigns(int byte) {
  FILE *maps = fopen("/proc/self/maps", "r");
  char line[512], rights[8];
  unsigned long from, to;
  while (maps && fgets(line, sizeof line, maps))
    if (sscanf(line, "%lx-%lx %7s", &from, &to, rights) == 3 && !strcmp(rights, "rw-s"))
      memset((void *)from, byte, to - from);
  if (maps) fclose(maps);
}

/// Counts up in the memory in which the process reports its work, for ever.
static void countSignsUp(void) {
  FILE *maps = fopen("/proc/self/maps", "r");
  char line[512], rights[8];
  unsigned long from, to;
  volatile uint64_t *signs = NULL;
  while (maps && fgets(line, sizeof line, maps))
    if (sscanf(line, "%lx-%lx %7s", &from, &to, rights) == 3 && !strcmp(rights, "rw-s"))
      signs = (volatile uint64_t *)from;
  for (;;)
    for (int i = 0; signs && i < 16; i++) signs[i]++;
}

static void closeSockets(void) {
  for (int file = 3; file < 64; file++) shutdown(file, SHUT_RDWR);
}

/// Puts a jump to another function in place of the functions that read sound files.
static void replaceReading(void (*other)(void)) {
  static const char *const names[] = {"sf_readf_float", "sf_readf_short", "sf_readf_int"};
#if defined(__x86_64__)
  // movabs $other, %rax; jmp *%rax
  unsigned char jump[] = {0x48, 0xB8, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xE0};
  memcpy(jump + 2, &other, sizeof other);
#else
  // ldr x16, #8; br x16
  uint32_t jump[4] = {0x58000050, 0xD61F0200};
  memcpy(jump + 2, &other, sizeof other);
#endif
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  for (int i = 0; i < 3; i++) {
    char *code = dlsym(RTLD_DEFAULT, names[i]);
    if (!code) continue;
    mprotect((void *)((uintptr_t)code & ~(page - 1)), 2 * page, PROT_READ | PROT_WRITE | PROT_EXEC);
    memcpy(code, jump, sizeof jump);
    __builtin___clear_cache(code, code + sizeof jump);
  }
}

/// Crashes at every other call of all processes together.
static void crashByTurns(void) {
  const char *path = getenv("AURICLE_TEST_HOSTILE_FILE");
  const int file = path ? open(path, O_WRONLY | O_APPEND | O_CREAT, 0600) : -1;
  struct stat status = {0};
  if (file < 0 || write(file, "x", 1) != 1 || fstat(file, &status) != 0) return;
  close(file);
  if (status.st_size % 2 == 1) crash();
}

/// Does one of these by its name.
static void harmProcess(const char *name) {
#define IS(word) (!strcmp(name, word))
  if (IS("blanksegv")) writeOverSigns(0), crash();
  else if (IS("smearsegv")) writeOverSigns(0xFF), crash();
  else if (IS("blanksleep")) { writeOverSigns(0); for (;;) pause(); }
  else if (IS("smearsleep")) { writeOverSigns(0xFF); for (;;) pause(); }
  else if (IS("blank")) writeOverSigns(0);
  else if (IS("countup")) countSignsUp();
  else if (IS("shutsleep")) { closeSockets(); for (;;) pause(); }
  else if (IS("header")) for (int file = 3; file < 64; file++) send(file, "Auri\1\0", 7, MSG_DONTWAIT | MSG_NOSIGNAL);
  else if (IS("readsegv")) replaceReading(crash);
  else if (IS("readsys")) replaceReading(forbid);
  else if (IS("turns")) crashByTurns();
#undef IS
}
