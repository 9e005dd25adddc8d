// Memory of this process: allocated, freed, and seen at a second address.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_MACH_VM_MAP_H
#define AURICLE_MACH_VM_MAP_H

#include "../MacTypes.h"
#include "mach_types.h"

typedef uintptr_t vm_address_t;
typedef uintptr_t vm_offset_t;
typedef uintptr_t vm_size_t;
typedef uint64_t mach_vm_address_t;
typedef uint64_t mach_vm_size_t;
typedef mach_port_t vm_map_t;
typedef int vm_prot_t;
typedef unsigned int vm_inherit_t;

#define VM_FLAGS_FIXED 0      // at the passed address
#define VM_FLAGS_ANYWHERE 1   // where there is room
#define VM_FLAGS_OVERWRITE 0x4000
#define VM_PROT_NONE 0
#define VM_PROT_READ 1
#define VM_PROT_WRITE 2
#define VM_PROT_EXECUTE 4
#define VM_PROT_DEFAULT (VM_PROT_READ | VM_PROT_WRITE)
#define VM_INHERIT_SHARE 0u
#define VM_INHERIT_COPY 1u
#define VM_INHERIT_NONE 2u
#define VM_INHERIT_DEFAULT VM_INHERIT_COPY

AURICLE_BEGIN_DECLS

// Whole pages of zeros; a child process does not have them. The task is mach_task_self().
// KERN_NO_SPACE where there is no room, KERN_INVALID_ADDRESS for an address that is none.
extern kern_return_t vm_allocate(
    vm_map_t task, vm_address_t *address, vm_size_t size, int flags);
extern kern_return_t vm_deallocate(vm_map_t task, vm_address_t address, vm_size_t size);
// Maps memory of vm_allocate once more at another address: a write to one is read from the other.
// Copies are not made: KERN_NOT_SUPPORTED.
extern kern_return_t vm_remap(
    vm_map_t task, vm_address_t *address, vm_size_t size, vm_address_t mask, int flags,
    vm_map_t sourceTask, vm_address_t source, boolean_t copies, vm_prot_t *protection,
    vm_prot_t *mostProtection, vm_inherit_t inheritance);
// The bytes of a page.
extern vm_size_t AuriclePageSize(void);

AURICLE_END_DECLS

#if !defined(__swift__)
#define vm_page_size AuriclePageSize()
#define vm_page_mask (AuriclePageSize() - 1)
#define round_page(size) (((vm_offset_t)(size) + vm_page_mask) & ~vm_page_mask)
#define trunc_page(size) ((vm_offset_t)(size) & ~vm_page_mask)
#define mach_vm_round_page(size) ((mach_vm_size_t)round_page(size))
#endif

#endif
