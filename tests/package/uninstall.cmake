# Installs BUILD below FOLDER and uninstalls it: what lay there before, and what others put there since, must be all that
# is left. Once as it is, once staged by DESTDIR.
function(run)
    execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY OUTPUT_QUIET)
endfunction()

# check_uninstall(DESTDIR PREFIX)
function(check_uninstall destdir prefix)
    set(ENV{DESTDIR} "${destdir}")
    set(at ${destdir}${prefix})
    file(REMOVE_RECURSE ${FOLDER})
    file(MAKE_DIRECTORY ${at}/share/doc)
    foreach(time first again)
        run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})
    endforeach()
    if(NOT EXISTS ${at}/include/glsolve/solver.hpp)
        message(FATAL_ERROR "nothing was installed in ${at}")
    endif()
    file(WRITE ${at}/include/glsolve/foreign.hpp "// not ours\n")

    run(${CMAKE_COMMAND} --build ${BUILD} --target uninstall)
    file(GLOB_RECURSE left LIST_DIRECTORIES true RELATIVE ${at} ${at}/*)
    list(SORT left)
    set(expected include include/glsolve include/glsolve/foreign.hpp share share/doc)
    if(NOT left STREQUAL expected)
        message(SEND_ERROR "left in ${at}: ${left}, instead of: ${expected}")
    endif()

    # There is nothing more to remove, and it says so.
    execute_process(COMMAND ${CMAKE_COMMAND} --build ${BUILD} --target uninstall
        RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(result EQUAL 0 OR NOT output MATCHES "nothing to remove")
        message(SEND_ERROR "uninstalled twice: ${output}")
    endif()
endfunction()

include(${CMAKE_CURRENT_LIST_DIR}/notes.cmake)
keep_notes(${FOLDER}-kept)
check_uninstall("" ${FOLDER}/prefix)
check_uninstall(${FOLDER}/stage /opt/glsolve)
bring_notes_back(${FOLDER}-kept)
