# Installs BUILD (configuration CONFIG) and moves the result to PREFIX: what works there depends on no path of the
# machine that built it.
set(first ${PREFIX}-first)
file(REMOVE_RECURSE ${first} ${PREFIX})

set(configuration "")
if(CONFIG)
    set(configuration --config ${CONFIG})
endif()
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${first} ${configuration}
    COMMAND_ERROR_IS_FATAL ANY)
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

foreach(must IN ITEMS include/glsolve/solver.hpp share/doc/glsolve/LICENSE)
    if(NOT EXISTS ${PREFIX}/${must})
        message(SEND_ERROR "${must} was not installed")
    endif()
endforeach()

# The moved program finds its library.
if(EXISTS ${PREFIX}/bin/glsolve)
    execute_process(COMMAND ${PREFIX}/bin/glsolve --version COMMAND_ERROR_IS_FATAL ANY)
endif()
