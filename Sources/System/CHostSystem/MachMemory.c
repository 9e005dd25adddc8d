// The functions of mach/vm_map.h, by calls that Swift cannot make.
// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE 1

#include <sys/mman.h>
#include <unistd.h>

#include "../../../SDK/include/mach/mach.h"

// KERN_SUCCESS, or the Mach name of the system's refusal.
static kern_return_t took(void *memory, vm_address_t *address) {
  if (memory == MAP_FAILED) return KERN_NO_SPACE;
  *address = (vm_address_t)memory;
  return KERN_SUCCESS;
}

vm_size_t AuriclePageSize(void) { return (vm_size_t)sysconf(_SC_PAGESIZE); }

// Shared, since only such memory can be seen at a second address; but with nobody.
kern_return_t vm_allocate(vm_map_t task, vm_address_t *address, vm_size_t size, int flags) {
  (void)task;
  if (!address) return KERN_INVALID_ARGUMENT;
  const int isAnywhere = flags & VM_FLAGS_ANYWHERE;
  if (!isAnywhere && *address % AuriclePageSize()) return KERN_INVALID_ADDRESS;
  if (size == 0) return took(NULL, address);
  const int place = isAnywhere                   ? 0
                    : flags & VM_FLAGS_OVERWRITE ? MAP_FIXED
                                                 : MAP_FIXED_NOREPLACE;
  void *memory = mmap(
      isAnywhere ? NULL : (void *)*address, round_page(size), PROT_READ | PROT_WRITE,
      MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE | place, -1, 0);
  if (memory != MAP_FAILED) madvise(memory, round_page(size), MADV_DONTFORK);
  return took(memory, address);
}

kern_return_t vm_deallocate(vm_map_t task, vm_address_t address, vm_size_t size) {
  (void)task;
  if (size == 0) return KERN_SUCCESS;
  const vm_address_t start = trunc_page(address);
  return munmap((void *)start, round_page(address + size - start)) == 0 ? KERN_SUCCESS
                                                                         : KERN_INVALID_ADDRESS;
}

kern_return_t vm_remap(
    vm_map_t task, vm_address_t *address, vm_size_t size, vm_address_t mask, int flags,
    vm_map_t sourceTask, vm_address_t source, boolean_t copies, vm_prot_t *protection,
    vm_prot_t *mostProtection, vm_inherit_t inheritance) {
  (void)task, (void)mask, (void)sourceTask, (void)inheritance;
  if (copies) return KERN_NOT_SUPPORTED;
  if (!address || size == 0) return KERN_INVALID_ARGUMENT;
  const vm_size_t page = AuriclePageSize();
  if (source % page || (!(flags & VM_FLAGS_ANYWHERE) && *address % page))
    return KERN_INVALID_ADDRESS;
  const vm_size_t length = round_page(size);
  int place = MREMAP_MAYMOVE;
  void *wanted = NULL;
  if (!(flags & VM_FLAGS_ANYWHERE)) {
    // Nothing of others is mapped over, unless that was asked for.
    if (!(flags & VM_FLAGS_OVERWRITE)) {
      void *room = mmap(
          (void *)*address, length, PROT_NONE,
          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
      if (room == MAP_FAILED) return KERN_NO_SPACE;
    }
    place |= MREMAP_FIXED;
    wanted = (void *)*address;
  }
  // From 0 bytes: the pages stay where they are as well.
  void *memory = mremap((void *)source, 0, length, place, wanted);
  if (memory == MAP_FAILED) {
    if (wanted && !(flags & VM_FLAGS_OVERWRITE)) munmap(wanted, length);
    return KERN_INVALID_ADDRESS;
  }
  madvise(memory, length, MADV_DONTFORK);
  if (protection) *protection = VM_PROT_DEFAULT;
  if (mostProtection) *mostProtection = VM_PROT_DEFAULT;
  return took(memory, address);
}
