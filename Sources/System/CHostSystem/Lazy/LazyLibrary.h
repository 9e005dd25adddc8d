// Functions of a library that is opened when the first of them is called, in place of one that is mapped at each start.
// SPDX-License-Identifier: Apache-2.0
//
// A file of assembler names a library and its functions: LIBRARY "libexpat.so.1", then FUNCTION XML_Parse, and END. Each
// function jumps to that of the library; the first call opens it and finds all. Callers see the library's own header.
// On processors without these few instructions nothing is defined, and the library is linked as any other is.
#pragma once

#ifndef __ASSEMBLER__

#include <stdint.h>

// A table of a library: offsets from each field's own place to the name, and to the functions.
typedef struct AuricleLazyLibrary {
  int32_t name;
  int32_t functions;
} AuricleLazyLibrary;

// A function: offsets to its name and to the place of its address; both are 0 behind the last one.
typedef struct AuricleLazyFunction {
  int32_t name;
  int32_t address;
} AuricleLazyFunction;

// Opens a library and fills its addresses; ends the process with a sentence where that is not possible. Any thread.
__attribute__((visibility("hidden"))) void AuricleLazyLibraryOpen(const AuricleLazyLibrary *library);

#elif defined(__x86_64__) || defined(__aarch64__)

.macro LIBRARY name
  .section .rodata.names, "a"
.Lname: .asciz "\name"
  .section .rodata.functions, "a"
  .balign 4
.Lfunctions:
  .section .rodata, "a"
  .balign 4
.Llibrary:
  .long .Lname - .
  .long .Lfunctions - .
.endm

.macro FUNCTION name
  .section .rodata.names, "a"
.Lname.\name: .asciz "\name"
  .section .bss
  .balign 8
.Laddress.\name: .zero 8
  .section .rodata.functions, "a"
  .long .Lname.\name - .
  .long .Laddress.\name - .
  .text
  .balign 16
  .globl \name
  .hidden \name
  .type \name, %function
\name:
  .cfi_startproc
#ifdef __x86_64__
  endbr64
  movq .Laddress.\name(%rip), %r11
  testq %r11, %r11
  je 1f
  jmpq *%r11
1:
  leaq .Llibrary(%rip), %r11
  subq $8, %rsp
  .cfi_adjust_cfa_offset 8
  call AuricleLazyLibraryEnter
  addq $8, %rsp
  .cfi_adjust_cfa_offset -8
  jmpq *.Laddress.\name(%rip)
#else
  hint #34
  adrp x16, .Laddress.\name
  ldr x16, [x16, :lo12:.Laddress.\name]
  cbz x16, 1f
  br x16
1:
  stp x29, x30, [sp, #-16]!
  .cfi_def_cfa_offset 16
  .cfi_offset 29, -16
  .cfi_offset 30, -8
  adrp x16, .Llibrary
  add x16, x16, :lo12:.Llibrary
  bl AuricleLazyLibraryEnter
  ldp x29, x30, [sp], #16
  .cfi_def_cfa_offset 0
  adrp x16, .Laddress.\name
  ldr x16, [x16, :lo12:.Laddress.\name]
  br x16
#endif
  .cfi_endproc
  .size \name, . - \name
.endm

.macro END
  .section .rodata.functions, "a"
  .long 0, 0
  .section .note.GNU-stack, "", %progbits
.endm

#else

.macro LIBRARY name
.endm
.macro FUNCTION name
.endm
.macro END
.endm

#endif
