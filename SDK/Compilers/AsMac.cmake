# For CMake's --toolchain: projects for macOS are built as they are, and find frameworks as libraries.
# SPDX-License-Identifier: Apache-2.0
#
#   cmake --toolchain PREFIX/lib/cmake/Auricle/AsMac.cmake -S . -B build
#
# APPLE is not set: what a project does only then, it is asked for by its own options.
get_filename_component(_auricle_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(CMAKE_C_COMPILER "${_auricle_prefix}/bin/auricle-cc")
set(CMAKE_CXX_COMPILER "${_auricle_prefix}/bin/auricle-c++")
list(APPEND CMAKE_LIBRARY_PATH "${_auricle_prefix}/lib")
list(APPEND CMAKE_INCLUDE_PATH "${_auricle_prefix}/include/auricle")
list(APPEND CMAKE_PREFIX_PATH "${_auricle_prefix}")
