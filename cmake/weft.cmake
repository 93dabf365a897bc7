# What every room shares: flags and the shape of a room's library.

find_package(fmt REQUIRED)
find_package(Threads REQUIRED)

add_library(weft_flags INTERFACE)
target_include_directories(weft_flags INTERFACE ${PROJECT_SOURCE_DIR})
# -ffp-contract=off: gcc and clang must round alike, or the same seed gives other bytes.
target_compile_options(
  weft_flags INTERFACE -ffp-contract=off -Wall -Wextra -Wpedantic -Wshadow -Wconversion
                       -Wno-missing-field-initializers)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # gcc 12 warns of std::string's operator+ itself (gcc.gnu.org bug 105651).
  target_compile_options(weft_flags INTERFACE -Wno-restrict)
endif()
if(WEFT_WERROR)
  target_compile_options(weft_flags INTERFACE -Werror)
endif()
if(WEFT_SANITIZE)
  target_compile_options(weft_flags INTERFACE -fsanitize=${WEFT_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(weft_flags INTERFACE -fsanitize=${WEFT_SANITIZE})
endif()
if(WEFT_FUZZ)
  target_compile_options(weft_flags INTERFACE -fsanitize=fuzzer-no-link)
  target_link_options(weft_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

# weft_room(NAME [LIBRARIES...]): the library weft_NAME of all sources in this folder.
# Rooms named here are what it may include (tests/layers checks the includes themselves).
function(weft_room name)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  if(sources)
    add_library(weft_${name} STATIC ${sources})
    target_link_libraries(weft_${name} PUBLIC weft_flags ${ARGN})
  else()
    add_library(weft_${name} INTERFACE)
    target_link_libraries(weft_${name} INTERFACE weft_flags ${ARGN})
  endif()
endfunction()
