# Writes OUTPUT with the commit the sources are from, at every build, but touches it only when that
# changed. Run with -DSOURCE_DIR= -DOUTPUT=.
find_program(git git)
set(commit "")
if(git)
  execute_process(
    COMMAND ${git} -C ${SOURCE_DIR} describe --always --abbrev=12 --exclude * --dirty=+
    OUTPUT_VARIABLE commit
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
set(text "#define WEFT_COMMIT \"${commit}\"\n")
set(before "")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} before)
endif()
if(NOT text STREQUAL before)
  file(WRITE ${OUTPUT} "${text}")
endif()
