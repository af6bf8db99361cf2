# Builds MAIN to PROGRAM with nothing but a compiler and pkg-config, and runs it. A static glsolve needs no --static: what
# it uses may well be shared.
set(ENV{PKG_CONFIG_PATH} "${LIBDIR}/pkgconfig:$ENV{PKG_CONFIG_PATH}")
execute_process(COMMAND ${PKG_CONFIG} --cflags --libs glsolve
    OUTPUT_VARIABLE flags OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
message(STATUS "pkg-config: ${flags}")
separate_arguments(flags UNIX_COMMAND "${flags} ${FLAGS}")
string(FIND "${flags}" "${PREFIX}/" at)
if(at EQUAL -1)
    message(FATAL_ERROR "These are not the flags of ${PREFIX}")
endif()

execute_process(COMMAND ${CXX} -std=c++20 ${MAIN} -o ${PROGRAM} ${flags} -Wl,-rpath,${LIBDIR}
    COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${PROGRAM} COMMAND_ERROR_IS_FATAL ANY)
