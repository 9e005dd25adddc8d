# Auricle for CMake: find_package(Auricle), the libraries, and a function that makes components.
# SPDX-License-Identifier: Apache-2.0
#
#   find_package(Auricle REQUIRED)
#   auricle_add_component(WarmTremolo SOURCES WarmTremolo.c PLIST Info.plist HELPER)
#
# Auricle::Headers       the headers alone
# Auricle::Foundation    CoreFoundation's functions
# Auricle::AudioToolbox  Core Audio's functions, for hosts and for units that call them

get_filename_component(AURICLE_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(AURICLE_PROGRAM "${AURICLE_PREFIX}/bin/auricle")
set(AURICLE_HELPER "${AURICLE_PREFIX}/share/auricle/c/AuricleUnit.c")
set(_auricle_libraries "${AURICLE_PREFIX}/lib/auricle")

if(NOT TARGET Auricle::Headers)
  add_library(Auricle::Headers INTERFACE IMPORTED)
  set_target_properties(Auricle::Headers PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${AURICLE_PREFIX}/include/auricle")
  foreach(_auricle_name Foundation AudioToolbox)
    add_library(Auricle::${_auricle_name} SHARED IMPORTED)
    set_target_properties(Auricle::${_auricle_name} PROPERTIES
      IMPORTED_LOCATION "${_auricle_libraries}/lib${_auricle_name}.so"
      INTERFACE_LINK_LIBRARIES Auricle::Headers
      INTERFACE_LINK_OPTIONS "-Wl,-rpath-link,${_auricle_libraries}")
  endforeach()
  set_property(TARGET Auricle::AudioToolbox APPEND PROPERTY
    INTERFACE_LINK_LIBRARIES Auricle::Foundation)
endif()

# auricle_add_component(NAME SOURCES file… [PLIST Info.plist] [FROM_R file.r] [HELPER] [DEFINE name=value…])
#
# A target NAME, and beside what it builds NAME.component. HELPER compiles Auricle's helper for units in C with
# it. FROM_R reads a Component Manager resource source.
function(auricle_add_component name)
  cmake_parse_arguments(PARSE_ARGV 1 part "HELPER" "PLIST;FROM_R" "SOURCES;DEFINE")
  if(NOT part_SOURCES)
    message(FATAL_ERROR "auricle_add_component(${name}): name its SOURCES.")
  endif()
  add_library(${name} MODULE ${part_SOURCES})
  if(part_HELPER)
    enable_language(C)
    target_sources(${name} PRIVATE "${AURICLE_HELPER}")
    target_link_libraries(${name} PRIVATE m)
  endif()
  target_link_libraries(${name} PRIVATE Auricle::AudioToolbox)
  set_target_properties(${name} PROPERTIES PREFIX "" C_VISIBILITY_PRESET hidden)
  set(arguments --binary "$<TARGET_FILE:${name}>"
    --output "$<TARGET_FILE_DIR:${name}>/${name}.component")
  if(part_PLIST)
    get_filename_component(part_PLIST "${part_PLIST}" ABSOLUTE)
    list(APPEND arguments --plist "${part_PLIST}")
  endif()
  if(part_FROM_R)
    get_filename_component(part_FROM_R "${part_FROM_R}" ABSOLUTE)
    list(APPEND arguments --from-r "${part_FROM_R}")
  endif()
  foreach(definition IN LISTS part_DEFINE)
    list(APPEND arguments --define "${definition}")
  endforeach()
  add_custom_command(TARGET ${name} POST_BUILD
    COMMAND "${AURICLE_PROGRAM}" plugin bundle ${arguments} VERBATIM)
  if(part_PLIST)
    set_property(TARGET ${name} APPEND PROPERTY LINK_DEPENDS "${part_PLIST}")
  endif()
endfunction()
