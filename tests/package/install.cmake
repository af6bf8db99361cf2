# Installs BUILD (configuration CONFIG) and moves the result to PREFIX: what works there depends on no path of the
# machine that built it. LIBRARY must be there, OTHER_LIBRARY must not.
set(first ${PREFIX}-first)
file(REMOVE_RECURSE ${first} ${PREFIX})

include(${CMAKE_CURRENT_LIST_DIR}/notes.cmake)
keep_notes(${PREFIX}-kept)

set(configuration "")
if(CONFIG)
    set(configuration --config ${CONFIG})
endif()
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${first} ${configuration} RESULT_VARIABLE result)

bring_notes_back(${PREFIX}-kept)
if(NOT result EQUAL 0)
    message(FATAL_ERROR "cmake --install: ${result}")
endif()
file(RENAME ${first} ${PREFIX})

file(GLOB_RECURSE texts ${PREFIX}/*.cmake ${PREFIX}/*.pc ${PREFIX}/*.hpp)
foreach(file IN LISTS texts)
    file(READ ${file} text)
    foreach(path IN ITEMS ${SOURCE} ${BUILD} ${first})
        string(FIND "${text}" "${path}" at)
        if(NOT at EQUAL -1)
            message(SEND_ERROR "${file} mentions ${path}")
        endif()
    endforeach()
endforeach()

foreach(must IN ITEMS include/glsolve/solver.hpp include/glsolve/glsolve.h share/doc/glsolve/LICENSE ${LIBRARY})
    if(NOT EXISTS ${PREFIX}/${must})
        message(SEND_ERROR "${must} was not installed")
    endif()
endforeach()
if(EXISTS ${PREFIX}/${OTHER_LIBRARY})
    message(SEND_ERROR "${OTHER_LIBRARY} was installed")
endif()

# The moved program finds its library.
if(EXISTS ${PREFIX}/bin/glsolve)
    execute_process(COMMAND ${PREFIX}/bin/glsolve --version COMMAND_ERROR_IS_FATAL ANY)
endif()
